//! What a metric has seen, with places by number.

use crate::data::{Growth, Metric, Part, Remaining, Requirement};
use crate::make::Places;
use selvedge_model as model;
use selvedge_model::{MetricChoice, Named, NamedObject, NamedThread};

pub(crate) fn metric(
    report: &model::MetricReport,
    left: Option<&model::Remaining>,
    places: &mut Places,
) -> Metric {
    let about = report.metric.parse::<MetricChoice>().map(|choice| choice.name.about());
    let mut all = |requirements: &[model::Requirement]| -> Vec<Requirement> {
        requirements.iter().map(|one| requirement(one, places)).collect()
    };
    let covered = all(&report.covered);
    let uncovered = all(&report.uncovered);
    Metric {
        name: report.metric.clone(),
        about: about.unwrap_or_default().to_owned(),
        covered_count: covered.len() as u64,
        uncovered_count: uncovered.len() as u64,
        covered,
        uncovered,
        growth: report.growth.iter().map(|point| Growth(point.execution, point.covered)).collect(),
        remaining: left.map(|left| Remaining {
            unseen: left.unseen,
            next: left.next,
            saturated: left.saturated,
        }),
    }
}

fn requirement(requirement: &model::Requirement, places: &mut Places) -> Requirement {
    let parts = requirement.parts.iter().map(|part| {
        let (text, at) = named(&part.is);
        let text = match (part.role.as_str(), text) {
            ("", text) => text,
            (role, text) if text.is_empty() => role.to_owned(),
            (role, text) => format!("{role} {text}"),
        };
        Part { text, place: at.map(|at| places.number(at)) }
    });
    Requirement { parts: parts.collect() }
}

/// A name in words, up to the place that ends it, if one does.
fn named(named: &Named) -> (String, Option<&model::Source>) {
    match named {
        Named::Place(model::Place::Line(at)) => (String::new(), Some(at)),
        Named::Object(object) => match &object.origin {
            Some(model::Place::Line(at)) => {
                let nameless = NamedObject { origin: None, ..object.clone() };
                (format!("{nameless} of"), Some(at))
            }
            _ => (object.to_string(), None),
        },
        Named::Thread(NamedThread { spawned: Some(at), mark: None }) => {
            ("thread of".to_owned(), Some(at))
        }
        other => (other.to_string(), None),
    }
}

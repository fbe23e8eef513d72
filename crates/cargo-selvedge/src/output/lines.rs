//! Requirements with lines in the place of instructions.
//!
//! The memory layer names accesses by their instructions. Several of one line are one place to
//! people, so that requirements which differ in these alone become one.

use crate::symbols::Symbols;
use selvedge_model::{MetricReport, Named, Part, Place, Requirement};

/// The report as it is shown: what debug information does not know stays as it is.
pub(crate) fn with_lines(report: &MetricReport, symbols: &Symbols<'_>) -> MetricReport {
    let lines = |requirements: &[Requirement]| {
        let mut named: Vec<_> = requirements.iter().map(|one| requirement(one, symbols)).collect();
        named.sort();
        named.dedup();
        named
    };
    let covered = lines(&report.covered);
    let mut uncovered = lines(&report.uncovered);
    uncovered.retain(|requirement| covered.binary_search(requirement).is_err());
    MetricReport { covered, uncovered, ..report.clone() }
}

fn requirement(requirement: &Requirement, symbols: &Symbols<'_>) -> Requirement {
    let parts = requirement.parts.iter();
    let named = parts.map(|part| Part { is: named(&part.is, symbols), role: part.role.clone() });
    Requirement { parts: named.collect() }
}

fn named(name: &Named, symbols: &Symbols<'_>) -> Named {
    match name {
        Named::Place(place) => Named::Place(line(place, symbols)),
        Named::Object(object) => {
            let mut object = object.clone();
            object.origin = object.origin.map(|origin| line(&origin, symbols));
            Named::Object(object)
        }
        Named::Set(members) => {
            let mut members: Vec<_> = members.iter().map(|one| named(one, symbols)).collect();
            members.sort();
            members.dedup();
            Named::Set(members)
        }
        Named::Thread(_) | Named::State(_) | Named::Nothing => name.clone(),
    }
}

fn line(place: &Place, symbols: &Symbols<'_>) -> Place {
    match place {
        Place::Code(address) => match symbols.source(*address) {
            Some(source) => Place::Line(source),
            None => place.clone(),
        },
        Place::Line(_) => place.clone(),
    }
}

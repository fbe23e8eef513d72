//! What operations on atomics have not seen: old values, in words.

use crate::line::Tone;
use crate::names::{Names, full};
use crate::operation::value;
use crate::page::Page;
use selvedge_model::{Finding, ObjectKind, Step};
use std::collections::BTreeMap;

/// At most so many are told of.
const MOST: usize = 3;

/// An operation that has to do with another value of its atomic than the newest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Old {
    /// Which step it is.
    step: usize,
    /// The step that wrote the value right above.
    newer: usize,
}

/// Says what was not seen, and why that is possible.
pub(crate) fn write(page: &mut Page<'_>, finding: &Finding, names: &Names<'_>) {
    let old = old_values(&finding.steps);
    for Old { step, newer } in old.iter().take(MOST) {
        let (step, newer) = (&finding.steps[*step], &finding.steps[*newer]);
        let (me, other) = (names.label(&step.thread), names.label(&newer.thread));
        let (here, there) = (full(&step.at), full(&newer.at));
        let text = match (step.effect.read(), step.effect.written(), newer.effect.written()) {
            (Some(seen), _, Some(missed)) => format!(
                "thread {me} saw the old value {} at {here}, although thread {other} had stored {} at \
                 {there}: nothing orders that store before this",
                value(seen),
                value(missed),
            ),
            (None, Some(stored), Some(_)) => format!(
                "what thread {me} stored at {here}, {}, counts as older than what thread {other} had stored at \
                 {there}: nothing orders the two stores",
                value(stored)
            ),
            (_, _, None) | (None, None, _) => continue,
        };
        page.blank();
        page.paragraph(0, "", &text, Tone::Plain);
    }
    if old.len() > MOST {
        let rest = format!("{} more steps have to do with old values", old.len() - MOST);
        page.paragraph(0, "", &rest, Tone::Faint);
    }
}

/// The operations that have to do with old values, each with the step that wrote the next newer one. Those are
/// left out of which the newer one is not among the steps.
fn old_values(steps: &[Step]) -> Vec<Old> {
    // The steps that wrote the values of each atomic, the newest first.
    let mut values: BTreeMap<(ObjectKind, u32), Vec<usize>> = BTreeMap::new();
    let mut old = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let (Some(newer), Some(object)) = (step.age.newer(), &step.object) else { continue };
        let values = values.entry((object.kind, object.number)).or_default();
        if newer > 0
            && let Some(&above) = values.get(newer - 1)
        {
            old.push(Old { step: index, newer: above });
        }
        if step.effect.written().is_some() {
            values.insert(newer.min(values.len()), index);
        }
    }
    old
}

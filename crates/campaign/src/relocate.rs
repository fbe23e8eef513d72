//! Schedules outlive edits: finds operations again whose lines have moved.
//!
//! A schedule names operations by file, line and column. An edit above them moves the lines of a
//! file, all by the same number. If a schedule does not fit, that number is looked for: the
//! smallest one by which the operations that were not met become operations that were.
//!
//! May be wrong if the program has the same operations at several such distances; the replay that
//! follows shows whether the problem is still there.

use selvedge_model::{Event, OperationKind, Schedule, Source};
use std::collections::BTreeSet;

/// An operation of the program as it is now.
type OperationPlace = (String, OperationKind, u32, u32);

/// The schedule with its lines moved to where its operations are now, if there is such a way.
pub(crate) fn relocate(schedule: &Schedule, events: &[Event]) -> Option<Schedule> {
    let seen: BTreeSet<OperationPlace> = events
        .iter()
        .flat_map(|event| {
            let site = event.operation.site;
            let place = |kind| (site.file().to_owned(), kind, site.line(), site.column());
            // A thread goes on where it has done a read-modify-write.
            [place(event.operation.kind), place(OperationKind::Continue)]
        })
        .collect();
    let mut moved = schedule.clone();
    let mut changed = false;
    for file in files(schedule) {
        let missing: Vec<(OperationKind, Source)> = schedule
            .decisions
            .iter()
            .filter_map(|decision| Some((decision.at.kind, decision.at.source.clone()?)))
            .filter(|(kind, source)| {
                source.file == file
                    && !seen.contains(&(file.clone(), *kind, source.line, source.column))
            })
            .collect();
        if missing.is_empty() {
            continue;
        }
        let distance = distance(&file, &missing, &seen)?;
        for decision in &mut moved.decisions {
            let kind = decision.at.kind;
            if let Some(source) = &mut decision.at.source
                && missing.contains(&(kind, source.clone()))
            {
                source.line = source.line.checked_add_signed(distance)?;
                changed = true;
            }
        }
    }
    changed.then_some(moved)
}

fn files(schedule: &Schedule) -> BTreeSet<String> {
    let sources = schedule.decisions.iter().filter_map(|decision| decision.at.source.as_ref());
    sources.map(|source| source.file.clone()).collect()
}

/// The smallest number of lines by which all that is missing turns into something seen.
fn distance(
    file: &str,
    missing: &[(OperationKind, Source)],
    seen: &BTreeSet<OperationPlace>,
) -> Option<i32> {
    let (kind, first) = missing.first()?;
    let mut distances: Vec<i32> = seen
        .iter()
        .filter(|(f, k, _, column)| f == file && k == kind && *column == first.column)
        .filter_map(|(_, _, line, _)| i32::try_from(i64::from(*line) - i64::from(first.line)).ok())
        .collect();
    distances.sort_by_key(|distance| (distance.abs(), *distance));
    distances.into_iter().find(|&distance| {
        missing.iter().all(|(kind, source)| {
            source
                .line
                .checked_add_signed(distance)
                .is_some_and(|line| seen.contains(&(file.to_owned(), *kind, line, source.column)))
        })
    })
}

//! Which pairs of calls ran at the same time, as a matrix.

use selvedge_generate::{Harness, Needs};
use selvedge_harness::{CallId, GenerateSummary, PairSeen};

/// What is known of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Covered,
    /// A test was made for it, but the two did not meet.
    Tried,
    NotTried,
    /// One of them needs the object for itself.
    Impossible,
}

impl Cell {
    const fn symbol(self) -> char {
        match self {
            Self::Covered => '#',
            Self::Tried => 'o',
            Self::NotTried => '.',
            Self::Impossible => '-',
        }
    }
}

/// Lines of the matrix: a row for each call that can run with another at the same time.
pub(crate) fn matrix(harness: &Harness, summary: &GenerateSummary) -> Vec<String> {
    let calls = harness.calls();
    let takes_part =
        |id: CallId| summary.pairs.iter().any(|one| one.pair.0 == id || one.pair.1 == id);
    let ids: Vec<_> =
        (0..calls.len()).map(|at| CallId(at as u16)).filter(|id| takes_part(*id)).collect();
    let width = ids.iter().map(|id| calls[id.index()].name.len()).max().unwrap_or_default();
    let mut lines = Vec::new();
    for (at, one) in ids.iter().enumerate() {
        let cells: String =
            ids[..=at].iter().map(|other| cell(summary, *other, *one).symbol()).collect();
        lines.push(format!("{:>width$} {cells}", calls[one.index()].name));
    }
    lines.push(
        "# at the same time   o tried   . not tried   - one of them needs the object for itself"
            .to_owned(),
    );
    let alone: Vec<_> = calls
        .iter()
        .enumerate()
        .filter(|(at, _)| !takes_part(CallId(*at as u16)))
        .map(|(_, row)| match row.needs {
            Needs::Exclusive => format!("{} (&mut self)", row.name),
            Needs::Owned => format!("{} (self)", row.name),
            Needs::Shared | Needs::Nothing => row.name.clone(),
        })
        .collect();
    if !alone.is_empty() {
        lines.push(format!("before and after the threads only: {}", alone.join(", ")));
    }
    lines
}

fn cell(summary: &GenerateSummary, one: CallId, other: CallId) -> Cell {
    let pair = (one.min(other), one.max(other));
    match summary.pairs.iter().find(|known| known.pair == pair) {
        Some(PairSeen { covered: 1.., .. }) => Cell::Covered,
        Some(PairSeen { tried: 1.., .. }) => Cell::Tried,
        Some(_) => Cell::NotTried,
        None => Cell::Impossible,
    }
}

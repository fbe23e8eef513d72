//! Synchronisation pairs, however they were measured.

use selvedge_model::{Named, Place, Requirement, Site, Source};
use std::collections::BTreeSet;

/// Two lines that took one lock, one directly after the other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub(crate) first: Source,
    pub(crate) second: Source,
}

pub(crate) type Pairs = BTreeSet<Pair>;

impl From<(Site, Site)> for Pair {
    fn from((first, second): (Site, Site)) -> Self {
        Self { first: first.source(), second: second.source() }
    }
}

impl Pair {
    /// The pair that a requirement of the metric `sp` is.
    pub(crate) fn of(requirement: &Requirement) -> Self {
        let source = |part: usize| match &requirement.parts[part].is {
            Named::Place(Place::Line(source)) => source.clone(),
            other => panic!("a synchronisation pair has lines, not {other}"),
        };
        Self { first: source(0), second: source(1) }
    }
}

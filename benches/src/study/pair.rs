//! Synchronisation pairs, however they were measured.

use selvedge_model::{Named, Place, Requirement, Site, Source};
use std::collections::BTreeSet;
use std::fmt;

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

    /// Reads two places with a tab between them.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (first, second) = text.split_once('\t')?;
        Some(Self { first: source(first)?, second: source(second)? })
    }
}

/// Two places with a tab between them.
impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}", self.first, self.second)
    }
}

fn source(text: &str) -> Option<Source> {
    let (rest, column) = text.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some(Source { file: file.to_owned(), line: line.parse().ok()?, column: column.parse().ok()? })
}

//! Problems that several tests of one run have: each is told once, with all of its tests.

use crate::findings::Id;
use selvedge_model::{FindingKind, MemoryUse, RacingAccess, Source, Wait, Warning};
use selvedge_report::Sources;

/// The findings of a run so far, by what they are about.
#[derive(Debug, Default)]
pub(crate) struct Repeated(Vec<Problem>);

/// Something that is wrong, and where it was met.
#[derive(Debug)]
struct Problem {
    places: Places,
    /// The tests that have it, by their names, and their findings.
    met: Vec<(String, Id)>,
}

/// What makes findings of different tests one problem: what went wrong, and the lines where it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    kind: &'static str,
    lines: Vec<Source>,
}

impl Places {
    /// Where the problem lies; nothing if that is not known well enough to say of two tests that they
    /// have the same one. Of a panic it is not: many tests fail in one helper for reasons of their own.
    pub(crate) fn of(kind: &FindingKind, sources: &dyn Sources) -> Option<Self> {
        let access = |access: &RacingAccess| {
            let code = || sources.place(*access.frames.first()?);
            access.at.clone().or_else(code)
        };
        let waits = |waits: &[Wait]| waits.iter().map(|wait| wait.at.clone()).collect();
        let mut lines: Vec<Source> = match kind {
            FindingKind::DataRace { first, second, .. } => vec![access(first)?, access(second)?],
            FindingKind::Deadlock { cycle } => waits(cycle),
            FindingKind::DoubleLock { wait } => vec![wait.at.clone()],
            FindingKind::UseAfterFree { used, .. } => match used {
                MemoryUse::Operation { at, .. } => vec![at.clone()],
                MemoryUse::Access { event, .. } => vec![sources.place(*event.frames.first()?)?],
                _ => return None,
            },
            _ => return None,
        };
        lines.sort();
        Some(Self { kind: kind.name(), lines })
    }
}

impl Repeated {
    /// A test has this problem. Gives the test that had it first, and its finding.
    pub(crate) fn meet(&mut self, places: Places, test: &str, id: &Id) -> Option<(String, Id)> {
        let met = (test.to_owned(), id.clone());
        match self.0.iter_mut().find(|problem| problem.places == places) {
            Some(problem) => {
                problem.met.push(met);
                problem.met.first().cloned()
            }
            None => {
                self.0.push(Problem { places, met: vec![met] });
                None
            }
        }
    }

    /// A line for each problem that several tests have.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        self.0.iter().filter(|problem| problem.met.len() > 1).map(|Problem { places, met }| {
            let tests: Vec<_> = met.iter().map(|(test, id)| format!("{test} [{id}]")).collect();
            format!("{} tests have the same {}: {}", met.len(), places.kind, tests.join(", "))
        })
    }
}

/// A warning with all tests that have it.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) warning: &'a Warning,
    /// Which of the jobs has it first, and the names of all tests that have it.
    pub(crate) job: usize,
    pub(crate) tests: Vec<String>,
}

/// Puts the same warnings of different tests together, without those that became findings in one of
/// them.
pub(crate) fn shared<'a>(
    warnings: impl Iterator<Item = (usize, String, &'a Warning)>,
    found: &[&FindingKind],
) -> Vec<Shared<'a>> {
    let mut all: Vec<Shared<'a>> = Vec::new();
    for (job, test, warning) in warnings {
        if found.iter().any(|kind| warning.is_shown_by(kind)) {
            continue;
        }
        match all.iter_mut().find(|shared| shared.warning.same_problem(warning)) {
            Some(shared) if shared.tests.contains(&test) => {}
            Some(shared) => shared.tests.push(test),
            None => all.push(Shared { warning, job, tests: vec![test] }),
        }
    }
    all
}

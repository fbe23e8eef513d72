//! Eraser and Eraser*: an access left a variable in a state of Eraser's automaton.
//!
//! Source: Z. Letko, *Analysis and Testing of Concurrent Programs* (2012), table 3.1:
//! (pl1 [, variable], state, lockset [, t1]).
//!
//! Deviations: (1) the state is the one *after* the access, so no requirement has the state virgin.
//! (2) Only data behind locks and plain memory: atomics need no lock. (3) Before a variable is
//! shared, every lock is a candidate, which is shown as none.

use super::Star;
use crate::coverage::tables::PerVariable;
use crate::coverage::{Facts, Found, Member, Metric, PartKind, SiteNumber, tuple};
use crate::lockset::eraser::{Access, EraserState, Variable};
use selvedge_model::{HeldLocks, MetricName, ThreadId, Weights};

pub(crate) struct Eraser {
    star: Star,
    held: HeldLocks<SiteNumber>,
    variables: PerVariable<Variable>,
}

impl Eraser {
    pub(crate) fn new(star: Star) -> Self {
        Self { star, held: HeldLocks::default(), variables: PerVariable::default() }
    }
}

pub(super) fn make(name: MetricName, _: Weights) -> Box<dyn Metric> {
    Box::new(Eraser::new(Star::of(name)))
}

impl Metric for Eraser {
    fn name(&self) -> String {
        let name = match self.star {
            Star::With => MetricName::EraserStar,
            Star::Without => MetricName::Eraser,
        };
        name.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        let mut parts = vec![
            PartKind::Site(""),
            PartKind::State("leaves it", EraserState::NAMES),
            PartKind::Set("with locks"),
        ];
        if self.star == Star::With {
            parts.push(PartKind::Object("on"));
            parts.push(PartKind::Thread("by"));
        }
        parts
    }

    fn begin(&mut self) {
        self.held.clear();
        self.variables.clear();
    }

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        let mut locks = Vec::new();
        for fact in facts.iter() {
            let Some(mode) = fact.plain_access() else {
                fact.hold(&mut self.held);
                continue;
            };
            let access = if mode.writes() { Access::Write } else { Access::Read };
            let variable = self.variables.of(fact.object);
            let held =
                self.held.by(ThreadId(fact.thread)).iter().map(|held| (held.object.0, held.hold));
            variable.access(fact.thread, access, held);
            locks.clear();
            locks.extend(variable.candidates().iter().map(|&lock| Member::Object(lock)));
            let (state, set) = (variable.state as u32, found.set(&locks));
            found.add(match self.star {
                Star::Without => tuple([fact.site, state, set]),
                Star::With => tuple([fact.site, state, set, fact.object, fact.thread]),
            });
        }
    }
}

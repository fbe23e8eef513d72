//! DUPairs and DUPairs*: a value that was written at one place is read at another.
//!
//! Source: Z. Letko, *Analysis and Testing of Concurrent Programs* (2012), table 3.1:
//! (pl1, pl2, variable [, t1, t2]).
//!
//! Deviations: (1) atomics, messages and what a `Once` initialises are variables, too; a message is
//! read by whoever receives that very message. (2) A mutable borrow of what a lock protects is a
//! write and no read, whatever is done with it.

use super::Star;
use super::definitions::Definitions;
use crate::coverage::{Facts, Found, Metric, PartKind, tuple};
use selvedge_model::{MetricName, Weights};

pub(crate) struct DuPairs {
    star: Star,
    definitions: Definitions,
}

impl DuPairs {
    pub(crate) fn new(star: Star) -> Self {
        Self { star, definitions: Definitions::default() }
    }
}

pub(super) fn make(name: MetricName, _: Weights) -> Box<dyn Metric> {
    Box::new(DuPairs::new(Star::of(name)))
}

impl Metric for DuPairs {
    fn name(&self) -> String {
        let name = match self.star {
            Star::With => MetricName::DuPairsStar,
            Star::Without => MetricName::DuPairs,
        };
        name.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        let mut parts = vec![
            PartKind::Site("written at"),
            PartKind::Site("read at"),
            PartKind::Object("variable"),
        ];
        if self.star == Star::With {
            parts.push(PartKind::Thread("written by"));
            parts.push(PartKind::Thread("read by"));
        }
        parts
    }

    fn begin(&mut self) {
        self.definitions.clear();
    }

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        for fact in facts.accesses() {
            self.definitions.see(fact, |read, write| {
                let Some(write) = write else { return };
                found.add(match self.star {
                    Star::Without => tuple([write.site, read.site, read.object]),
                    Star::With => {
                        tuple([write.site, read.site, read.object, write.thread, read.thread])
                    }
                });
            });
        }
    }
}

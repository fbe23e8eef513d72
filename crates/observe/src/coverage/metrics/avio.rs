//! Avio and Avio*: a thread accessed a variable twice in a row, and another one came in between.
//!
//! Source: Z. Letko, *Analysis and Testing of Concurrent Programs* (2012), table 3.1, after S. Lu et
//! al., *AVIO* (2006): (pl1, pl2, pl3 [, variable, t1, t2]), where pl3 is the last access by another
//! thread between two consecutive accesses of t1.
//!
//! Deviations: (1) atomics, messages and what a `Once` initialises are variables, too.
//!
//! May miss: foreign accesses before the last one, by definition.

use super::Star;
use crate::coverage::tables::PerVariable;
use crate::coverage::{Fact, Found, Metric, NONE, PartKind, tuple};
use selvedge_model::MetricName;

pub(crate) struct Avio {
    star: Star,
    execution: u32,
    variables: PerVariable<Variable>,
}

#[derive(Default)]
struct Variable {
    /// The execution that the rest is about: memory is kept from one to the next.
    execution: u32,
    last_thread: u32,
    last_site: u32,
    /// Where each thread that has given way to another accessed the variable last.
    earlier: Vec<(u32, u32)>,
}

impl Avio {
    pub(crate) fn new(star: Star) -> Self {
        Self { star, execution: 0, variables: PerVariable::default() }
    }
}

impl Metric for Avio {
    fn name(&self) -> String {
        let name = match self.star {
            Star::With => MetricName::AvioStar,
            Star::Without => MetricName::Avio,
        };
        name.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        let mut parts =
            vec![PartKind::Site(""), PartKind::Site("then"), PartKind::Site("in between")];
        if self.star == Star::With {
            parts.push(PartKind::Object("on"));
            parts.push(PartKind::Thread("by"));
            parts.push(PartKind::Thread("in between by"));
        }
        parts
    }

    fn begin(&mut self) {
        self.execution += 1;
    }

    fn facts(&mut self, facts: &[Fact], found: &mut Found) {
        for fact in facts {
            if fact.access().is_none() {
                continue;
            }
            let variable = self.variables.of(fact.object);
            if variable.execution != self.execution {
                variable.execution = self.execution;
                variable.earlier.clear();
                variable.last_thread = NONE;
            }
            if variable.last_thread == fact.thread {
                variable.last_site = fact.site;
                continue;
            }
            // Another thread was here last, so that one's access is the last foreign one.
            let (foreign, between) = (variable.last_thread, variable.last_site);
            variable.last_thread = fact.thread;
            variable.last_site = fact.site;
            if foreign == NONE {
                continue;
            }
            let mine = variable.earlier.iter().position(|&(thread, _)| thread == fact.thread);
            let first = mine.map(|position| variable.earlier.swap_remove(position).1);
            variable.earlier.push((foreign, between));
            let Some(first) = first else { continue };
            found.add(match self.star {
                Star::Without => tuple([first, fact.site, between]),
                Star::With => {
                    tuple([first, fact.site, between, fact.object, fact.thread, foreign])
                }
            });
        }
    }
}

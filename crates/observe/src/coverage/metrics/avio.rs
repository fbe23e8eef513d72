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
use crate::coverage::{Facts, Found, Metric, NONE, PartKind, SiteNumber, tuple};
use selvedge_model::{MetricName, Weights};

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
    last_site: SiteNumber,
    /// Where each thread accessed the variable last.
    places: Vec<SiteNumber>,
    /// The places that were covered last.
    covered: (SiteNumber, SiteNumber, SiteNumber),
}

impl Avio {
    pub(crate) fn new(star: Star) -> Self {
        Self { star, execution: 0, variables: PerVariable::default() }
    }
}

pub(super) fn make(name: MetricName, _: Weights) -> Box<dyn Metric> {
    Box::new(Avio::new(Star::of(name)))
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

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        for fact in facts.accesses() {
            if fact.access().is_none() {
                continue;
            }
            let variable = self.variables.of(fact.object);
            if variable.execution != self.execution {
                variable.begin(self.execution);
            }
            let mine = variable.place_of(fact.thread);
            let places = (std::mem::replace(mine, fact.site), fact.site, variable.last_site);
            let foreign = std::mem::replace(&mut variable.last_thread, fact.thread);
            variable.last_site = fact.site;
            // Nearly always the same is covered again, or would be by another thread.
            if self.star == Star::Without && places == variable.covered {
                continue;
            }
            // The last access was another thread's, so it is the last foreign one.
            let (first, then, between) = places;
            if foreign == fact.thread || foreign == NONE || first == NONE {
                continue;
            }
            variable.covered = places;
            found.add(match self.star {
                Star::Without => tuple([first, then, between]),
                Star::With => tuple([first, then, between, fact.object, fact.thread, foreign]),
            });
        }
    }
}

impl Variable {
    fn begin(&mut self, execution: u32) {
        self.execution = execution;
        self.places.clear();
        self.last_thread = NONE;
        self.covered = (NONE, NONE, NONE);
    }

    /// Where the thread accessed the variable last.
    #[inline]
    fn place_of(&mut self, thread: u32) -> &mut SiteNumber {
        let index = thread as usize;
        if self.places.len() <= index {
            self.places.resize(index + 1, NONE);
        }
        &mut self.places[index]
    }
}

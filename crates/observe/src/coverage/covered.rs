//! What a metric has covered in a campaign.

use super::fact::NONE;
use super::found::{Found, Member, PARTS, Sets, Tuple};
use super::identity::{Identities, World};
use super::metric::{Metric, PartKind};
use super::quality::{Runs, quality};
use super::sites::Sites;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_model::{Growth, Identity, MetricReport, Named, Part, Requirement, Series};

/// The requirements of one metric, added up over executions.
pub(crate) struct Covered {
    kinds: Vec<PartKind>,
    numbers: FxHashMap<Tuple, u32>,
    tuples: Vec<Tuple>,
    /// In which execution each was covered last.
    last: Vec<u64>,
    /// Sets of identities.
    sets: Sets,
    growth: Vec<Growth>,
    executions: u64,
    /// How many requirements were covered, execution by execution, together.
    sum: u64,
    /// The same before the last execution.
    before: u64,
    /// What each execution has covered, if the quality is wanted.
    runs: Option<Runs>,
    /// Executions that may be repeated, by number.
    known: Vec<Known>,
}

/// What an execution has covered that may be repeated.
#[derive(Clone, Copy)]
struct Known {
    /// How many requirements.
    count: u64,
    /// Which execution it was, from 0.
    execution: usize,
}

impl Covered {
    pub(crate) fn new(kinds: Vec<PartKind>, series: Option<Series>) -> Self {
        assert!(kinds.len() <= PARTS, "a requirement has at most {PARTS} parts");
        Self {
            kinds,
            numbers: FxHashMap::default(),
            tuples: Vec::new(),
            last: Vec::new(),
            sets: Sets::default(),
            growth: Vec::new(),
            executions: 0,
            sum: 0,
            before: 0,
            runs: series.map(|_| Runs::default()),
            known: Vec::new(),
        }
    }

    /// An execution is over.
    pub(crate) fn add(
        &mut self,
        found: &Found,
        identities: &mut Identities,
        world: &World<'_>,
        sites: &mut Sites,
    ) {
        self.executions += 1;
        self.before = self.sum;
        let mut run = Vec::new();
        for &tuple in found.now() {
            let tuple = self.translate(tuple, found, identities, world, sites);
            let next = self.tuples.len() as u32;
            let number = *self.numbers.entry(tuple).or_insert(next);
            if number == next {
                self.tuples.push(tuple);
                self.last.push(0);
            }
            let last = &mut self.last[number as usize];
            if *last != self.executions {
                *last = self.executions;
                self.sum += 1;
                if self.runs.is_some() {
                    run.push(number);
                }
            }
        }
        if let Some(runs) = &mut self.runs {
            runs.push(run.into());
        }
        let covered = self.tuples.len() as u64;
        if self.growth.last().is_none_or(|growth| growth.covered != covered) {
            self.growth.push(Growth { execution: self.executions, covered });
        }
    }

    /// The last execution has the next number, for when it is repeated.
    pub(crate) fn number(&mut self) {
        let (count, execution) = (self.sum - self.before, self.executions as usize - 1);
        self.known.push(Known { count, execution });
    }

    /// An execution is over that repeats the one with this number.
    pub(crate) fn repeat(&mut self, number: u32) {
        let Known { count, execution } = self.known[number as usize];
        self.executions += 1;
        self.sum += count;
        if let Some(runs) = &mut self.runs {
            runs.push(runs[execution].clone());
        }
    }

    /// From the numbers of an execution to identities.
    fn translate(
        &mut self,
        tuple: Tuple,
        found: &Found,
        identities: &mut Identities,
        world: &World<'_>,
        sites: &mut Sites,
    ) -> Tuple {
        let mut translated = tuple;
        for (part, kind) in translated.iter_mut().zip(&self.kinds) {
            match kind {
                PartKind::Site(_) | PartKind::State(..) => {}
                PartKind::Object(_) => *part = identities.object(*part, world, sites),
                PartKind::Thread(_) => *part = identities.thread(*part, world, sites),
                PartKind::Set(_) => {
                    let identity = |member: &Member| match *member {
                        Member::Object(object) => {
                            Member::Object(identities.object(object, world, sites))
                        }
                        Member::Thread(thread) => {
                            Member::Thread(identities.thread(thread, world, sites))
                        }
                    };
                    let members: Vec<_> = found.members(*part).iter().map(identity).collect();
                    *part = self.sets.number(&members);
                }
            }
        }
        translated
    }

    /// How many requirements are covered.
    pub(crate) fn count(&self) -> usize {
        self.tuples.len()
    }

    /// Everything that is known.
    pub(crate) fn report(
        &self,
        metric: &dyn Metric,
        identities: &Identities,
        sites: &Sites,
        series: Option<Series>,
    ) -> MetricReport {
        let name = match identities.level() {
            Identity::Abstract => metric.name(),
            level => format!("{}:{}", metric.name(), level.name()),
        };
        let named = |tuple: &Tuple| self.requirement(tuple, identities, sites);
        let mut covered: Vec<_> = self.tuples.iter().map(named).collect();
        covered.sort();
        let mut listed = FxHashSet::default();
        let mut uncovered = Vec::new();
        for tuple in metric.possible(&self.tuples) {
            if !self.numbers.contains_key(&tuple) && listed.insert(tuple) {
                uncovered.push(named(&tuple));
            }
        }
        uncovered.sort();
        let weights = self.tuples.iter().map(|tuple| metric.weight(tuple));
        MetricReport {
            metric: name,
            covered,
            uncovered,
            weight: weights.sum::<Option<u64>>().filter(|_| !self.tuples.is_empty()),
            growth: self.growth.clone(),
            average: self.sum as f64 / self.executions.max(1) as f64,
            quality: match (&self.runs, series) {
                (Some(runs), Some(series)) => quality(runs, series),
                _ => None,
            },
        }
    }

    fn requirement(&self, tuple: &Tuple, identities: &Identities, sites: &Sites) -> Requirement {
        let parts = tuple.iter().zip(&self.kinds).filter_map(|(&part, &kind)| {
            let (role, is) = match kind {
                PartKind::Site(role) if part == NONE => (role, Named::Nothing),
                PartKind::Site(role) => (role, Named::Place(sites.place(part))),
                // Dropped from the metric by its level of identity.
                PartKind::Object(_) | PartKind::Thread(_)
                    if identities.level() == Identity::None =>
                {
                    return None;
                }
                PartKind::Object(role) => (role, identities.named_object(part, sites)),
                PartKind::Thread(role) => (role, identities.named_thread(part)),
                PartKind::State(role, names) => {
                    (role, Named::State(names[part as usize].to_owned()))
                }
                PartKind::Set(role) => {
                    let member = |member: &Member| match *member {
                        Member::Object(object) => identities.named_object(object, sites),
                        Member::Thread(thread) => identities.named_thread(thread),
                    };
                    let mut members: Vec<_> = self.sets.members(part).iter().map(member).collect();
                    members.sort();
                    (role, Named::Set(members))
                }
            };
            Some(Part { role: role.to_owned(), is })
        });
        Requirement { parts: parts.collect() }
    }
}

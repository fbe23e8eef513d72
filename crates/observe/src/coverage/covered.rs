//! What a metric has covered in a campaign.

use super::fact::NONE;
use super::found::{Found, Member, PARTS, Sets, Tuple};
use super::frequency::Frequencies;
use super::identity::{Identities, World};
use super::metric::{Metric, PartKind};
use super::quality::{Runs, quality};
use super::sites::Sites;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_model::{
    CoveredRequirement, Growth, Identity, LearnedMetric, MetricReport, Named, Part, Requirement,
    Series,
};

/// The requirements of one metric, added up over executions.
pub(crate) struct Covered {
    kinds: Vec<PartKind>,
    numbers: FxHashMap<Tuple, u32>,
    tuples: Vec<Tuple>,
    /// In which execution each was covered last.
    last: Vec<u64>,
    /// In how many executions each was covered.
    frequencies: Frequencies,
    /// Sets of identities.
    sets: Sets,
    growth: Vec<Growth>,
    /// How many of them were told of.
    growth_told: usize,
    /// How many requirements were covered when that was last looked at.
    grown: u64,
    executions: u64,
    /// How many executions there were in the campaign before the first one here.
    went_before: u64,
    /// How many requirements were covered, execution by execution, together.
    sum: u64,
    /// The same before the last execution.
    before: u64,
    /// What each execution has covered, if the quality is wanted.
    runs: Option<Runs>,
    /// Executions that may be repeated, by number.
    known: Vec<Known>,
    /// What the last execution has covered and is not yet known to be covered often.
    rare: Vec<u32>,
}

/// What an execution has covered that may be repeated.
struct Known {
    /// How many requirements.
    count: u64,
    /// Which execution it was, from 0.
    execution: usize,
    /// Which of them are not yet known to be covered often: none after two repetitions.
    rare: Vec<u32>,
}

impl Covered {
    pub(crate) fn new(kinds: Vec<PartKind>, series: Option<Series>) -> Self {
        assert!(kinds.len() <= PARTS, "a requirement has at most {PARTS} parts");
        Self {
            kinds,
            numbers: FxHashMap::default(),
            tuples: Vec::new(),
            last: Vec::new(),
            frequencies: Frequencies::default(),
            sets: Sets::default(),
            growth: Vec::new(),
            growth_told: 0,
            grown: 0,
            executions: 0,
            went_before: 0,
            sum: 0,
            before: 0,
            runs: series.map(|_| Runs::default()),
            known: Vec::new(),
            rare: Vec::new(),
        }
    }

    /// There were so many executions in the campaign before the first one here.
    pub(crate) fn go_on_from(&mut self, executions: u64) {
        self.went_before = executions;
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
        self.rare.clear();
        let execution = self.went_before + self.executions;
        let mut run = Vec::new();
        for &tuple in found.now() {
            let tuple = self.translate(tuple, found, identities, world, sites);
            let number = self.number_of(tuple);
            let last = &mut self.last[number as usize];
            if *last != self.executions {
                *last = self.executions;
                self.sum += 1;
                if self.frequencies.count(number, execution).is_rare() {
                    self.rare.push(number);
                }
                if self.runs.is_some() {
                    run.push(number);
                }
            }
        }
        if let Some(runs) = &mut self.runs {
            runs.push(run.into());
        }
        let covered = self.tuples.len() as u64;
        if self.grown != covered || self.growth.is_empty() {
            self.grown = covered;
            self.growth.push(Growth { execution, covered });
        }
    }

    /// The number of a requirement, which it gets if it has none.
    fn number_of(&mut self, tuple: Tuple) -> u32 {
        let next = self.tuples.len() as u32;
        let number = *self.numbers.entry(tuple).or_insert(next);
        if number == next {
            self.tuples.push(tuple);
            self.last.push(0);
            self.frequencies.add();
        }
        number
    }

    /// The last execution has the next number, for when it is repeated.
    pub(crate) fn number(&mut self) {
        let (count, execution) = (self.sum - self.before, self.executions as usize - 1);
        self.known.push(Known { count, execution, rare: self.rare.clone() });
    }

    /// An execution is over that repeats the one with this number.
    pub(crate) fn repeat(&mut self, number: u32) {
        let Known { count, execution, rare } = &mut self.known[number as usize];
        self.executions += 1;
        self.sum += *count;
        let now = self.went_before + self.executions;
        rare.retain(|&number| self.frequencies.count(number, now).is_rare());
        if let Some(runs) = &mut self.runs {
            runs.push(runs[*execution].clone());
        }
    }

    /// Others have covered these, in earlier executions or in another process. Those that are none
    /// of this metric's requirements are left out.
    pub(crate) fn learn(
        &mut self,
        covered: &[CoveredRequirement],
        identities: &mut Identities,
        sites: &mut Sites,
    ) {
        for CoveredRequirement { requirement, frequency, first } in covered {
            if let Some(tuple) = self.recognise(requirement, identities, sites) {
                let number = self.number_of(tuple);
                self.frequencies.learn(number, *frequency, *first);
            }
        }
        self.grown = self.tuples.len() as u64;
    }

    /// What is new since this was last asked.
    pub(crate) fn news(
        &mut self,
        metric: &dyn Metric,
        identities: &Identities,
        sites: &Sites,
    ) -> LearnedMetric {
        let growth = self.growth[self.growth_told..].to_vec();
        self.growth_told = self.growth.len();
        let news = self.frequencies.news().into_iter();
        let covered = news.map(|news| CoveredRequirement {
            requirement: self.requirement(&self.tuples[news.number as usize], identities, sites),
            frequency: news.frequency,
            first: news.first,
        });
        LearnedMetric { metric: name(metric, identities), covered: covered.collect(), growth }
    }

    /// From a requirement of this metric to its numbers.
    fn recognise(
        &mut self,
        requirement: &Requirement,
        identities: &mut Identities,
        sites: &mut Sites,
    ) -> Option<Tuple> {
        let mut tuple = [NONE; PARTS];
        let mut parts = requirement.parts.iter();
        for (number, kind) in tuple.iter_mut().zip(&self.kinds) {
            let dropped = matches!(kind, PartKind::Object(_) | PartKind::Thread(_))
                && identities.level() == Identity::None;
            if dropped {
                continue;
            }
            *number = match (kind, &parts.next()?.is) {
                (PartKind::Site(_), Named::Place(place)) => sites.of_place(place),
                (PartKind::Object(_), Named::Object(object)) => {
                    identities.number_of_object(object, sites)
                }
                (PartKind::Thread(_), Named::Thread(thread)) => {
                    identities.number_of_thread(thread, sites)
                }
                (PartKind::State(_, names), Named::State(state)) => {
                    names.iter().position(|name| name == state)? as u32
                }
                (PartKind::Set(_), Named::Set(members)) => {
                    let member = |member: &Named| match member {
                        Named::Object(object) => {
                            Some(Member::Object(identities.number_of_object(object, sites)))
                        }
                        Named::Thread(thread) => {
                            Some(Member::Thread(identities.number_of_thread(thread, sites)))
                        }
                        Named::Nothing => Some(Member::Object(NONE)),
                        _ => None,
                    };
                    let members = members.iter().map(member).collect::<Option<Vec<_>>>()?;
                    self.sets.number(&members)
                }
                (PartKind::Site(_) | PartKind::Object(_) | PartKind::Thread(_), Named::Nothing) => {
                    NONE
                }
                _ => return None,
            };
        }
        parts.next().is_none().then_some(tuple)
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

    /// How many requirements were covered in exactly one execution, and how many in two.
    pub(crate) fn rare(&self) -> (u64, u64) {
        self.frequencies.rare()
    }

    /// How the number of covered requirements grew.
    pub(crate) fn growth(&self) -> &[Growth] {
        &self.growth
    }

    /// How many requirements are covered.
    pub(crate) fn count(&self) -> usize {
        self.tuples.len()
    }

    /// What is covered, in the order in which it was, without the first so many.
    pub(crate) fn since(
        &self,
        first: usize,
        identities: &Identities,
        sites: &Sites,
    ) -> Vec<Requirement> {
        let later = self.tuples[first..].iter();
        later.map(|tuple| self.requirement(tuple, identities, sites)).collect()
    }

    /// Everything that is known.
    pub(crate) fn report(
        &self,
        metric: &dyn Metric,
        identities: &Identities,
        sites: &Sites,
        series: Option<Series>,
    ) -> MetricReport {
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
            metric: name(metric, identities),
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

/// The name of a metric, with the level of identity if that is not the usual one.
pub(crate) fn name(metric: &dyn Metric, identities: &Identities) -> String {
    match identities.level() {
        Identity::Abstract => metric.name(),
        level => format!("{}:{}", metric.name(), level.name()),
    }
}

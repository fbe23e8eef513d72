//! Several processes that explore one test at the same time, with one knowledge.
//!
//! Each tells what it has covered, and is told what the others have. Who counts from where does not
//! matter to them: numbers of executions are put into one order here, in which those of one message
//! follow each other.

use selvedge_harness::Request;
use selvedge_model::{Conditions, Growth, Learned, LearnedMetric, MetricReport, Report, Stopped};
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What they know together.
#[derive(Debug)]
pub(super) struct Team(Mutex<TeamState>);

#[derive(Debug, Default)]
struct TeamState {
    /// How many executions there were in the campaign before them.
    went_before: u64,
    members: Vec<Member>,
    /// Every requirement that was covered, as a number made of it and its metric.
    seen: HashSet<u64>,
    growth: BTreeMap<String, Vec<Growth>>,
    /// Nobody needs to go on.
    over: bool,
}

#[derive(Debug, Default)]
struct Member {
    /// How many executions it has told of.
    executions: u64,
    /// What the others have learned since it was last told.
    untold: Learned,
}

/// What is made of the news of a member.
#[derive(Debug)]
pub(super) struct Heard {
    /// The same news, in one order with those of the others.
    pub(super) learned: Learned,
    /// How many executions the members have told of together.
    pub(super) executions: u64,
    /// The answer.
    pub(super) reply: Request,
}

impl Team {
    /// So many processes that go on from what is known.
    pub(super) fn new(members: usize, known: &Learned) -> Self {
        let mut state = TeamState { went_before: known.executions, ..TeamState::default() };
        state.members.resize_with(members, Member::default);
        for metric in &known.metrics {
            let points = state.growth.entry(metric.metric.clone()).or_default();
            points.extend(metric.growth.last());
            for covered in &metric.covered {
                state.seen.insert(number(&metric.metric, &covered.requirement));
            }
        }
        Self(Mutex::new(state))
    }

    fn state(&self) -> MutexGuard<'_, TeamState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nobody needs to go on.
    pub(super) fn stop(&self) {
        self.state().over = true;
    }

    /// A member tells what it has learned.
    pub(super) fn hear(&self, member: usize, learned: Learned) -> Heard {
        let mut state = self.state();
        let learned = state.in_order(member, learned);
        let shared = Learned {
            metrics: learned.metrics.iter().map(without_growth).collect(),
            corpus: learned.corpus.clone(),
            ..Learned::default()
        };
        for (index, other) in state.members.iter_mut().enumerate() {
            if index != member {
                other.untold.append(shared.clone());
            }
        }
        let executions = state.members.iter().map(|member| member.executions).sum();
        let reply = match state.over {
            true => Request::Stop,
            false => Request::GoOn { learned: std::mem::take(&mut state.members[member].untold) },
        };
        Heard { learned, executions, reply }
    }

    /// What came of them all, in the order of the members; the finding is the first one.
    pub(super) fn report(&self, reports: Vec<Report>) -> Option<Report> {
        let mut reports = reports.into_iter();
        let mut all = reports.next()?;
        for report in reports {
            add(&mut all, report);
        }
        let growth = &self.state().growth;
        for metric in &mut all.coverage {
            metric.growth = growth.get(&metric.metric).cloned().unwrap_or_default();
        }
        Some(all)
    }
}

impl TeamState {
    /// Numbers the executions of a member anew.
    fn in_order(&mut self, member: usize, mut learned: Learned) -> Learned {
        let Self { went_before, members, seen, growth, .. } = self;
        let before: u64 = members.iter().map(|member| member.executions).sum();
        let after = *went_before + before + learned.executions;
        let own = *went_before + members[member].executions;
        members[member].executions += learned.executions;
        for metric in &mut learned.metrics {
            let points = growth.entry(metric.metric.clone()).or_default();
            let known = points.last().map_or(0, |point| point.covered);
            let mut count = known;
            for covered in &mut metric.covered {
                count += u64::from(seen.insert(number(&metric.metric, &covered.requirement)));
                // One that was told of before has its place already, and it is an earlier one.
                covered.first = match covered.first.checked_sub(own) {
                    Some(since @ 1..) => (*went_before + before + since).min(after),
                    _ => after,
                };
            }
            metric.growth.clear();
            if count > known {
                let point = Growth { execution: after, covered: count };
                points.push(point);
                metric.growth.push(point);
            }
        }
        learned
    }
}

fn without_growth(metric: &LearnedMetric) -> LearnedMetric {
    LearnedMetric { growth: Vec::new(), ..metric.clone() }
}

fn number(metric: &str, requirement: &selvedge_model::Requirement) -> u64 {
    let mut hasher = DefaultHasher::new();
    (metric, requirement).hash(&mut hasher);
    hasher.finish()
}

/// Adds what came of another member.
fn add(all: &mut Report, other: Report) {
    let (one, two) = (all.executions as f64, other.executions as f64);
    all.executions += other.executions;
    all.steps += other.steps;
    all.threads = all.threads.max(other.threads);
    all.elapsed = all.elapsed.max(other.elapsed);
    if all.finding.is_none() && other.finding.is_some() {
        all.finding = other.finding;
        all.stopped = Stopped::Found;
        all.output = other.output;
    } else if all.finding.is_none() && all.stopped != other.stopped {
        all.stopped = match (&all.stopped, other.stopped) {
            (Stopped::OwnMemory, _) | (_, Stopped::OwnMemory) => Stopped::OwnMemory,
            (_, Stopped::Saturated) | (Stopped::Saturated, _) => Stopped::Saturated,
            (Stopped::Long | Stopped::Unfinished | Stopped::Plain, other) => other,
            (_, Stopped::Time) => Stopped::Time,
            (stopped, _) => stopped.clone(),
        };
    }
    for warning in other.warnings {
        if !all.warnings.contains(&warning) {
            all.warnings.push(warning);
        }
    }
    let forked = all.conditions.forked;
    all.conditions.add(Conditions { forked, ..other.conditions });
    for metric in other.coverage {
        match all.coverage.iter_mut().find(|known| known.metric == metric.metric) {
            Some(known) => add_metric(known, metric, one / (one + two).max(1.0)),
            None => all.coverage.push(metric),
        }
    }
    // Who has seen more knows better what is left.
    let covered = |report: &[selvedge_model::Remaining]| -> u64 {
        report.iter().map(|remaining| remaining.covered).sum()
    };
    if covered(&other.remaining) > covered(&all.remaining) {
        all.remaining = other.remaining;
    }
    let orders = |orders: &Option<selvedge_model::Remaining>| orders.as_ref().map(|o| o.covered);
    if orders(&other.orders) > orders(&all.orders) {
        all.orders = other.orders;
    }
    let aimed = |guidance: &Option<selvedge_model::Guidance>| guidance.as_ref().map(|g| g.covered);
    if aimed(&other.guidance) > aimed(&all.guidance) {
        all.guidance = other.guidance;
    }
}

/// Adds what another member has seen of a metric; `share` is how much the mean so far counts for.
fn add_metric(known: &mut MetricReport, other: MetricReport, share: f64) {
    known.covered.extend(other.covered);
    known.covered.sort();
    known.covered.dedup();
    known.uncovered.extend(other.uncovered);
    known.uncovered.sort();
    known.uncovered.dedup();
    let covered = &known.covered;
    known.uncovered.retain(|requirement| covered.binary_search(requirement).is_err());
    known.weight = known.weight.max(other.weight);
    known.average = share * known.average + (1.0 - share) * other.average;
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_model::{
        CorpusEntry, CoveredRequirement, Frequency, Named, Part, Requirement, ThreadId,
    };

    fn covered(name: &str, first: u64) -> CoveredRequirement {
        let part = Part { role: String::new(), is: Named::State(name.to_owned()) };
        let requirement = Requirement { parts: vec![part] };
        CoveredRequirement { requirement, frequency: Frequency::Once, first }
    }

    fn learned(executions: u64, covered: Vec<CoveredRequirement>) -> Learned {
        let metric = LearnedMetric { metric: "sp".to_owned(), covered, growth: Vec::new() };
        Learned { executions, steps: 0, metrics: vec![metric], corpus: Vec::new() }
    }

    /// The first executions of what was covered, and the growth.
    fn seen(heard: &Heard) -> (Vec<u64>, Vec<(u64, u64)>) {
        let metric = &heard.learned.metrics[0];
        let growth = metric.growth.iter().map(|point| (point.execution, point.covered));
        (metric.covered.iter().map(|covered| covered.first).collect(), growth.collect())
    }

    #[test]
    fn executions_of_all_are_put_into_one_order() {
        let mut known = learned(100, vec![covered("old", 1)]);
        known.metrics[0].growth.push(Growth { execution: 1, covered: 1 });
        let team = Team::new(2, &known);
        let heard = team.hear(0, learned(10, vec![covered("a", 101), covered("b", 110)]));
        assert_eq!(seen(&heard), (vec![101, 110], vec![(110, 3)]));
        // The other one begins to count where the first one did.
        let heard = team.hear(1, learned(5, vec![covered("a", 102), covered("c", 105)]));
        assert_eq!(seen(&heard), (vec![112, 115], vec![(115, 4)]));
        assert_eq!(heard.executions, 15);
        // What was covered before, and more often now, is no growth and did not begin here.
        let heard = team.hear(0, learned(10, vec![covered("a", 101), covered("old", 1)]));
        assert_eq!(seen(&heard), (vec![125, 125], vec![]));
    }

    #[test]
    fn each_is_told_once_what_the_others_have_learned() {
        let team = Team::new(3, &Learned::default());
        team.hear(0, learned(1, vec![covered("a", 1)]));
        let told = |heard: Heard| -> Vec<Requirement> {
            match heard.reply {
                Request::GoOn { learned } => {
                    let metrics = learned.metrics.into_iter();
                    metrics.flat_map(|metric| metric.covered).map(|one| one.requirement).collect()
                }
                _ => Vec::new(),
            }
        };
        let a = covered("a", 1).requirement;
        assert_eq!(told(team.hear(1, learned(1, vec![covered("b", 1)]))), vec![a.clone()]);
        assert_eq!(told(team.hear(1, Learned::default())), []);
        assert_eq!(told(team.hear(2, Learned::default())), [a, covered("b", 1).requirement]);
        // And which of their executions are worth going on from.
        let entry = CorpusEntry { chosen: vec![(ThreadId(1), 2)], pairs: Vec::new() };
        team.hear(0, Learned { corpus: vec![entry.clone()], ..Learned::default() });
        let corpus = |heard: Heard| match heard.reply {
            Request::GoOn { learned } => learned.corpus,
            _ => Vec::new(),
        };
        assert_eq!(corpus(team.hear(1, Learned::default())), vec![entry.clone()]);
        assert_eq!(corpus(team.hear(1, Learned::default())), []);
        assert_eq!(corpus(team.hear(2, Learned::default())), [entry]);
        assert_eq!(corpus(team.hear(0, Learned::default())), []);
        team.stop();
        assert_eq!(team.hear(2, Learned::default()).reply, Request::Stop);
    }
}

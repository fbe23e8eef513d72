//! What was measured of one subject.

use super::baseline::Baseline;
use super::controlled::{self, Run, Technique};
use super::options::Options;
use super::pair::{Pair, Pairs};
use super::saturation;
use super::subjects::{Subject, Test};
use std::collections::BTreeMap;

/// What the runs of one technique under the engine have come to.
pub(crate) struct Sample {
    pub(crate) technique: Technique,
    /// How many pairs each run has covered after the executions of study 1.
    pub(crate) counts: Vec<f64>,
    /// After how many executions each run was saturated; nothing if it was not.
    pub(crate) saturated: Vec<Option<usize>>,
    /// What each run had covered by then.
    pub(crate) at_saturation: Vec<f64>,
    /// What each run thinks to be possible in the end.
    pub(crate) estimated: Vec<Pairs>,
    /// In how many runs each pair was covered.
    pub(crate) covered: BTreeMap<Pair, usize>,
    /// How many pairs each run had covered after each execution.
    pub(crate) runs: Vec<Vec<u64>>,
    /// How many executions each run had.
    pub(crate) long: usize,
}

pub(crate) struct Measured {
    pub(crate) subject: Subject,
    pub(crate) baseline: Baseline,
    pub(crate) samples: Vec<Sample>,
    /// What the strategy thinks to be possible after one execution, by run.
    pub(crate) first_estimates: Vec<Pairs>,
}

impl Measured {
    /// Runs every technique on a subject.
    pub(crate) fn new(subject: Subject, baseline: Baseline, options: &Options) -> Self {
        let sample = |technique| Sample::new(subject, technique, options);
        let samples = controlled::ALL.map(sample).into();
        let first = |seed| controlled::run(subject.test, controlled::TSA, seed, 1).estimated;
        let first_estimates = match subject.test {
            Test::Here(_) => (1..=options.runs).filter_map(first).collect(),
            // What a strategy thinks does not leave the command.
            Test::OfCrate(_) => Vec::new(),
        };
        Self { subject, baseline, samples, first_estimates }
    }

    /// The runs of a technique.
    pub(crate) fn sample(&self, technique: Technique) -> Option<&Sample> {
        self.samples.iter().find(|sample| sample.technique == technique)
    }

    /// Everything that was covered by anybody.
    pub(crate) fn possible(&self) -> Pairs {
        let controlled = self.samples.iter().flat_map(|sample| sample.covered.keys());
        controlled.chain(&self.baseline.union).cloned().collect()
    }
}

impl Sample {
    fn new(subject: Subject, technique: Technique, options: &Options) -> Self {
        eprintln!("{}: {}", subject.name, technique.strategy);
        // Crates are compiled as tests are, and are far slower.
        let long = match subject.test {
            Test::Here(_) => options.long,
            Test::OfCrate(_) => options.executions,
        };
        let mut sample = Self {
            technique,
            counts: Vec::new(),
            saturated: Vec::new(),
            at_saturation: Vec::new(),
            estimated: Vec::new(),
            covered: BTreeMap::new(),
            runs: Vec::new(),
            long: long as usize,
        };
        for seed in 1..=options.runs {
            let run = controlled::run(subject.test, technique, seed, long);
            sample.add(&run, options);
            sample.runs.push(run.growth);
        }
        sample
    }

    fn add(&mut self, run: &Run, options: &Options) {
        let covered = |executions: usize| run.growth[executions - 1] as f64;
        let saturated = saturation::point(&run.growth, options.window as usize);
        self.counts.push(covered(options.executions as usize));
        self.at_saturation.push(covered(saturated.unwrap_or(run.growth.len())));
        self.saturated.push(saturated);
        self.estimated.extend(run.estimated.clone());
        for pair in &run.pairs {
            *self.covered.entry(pair.clone()).or_default() += 1;
        }
    }

    /// After how many executions the runs had covered so much, in the mean. A run that never had
    /// counts with all its executions.
    pub(crate) fn until_covered(&self, pairs: f64) -> f64 {
        let points = self.runs.iter().map(|growth| {
            let reached = growth.iter().position(|&covered| covered as f64 >= pairs);
            reached.map_or(growth.len(), |before| before + 1) as f64
        });
        points.sum::<f64>() / self.runs.len() as f64
    }
}

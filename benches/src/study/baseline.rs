//! What was measured on real threads, and how it is kept: it takes long, and changes neither with the
//! engine nor with the strategies.

use super::noisy::{self, Setting};
use super::pair::{Pair, Pairs};
use super::subjects::Subject;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What the fifteen settings have covered on one subject.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Baseline {
    /// How many pairs each run has covered, by the name of the setting.
    pub(crate) counts: BTreeMap<String, Vec<f64>>,
    /// What any of them has covered.
    pub(crate) union: Pairs,
}

impl Baseline {
    /// Measures all settings.
    pub(crate) fn measure(subject: Subject, runs: u64, executions: u64) -> Self {
        let mut baseline = Self::default();
        for setting in Setting::all() {
            eprintln!("{}: {}", subject.name, setting.name());
            let runs = noisy::runs(subject.test, setting, runs, executions);
            let counts = runs.iter().map(|pairs| pairs.len() as f64).collect();
            baseline.counts.insert(setting.name(), counts);
            baseline.union.extend(runs.into_iter().flatten());
        }
        baseline
    }

    /// The setting that has covered most in the mean.
    pub(crate) fn best(&self) -> Option<(&str, &[f64])> {
        let settings = self.counts.iter().map(|(name, counts)| (name.as_str(), &counts[..]));
        settings.max_by(|one, other| mean(one.1).total_cmp(&mean(other.1)))
    }
}

pub(crate) fn mean(sample: &[f64]) -> f64 {
    sample.iter().sum::<f64>() / sample.len() as f64
}

/// The baselines of subjects, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Baselines(pub(crate) BTreeMap<String, Baseline>);

impl Baselines {
    /// As text: a line for the counts of each setting, and one for each pair.
    pub(crate) fn write(&self) -> String {
        let mut text = String::new();
        for (subject, baseline) in &self.0 {
            for (setting, counts) in &baseline.counts {
                let counts: Vec<String> = counts.iter().map(f64::to_string).collect();
                let counts = counts.join(" ");
                writeln!(text, "counts\t{subject}\t{setting}\t{counts}").expect("a string");
            }
            for pair in &baseline.union {
                writeln!(text, "pair\t{subject}\t{pair}").expect("a string");
            }
        }
        text
    }

    /// Reads what [`write`](Self::write) has written.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut baselines = Self::default();
        for (number, line) in text.lines().enumerate() {
            let wrong = || format!("line {} is no line of a baseline: {line}", number + 1);
            let fields: Vec<&str> = line.splitn(3, '\t').collect();
            let [what, subject, rest] = fields[..] else { return Err(wrong()) };
            let baseline = baselines.0.entry(subject.to_owned()).or_default();
            match what {
                "counts" => {
                    let (setting, counts) = rest.split_once('\t').ok_or_else(wrong)?;
                    let counts: Result<_, _> = counts.split(' ').map(str::parse).collect();
                    baseline.counts.insert(setting.to_owned(), counts.map_err(|_| wrong())?);
                }
                "pair" => {
                    baseline.union.insert(Pair::parse(rest).ok_or_else(wrong)?);
                }
                _ => return Err(wrong()),
            }
        }
        Ok(baselines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_model::Source;

    #[test]
    fn what_is_written_is_read_again() {
        let at = |line| Source { file: "src/list.rs".to_owned(), line, column: 9 };
        let counts = BTreeMap::from([("RND-y 0.1".to_owned(), vec![3.0, 4.0])]);
        let union = Pairs::from([Pair { first: at(1), second: at(2) }]);
        let baseline = Baseline { counts, union };
        let baselines = Baselines(BTreeMap::from([("list1".to_owned(), baseline)]));
        assert_eq!(Baselines::read(&baselines.write()), Ok(baselines));
        assert!(Baselines::read("counts\tlist1").is_err());
    }

    #[test]
    fn the_best_setting_has_the_largest_mean() {
        let sample = |name: &str, counts: [f64; 2]| (name.to_owned(), counts.to_vec());
        let counts = [sample("a", [1.0, 9.0]), sample("b", [6.0, 6.0]), sample("c", [2.0, 2.0])];
        let baseline = Baseline { counts: counts.into(), union: Pairs::new() };
        assert_eq!(baseline.best(), Some(("b", &[6.0, 6.0][..])));
    }
}

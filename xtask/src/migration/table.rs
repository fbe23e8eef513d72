//! What came of the study, as tables for people.

use super::answer::{Answer, Outcome, Times};
use super::score::{Mean, Score};
use super::subject::Subject;
use super::translation::Translation;
use crate::Result;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The marks in the chapter between which the tables stand.
const BEGIN: &str = "<!-- migration: begin -->\n";
const END: &str = "<!-- migration: end -->\n";

const HEAD: &str = "\
| crate | tests | verified | sleeps left | translated | events: precision, recall | orderings: precision, recall | original | migrated | speed-up, of sums | geometric mean |
|---|---|---|---|---|---|---|---|---|---|---|
";

/// Everything that is known.
pub(crate) struct Study {
    /// What came of the tests of each crate.
    pub(crate) crates: Vec<(Subject, Vec<Answer>)>,
    /// Crates of which nothing is known.
    pub(crate) unmeasured: Vec<Subject>,
    /// What some of the tests mean.
    pub(crate) translations: Vec<Translation>,
}

/// What came of some tests.
#[derive(Default)]
struct Sum {
    tests: usize,
    verified: usize,
    sleeps_left: usize,
    events: Vec<Score>,
    orderings: Vec<Score>,
    times: Vec<Times>,
}

impl Study {
    /// The tables alone.
    pub(crate) fn tables(&self) -> String {
        let mut text = HEAD.to_owned();
        let mut whole = Sum::default();
        for (subject, answers) in &self.crates {
            let sum = self.sum(subject, answers);
            text += &sum.row(&format!("{} {}", subject.name, subject.version));
            whole.add(sum);
        }
        text += &whole.row(&format!("**{} crates**", self.crates.len()));
        if let (Some(events), Some(orderings)) =
            (Mean::of(&whole.events), Mean::of(&whole.orderings))
        {
            let _ = writeln!(
                text,
                "\nWith a test for which nothing was inferred counted as nothing found, recall is {:.2} for events and {:.2} for orderings.",
                events.recall_of_all, orderings.recall_of_all
            );
        }
        text + &self.reasons() + &self.unmeasured()
    }

    /// A page of its own, with every test.
    pub(crate) fn page(&self) -> String {
        format!(
            "# Sleep-based tests of published crates, migrated\n\n\
             Written by `cargo run --release -p xtask -- migration`; do not edit. The subjects are in \
             [subjects.toml](migration/subjects.toml), what some of them mean is in\n\
             [translations.toml](migration/translations.toml), and how to read the tables is in the book (`book/src/migration-study.md`).\n\n\
             {}\n{}\n{}",
            machine(),
            self.tables(),
            self.tests()
        )
    }

    /// The chapter of the book, with the tables of today.
    pub(crate) fn chapter(&self, root: &Path, path: &Path) -> Result<String> {
        let shown = path.display();
        let text = fs::read_to_string(root.join(path))
            .map_err(|error| format!("failed to read {shown}: {error}"))?;
        let parts = text.split_once(BEGIN).and_then(|(before, rest)| {
            let (_, after) = rest.split_once(END)?;
            Some((before, after))
        });
        let (before, after) =
            parts.ok_or_else(|| format!("{shown} has no marks for the tables"))?;
        Ok(format!("{before}{BEGIN}{}\n{}{END}{after}", machine(), self.tables()))
    }

    fn sum(&self, subject: &Subject, answers: &[Answer]) -> Sum {
        let mut sum = Sum { tests: answers.len(), ..Sum::default() };
        for answer in answers {
            if let Outcome::Verified(sleeps_left) = answer.outcome {
                sum.verified += 1;
                sum.sleeps_left += sleeps_left;
                sum.times.extend(answer.times);
            }
            if let Some((events, orderings)) = self.scores(subject, answer) {
                sum.events.push(events);
                sum.orderings.push(orderings);
            }
        }
        sum
    }

    /// How well events and orderings agree with the translation, if there is one.
    fn scores(&self, subject: &Subject, answer: &Answer) -> Option<(Score, Score)> {
        let written = self.translations.iter().find(|translation| {
            translation.krate == subject.name
                && translation.target == answer.target
                && translation.test == answer.test
        })?;
        let (written, inferred) = (&written.meaning, &answer.meaning);
        let events = Score::new(&inferred.events, &written.events);
        Some((events, Score::new(&inferred.orderings, &written.orderings)))
    }

    /// Why tests were refused, the commonest reason first.
    fn reasons(&self) -> String {
        let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (subject, answers) in &self.crates {
            for answer in answers {
                if let Outcome::Refused(reason) = &answer.outcome {
                    let test = format!("{} `{}`", subject.name, answer.test);
                    // What follows is what the test itself has said.
                    let reason = reason.lines().next().unwrap_or_default().trim_end_matches(':');
                    reasons.entry(reason).or_default().push(test);
                }
            }
        }
        if reasons.is_empty() {
            return String::new();
        }
        let mut reasons: Vec<_> = reasons.into_iter().collect();
        reasons.sort_by_key(|(_, tests)| std::cmp::Reverse(tests.len()));
        let mut text = "\nNot migrated:\n\n".to_owned();
        for (reason, tests) in reasons {
            let _ = writeln!(text, "- {reason}: {}", tests.join(", "));
        }
        text
    }

    /// The crates that were not measured.
    fn unmeasured(&self) -> String {
        if self.unmeasured.is_empty() {
            return String::new();
        }
        let names: Vec<_> = self.unmeasured.iter().map(|subject| subject.name.as_str()).collect();
        format!("\nNot measured: {}.\n", names.join(", "))
    }

    /// Each test with its schedule.
    fn tests(&self) -> String {
        let mut text = "## Every test\n".to_owned();
        for (subject, answers) in &self.crates {
            let _ = writeln!(text, "\n### {} {}\n", subject.name, subject.version);
            text += "| test | | schedule | original | migrated |\n|---|---|---|---|---|\n";
            for answer in answers {
                let outcome = match (&answer.outcome, self.scores(subject, answer)) {
                    (Outcome::Refused(_), _) => "refused",
                    (Outcome::Verified(_), None) => "verified",
                    (Outcome::Verified(_), Some((events, orderings))) => {
                        match events.is_perfect() && orderings.is_perfect() {
                            true => "verified, as by hand",
                            false => "verified, not as by hand",
                        }
                    }
                };
                let schedule = answer.schedule.replace('|', "\\|");
                let (original, migrated) = times(answer.times);
                let _ = writeln!(
                    text,
                    "| {} `{}` | {outcome} | `{schedule}` | {original} | {migrated} |",
                    answer.target, answer.test
                );
            }
            for excluded in &subject.excluded {
                let _ = writeln!(text, "\nNot a subject: {}: {}.", excluded.tests, excluded.reason);
            }
        }
        text
    }
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.tests += other.tests;
        self.verified += other.verified;
        self.sleeps_left += other.sleeps_left;
        self.events.extend(other.events);
        self.orderings.extend(other.orderings);
        self.times.extend(other.times);
    }

    fn row(&self, name: &str) -> String {
        let sums = (!self.times.is_empty()).then(|| Times {
            original: self.times.iter().map(|times| times.original).sum(),
            migrated: self.times.iter().map(|times| times.migrated).sum(),
        });
        let (original, migrated) = times(sums);
        format!(
            "| {name} | {} | {} | {} | {} | {} | {} | {original} | {migrated} | {} | {} |\n",
            self.tests,
            self.verified,
            self.sleeps_left,
            self.events.len(),
            mean(&self.events),
            mean(&self.orderings),
            sums.map_or(String::new(), |sums| format!("{:.1}", sums.speed_up())),
            geometric_mean(&self.times).map_or(String::new(), |mean| format!("{mean:.1}")),
        )
    }
}

impl Times {
    fn speed_up(self) -> f64 {
        self.original / self.migrated
    }
}

fn times(times: Option<Times>) -> (String, String) {
    let Some(Times { original, migrated }) = times else { return Default::default() };
    (format!("{original:.2} s"), format!("{:.1} ms", migrated * 1000.0))
}

fn mean(scores: &[Score]) -> String {
    match Mean::of(scores) {
        Some(mean) => format!("{:.2}, {:.2}", mean.precision, mean.recall),
        None => String::new(),
    }
}

fn geometric_mean(times: &[Times]) -> Option<f64> {
    let logarithms: f64 = times.iter().map(|times| times.speed_up().ln()).sum();
    (!times.is_empty()).then(|| (logarithms / times.len() as f64).exp())
}

/// What the figures were measured with and on.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let description = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = description
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == "model name")
        .map_or("unknown processor", |(_, model)| model.trim());
    let compiler = Command::new("rustc").arg("--version").output();
    let compiler = compiler.map(|said| String::from_utf8_lossy(&said.stdout).trim().to_owned());
    let compiler = compiler.unwrap_or_else(|_| "rustc unknown".to_owned());
    format!("Measured on {cores} cores, {model}, with {compiler}.\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migration::meaning::Meaning;
    use crate::migration::subject::Tests;

    fn answer(test: &str, outcome: Outcome, times: Option<Times>) -> Answer {
        let (target, test) = ("lib".to_owned(), test.to_owned());
        Answer {
            target,
            test,
            outcome,
            schedule: String::new(),
            meaning: Meaning::default(),
            times,
        }
    }

    #[test]
    fn a_row_counts_verified_tests_and_says_how_much_faster_they_are() {
        let times = |original, migrated| Some(Times { original, migrated });
        let subject = Subject {
            name: "queue".to_owned(),
            version: "1.0.0".to_owned(),
            features: Vec::new(),
            tests: vec![Tests { target: "lib".to_owned(), names: Vec::new() }],
            excluded: Vec::new(),
        };
        let answers = vec![
            answer("a", Outcome::Verified(0), times(1.0, 0.01)),
            answer("b", Outcome::Verified(1), times(9.0, 0.01)),
            answer("c", Outcome::Refused("it never ends".to_owned()), times(1.0, 1.0)),
        ];
        let crates = vec![(subject, answers)];
        let study = Study { crates, unmeasured: Vec::new(), translations: Vec::new() };
        let tables = study.tables();
        let row = "| queue 1.0.0 | 3 | 2 | 1 | 0 |  |  | 10.00 s | 20.0 ms | 500.0 | 300.0 |\n";
        assert!(tables.contains(row), "{tables}");
        assert!(tables.contains("- it never ends: queue `c`\n"), "{tables}");
    }
}

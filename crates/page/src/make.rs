//! Fills a report.

use crate::data::{FORMAT, Place, Report, State, Strategy, Test};
use crate::{coverage, excerpt, finding};
use selvedge_model::{Finding, MetricReport, Remaining, Source};
use selvedge_report::Sources;
use std::collections::BTreeMap;

/// What a report is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The version of Selvedge.
    pub selvedge: String,
    /// The project.
    pub project: String,
    /// The commit that was tested, if it is known.
    pub commit: Option<String>,
    /// When the report is made, in seconds since 1970.
    pub made: u64,
}

/// What is known of a test beside its findings.
#[derive(Clone, Debug)]
pub struct Tested<'a> {
    /// The test binary, as the command calls it.
    pub binary: String,
    /// The name within the binary.
    pub name: String,
    /// What came of it.
    pub state: State,
    /// What went wrong with the test itself.
    pub message: Option<String>,
    /// How many executions there were.
    pub executions: u64,
    /// How many steps they had together.
    pub steps: u64,
    /// The most threads that any of them had.
    pub threads: u64,
    /// How long it took.
    pub seconds: Option<f64>,
    /// What looks wrong, in words.
    pub warnings: Vec<String>,
    /// What each metric has seen.
    pub coverage: &'a [MetricReport],
    /// How much there is left to see.
    pub remaining: &'a [Remaining],
    /// What each strategy has done.
    pub strategies: Vec<Strategy>,
}

impl Tested<'_> {
    /// A test of which nothing but a finding is known.
    pub fn unknown(binary: &str, name: &str) -> Self {
        Self {
            binary: binary.to_owned(),
            name: name.to_owned(),
            state: State::Unknown,
            message: None,
            executions: 0,
            steps: 0,
            threads: 0,
            seconds: None,
            warnings: Vec::new(),
            coverage: &[],
            remaining: &[],
            strategies: Vec::new(),
        }
    }
}

/// Fills a report, test by test and finding by finding.
#[derive(Debug)]
pub struct Maker {
    report: Report,
    places: Places,
}

impl Maker {
    /// Nothing is known yet.
    pub fn new(head: Head) -> Self {
        let Head { selvedge, project, commit, made } = head;
        let report =
            Report { format: FORMAT, selvedge, project, commit, made, ..Report::default() };
        Self { report, places: Places::default() }
    }

    /// Adds a test and gives its number.
    pub fn test(&mut self, tested: Tested<'_>) -> usize {
        let metrics = tested.coverage.iter().map(|metric| {
            let left = tested.remaining.iter().find(|left| left.metric == metric.metric);
            coverage::metric(metric, left, &mut self.places)
        });
        let test = Test {
            metrics: metrics.collect(),
            binary: tested.binary,
            name: tested.name,
            state: tested.state,
            message: tested.message,
            executions: tested.executions,
            steps: tested.steps,
            threads: tested.threads,
            seconds: tested.seconds,
            warnings: tested.warnings,
            strategies: tested.strategies,
        };
        self.report.tests.push(test);
        self.report.tests.len() - 1
    }

    /// The number of a test that was added.
    pub fn number(&self, binary: &str, name: &str) -> Option<usize> {
        self.report.tests.iter().position(|test| test.binary == binary && test.name == name)
    }

    /// Adds a finding of a test. Its name is what `cargo selvedge replay` knows it by; `sources`
    /// say what addresses in it mean.
    pub fn finding(
        &mut self,
        id: &str,
        test: usize,
        found: &Finding,
        in_last_run: Option<bool>,
        sources: &dyn Sources,
    ) {
        let mut finding = finding::finding(id, test, found, sources, &mut self.places);
        finding.in_last_run = in_last_run;
        self.report.findings.push(finding);
        let state = &mut self.report.tests[test].state;
        // It may have been kept from an earlier run, after which the test has passed.
        if *state == State::Unknown {
            *state = State::Found;
        }
    }

    /// The report, with the source as it is now.
    pub fn finish(mut self, sources: &dyn Sources) -> Report {
        let (files, places) = self.places.finish();
        self.report.files = excerpt::files(files, &places, sources);
        self.report.places = places;
        self.report
    }
}

/// Places that were mentioned, each once.
#[derive(Debug, Default)]
pub(crate) struct Places {
    files: BTreeMap<String, usize>,
    known: BTreeMap<Place, usize>,
}

impl Places {
    /// The number of a place.
    pub(crate) fn number(&mut self, at: &Source) -> usize {
        let next = self.files.len();
        let file = match self.files.get(&at.file) {
            Some(&file) => file,
            None => *self.files.entry(at.file.clone()).or_insert(next),
        };
        let next = self.known.len();
        *self.known.entry(Place { file, line: at.line, column: at.column }).or_insert(next)
    }

    /// The names of the files and the places, in the order of their numbers.
    fn finish(self) -> (Vec<String>, Vec<Place>) {
        let mut files: Vec<_> =
            self.files.into_iter().map(|(name, number)| (number, name)).collect();
        files.sort_unstable();
        let mut places: Vec<_> =
            self.known.into_iter().map(|(place, number)| (number, place)).collect();
        places.sort_unstable();
        let files = files.into_iter().map(|(_, name)| name).collect();
        (files, places.into_iter().map(|(_, place)| place).collect())
    }
}

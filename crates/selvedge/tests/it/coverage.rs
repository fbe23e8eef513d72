//! Metrics against an independent oracle: for each of them, its definition applied by brute force to
//! a stored trace gives the same requirements, on a thousand random programs.

mod learned;
mod oracle;
pub(crate) mod programs;
mod trace;

use oracle::Oracle;
use selvedge_engine::{Ending, Engine, Settings, Watch};
use selvedge_model::{
    Access, Config, Event, MetricChoice, MetricName, Moment, Observer, Record, StrategyName, Toggle,
};
use selvedge_observe::coverage::Coverage;
use std::collections::BTreeSet;
use std::sync::Arc;
use trace::Trace;

/// A requirement, as the texts of its parts.
type Text = Vec<String>;

/// The metrics and the stored trace watch the same execution.
struct Both {
    coverage: Coverage,
    trace: Trace,
}

impl Observer for Both {
    fn begin(&mut self) {
        self.coverage.begin();
        self.trace.begin();
    }

    fn event(&mut self, event: &Event, moment: &Moment<'_>) {
        self.coverage.event(event, moment);
        self.trace.event(event, moment);
    }

    fn access(&mut self, access: &Access, moment: &Moment<'_>) {
        self.coverage.access(access, moment);
        self.trace.access(access, moment);
    }

    fn end(&mut self, record: &Record<'_>) {
        self.coverage.end(record);
        self.trace.end(record);
    }
}

/// Every metric, with each object and thread by itself.
fn all() -> Vec<MetricChoice> {
    let real = |name: &MetricName| format!("{name}:real").parse().expect("a metric has that name");
    MetricName::ALL.iter().map(real).collect()
}

#[test]
fn on_random_programs_every_metric_covers_exactly_what_its_definition_says() {
    let config = Config { strategy: StrategyName::Random, ..Config::default() };
    let mut seen: Vec<usize> = vec![0; MetricName::ALL.len()];
    for seed in 0..1_000 {
        let program = programs::random(seed);
        let config = Config { seed, ..config.clone() };
        let settings =
            Settings { clocks: Toggle::On, accesses: Toggle::On, ..Settings::new(&config) };
        let mut engine = Engine::new(settings, Arc::new(Watch::default()));
        let mut strategy = selvedge_strategy::of_config(&config);
        let mut both = Both {
            coverage: Coverage::of_choices(&all(), Default::default()),
            trace: Trace::default(),
        };
        strategy.begin();
        let outcome = engine.run(&|| program.run(), strategy.as_mut(), Some(&mut both));
        assert_eq!(*outcome.ending(), Ending::Passed, "program {seed}: {program:?}");
        let oracle = Oracle::new(&both.trace);
        let reports = both.coverage.reports();
        for ((&name, report), seen) in MetricName::ALL.iter().zip(&reports).zip(&mut seen) {
            let parts = |requirement: &selvedge_model::Requirement| -> Text {
                let parts = requirement.parts.iter().map(|part| part.is.to_string());
                let mut parts: Text = parts.collect();
                if name == MetricName::ConcurrentSites {
                    parts.sort();
                }
                parts
            };
            let covered: BTreeSet<Text> = report.covered.iter().map(parts).collect();
            let expected = oracle.covers(name);
            assert_eq!(covered.len(), report.covered.len(), "each requirement is listed once");
            let missed: Vec<_> = expected.difference(&covered).collect();
            let false_ones: Vec<_> = covered.difference(&expected).collect();
            assert!(
                missed.is_empty() && false_ones.is_empty(),
                "{name} on program {seed} {program:#?}:\nmissed {missed:#?}\nfalse {false_ones:#?}"
            );
            *seen += covered.len();
        }
    }
    for (name, seen) in MetricName::ALL.iter().zip(seen) {
        assert!(seen > 500, "the programs hardly exercise {name}: {seen} requirements");
    }
}

/// Executions that repeat an earlier one are not looked at again, unless a metric is told of steps
/// while they are made, as `sync` is. Nobody can tell from the figures.
#[test]
fn executions_that_repeat_others_count_as_if_they_had_been_measured() {
    let measured = |names: &[&str]| {
        let metrics = names.iter().map(|name| name.parse().expect("a metric has that name"));
        let builder = selvedge::Builder::new().strategy(StrategyName::Random).executions(300);
        let report = builder.metrics(metrics).set("series", "10x20").explore(|| {
            let value = Arc::new(selvedge::sync::Mutex::new(0));
            let theirs = Arc::clone(&value);
            let other = selvedge::thread::spawn(move || *theirs.lock().unwrap() += 1);
            *value.lock().unwrap() += 1;
            let seen = *value.lock().unwrap();
            other.join().unwrap();
            assert!(seen > 0);
        });
        report.expect("the settings are right").coverage
    };
    let usual = ["sp", "hbpair*", "dupairs*", "avio*", "goldilock", "concurpairs"];
    let skipping = measured(&usual);
    let reading = measured(&[&usual[..], &["sync"]].concat());
    assert!(skipping.iter().any(|report| report.growth.len() > 1), "executions differ");
    assert_eq!(skipping[..], reading[..usual.len()]);
}

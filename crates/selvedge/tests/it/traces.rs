//! Offline is online: what observers say of a stored trace is what they said of the executions.

mod damage;
mod log;

use crate::coverage::programs;
use log::Log;
use selvedge::Builder;
use selvedge_engine::{Engine, Settings, Telling, Watch};
use selvedge_model::{
    Access, Config, DetectorSet, Event, MemoryChange, MetricName, MetricReport, Moment, Observer,
    Race, Record, StrategyName, Toggle, Traced,
};
use selvedge_observe::Watchers;
use selvedge_observe::coverage::Coverage;
use selvedge_observe::detect::fast_track::FastTrack;
use selvedge_observe::detect::{Certainty, Detectors, Suspicion, Verdict};
use selvedge_observe::trace::{Header, Trace, TraceWriter, Written, analyse};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Whoever is told what the watchers are told, too.
struct Both<'a>(&'a mut Log, &'a mut dyn Observer);

impl Observer for Both<'_> {
    fn begin(&mut self) {
        self.0.begin();
        self.1.begin();
    }

    fn event(&mut self, event: &Event, moment: &Moment<'_>) {
        self.0.event(event, moment);
        self.1.event(event, moment);
    }

    fn access(&mut self, access: &Access, moment: &Moment<'_>) {
        self.0.access(access, moment);
        self.1.access(access, moment);
    }

    fn memory(&mut self, change: &MemoryChange, moment: &Moment<'_>) {
        self.0.memory(change, moment);
        self.1.memory(change, moment);
    }

    fn race(&self) -> Option<Race> {
        self.1.race()
    }

    fn end(&mut self, record: &Record<'_>) {
        self.0.end(record);
        self.1.end(record);
    }
}

/// Everybody there is.
fn everybody() -> Watchers {
    let metrics: Vec<_> = MetricName::ALL
        .iter()
        .map(|name| name.to_string().parse().expect("a metric has that name"))
        .collect();
    Watchers {
        coverage: Some(Coverage::of_choices(&metrics, Default::default())),
        detectors: Detectors::new(DetectorSet::all()),
        races: Some(FastTrack::default()),
        trace: None,
    }
}

/// What everybody says.
fn said(watchers: Watchers) -> (Vec<MetricReport>, Vec<String>) {
    let suspicions = watchers.detectors.map(Detectors::into_suspicions).unwrap_or_default();
    let text = |suspicion: &Suspicion| format!("{suspicion:?}");
    let reports = watchers.coverage.map(|coverage| coverage.reports()).unwrap_or_default();
    (reports, suspicions.iter().map(text).collect())
}

fn header() -> Header {
    Header {
        test: "queue::close".to_owned(),
        program: "/nowhere".to_owned(),
        settings: vec![("detectors".to_owned(), "all".to_owned())],
    }
}

/// Runs a test some times with everybody watching; says what they were told and what they say.
fn watch(
    seed: u64,
    executions: u32,
    limit: usize,
    test: &(dyn Fn() + Sync),
) -> (Written, Log, Watchers) {
    let config = Config { strategy: StrategyName::Random, seed, ..Config::default() };
    let settings = Settings { clocks: Toggle::On, accesses: Toggle::On, ..Settings::new(&config) };
    let mut engine = Engine::new(settings, Arc::new(Watch::default()));
    let mut strategy = selvedge_strategy::of_config(&config);
    let mut log = Log::default();
    let mut watchers = everybody();
    watchers.trace = Some(TraceWriter::new(&header(), limit));
    for _ in 0..executions {
        strategy.begin();
        let observer = watchers.observer().expect("everybody watches");
        let outcome = engine.run(test, strategy.as_mut(), Some(&mut Both(&mut log, observer)));
        let verdict = match outcome.finding() {
            Some(_) => Verdict::Failed,
            None => Verdict::Passed,
        };
        watchers.judge(verdict, || outcome.threads());
    }
    let written = watchers.trace.take().expect("it was put there").finish();
    (written, log, watchers)
}

/// What is told of a trace.
fn told(written: &Written) -> Log {
    let trace = Trace::read(&written.bytes).expect("it was just written");
    let mut player = trace.player();
    let mut log = Log::default();
    while player.play(&mut log).expect("it was just written").is_some() {}
    log
}

const ROOM: usize = usize::MAX;

#[test]
fn whoever_reads_a_trace_is_told_what_the_writer_was_told() {
    for seed in 0..100 {
        let program = programs::random(seed);
        let (written, log, _) = watch(seed, 3, ROOM, &|| program.run());
        let again = told(&written);
        assert_eq!(log.calls.len(), again.calls.len(), "program {seed}");
        for (one, other) in log.calls.iter().zip(&again.calls) {
            assert_eq!(one, other, "program {seed}");
        }
    }
}

#[test]
fn whatever_is_found_in_executions_is_found_in_their_trace() {
    let (mut requirements, mut suspicions) = (0, 0);
    for seed in 0..100 {
        let program = programs::random(seed);
        let (written, _, live) = watch(seed, 12, ROOM, &|| program.run());
        let mut offline = everybody();
        let trace = Trace::read(&written.bytes).expect("it was just written");
        assert_eq!(trace.header(), &header());
        let analysed = analyse(&trace, &mut offline).expect("it was just written");
        assert_eq!((analysed.executions, written.left_out), (12, 0));
        let (live, offline) = (said(live), said(offline));
        assert_eq!(format!("{live:#?}"), format!("{offline:#?}"), "program {seed}");
        requirements += live.0.iter().map(|report| report.covered.len()).sum::<usize>();
        suspicions += live.1.len();
    }
    assert!(requirements > 5_000, "the programs cover hardly anything: {requirements}");
    assert!(suspicions > 10, "nobody suspects anything: {suspicions}");
}

#[test]
fn what_became_of_executions_and_the_names_of_threads_are_in_the_trace() {
    let test = || {
        let named = selvedge::thread::Builder::new().name("reader".to_owned());
        named.spawn(|| ()).expect("there is room for a thread").join().expect("it ends well");
        panic!("as it should");
    };
    let (written, _, _) = watch(0, 1, ROOM, &test);
    let trace = Trace::read(&written.bytes).expect("it was just written");
    let played = trace.player().play(&mut Log::default()).expect("it is whole");
    let judged = played.expect("there is one execution").judged.expect("it was judged");
    assert_eq!(judged.verdict, Verdict::Failed);
    let [thread] = judged.threads.as_slice() else { panic!("one has a name: {judged:?}") };
    assert_eq!((thread.path.to_string(), thread.name.as_deref()), ("1".into(), Some("reader")));
}

#[test]
fn only_whole_executions_are_kept_if_there_is_not_enough_room() {
    let program = programs::random(7);
    let (whole, log, _) = watch(7, 10, ROOM, &|| program.run());
    let (cut, _, _) = watch(7, 10, whole.bytes.len() / 2, &|| program.run());
    assert!(cut.executions > 0 && cut.left_out > 0, "{} of {}", cut.executions, cut.left_out);
    assert_eq!(cut.executions + cut.left_out, 10);
    assert!(cut.bytes.len() < whole.bytes.len() / 2 + 100);
    let trace = Trace::read(&cut.bytes).expect("it is whole as far as it goes");
    assert_eq!((trace.executions() as u64, trace.left_out()), (cut.executions, cut.left_out));
    assert!(log.calls.starts_with(&told(&cut).calls));
    let (none, _, _) = watch(7, 2, 10, &|| program.run());
    assert_eq!((none.executions, none.left_out), (0, 2));
    assert!(told(&none).calls.is_empty());
}

/// A folder for the traces of a test, empty.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("traces").join(test);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("it is ours");
    }
    folder
}

#[test]
fn the_trace_of_an_exploration_gives_its_report_again() {
    let settings = [
        ("metrics", "all"),
        ("detectors", "all"),
        ("strategy", "random"),
        ("executions", "100"),
        ("confirm", "0"),
        ("trace", folder("report").to_str().expect("it is text").to_owned().leak()),
    ];
    for seed in 0..10 {
        let program = programs::random(seed);
        let builder = settings.iter().fold(Builder::new(), |all, (key, value)| all.set(key, value));
        let report = builder.explore(move || program.run()).expect("the settings are right");
        let Some(Traced::Written { file, executions, .. }) = &report.trace else {
            panic!("there is no trace: {:?}", report.trace);
        };
        assert_eq!(*executions, report.executions);
        let bytes = std::fs::read(file).expect("it was just written");
        let trace = Trace::read(&bytes).expect("it was just written");
        let mut config = Config::default();
        for (key, value) in &trace.header().settings {
            config.set(key, value).expect("it was set before");
        }
        let mut watchers = Watchers::of_config(&config);
        analyse(&trace, &mut watchers).expect("it was just written");
        let suspicions = watchers.detectors.take().map(Detectors::into_suspicions);
        let told = suspicions.into_iter().flatten().filter(|one| one.certainty == Certainty::Told);
        let warnings: Vec<_> = told.map(|suspicion| suspicion.warning).collect();
        assert_eq!(format!("{warnings:?}"), format!("{:?}", report.warnings), "program {seed}");
        let coverage = watchers.coverage.expect("metrics are on").reports();
        assert_eq!(coverage, report.coverage, "program {seed}");
    }
}

#[test]
fn executions_in_processes_of_their_own_have_no_trace_and_that_is_said() {
    let folder = folder("forked");
    let trace = folder.to_str().expect("it is text");
    let builder = Builder::new().set("isolation", "fork").set("trace", trace);
    let report = builder.explore(|| drop(selvedge::thread::spawn(|| ()).join()));
    let report = report.expect("the settings are right");
    assert!(matches!(&report.trace, Some(Traced::Failed(why)) if why.contains("process")));
    assert!(!folder.exists());
}

/// Counts what is recorded of the data behind locks.
struct Reader {
    accesses: usize,
}

impl Observer for Reader {
    fn wants_events(&self) -> bool {
        false
    }

    fn event(&mut self, _event: &Event, _moment: &Moment<'_>) {}

    fn end(&mut self, record: &Record<'_>) {
        self.accesses = record.accesses.len();
    }
}

#[test]
fn data_behind_locks_is_recorded_for_those_who_read_it() {
    let config = Config { strategy: StrategyName::Random, ..Config::default() };
    let settings = Settings { accesses: Toggle::On, ..Settings::new(&config) };
    let mut engine = Engine::new(settings, Arc::new(Watch::default()));
    let mut strategy = selvedge_strategy::of_config(&config);
    let test = || *selvedge::sync::Mutex::new(0).lock().unwrap() += 1;
    for telling in [Telling::Yes, Telling::No, Telling::Yes] {
        strategy.begin();
        engine.set_telling(telling);
        let mut reader = Reader { accesses: 0 };
        engine.run(&test, strategy.as_mut(), Some(&mut reader));
        assert_eq!(reader.accesses > 0, telling == Telling::Yes);
    }
}

#[test]
fn nobody_reads_data_in_executions_that_no_detector_watches() {
    let mut watchers = Watchers::of_config(&Config::default());
    let mut reads = || watchers.observer().is_some_and(|observer| observer.reads_data());
    let read = (0..64).filter(|_| reads()).count();
    assert!((1..64).contains(&read), "{read}");
    let metrics = "dupairs".parse().map(|metric| vec![metric]).expect("a metric");
    let mut watchers = Watchers::of_config(&Config { metrics, ..Config::default() });
    let mut reads = || watchers.observer().is_some_and(|observer| observer.reads_data());
    assert!((0..64).all(|_| reads()));
}

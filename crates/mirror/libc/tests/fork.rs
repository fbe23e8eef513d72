//! Executions in processes of their own.
//!
//! One test, because nobody else may use the statics of the program meanwhile.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod run;

use run::executions;
use selvedge_campaign::{Exchange, Watched, watched};
use selvedge_engine::{Engine, Settings, Watch};
use selvedge_model::{
    Config, FindingKind, Forked, GuidedMetric, Isolation, Learned, Rate, Replayed, Report,
    Schedule, Stopped, StrategyName,
};
use selvedge_std::sync::Mutex;
use selvedge_std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use selvedge_std::thread;
use std::sync::Arc;
use std::time::Duration;

#[test]
fn executions_run_in_processes_of_their_own() {
    nothing_is_left_of_an_execution();
    a_strategy_decides_as_it_does_in_one_process();
    every_schedule_is_met_once();
    a_killed_process_is_a_finding_that_comes_again();
    whoever_leaves_is_seen();
    what_is_contained_anyway_is_found_as_well();
    a_thread_that_stands_still_is_ended();
    what_is_learned_in_a_child_is_known_afterwards();
    a_watched_campaign();
}

fn config(isolation: Isolation) -> Config {
    Config { isolation, ..run::config() }
}

fn explore(config: &Config, test: &(dyn Fn() + Sync)) -> Report {
    selvedge_libc::install();
    let watch = Arc::new(Watch::default());
    selvedge_campaign::explore(config, &[], "forked", test, &watch, &Exchange::default())
}

/// Two threads that take turns in more than one way.
fn two_threads() {
    static TOTAL: AtomicUsize = AtomicUsize::new(0);
    let threads = [1, 2].map(|number| {
        thread::spawn(move || {
            let before = TOTAL.load(SeqCst);
            TOTAL.store(before + number, SeqCst);
        })
    });
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

/// Neither statics of the program nor state of the C library is there for the next one.
fn nothing_is_left_of_an_execution() {
    static COUNTER: AtomicUsize = AtomicUsize::new(5);
    static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    // SAFETY: Nobody else uses the generator.
    let draw = || unsafe { (libc::rand(), libc::rand()) };
    // SAFETY: As above.
    unsafe { libc::srand(3) };
    let numbers = draw();
    // SAFETY: As above.
    unsafe { libc::srand(3) };
    let report = explore(&Config { executions: 50, ..config(Isolation::Fork) }, &move || {
        two_threads();
        assert_eq!(COUNTER.fetch_add(1, SeqCst), 5);
        NAMES.lock().unwrap().push("somebody".to_owned());
        assert_eq!(NAMES.lock().unwrap().len(), 1);
        assert_eq!(draw(), numbers);
    });
    assert_eq!(report.finding, None);
    assert_eq!((report.executions, report.stopped), (50, Stopped::Executions));
    assert_eq!(report.conditions.forked, Some(Forked::Asked));
    assert_eq!(report.conditions.statics_put_back, None);
    assert_eq!(COUNTER.load(SeqCst), 5);
}

/// The schedules of so many executions.
fn schedules(isolation: Isolation, strategy: StrategyName) -> Vec<Schedule> {
    let config = Config { strategy, seed: 11, spurious: Rate::Eager, ..config(isolation) };
    let mut schedules = Vec::new();
    executions(Settings::new(&config), &config, 60, &two_threads, |outcome| {
        assert_eq!(outcome.finding(), None);
        schedules.push(outcome.schedule());
    });
    schedules
}

fn a_strategy_decides_as_it_does_in_one_process() {
    for strategy in [
        StrategyName::Portfolio,
        StrategyName::Random,
        StrategyName::Pct(3),
        StrategyName::Pos,
        StrategyName::Surw,
        StrategyName::Urw,
        StrategyName::Tsa,
        StrategyName::Guided(GuidedMetric::DefUse),
        StrategyName::RoundRobin,
    ] {
        let here = schedules(Isolation::On, strategy);
        assert_eq!(schedules(Isolation::Fork, strategy), here, "{strategy}");
        assert!(here.iter().any(|schedule| *schedule != here[0]), "{strategy} does not vary");
    }
}

fn every_schedule_is_met_once() {
    let count = |isolation| {
        let strategy = StrategyName::Exhaustive;
        let report = explore(&Config { strategy, ..config(isolation) }, &two_threads);
        assert_eq!((report.stopped, report.finding), (Stopped::Exhausted, None));
        (report.executions, report.steps)
    };
    let here = count(Isolation::On);
    assert_eq!(count(Isolation::Fork), here);
    assert!(here.0 > 10, "{here:?}");
}

/// Dies only if the threads come in the wrong order.
fn killed_by_order(die: fn()) {
    let last = Arc::new(AtomicUsize::new(0));
    let other = Arc::clone(&last);
    let thread = thread::spawn(move || other.store(1, SeqCst));
    last.store(2, SeqCst);
    if last.load(SeqCst) == 1 {
        die();
    }
    thread.join().unwrap();
}

fn a_killed_process_is_a_finding_that_comes_again() {
    let test = || {
        // SAFETY: Ends the process, which is one of its own.
        killed_by_order(|| unsafe {
            libc::kill(libc::getpid(), libc::SIGKILL);
        });
    };
    let config = config(Isolation::Fork);
    let report = explore(&config, &test);
    let finding = report.finding.expect("the process is killed");
    let FindingKind::Crash { signal, after, .. } = &finding.kind else { panic!("{finding:?}") };
    assert_eq!(signal, "SIGKILL");
    assert!(after.as_ref().is_some_and(|at| at.file.ends_with("fork.rs")), "{after:?}");
    assert_eq!(finding.replayed, Replayed::Yes);
    assert_eq!(finding.schedule.decisions.len(), 1, "{}", finding.schedule);
    assert!(finding.steps.len() > 3, "{:?}", finding.steps);
    assert_eq!(finding.threads.len(), 2);
    let replay = Config { replay: Some(finding.schedule.clone()), ..config };
    let again = explore(&replay, &test);
    assert_eq!(again.stopped, Stopped::Found);
    assert_eq!(again.finding.expect("it comes again").steps, finding.steps);
}

fn whoever_leaves_is_seen() {
    // SAFETY: As above.
    let leave = || killed_by_order(|| unsafe { libc::_exit(3) });
    let finding = explore(&config(Isolation::Fork), &leave).finding.expect("the process leaves");
    assert!(matches!(finding.kind, FindingKind::Exit { code: Some(3), .. }), "{finding:?}");
    let exit = || killed_by_order(|| std::process::exit(4));
    let finding = explore(&config(Isolation::Fork), &exit).finding.expect("the process exits");
    assert!(matches!(finding.kind, FindingKind::Exit { code: Some(4), .. }), "{finding:?}");
    assert_eq!(finding.replayed, Replayed::Yes);
}

fn what_is_contained_anyway_is_found_as_well() {
    let abort = || killed_by_order(|| std::process::abort());
    let finding = explore(&config(Isolation::Fork), &abort).finding.expect("it aborts");
    assert!(matches!(&finding.kind, FindingKind::Crash { signal, .. } if signal == "SIGABRT"));
    let panic = || killed_by_order(|| panic!("in the wrong order"));
    let finding = explore(&config(Isolation::Fork), &panic).finding.expect("it panics");
    assert!(
        matches!(&finding.kind, FindingKind::Panic(panic) if panic.message == "in the wrong order")
    );
    assert_eq!(finding.panics.len(), 1);
    assert_eq!(finding.replayed, Replayed::Yes);
    let lock = || {
        let mutex = Mutex::new(());
        let _guard = mutex.lock().unwrap();
        let _again = mutex.lock();
    };
    let finding = explore(&config(Isolation::Fork), &lock).finding.expect("it locks twice");
    assert_eq!(finding.kind.name(), "double-lock");
}

fn a_thread_that_stands_still_is_ended() {
    let test = || {
        killed_by_order(|| {
            loop {
                std::hint::spin_loop();
            }
        });
    };
    let (stall, time) = (Duration::from_millis(50), Duration::from_secs(1));
    let config = Config { stall, time, ..config(Isolation::Fork) };
    selvedge_libc::install();
    let name = "still".to_owned();
    let (metrics, known) = (Vec::new(), Learned::default());
    let exploration = Watched { config, metrics, name, known, on_progress: &mut |_| {} };
    let report = watched(exploration, Arc::new(test)).unwrap().report;
    let finding = report.finding.expect("it stands still");
    assert_eq!(finding.kind.name(), "stalled");
    assert!(!finding.schedule.decisions.is_empty(), "{finding:?}");
    assert!(finding.steps.len() > 3);
}

/// Stops that do not matter are left out from the second execution on.
fn what_is_learned_in_a_child_is_known_afterwards() {
    let test = || {
        let own = Mutex::new(0);
        let shared = Arc::new(AtomicUsize::new(0));
        let theirs = Arc::clone(&shared);
        let thread = thread::spawn(move || theirs.fetch_add(1, SeqCst));
        for _ in 0..5 {
            *own.lock().unwrap() += 1;
        }
        shared.fetch_add(1, SeqCst);
        thread.join().unwrap();
    };
    let choices = |isolation| {
        let config = Config { strategy: StrategyName::RoundRobin, ..config(isolation) };
        let settings = Settings::new(&config);
        let mut engine = Engine::new(settings, Arc::new(Watch::default()));
        let mut strategy = selvedge_strategy::of_config(&config);
        let mut choices = Vec::new();
        for _ in 0..4 {
            strategy.begin();
            choices.push(engine.run(&test, strategy.as_mut(), None).choices());
        }
        (choices, engine.steps(), engine.knowledge_version())
    };
    let forked = choices(Isolation::Fork);
    assert_eq!(forked, choices(Isolation::On));
    assert!(forked.0[1] < forked.0[0], "{forked:?}");
}

fn a_watched_campaign() {
    let time = Duration::from_millis(300);
    let config = Config { executions: u64::MAX, time, ..config(Isolation::Fork) };
    let mut seen = 0;
    let exploration = Watched {
        config,
        metrics: Vec::new(),
        name: "watched".to_owned(),
        known: Learned::default(),
        on_progress: &mut |exploring| seen = exploring.executions(),
    };
    let report = watched(exploration, Arc::new(two_threads)).unwrap().report;
    assert_eq!((report.finding, report.stopped), (None, Stopped::Time));
    assert!(report.executions > 10 && seen > 0, "{} {seen}", report.executions);
}

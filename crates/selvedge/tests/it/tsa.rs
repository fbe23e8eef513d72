//! Guided strategies: what they aim at is covered, and what they say of it agrees with the metric.

use crate::coverage::programs;
use selvedge::sync::{Arc, Condvar, Mutex, RwLock, mpsc};
use selvedge::{Builder, Rate, Report, StrategyName, thread};
use selvedge_model::{GuidedMetric, MetricChoice, Requirement, Stopped};

fn explore(strategy: &str, metric: &str, executions: u64, test: fn()) -> Report {
    let metric: MetricChoice = metric.parse().expect("a metric has that name");
    let settings = Builder::new().set("strategy", strategy).metrics([metric]).seed(7);
    settings.executions(executions).explore(test).expect("the settings are right")
}

/// The metric's covered requirements, after having checked that the strategy knows of them.
fn covered(report: &Report) -> &[Requirement] {
    let guidance = report.guidance.as_ref().expect("the strategy aims at something");
    let metric = &report.coverage[0];
    assert_eq!(guidance.metric, metric.metric);
    assert_eq!(guidance.covered, metric.covered.len() as u64, "both count the same");
    for requirement in &guidance.uncovered {
        assert!(!metric.covered.contains(requirement), "{requirement} was covered");
    }
    &metric.covered
}

/// The program of figure 2.
fn worked_example() {
    let m = Arc::new(Mutex::new(0));
    let n = Arc::clone(&m);
    let first = thread::spawn(move || {
        *n.lock().unwrap() += 1;
        *n.lock().unwrap() += 1;
    });
    let second = thread::spawn(move || {
        *m.lock().unwrap() += 1;
        *m.lock().unwrap() += 1;
    });
    first.join().unwrap();
    second.join().unwrap();
}

#[test]
fn the_ten_pairs_of_the_worked_example_are_estimated_and_covered() {
    let first = explore("tsa", "sp", 1, worked_example);
    let guidance = first.guidance.as_ref().unwrap();
    assert_eq!(covered(&first).len() + guidance.uncovered.len(), 10);
    for strategy in ["tsa", "tsa-h", "guided(sync_pair)", "guided(sp)"] {
        let report = explore(strategy, "sp", 40, worked_example);
        assert_eq!(covered(&report).len(), 10, "{strategy}");
        assert!(report.guidance.unwrap().uncovered.is_empty());
    }
}

#[test]
fn the_tests_own_thread_is_one_of_them() {
    fn test() {
        let lock = Arc::new(Mutex::new(0));
        let other = Arc::clone(&lock);
        let thread = thread::spawn(move || {
            *other.lock().unwrap() += 1;
            *other.lock().unwrap() += 1;
        });
        *lock.lock().unwrap() += 1;
        *lock.lock().unwrap() += 1;
        thread.join().unwrap();
    }
    let report = explore("tsa", "sp", 100, test);
    assert_eq!(covered(&report).len(), 10);
    assert!(report.guidance.unwrap().uncovered.is_empty());
}

#[test]
fn the_same_seed_is_the_same_campaign() {
    for strategy in ["tsa", "tsa-h", "guided(def_use)", "guided(avio)"] {
        let run = || {
            let mut report = explore(strategy, "concurpairs", 60, every_kind_of_lock);
            report.elapsed = std::time::Duration::ZERO;
            report
        };
        assert_eq!(run(), run(), "{strategy}");
    }
}

/// Threads that meet in all kinds of locks.
fn every_kind_of_lock() {
    let shared = Arc::new((Mutex::new(0), Condvar::new(), RwLock::new(0)));
    let reader = {
        let shared = Arc::clone(&shared);
        thread::spawn(move || {
            let mut ready = shared.0.lock().unwrap();
            while *ready == 0 {
                ready = shared.1.wait(ready).unwrap();
            }
            drop(ready);
            _ = *shared.2.read().unwrap();
            *shared.2.write().unwrap() += 1;
        })
    };
    let writer = {
        let shared = Arc::clone(&shared);
        thread::spawn(move || {
            *shared.2.write().unwrap() += 1;
            *shared.0.lock().unwrap() = 1;
            shared.1.notify_one();
            _ = *shared.2.read().unwrap();
        })
    };
    if let Ok(mut value) = shared.0.try_lock() {
        *value += 0;
    }
    reader.join().unwrap();
    writer.join().unwrap();
}

#[test]
fn every_kind_of_lock_is_aimed_at() {
    let report = explore("tsa", "sp", 400, every_kind_of_lock);
    let pairs: Vec<String> = covered(&report).iter().map(ToString::to_string).collect();
    let source = include_str!("tsa.rs");
    let line = |text: &str, nth: usize| {
        let found = source.lines().enumerate().filter(|(_, line)| line.contains(text)).nth(nth);
        found.expect("the line is there").0 + 1
    };
    let has = |first: usize, second: usize| {
        let (first, second) =
            (format!("tsa.rs:{first}:"), format!("then crates/selvedge/tests/it/tsa.rs:{second}:"));
        pairs.iter().any(|pair| pair.contains(&first) && pair.contains(&second))
    };
    let wait = line("shared.1.wait(", 0);
    let set = line("shared.0.lock().unwrap() = 1", 0);
    let tries = line("shared.0.try_lock()", 0);
    let write = line("shared.2.write()", 0);
    let read = line("shared.2.read()", 1);
    assert!(has(set, wait), "a wait ends after it was set: {pairs:#?}");
    assert!(has(tries, set) && has(set, tries), "a try comes first or last: {pairs:#?}");
    assert!(has(read, write), "a writer comes after a reader: {pairs:#?}");
}

/// A place that is reached only if another thread was quick.
fn late_place() {
    let list = Arc::new(Mutex::new(Vec::new()));
    let other = Arc::clone(&list);
    let adds = thread::spawn(move || {
        other.lock().unwrap().push(1);
        other.lock().unwrap().clear();
    });
    let found = list.lock().unwrap().contains(&1);
    if found {
        list.lock().unwrap().retain(|&item| item != 1);
    }
    adds.join().unwrap();
}

#[test]
fn what_later_executions_show_is_added_to_the_estimate() {
    // In the first execution the branch is not taken, or it is: it can not be both.
    let first = explore("tsa", "sp", 1, late_place);
    let estimated =
        |report: &Report| covered(report).len() + report.guidance.as_ref().unwrap().uncovered.len();
    let last = explore("tsa", "sp", 200, late_place);
    assert!(estimated(&last) > estimated(&first));
    // push, clear, contains and retain: all but what would turn a thread's own order round, or
    // the check and what follows from it; retain after push, but never before it.
    assert_eq!(covered(&last).len(), 8);
}

#[test]
fn pairs_that_joins_and_messages_forbid_are_not_estimated() {
    fn test() {
        let m = Arc::new(Mutex::new(0));
        let (sender, receiver) = mpsc::channel();
        *m.lock().unwrap() += 1;
        let other = Arc::clone(&m);
        let thread = thread::spawn(move || {
            *other.lock().unwrap() += 1;
            sender.send(()).unwrap();
            other
        });
        receiver.recv().unwrap();
        *m.lock().unwrap() += 1;
        thread.join().unwrap();
        *m.lock().unwrap() += 1;
    }
    let report = explore("tsa", "sp", 30, test);
    assert_eq!(covered(&report).len(), 3);
    assert!(report.guidance.unwrap().uncovered.is_empty());
}

#[test]
fn nothing_hangs_when_everybody_is_paused() {
    // Two threads wait for each other's messages with a lock in hand that both are paused at.
    fn test() {
        let m = Arc::new(Mutex::new(0));
        let (to_second, from_first) = mpsc::channel();
        let (to_first, from_second) = mpsc::channel();
        let n = Arc::clone(&m);
        let first = thread::spawn(move || {
            *n.lock().unwrap() += 1;
            to_second.send(()).unwrap();
            from_second.recv().unwrap();
            *n.lock().unwrap() += 1;
        });
        let second = thread::spawn(move || {
            *m.lock().unwrap() += 1;
            to_first.send(()).unwrap();
            from_first.recv().unwrap();
            *m.lock().unwrap() += 1;
        });
        first.join().unwrap();
        second.join().unwrap();
    }
    for strategy in ["tsa", "tsa-h"] {
        let report = explore(strategy, "sp", 300, test);
        assert_eq!(report.stopped, Stopped::Executions);
        // Each first lock comes before both second ones.
        assert_eq!(covered(&report).len(), 8);
        assert!(report.guidance.unwrap().uncovered.is_empty());
    }
}

#[test]
fn a_deadlock_is_found_on_the_way() {
    fn test() {
        let locks = Arc::new((Mutex::new(()), Mutex::new(())));
        let other = Arc::clone(&locks);
        let thread = thread::spawn(move || {
            let _first = other.0.lock().unwrap();
            let _second = other.1.lock().unwrap();
        });
        let second = locks.1.lock().unwrap();
        drop(locks.0.lock().unwrap());
        drop(second);
        thread.join().unwrap();
    }
    let report = explore("tsa", "sp", 50, test);
    assert_eq!(report.stopped, Stopped::Found);
}

#[test]
fn on_random_programs_what_is_aimed_at_is_what_the_metric_counts() {
    for metric in GuidedMetric::ALL {
        for seed in 0..60 {
            let program = programs::random(seed);
            let settings = Builder::new()
                .strategy(StrategyName::Guided(metric))
                .metrics([metric.metric().name().parse().unwrap()])
                .spurious(Rate::Off)
                .seed(seed)
                .executions(12);
            let report = settings.explore(move || program.run()).unwrap();
            let guidance = report.guidance.as_ref().expect("it aims at something");
            let counted = &report.coverage[0];
            assert_eq!(guidance.metric, counted.metric);
            let named = |requirement: &Requirement| counted.covered.contains(requirement);
            assert!(!guidance.uncovered.iter().any(named), "{metric} {seed}");
            match metric {
                // What starts and joins of threads order is counted, but not aimed at.
                GuidedMetric::HbPair => {
                    assert!(guidance.covered <= counted.covered.len() as u64, "{metric} {seed}");
                }
                _ => assert_eq!(guidance.covered, counted.covered.len() as u64, "{metric} {seed}"),
            }
        }
    }
}

//! What detectors learn from executions that pass, and tell of one that fails.

use super::{after_many, after_one_pass, both};
use selvedge::sync::atomic::{AtomicU32, Ordering::SeqCst};
use selvedge::sync::{Arc, OnceLock};
use selvedge::{Builder, Confidence, Report, StrategyName, Treatment, Trouble, Warning, thread};

/// A campaign in which some executions pass before one fails.
fn explored(detector: &str, program: fn()) -> Report {
    let explored = |seed| {
        Builder::new()
            .strategy(StrategyName::Random)
            .executions(2_000)
            .seed(seed)
            .set("detectors", detector)
            .explore(program)
            .unwrap()
    };
    let fails_late =
        |report: &Report| report.finding.as_ref().is_some_and(|finding| finding.execution > 20);
    (0..500).map(explored).find(fails_late).expect("most executions pass, and some fail")
}

/// Comes late in most executions.
fn come_late(turns: usize) {
    for _ in 0..turns {
        thread::yield_now();
    }
}

#[test]
fn an_interruption_that_only_the_failing_execution_has_is_told() {
    let report = explored("avio", || {
        let hits = Arc::new(AtomicU32::new(0));
        let theirs = Arc::clone(&hits);
        let late = thread::spawn(move || {
            come_late(6);
            theirs.fetch_add(1, SeqCst);
        });
        let seen = hits.load(SeqCst);
        hits.store(seen + 1, SeqCst);
        late.join().unwrap();
        assert_eq!(hits.load(SeqCst), 2, "a hit was lost");
    });
    let finding = report.finding.expect("it fails at last");
    assert_eq!(finding.kind.name(), "panic");
    let [warning] = report.warnings.as_slice() else { panic!("{:#?}", report.warnings) };
    assert_eq!(
        (warning.kind, warning.confidence),
        (Trouble::AtomicityViolation, Confidence::Happened)
    );
    let does: Vec<_> = warning.witness.iter().map(|role| role.does.as_str()).collect();
    assert_eq!(does, ["reads", "in between reads and writes", "then writes"]);
}

#[test]
fn interruptions_of_a_test_that_passes_are_not_told() {
    let report = after_many("avio, order", || {
        both(
            AtomicU32::new(0),
            |hits| hits.store(hits.load(SeqCst) + 1, SeqCst),
            |hits| hits.store(hits.load(SeqCst) + 1, SeqCst),
        );
    });
    assert!(report.finding.is_none() && report.warnings.is_empty(), "{:#?}", report.warnings);
}

#[test]
fn an_order_that_only_the_failing_execution_has_is_told() {
    let report = explored("order", || {
        both(
            AtomicU32::new(0),
            |phase| {
                phase.store(1, SeqCst);
                phase.store(2, SeqCst);
            },
            |phase| {
                come_late(12);
                assert_ne!(phase.load(SeqCst), 1, "half done");
            },
        );
    });
    let finding = report.finding.expect("it fails at last");
    assert_eq!(finding.kind.name(), "panic");
    let does = |warning: &Warning| -> Vec<String> {
        assert_eq!(warning.kind, Trouble::OrderViolation);
        assert_eq!(warning.confidence, Confidence::Happened);
        warning.witness.iter().map(|role| role.does.clone()).collect()
    };
    // The look came right after the first write, and the second write after the look.
    let mut told: Vec<_> = report.warnings.iter().map(does).collect();
    told.sort();
    assert_eq!(told, [["first reads", "then writes"], ["first writes", "then reads"]]);
}

#[test]
fn a_look_before_the_initialisation_is_brought_about() {
    let program = || {
        both(
            OnceLock::new(),
            |config: &OnceLock<u32>| {
                config.set(7).unwrap();
            },
            |config| {
                for _ in 0..6 {
                    thread::yield_now();
                }
                assert_eq!(config.get().copied().unwrap(), 7);
            },
        );
    };
    let report = after_one_pass("order", program, "300");
    let finding = report.finding.expect("the prediction is brought about");
    assert_eq!((finding.kind.name(), finding.strategy.as_str()), ("panic", "steer"));
    let [warning] = report.warnings.as_slice() else { panic!("{:#?}", report.warnings) };
    assert_eq!(warning.treatment, Treatment::Confirmed { schedule: finding.schedule });
}

#[test]
fn a_look_that_copes_with_nothing_is_not_told() {
    let report = after_one_pass(
        "order",
        || {
            both(
                OnceLock::new(),
                |config: &OnceLock<u32>| config.set(7).unwrap(),
                |config| assert_eq!(config.get().copied().unwrap_or(7), 7),
            );
        },
        "100",
    );
    assert!(report.finding.is_none() && report.warnings.is_empty(), "{:#?}", report.warnings);
}

#[test]
fn a_look_after_a_join_is_not_even_tried() {
    let report = after_one_pass(
        "order",
        || {
            let config = Arc::new(OnceLock::new());
            let theirs = Arc::clone(&config);
            thread::spawn(move || theirs.set(7).unwrap()).join().unwrap();
            assert_eq!(config.get(), Some(&7));
        },
        "100",
    );
    assert_eq!(report.executions, 1);
    assert!(report.finding.is_none() && report.warnings.is_empty(), "{:#?}", report.warnings);
}

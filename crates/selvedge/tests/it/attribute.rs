//! `#[selvedge::test]`: a test function like any other, run under control.
#![expect(unnameable_test_items, reason = "some tests are called instead of collected")]

use crate::help::panic_message;
use selvedge::sync::atomic::AtomicU32;
use selvedge::sync::atomic::Ordering::SeqCst;
use selvedge::sync::{Arc, Mutex};
use selvedge::thread;
use std::collections::BTreeSet;

/// Two threads add one to a counter by a load and a store; what comes of it.
fn count() -> u32 {
    let counter = Arc::new(AtomicU32::new(0));
    let theirs = Arc::clone(&counter);
    let adder = thread::spawn(move || theirs.store(theirs.load(SeqCst) + 1, SeqCst));
    counter.store(counter.load(SeqCst) + 1, SeqCst);
    adder.join().unwrap();
    counter.load(SeqCst)
}

#[selvedge::test]
fn a_test_without_arguments_passes_if_nothing_goes_wrong() {
    assert!((1..=2).contains(&count()));
}

#[selvedge::test]
#[should_panic(expected = "an update was lost")]
fn a_test_fails_if_an_interleaving_fails() {
    assert_eq!(count(), 2, "an update was lost");
}

#[should_panic(expected = "an update was lost")]
#[selvedge::test]
fn should_panic_may_stand_on_either_side() {
    assert_eq!(count(), 2, "an update was lost");
}

#[selvedge::test(
    strategy = "pct(2)",
    executions = 1_000,
    time = "60s",
    preemptions = 3,
    max_steps = 10_000,
    seed = 7,
    stack_size = "128k",
    timeouts = "off",
    spurious = "rare",
    weak_cas = "eager",
    clocks = true,
    check_determinism = "on",
    shrink = false,
    stall = "20s",
    parallelism = 3
)]
#[should_panic(expected = "an update was lost")]
fn every_setting_can_be_an_argument() {
    assert_eq!(thread::available_parallelism().unwrap().get(), 3);
    assert_eq!(count(), 2, "an update was lost");
}

#[selvedge::test(max_steps = 1_000)]
#[should_panic(expected = "livelock")]
fn an_argument_limits_the_steps() {
    while AtomicU32::new(0).load(SeqCst) == 0 {}
}

#[selvedge::test(strategy = "exhaustive", preemptions = 0)]
fn an_argument_bounds_the_preemptions() {
    assert_eq!(count(), 2, "without preemptions no update is lost");
}

#[selvedge::test(executions = 50)]
fn a_test_may_return_a_result() -> Result<(), std::num::ParseIntError> {
    let two: u32 = "2".parse()?;
    let sum = Arc::new(Mutex::new(0));
    let theirs = Arc::clone(&sum);
    let adder = thread::spawn(move || *theirs.lock().unwrap() += 1);
    *sum.lock().unwrap() += 1;
    adder.join().unwrap();
    assert_eq!(*sum.lock().unwrap(), two);
    Ok(())
}

#[selvedge::test]
#[should_panic(expected = "the test returned an error: \"lost\"")]
fn a_test_that_returns_an_error_in_an_interleaving_fails() -> Result<(), String> {
    if count() == 2 { Ok(()) } else { Err("lost".to_owned()) }
}

/// Attributes, documentation and visibility stay as they are.
#[selvedge::test]
#[expect(unused_variables, reason = "the attribute reaches the body")]
pub(crate) fn other_attributes_keep_their_effect() {
    let unused = count();
}

mod inside {
    use selvedge::test as controlled;

    #[controlled(executions = 20)]
    fn a_test_may_stand_in_a_module_and_be_named_otherwise() {
        assert!(super::count() > 0);
    }

    mod deeper {
        #[selvedge::test(executions = 20)]
        #[should_panic(expected = "an update was lost")]
        fn a_test_may_stand_in_a_module_of_a_module() {
            assert_eq!(super::super::count(), 2, "an update was lost");
        }
    }
}

// The tests below stand inside of functions: the harness does not see them, so that they are run
// where they are called and nowhere else.

#[test]
fn an_argument_says_how_many_executions_there_are() {
    static EXECUTIONS: std::sync::Mutex<u32> = std::sync::Mutex::new(0);
    #[selvedge::test(executions = 17, time = "60m")]
    fn counted() {
        *EXECUTIONS.lock().unwrap() += 1;
        count();
    }
    counted();
    assert_eq!(*EXECUTIONS.lock().unwrap(), 17);
}

#[test]
fn an_argument_chooses_the_strategy() {
    static SEEN: std::sync::Mutex<BTreeSet<u32>> = std::sync::Mutex::new(BTreeSet::new());
    #[selvedge::test(strategy = "exhaustive", preemptions = "none")]
    fn everything() {
        let outcome = count();
        SEEN.lock().unwrap().insert(outcome);
    }
    everything();
    assert_eq!(*SEEN.lock().unwrap(), BTreeSet::from([1, 2]));
}

#[test]
fn a_failing_test_names_what_went_wrong_in_its_panic() {
    #[selvedge::test]
    fn deadlock() {
        let lock = Mutex::new(());
        let _outer = lock.lock().unwrap();
        let _inner = lock.lock().unwrap();
    }
    let message = panic_message(deadlock);
    assert!(message.starts_with("selvedge: "), "{message}");
    assert!(message.contains("lock"), "{message}");
}

#[test]
fn an_argument_can_be_a_schedule() {
    #[selvedge::test(replay = "selvedge/1")]
    fn undisturbed() {
        assert_eq!(count(), 2, "the undisturbed course loses nothing");
    }
    undisturbed();
}

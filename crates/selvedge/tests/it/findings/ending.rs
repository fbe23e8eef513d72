//! Threads that do not come to an end.

use super::{Page, test_thread, this_page, thread_spawned};
use crate::help::{finding, portfolio, silent};
use selvedge::sync::atomic::Ordering::SeqCst;
use selvedge::sync::atomic::{AtomicBool, AtomicU32};
use selvedge::sync::mpsc::channel;
use selvedge::sync::{Arc, Condvar, Mutex};
use selvedge::{
    Builder, FindingKind, LeakedThreads, OperationKind, Replayed, Stopped, StrategyName, thread,
};
use selvedge_model::ObjectKind;
use std::time::{Duration, Instant};

const PAGE: Page = this_page!("ending.rs");

#[test]
fn a_flag_that_nobody_raises_is_a_livelock_at_the_place_of_the_load() {
    let found = finding(portfolio(10).max_steps(5_000), || {
        let flag = AtomicBool::new(false);
        while !flag.load(SeqCst) {} // the spin
    });
    let FindingKind::Livelock { steps, sites } = &found.kind else { panic!("{:?}", found.kind) };
    assert_eq!(*steps, 5_000);
    let [site] = &sites[..1] else { panic!("{sites:?}") };
    assert_eq!(PAGE.thread(&site.thread), test_thread());
    assert_eq!((site.kind, PAGE.mark(&site.at)), (OperationKind::AtomicLoad, "the spin"));
    // All steps but the beginning of the thread.
    assert_eq!(site.times, 4_999);
}

#[test]
fn threads_that_spin_for_each_other_are_a_livelock_at_both_places() {
    let found = finding(portfolio(10).max_steps(5_000), || {
        let here = Arc::new(AtomicBool::new(false));
        let there = Arc::new(AtomicBool::new(false));
        let (here2, there2) = (Arc::clone(&here), Arc::clone(&there));
        let body = move || {
            while !here2.load(SeqCst) {} // the spin of the other
            there2.store(true, SeqCst);
        };
        let other = thread::spawn(body); // the other is spawned
        while !there.load(SeqCst) {} // the spin of the test
        here.store(true, SeqCst);
        other.join().unwrap();
    });
    let FindingKind::Livelock { steps, sites } = &found.kind else { panic!("{:?}", found.kind) };
    assert_eq!(*steps, 5_000);
    let spins = sites.iter().filter(|site| site.times > 1);
    let mut places: Vec<_> =
        spins.map(|site| (PAGE.thread(&site.thread), site.kind, PAGE.mark(&site.at))).collect();
    places.sort();
    let load = OperationKind::AtomicLoad;
    let other = thread_spawned("1", "the other is spawned");
    let expected =
        [(test_thread(), load, "the spin of the test"), (other, load, "the spin of the other")];
    assert_eq!(places, expected);
}

#[test]
fn a_thread_that_waits_for_ever_after_the_test_has_returned_is_leaked() {
    let found = finding(portfolio(10), || {
        let (sender, receiver) = channel::<()>(); // the channel
        let body = move || assert!(receiver.recv().is_err()); // the receive of the leaked thread
        thread::spawn(body); // the leaked thread is spawned
        std::mem::forget(sender);
    });
    let FindingKind::LeakedThreads { waits } = &found.kind else { panic!("{:?}", found.kind) };
    let [told] = &PAGE.waits(waits)[..] else { panic!("{waits:?}") };
    assert_eq!(told.thread, thread_spawned("1", "the leaked thread is spawned"));
    assert_eq!((told.wants, told.at), (OperationKind::Receive, "the receive of the leaked thread"));
    assert_eq!(told.of, Some((ObjectKind::Channel, "the channel")));
}

#[test]
fn a_thread_that_runs_for_ever_after_the_test_has_returned_is_leaked() {
    let found = finding(portfolio(10).max_steps(5_000), || {
        let stop = Arc::new(AtomicBool::new(false));
        let body = move || while !stop.load(SeqCst) {}; // the load that never helps
        thread::spawn(body); // the endless thread is spawned
    });
    let FindingKind::LeakedThreads { waits } = &found.kind else { panic!("{:?}", found.kind) };
    let [told] = &PAGE.waits(waits)[..] else { panic!("{waits:?}") };
    assert_eq!(told.thread, thread_spawned("1", "the endless thread is spawned"));
    assert_eq!((told.wants, told.at), (OperationKind::AtomicLoad, "the load that never helps"));
}

#[test]
fn a_thread_that_ends_by_itself_after_the_test_has_returned_is_not_leaked() {
    silent(portfolio(100), || {
        let counter = Arc::new(Mutex::new(0));
        let theirs = Arc::clone(&counter);
        thread::spawn(move || (0..3).for_each(|_| *theirs.lock().unwrap() += 1));
        *counter.lock().unwrap() += 1;
    });
}

#[test]
fn threads_that_are_left_when_the_test_returns_can_be_allowed() {
    let allowed = || portfolio(20).leaked_threads(LeakedThreads::Allow);
    silent(allowed(), || {
        let (sender, receiver) = channel::<()>();
        thread::spawn(move || assert!(receiver.recv().is_err()));
        std::mem::forget(sender);
    });
    let report = silent(allowed(), || {
        let counter = Arc::new(AtomicU32::new(0));
        thread::spawn(move || {
            loop {
                counter.fetch_add(1, SeqCst);
            }
        });
    });
    assert_eq!(report.stopped, Stopped::Executions);
    // A test that has not returned is not helped by that.
    let found = finding(allowed(), || {
        let (sender, receiver) = channel::<()>();
        let blocked = thread::spawn(move || receiver.recv());
        let _ = blocked.join();
        drop(sender);
    });
    assert_eq!(found.kind.name(), "stuck");
}

#[test]
fn a_long_test_that_ends_is_no_livelock() {
    let program = || {
        let counter = Mutex::new(0);
        (0..3_000).for_each(|_| *counter.lock().unwrap() += 1);
    };
    silent(portfolio(2), program);
    let report = silent(portfolio(2).max_steps(3_000), program);
    assert_eq!(report.stopped, Stopped::Sequential);
}

/// Two threads that hand a number to and fro, and add one to it each time.
fn to_and_fro(rounds: u32, then: impl Fn(u32)) {
    let ball = Arc::new((Mutex::new(0), Condvar::new()));
    let players = [0, 1].map(|number| {
        let ball = Arc::clone(&ball);
        thread::spawn(move || {
            let (count, bell) = &*ball;
            for _ in 0..rounds {
                let count = count.lock().unwrap();
                *bell.wait_while(count, |count| *count % 2 != number).unwrap() += 1;
                bell.notify_one();
            }
        })
    });
    players.into_iter().for_each(|player| player.join().unwrap());
    then(*ball.0.lock().unwrap());
}

#[test]
fn a_test_with_many_steps_runs_to_its_end_and_says_that_it_is_long() {
    let report = silent(portfolio(5).max_steps(2_000), || {
        to_and_fro(5_000, |count| assert_eq!(count, 10_000));
    });
    assert_eq!((report.executions, report.stopped), (5, Stopped::Long));
    assert!(report.steps > 5 * 40_000, "{}", report.steps);
}

#[test]
fn a_failure_after_the_recorded_part_is_found_and_comes_again() {
    let found = finding(portfolio(5).max_steps(2_000), || {
        to_and_fro(5_000, |count| assert_ne!(count, 10_000));
    });
    assert_eq!((found.kind.name(), found.replayed), ("panic", Replayed::Yes));
    assert_eq!(found.steps.len(), 2_000);
    assert!(found.unrecorded > 30_000, "{}", found.unrecorded);
    let told = selvedge::report::explain(
        &found,
        selvedge::report::Context::default(),
        selvedge::report::Style::default(),
        &selvedge::report::NoSources,
    );
    assert!(told.contains("covers its first 2000 steps"), "{told}");
}

#[test]
fn threads_that_stop_changing_things_after_many_steps_are_a_livelock() {
    let found = finding(portfolio(5).max_steps(2_000), || {
        to_and_fro(5_000, |_| {
            let flag = AtomicBool::new(false);
            thread::scope(|scope| {
                scope.spawn(|| while !flag.load(SeqCst) {}); // the late spin
            });
        });
    });
    let FindingKind::Livelock { sites, .. } = &found.kind else { panic!("{:?}", found.kind) };
    assert_eq!(PAGE.mark(&sites[0].at), "the late spin");
}

#[test]
fn threads_that_change_things_for_ever_are_a_livelock_if_that_is_asked_for() {
    let endless = || {
        let number = AtomicU32::new(0);
        thread::scope(|scope| {
            scope.spawn(|| while number.fetch_add(1, SeqCst) != u32::MAX {});
            while number.fetch_add(1, SeqCst) != u32::MAX {}
        });
    };
    let found = finding(portfolio(5).max_steps(2_000).livelock_steps(50_000), endless);
    assert_eq!(found.kind.name(), "livelock");
    let started = Instant::now();
    let time = Duration::from_millis(300);
    let no_limit = portfolio(5).max_steps(2_000).time(time).set("livelock_steps", "none");
    let report = silent(no_limit, endless);
    assert_eq!((report.executions, report.stopped), (1, Stopped::Unfinished));
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn executions_that_take_long_with_few_steps_end_with_the_time_for_the_test() {
    let one = Duration::from_millis(100);
    let report = silent(portfolio(1_000).time(one * 10), move || {
        // Not a sleep that the clock of the execution jumps over: it is to take as long as it says.
        let began = Instant::now();
        while began.elapsed() < one {}
        let number = Arc::new(AtomicU32::new(0));
        let theirs = Arc::clone(&number);
        let other = thread::spawn(move || theirs.fetch_add(1, SeqCst));
        number.fetch_add(1, SeqCst);
        other.join().unwrap();
    });
    assert_eq!(report.stopped, Stopped::Time);
    assert!(report.executions <= 10, "{}", report.executions);
}

#[test]
fn a_thread_that_is_alone_may_take_as_many_steps_as_it_likes() {
    let report = silent(portfolio(5).max_steps(20_000), || {
        let started = Arc::new(AtomicU32::new(0));
        let sum = Mutex::new(0_u64);
        for number in 0..100_000 {
            started.load(SeqCst);
            *sum.lock().unwrap() += number;
        }
        assert_eq!(*sum.lock().unwrap(), 99_999 * 50_000);
        // What comes after it is recorded as ever.
        let theirs = Arc::clone(&started);
        let other = thread::spawn(move || theirs.fetch_add(1, SeqCst));
        started.fetch_add(1, SeqCst);
        other.join().unwrap();
        assert_eq!(started.load(SeqCst), 2);
    });
    assert_eq!((report.executions, report.stopped), (5, Stopped::Executions));
    assert!(report.steps > 5 * 300_000, "{}", report.steps);
}

#[test]
fn what_goes_wrong_after_a_thread_was_alone_for_long_comes_again() {
    let found = finding(portfolio(200).max_steps(100_000), || {
        let value = Arc::new(AtomicU32::new(0));
        (0..40_000).for_each(|_| value.store(0, SeqCst));
        let theirs = Arc::clone(&value);
        let other = thread::spawn(move || theirs.store(theirs.load(SeqCst) + 1, SeqCst));
        value.store(value.load(SeqCst) + 1, SeqCst);
        other.join().unwrap();
        assert_eq!(value.load(SeqCst), 2);
    });
    assert_eq!((found.kind.name(), found.replayed), ("panic", Replayed::Yes));
}

#[test]
fn a_thread_that_is_alone_and_only_yields_is_a_livelock() {
    let found = finding(portfolio(2).max_steps(50_000), || {
        let flag = AtomicBool::new(false);
        let is_up = || flag.load(SeqCst); // the look
        while !is_up() {
            thread::yield_now(); // the endless wait
        }
    });
    let FindingKind::Livelock { sites, .. } = &found.kind else { panic!("{:?}", found.kind) };
    let mut places: Vec<_> = sites.iter().map(|site| PAGE.mark(&site.at)).collect();
    places.sort_unstable();
    assert_eq!(places, ["the endless wait", "the look"]);
}

#[test]
fn a_thread_that_tries_an_exchange_again_and_again_lets_others_go() {
    for strategy in [StrategyName::Pct(3), StrategyName::Random, StrategyName::Pos] {
        let builder = Builder::new().strategy(strategy).executions(50).max_steps(20_000);
        let report = silent(builder, || {
            let slot = Arc::new(AtomicU32::new(0));
            let theirs = Arc::clone(&slot);
            let taker = thread::spawn(move || {
                for _ in 0..3 {
                    while theirs.compare_exchange(1, 0, SeqCst, SeqCst).is_err() {}
                }
            });
            for _ in 0..3 {
                while slot.compare_exchange(0, 1, SeqCst, SeqCst).is_err() {}
            }
            taker.join().unwrap();
        });
        assert_eq!(report.stopped, Stopped::Executions);
    }
}

#[test]
fn what_a_thread_owns_that_never_began_is_not_dropped() {
    /// Dropping it would wait for ever: nobody is left who could answer.
    struct Waits(Arc<AtomicU32>);

    impl Drop for Waits {
        fn drop(&mut self) {
            self.0.fetch_add(1, SeqCst);
        }
    }

    let dropped = Arc::new(AtomicU32::new(0));
    let theirs = Arc::clone(&dropped);
    let found = finding(portfolio(1), move || {
        let waits = Waits(Arc::clone(&theirs));
        thread::spawn(move || drop(waits));
        panic!("before the thread begins");
    });
    assert_eq!(found.kind.name(), "panic");
    assert_eq!(dropped.load(SeqCst), 0);
}

//! The virtual clock: sleeps take no time, their order is kept or not as the settings say.

use super::{as_is, exactly};
use crate::help::{finding, portfolio, silent};
use selvedge::sync::atomic::{AtomicBool, Ordering::SeqCst};
use selvedge::sync::mpsc::channel;
use selvedge::sync::{Arc, Mutex};
use selvedge::time::{Instant, SystemTime};
use selvedge::{Builder, Rate, hint, thread};
use std::time::Duration;

fn eager(builder: Builder) -> Builder {
    builder.timeouts(Rate::Eager)
}

fn punctual(builder: Builder) -> Builder {
    builder.timeouts(Rate::Off)
}

/// Two threads sleep for an hour and for two, and leave their mark.
fn sleepers() -> String {
    let order = Arc::new(Mutex::new(String::new()));
    let other = Arc::clone(&order);
    let early = thread::spawn(move || {
        thread::sleep(Duration::from_secs(3600));
        other.lock().unwrap().push('1');
    });
    thread::sleep(Duration::from_secs(7200));
    order.lock().unwrap().push('2');
    early.join().unwrap();
    order.lock().unwrap().clone()
}

#[test]
fn sleepers_may_wake_in_any_order() {
    exactly(["12", "21"].map(String::from), eager, sleepers);
}

#[test]
fn sleepers_wake_in_the_order_of_their_deadlines_if_timeouts_are_off() {
    exactly(["12".to_owned()], punctual, sleepers);
}

#[test]
fn an_instant_never_lies_before_one_that_was_taken_earlier() {
    exactly([true], eager, || {
        let began = Instant::now();
        let sleeper = thread::spawn(move || {
            thread::sleep(Duration::from_millis(5));
            Instant::now()
        });
        let middle = Instant::now();
        thread::sleep(Duration::from_millis(1));
        let later = Instant::now();
        let theirs = sleeper.join().unwrap();
        let last = Instant::now();
        began <= middle && middle < later && later <= last && began <= theirs && theirs <= last
    });
}

#[test]
fn a_sleep_lasts_at_least_as_long_as_asked_for() {
    exactly([true], eager, || {
        let bystander = thread::spawn(|| thread::sleep(Duration::from_secs(1)));
        let (began, date) = (Instant::now(), SystemTime::now());
        thread::sleep(Duration::from_secs(60));
        bystander.join().unwrap();
        let minute = Duration::from_secs(60);
        began.elapsed() >= minute && date.elapsed().unwrap() >= minute
    });
}

#[test]
fn the_clock_stands_still_while_threads_run() {
    exactly([true], as_is, || {
        let began = Instant::now();
        let work = thread::spawn(|| (0..100).for_each(|_| drop(Mutex::new(0).lock().unwrap())));
        work.join().unwrap();
        began.elapsed() < Duration::from_millis(1)
    });
}

#[test]
fn a_loop_that_waits_for_a_point_in_time_comes_to_its_end() {
    let report = silent(portfolio(20), || {
        let deadline = Instant::now() + Duration::from_secs(30);
        let bystander = thread::spawn(|| {});
        while Instant::now() < deadline {
            thread::yield_now();
        }
        bystander.join().unwrap();
    });
    assert_eq!(report.executions, 20);
}

/// What channels do before they block: hints, then yields, with a look at the state in between.
fn back_off(state: &AtomicBool) {
    for step in 0..11 {
        state.load(SeqCst);
        match step {
            0..7 => (0..1 << step).for_each(|_| hint::spin_loop()),
            _ => thread::yield_now(),
        }
    }
}

#[test]
fn each_spin_before_a_wait_is_over_before_time_passes() {
    silent(portfolio(50).timeouts(Rate::Off).spurious(Rate::Off), || {
        let began = Instant::now();
        let later = thread::spawn(|| thread::sleep(Duration::from_millis(3500)));
        let state = AtomicBool::new(false);
        for second in 1..=3 {
            back_off(&state);
            thread::park_timeout(Duration::from_millis(1000));
            assert_eq!(began.elapsed().as_secs(), second);
        }
        later.join().unwrap();
    });
}

#[test]
fn those_who_spin_together_all_get_to_their_waits_before_time_passes() {
    silent(portfolio(50).timeouts(Rate::Off).spurious(Rate::Off), || {
        let began = Instant::now();
        let later = thread::spawn(|| thread::sleep(Duration::from_millis(1500)));
        let state = Arc::new(AtomicBool::new(false));
        let wait = move |state: &AtomicBool| {
            back_off(state);
            thread::park_timeout(Duration::from_millis(1000));
            assert_eq!(began.elapsed().as_millis() / 100, 10);
        };
        let others = [(); 3].map(|()| {
            let state = Arc::clone(&state);
            thread::spawn(move || wait(&state))
        });
        wait(&state);
        others.into_iter().for_each(|other| other.join().unwrap());
        later.join().unwrap();
    });
}

#[test]
fn time_passes_for_somebody_who_spins_for_ever() {
    silent(portfolio(20).timeouts(Rate::Off).spurious(Rate::Off), || {
        let done = Arc::new(AtomicBool::new(false));
        let later = Arc::clone(&done);
        let sleeper = thread::spawn(move || {
            (0..10).for_each(|_| thread::sleep(Duration::from_secs(60)));
            later.store(true, SeqCst);
        });
        while !done.load(SeqCst) {
            hint::spin_loop();
        }
        sleeper.join().unwrap();
    });
}

#[test]
fn a_single_thread_may_look_at_the_clock_as_often_as_it_likes() {
    for looks in [40_000, 5_000_000] {
        silent(portfolio(2), move || {
            let began = Instant::now();
            (0..looks).for_each(|_| {
                std::hint::black_box(began.elapsed());
            });
            assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        });
    }
}

#[test]
fn one_of_several_threads_may_look_at_the_clock_often_as_well() {
    silent(portfolio(3), || {
        let (sender, receiver) = channel::<()>();
        let other = thread::spawn(move || {
            thread::sleep(Duration::from_secs(60));
            receiver.recv()
        });
        let began = Instant::now();
        (0..40_000).for_each(|_| {
            std::hint::black_box(began.elapsed());
        });
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        drop(sender);
        other.join().unwrap().unwrap_err();
    });
}

/// Looks at the clock until so many seconds have passed.
fn wait_for(seconds: u64, pause: fn()) {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(seconds) {
        pause();
    }
}

#[test]
fn a_spinning_wait_for_a_deadline_comes_to_its_end() {
    silent(portfolio(1), || wait_for(3_600, || {}));
    silent(portfolio(1), || wait_for(5, hint::spin_loop));
    silent(portfolio(1), || wait_for(3_600, thread::yield_now));
    for (seconds, pause) in [(5, hint::spin_loop as fn()), (3_600, || {})] {
        silent(portfolio(2), move || {
            thread::spawn(move || wait_for(seconds, pause)).join().unwrap();
        });
    }
}

#[test]
fn so_does_one_beside_somebody_who_sleeps() {
    silent(portfolio(5), || {
        let began = Instant::now();
        let sleeper = thread::spawn(|| thread::sleep(Duration::from_secs(1)));
        while !sleeper.is_finished() {
            wait_for(60, || {});
        }
        assert!(began.elapsed() >= Duration::from_secs(60));
    });
}

#[test]
fn a_poll_under_a_lock_reaches_its_timeout() {
    let found = finding(portfolio(20), || {
        let done = Arc::new(Mutex::new(false));
        let theirs = Arc::clone(&done);
        thread::spawn(move || drop(theirs.lock())).join().unwrap();
        let began = Instant::now();
        while !*done.lock().unwrap() {
            assert!(began.elapsed() < Duration::from_secs(30), "timed out");
            thread::yield_now();
        }
    });
    assert_eq!(found.kind.name(), "panic");
}

//! Threads that spin, and give up after so many turns or never.

use crate::help::{exhaustive, finding, outcomes, portfolio, silent};
use selvedge::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use selvedge::sync::{Arc, Mutex};
use selvedge::{LeftOut, Replayed, Verdict, hint, thread};

/// How a thread waits for the next turn.
#[derive(Clone, Copy)]
enum Wait {
    Yield,
    Hint,
    /// Not at all.
    Plainly,
}

/// One thread is busy for a moment; the other one waits for so many turns, and gives up.
fn spins_then_gives_up(turns: u32, wait: Wait) {
    let busy = Arc::new(AtomicBool::new(false));
    let theirs = Arc::clone(&busy);
    let other = thread::spawn(move || {
        theirs.store(true, SeqCst);
        theirs.store(false, SeqCst);
    });
    for turn in 0..=turns {
        if !busy.load(SeqCst) {
            break;
        }
        assert!(turn < turns, "gave up");
        pause(wait);
    }
    other.join().unwrap();
}

fn pause(wait: Wait) {
    match wait {
        Wait::Yield => thread::yield_now(),
        Wait::Hint => hint::spin_loop(),
        Wait::Plainly => {}
    }
}

#[test]
fn whoever_gives_up_after_many_turns_is_let_reach_them() {
    for wait in [Wait::Yield, Wait::Hint, Wait::Plainly] {
        for turns in [3, 7, 15, 20, 50, 127, 1_000] {
            let found = finding(portfolio(1_000), move || spins_then_gives_up(turns, wait));
            assert_eq!((found.kind.name(), found.replayed), ("panic", Replayed::Yes));
        }
    }
}

#[test]
fn a_search_of_all_schedules_lets_a_thread_spin_on() {
    for wait in [Wait::Yield, Wait::Hint, Wait::Plainly] {
        let found = finding(exhaustive(10_000), move || spins_then_gives_up(100, wait));
        assert_eq!((found.kind.name(), found.replayed), ("panic", Replayed::Yes));
    }
}

#[test]
fn whoever_spins_on_when_the_execution_becomes_long_does_not_spin_for_ever() {
    for wait in [Wait::Yield, Wait::Hint, Wait::Plainly] {
        silent(portfolio(200).max_steps(20).set("livelock_steps", "none"), move || {
            let ready = Arc::new(AtomicBool::new(false));
            let theirs = Arc::clone(&ready);
            let other = thread::spawn(move || theirs.store(true, SeqCst));
            while !ready.load(SeqCst) {
                pause(wait);
            }
            other.join().unwrap();
        });
    }
}

#[test]
fn whoever_gives_up_although_it_takes_a_lock_in_each_turn_is_let_reach_its_last_one() {
    let found = finding(portfolio(1_000), || {
        let busy = Arc::new(Mutex::new(false));
        let theirs = Arc::clone(&busy);
        let other = thread::spawn(move || {
            *theirs.lock().unwrap() = true;
            *theirs.lock().unwrap() = false;
        });
        let turns = (0..60).take_while(|_| {
            thread::yield_now();
            *busy.lock().unwrap()
        });
        assert!(turns.count() < 60, "gave up");
        other.join().unwrap();
    });
    assert_eq!((found.kind.name(), found.replayed), ("panic", Replayed::Yes));
}

/// Waits as crossbeam's `Backoff` does: ever more hints, then yields, then not any more.
#[test]
fn what_comes_after_hints_and_yields_is_reached() {
    let (seen, _) = outcomes(portfolio(1_000), || {
        let ready = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&ready);
        let other = thread::spawn(move || theirs.store(true, SeqCst));
        let mut parks = false;
        for step in 0.. {
            if ready.load(SeqCst) {
                break;
            }
            match step {
                0..=6 => (0..1 << step).for_each(|_| hint::spin_loop()),
                7..=10 => thread::yield_now(),
                _ => {
                    parks = true;
                    break;
                }
            }
        }
        other.join().unwrap();
        parks
    });
    assert_eq!(Vec::from_iter(seen), [false, true]);
}

#[test]
fn a_search_that_cuts_spins_does_not_claim_to_have_seen_all() {
    let report = silent(exhaustive(100_000), || {
        let flag = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&flag);
        let other = thread::spawn(move || theirs.store(true, SeqCst));
        while !flag.load(SeqCst) {
            thread::yield_now();
        }
        other.join().unwrap();
    });
    assert_eq!(report.verdict(), Verdict::Bounded);
    assert!(report.conditions.left_out.contains(&LeftOut::LongSpins));
}

#[test]
fn a_search_that_need_not_cut_a_short_spin_has_seen_all() {
    let (seen, report) = outcomes(exhaustive(100_000), || {
        let flag = Arc::new(AtomicU32::new(0));
        let theirs = Arc::clone(&flag);
        let other = thread::spawn(move || {
            theirs.store(1, SeqCst);
            theirs.store(2, SeqCst);
        });
        let turns = (0..3).filter(|_| {
            thread::yield_now();
            flag.load(SeqCst) == 1
        });
        let turns = turns.count();
        other.join().unwrap();
        turns
    });
    assert_eq!(Vec::from_iter(seen), [0, 1, 2, 3]);
    assert_eq!(report.verdict(), Verdict::Exhausted);
}

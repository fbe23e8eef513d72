//! Waiting to be woken: condition variables, parking, barriers.

use super::{as_is, exactly};
use selvedge::sync::atomic::AtomicBool;
use selvedge::sync::atomic::Ordering::SeqCst;
use selvedge::sync::{Arc, Barrier, Condvar, Mutex};
use selvedge::{Builder, Rate, thread};
use std::time::Duration;

fn nothing_spurious(builder: Builder) -> Builder {
    builder.spurious(Rate::Off).timeouts(Rate::Off)
}

/// Two threads that wait, and one that wakes them one by one.
#[derive(Default)]
struct Bedroom {
    /// Who has come, and who has left again.
    people: Mutex<(Vec<char>, Vec<char>)>,
    sleeping: Condvar,
    counted: Condvar,
}

impl Bedroom {
    fn sleep(&self, name: char) {
        let mut people = self.people.lock().unwrap();
        people.0.push(name);
        self.counted.notify_one();
        people = self.sleeping.wait(people).unwrap();
        people.1.push(name);
        self.counted.notify_one();
    }

    fn wake_both(&self) -> (Vec<char>, Vec<char>) {
        let mut people = self.people.lock().unwrap();
        people = self.counted.wait_while(people, |people| people.0.len() < 2).unwrap();
        self.sleeping.notify_one();
        people = self.counted.wait_while(people, |people| people.1.is_empty()).unwrap();
        self.sleeping.notify_one();
        people = self.counted.wait_while(people, |people| people.1.len() < 2).unwrap();
        people.clone()
    }
}

#[test]
fn notify_one_may_wake_any_of_those_who_wait() {
    let orders = [['a', 'b'], ['b', 'a']].map(Vec::from);
    let allowed =
        orders.iter().flat_map(|came| orders.iter().map(|left| (came.clone(), left.clone())));
    exactly(allowed, nothing_spurious, || {
        let room = Arc::new(Bedroom::default());
        let sleepers = ['a', 'b'].map(|name| {
            let room = Arc::clone(&room);
            thread::spawn(move || room.sleep(name))
        });
        let orders = room.wake_both();
        sleepers.into_iter().for_each(|sleeper| sleeper.join().unwrap());
        orders
    });
}

/// A flag with somebody who raises it.
fn raised_by_another() -> (Arc<(Mutex<bool>, Condvar)>, thread::JoinHandle<()>) {
    let flag = Arc::new((Mutex::new(false), Condvar::new()));
    let other = Arc::clone(&flag);
    let raiser = thread::spawn(move || {
        *other.0.lock().unwrap() = true;
        other.1.notify_one();
    });
    (flag, raiser)
}

fn timed_wait() -> &'static str {
    let (flag, raiser) = raised_by_another();
    let raised = flag.0.lock().unwrap();
    let outcome = match *raised {
        true => "ready",
        false => match flag.1.wait_timeout(raised, Duration::from_millis(1)).unwrap() {
            (_, result) if result.timed_out() => "timeout",
            (raised, _) if *raised => "notified",
            _ => "spurious",
        },
    };
    raiser.join().unwrap();
    outcome
}

#[test]
fn a_timed_wait_is_not_needed_or_notified_or_times_out() {
    let settings = |builder: Builder| builder.spurious(Rate::Off);
    exactly(["notified", "ready", "timeout"], settings, timed_wait);
}

#[test]
fn a_timed_wait_may_also_end_for_no_reason() {
    exactly(["notified", "ready", "spurious", "timeout"], as_is, timed_wait);
}

#[test]
fn a_timed_wait_waits_for_those_who_can_run_if_timeouts_are_off() {
    exactly(["notified", "ready"], nothing_spurious, timed_wait);
}

#[test]
fn a_timed_wait_that_nobody_ends_times_out_even_if_timeouts_are_off() {
    exactly([true], nothing_spurious, || {
        let flag = (Mutex::new(()), Condvar::new());
        let bystander = thread::spawn(|| {});
        let guard = flag.0.lock().unwrap();
        let (_guard, result) = flag.1.wait_timeout(guard, Duration::from_secs(3600)).unwrap();
        bystander.join().unwrap();
        result.timed_out()
    });
}

fn plain_wait() -> &'static str {
    let (flag, raiser) = raised_by_another();
    let mut outcome = "woken";
    let mut raised = flag.0.lock().unwrap();
    while !*raised {
        raised = flag.1.wait(raised).unwrap();
        if !*raised {
            outcome = "spurious wake-up";
        }
    }
    drop(raised);
    raiser.join().unwrap();
    outcome
}

#[test]
fn a_wait_may_end_for_no_reason() {
    exactly(["spurious wake-up", "woken"], as_is, plain_wait);
}

#[test]
fn a_wait_ends_only_for_a_reason_if_spurious_wake_ups_are_off() {
    exactly(["woken"], nothing_spurious, plain_wait);
}

#[test]
fn notify_all_wakes_everybody_who_waits() {
    exactly([2], nothing_spurious, || {
        let gate = Arc::new((Mutex::new(false), Condvar::new()));
        let waiters = [1, 2].map(|_| {
            let gate = Arc::clone(&gate);
            thread::spawn(move || {
                drop(gate.1.wait_while(gate.0.lock().unwrap(), |open| !*open).unwrap());
                1
            })
        });
        *gate.0.lock().unwrap() = true;
        gate.1.notify_all();
        waiters.into_iter().map(|waiter| waiter.join().unwrap()).sum::<u32>()
    });
}

fn parked() -> &'static str {
    let flag = Arc::new(AtomicBool::new(false));
    let (other, test) = (Arc::clone(&flag), thread::current());
    let waker = thread::spawn(move || {
        other.store(true, SeqCst);
        test.unpark();
    });
    thread::park();
    let outcome = if flag.load(SeqCst) { "woken" } else { "spurious wake-up" };
    waker.join().unwrap();
    outcome
}

#[test]
fn park_may_return_for_no_reason() {
    exactly(["spurious wake-up", "woken"], as_is, parked);
}

#[test]
fn park_returns_only_with_a_token_if_spurious_wake_ups_are_off() {
    exactly(["woken"], nothing_spurious, parked);
}

#[test]
fn two_tokens_are_one() {
    exactly([true], nothing_spurious, || {
        let flag = Arc::new(AtomicBool::new(false));
        let (other, test) = (Arc::clone(&flag), thread::current());
        thread::current().unpark();
        thread::current().unpark();
        thread::park();
        let waker = thread::spawn(move || {
            other.store(true, SeqCst);
            test.unpark();
        });
        thread::park();
        let woken = flag.load(SeqCst);
        waker.join().unwrap();
        woken
    });
}

#[test]
fn a_timed_park_ends_with_and_without_a_token() {
    exactly([false, true], as_is, || {
        let flag = Arc::new(AtomicBool::new(false));
        let (other, test) = (Arc::clone(&flag), thread::current());
        let waker = thread::spawn(move || {
            other.store(true, SeqCst);
            test.unpark();
        });
        thread::park_timeout(Duration::from_millis(1));
        let woken = flag.load(SeqCst);
        waker.join().unwrap();
        woken
    });
}

#[test]
fn either_thread_can_be_the_leader_of_a_barrier() {
    exactly([(false, true), (true, false)], as_is, || {
        let barrier = Arc::new(Barrier::new(2));
        let other = Arc::clone(&barrier);
        let second = thread::spawn(move || other.wait().is_leader());
        let first = barrier.wait().is_leader();
        (first, second.join().unwrap())
    });
}

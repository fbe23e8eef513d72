//! Atomics: every sequentially consistent order of loads and stores, and no other.

use super::{as_is, exactly, within};
use selvedge::sync::Arc;
use selvedge::sync::atomic::Ordering::{self, Relaxed, SeqCst};
use selvedge::sync::atomic::{AtomicU32, AtomicUsize};
use selvedge::{Rate, thread};

/// Two atomics, as the threads of a program share them.
fn pair() -> [Arc<(AtomicUsize, AtomicUsize)>; 2] {
    let pair = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    [Arc::clone(&pair), pair]
}

#[test]
fn an_irrelevant_load_hides_no_order() {
    exactly([0, 1], as_is, || {
        let flag = Arc::new(AtomicU32::new(0));
        let other = Arc::clone(&flag);
        let writer = thread::spawn(move || {
            other.load(Relaxed);
            other.store(1, Relaxed);
        });
        let seen = flag.load(Relaxed);
        writer.join().unwrap();
        seen
    });
}

#[test]
fn others_may_run_right_after_a_store_that_releases() {
    // To the engine this is plain memory.
    use std::sync::atomic::AtomicU32 as Plain;
    exactly([None, Some(0), Some(1)], as_is, || {
        let shared = Arc::new((AtomicU32::new(0), Plain::new(0)));
        let theirs = Arc::clone(&shared);
        let owner = thread::spawn(move || {
            theirs.0.store(1, Ordering::Release);
            theirs.1.store(1, Relaxed);
        });
        let given_back = shared.0.load(Ordering::Acquire) == 1;
        let seen = given_back.then(|| shared.1.load(Relaxed));
        owner.join().unwrap();
        seen
    });
}

fn key_value(redundant_load: bool) -> (usize, usize) {
    let [to_write, to_read] = pair();
    let writer = thread::spawn(move || {
        let (key, value) = &*to_write;
        key.store(1, SeqCst);
        value.store(1, SeqCst);
        value.store(0, SeqCst);
        if redundant_load {
            key.load(SeqCst);
        }
        key.store(0, SeqCst);
    });
    let reader = thread::spawn(move || {
        let value = to_read.1.load(SeqCst);
        (value, to_read.0.load(SeqCst))
    });
    writer.join().unwrap();
    reader.join().unwrap()
}

#[test]
fn value_and_key_are_seen_in_all_four_states() {
    exactly([(0, 0), (0, 1), (1, 0), (1, 1)], as_is, || key_value(false));
}

#[test]
fn a_redundant_load_of_the_key_changes_nothing() {
    exactly([(0, 0), (0, 1), (1, 0), (1, 1)], as_is, || key_value(true));
}

fn store_buffering(ordering: Ordering) -> (usize, usize) {
    let [left, right] = pair();
    let first = thread::spawn(move || {
        left.0.store(1, ordering);
        left.1.load(ordering)
    });
    let second = thread::spawn(move || {
        right.1.store(1, ordering);
        right.0.load(ordering)
    });
    (first.join().unwrap(), second.join().unwrap())
}

#[test]
fn store_buffering_never_shows_two_zeros() {
    exactly([(0, 1), (1, 0), (1, 1)], as_is, || store_buffering(SeqCst));
}

#[test]
fn load_buffering_never_shows_two_ones() {
    exactly([(0, 0), (0, 1), (1, 0)], as_is, || {
        let [left, right] = pair();
        let first = thread::spawn(move || {
            let seen = left.0.load(SeqCst);
            left.1.store(1, SeqCst);
            seen
        });
        let second = thread::spawn(move || {
            let seen = right.1.load(SeqCst);
            right.0.store(1, SeqCst);
            seen
        });
        (first.join().unwrap(), second.join().unwrap())
    });
}

#[test]
fn readers_agree_on_the_order_of_independent_writes() {
    let all = (0..16usize).map(|bits| [bits >> 3, bits >> 2, bits >> 1, bits].map(|bit| bit & 1));
    let allowed = all.filter(|&outcome| outcome != [1, 0, 1, 0]);
    within(60_000, allowed, as_is, || {
        let [both, ours] = pair();
        let writes = [Arc::clone(&both), Arc::clone(&both)];
        let [x, y] = writes;
        let first = thread::spawn(move || x.0.store(1, SeqCst));
        let second = thread::spawn(move || y.1.store(1, SeqCst));
        let reader = thread::spawn(move || [both.0.load(SeqCst), both.1.load(SeqCst)]);
        let there = [ours.1.load(SeqCst), ours.0.load(SeqCst)];
        first.join().unwrap();
        second.join().unwrap();
        let here = reader.join().unwrap();
        [here[0], here[1], there[0], there[1]]
    });
}

#[test]
fn an_update_made_of_load_and_store_can_be_lost() {
    exactly([1, 2], as_is, || {
        let counter = Arc::new(AtomicU32::new(0));
        let other = Arc::clone(&counter);
        let adder = thread::spawn(move || other.store(other.load(SeqCst) + 1, SeqCst));
        counter.store(counter.load(SeqCst) + 1, SeqCst);
        adder.join().unwrap();
        counter.load(SeqCst)
    });
}

#[test]
fn a_read_modify_write_is_never_lost() {
    exactly([(0, 2), (1, 2)], as_is, || {
        let counter = Arc::new(AtomicU32::new(0));
        let other = Arc::clone(&counter);
        let adder = thread::spawn(move || other.fetch_add(1, Relaxed));
        let before = counter.fetch_add(1, Relaxed);
        adder.join().unwrap();
        (before, counter.load(Relaxed))
    });
}

#[test]
fn others_can_run_between_a_read_modify_write_and_the_plain_access_after_it() {
    exactly([0, 1], as_is, || {
        let turn = Arc::new(AtomicU32::new(0));
        // Not under control, as a plain field would be.
        let plain = Arc::new(std::sync::atomic::AtomicU32::new(0));
        let (turn2, plain2) = (Arc::clone(&turn), Arc::clone(&plain));
        let other = thread::spawn(move || {
            turn2.fetch_add(1, SeqCst);
            plain2.store(1, SeqCst);
        });
        turn.fetch_add(1, SeqCst);
        let seen = plain.load(SeqCst);
        other.join().unwrap();
        seen
    });
}

#[test]
fn plain_memory_between_operations_on_private_objects_is_seen_in_every_state() {
    exactly([0, 1], as_is, || {
        // Not under control, as a plain field would be.
        let plain = Arc::new(std::sync::atomic::AtomicU32::new(0));
        let theirs = Arc::clone(&plain);
        let other = thread::spawn(move || {
            let private = AtomicU32::new(0);
            private.store(1, SeqCst);
            theirs.store(1, SeqCst);
            private.store(2, SeqCst);
        });
        let private = AtomicU32::new(0);
        private.store(1, SeqCst);
        let seen = plain.load(SeqCst);
        other.join().unwrap();
        seen
    });
}

#[test]
fn a_weak_compare_exchange_may_fail_for_no_reason() {
    exactly([Err(0), Ok(0)], as_is, || {
        let value = AtomicU32::new(0);
        let bystander = thread::spawn(|| {});
        let result = value.compare_exchange_weak(0, 1, SeqCst, SeqCst);
        bystander.join().unwrap();
        assert_eq!(value.load(SeqCst), u32::from(result.is_ok()));
        result
    });
}

#[test]
fn a_weak_compare_exchange_does_not_fail_if_that_is_switched_off() {
    exactly(
        [Ok(0)],
        |builder| builder.weak_cas(Rate::Off),
        || {
            let value = AtomicU32::new(0);
            let bystander = thread::spawn(|| {});
            let result = value.compare_exchange_weak(0, 1, SeqCst, SeqCst);
            bystander.join().unwrap();
            result
        },
    );
}

#[test]
fn a_strong_compare_exchange_fails_only_for_a_reason() {
    exactly(
        [(Ok(0), Err(1)), (Err(1), Ok(0))],
        |builder| builder.weak_cas(Rate::Eager),
        || {
            let value = Arc::new(AtomicU32::new(0));
            let theirs = Arc::clone(&value);
            let other = thread::spawn(move || theirs.compare_exchange(0, 1, SeqCst, SeqCst));
            let ours = value.compare_exchange(0, 1, SeqCst, SeqCst);
            (ours, other.join().unwrap())
        },
    );
}

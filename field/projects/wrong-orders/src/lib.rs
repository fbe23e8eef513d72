//! Tests that fail in few of their interleavings, and one that never does.

#![cfg(test)]

use std::sync::{Mutex, RwLock, mpsc};
use std::thread;

#[test]
fn backwards() {
    let order = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for number in 0..4 {
            let order = &order;
            scope.spawn(move || order.lock().unwrap().push(number));
        }
    });
    assert_ne!(order.into_inner().unwrap(), [3, 2, 1, 0]);
}

#[test]
fn two_locks_the_other_way_round() {
    let (first, second, busy) = (Mutex::new(0), Mutex::new(0), RwLock::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            let _first = first.lock().unwrap();
            let _second = second.lock().unwrap();
        });
        for _ in 0..2 {
            scope.spawn(|| {
                *busy.write().unwrap() += 1;
                *busy.write().unwrap() += 1;
            });
        }
        let _second = second.lock().unwrap();
        let _first = first.lock().unwrap();
    });
}

/// Stuck if the other sender comes first: nobody receives.
#[test]
fn a_full_channel() {
    let (sender, receiver) = mpsc::sync_channel(1);
    let count = Mutex::new(0);
    thread::scope(|scope| {
        let other = sender.clone();
        scope.spawn(move || {
            let _ = other.send(1);
        });
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..2 {
                    *count.lock().unwrap() += 1;
                }
            });
        }
        for _ in 0..2 {
            *count.lock().unwrap() += 1;
        }
        sender.send(3).unwrap();
        drop(receiver);
    });
}

fn three_threads() -> Vec<usize> {
    let order = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for number in 0..3 {
            let order = &order;
            scope.spawn(move || {
                for _ in 0..3 {
                    order.lock().unwrap().push(number);
                }
            });
        }
    });
    order.into_inner().unwrap()
}

#[test]
fn the_third_comes_first() {
    assert_ne!(three_threads()[0], 2);
}

#[test]
fn nobody_is_lost() {
    assert_eq!(three_threads().len(), 9);
}

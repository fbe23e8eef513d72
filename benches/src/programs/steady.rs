//! Correct programs with a known amount of work, to see how fast an engine goes.
//!
//! Nothing in them depends on anything but the arguments and the schedule.

use super::crew::{share, start, wait_for};
use super::prims::{
    Arc, AtomicUsize, Condvar, Mutex,
    Ordering::{Acquire, Relaxed, Release, SeqCst},
    channel, spawn, yield_now,
};
use crate::program::{Program, programs};

/// Every program with every size that some section asks for.
pub(crate) const ALL: &[Program] = programs![
    mutex_inc(2, 1),
    mutex_inc(2, 10),
    mutex_inc(2, 100),
    mutex_inc(2, 1000),
    mutex_inc(16, 100),
    mutex_inc(64, 100),
    mutex_inc(2, 250_000),
    atomic_inc(2, 100),
    atomic_inc(2, 1000),
    atomic_inc(256, 100),
    atomic_inc(2, 500_000),
    atomic_private(2, 100),
    spsc(3, 2),
    spsc(100, 4),
    channel3(2),
    channel3(100),
    condvar_pingpong(2),
    condvar_pingpong(100),
    spawn_join(0),
    spawn_join(16),
    spawn_join(64),
    yields(2, 1000),
    yields(16, 1000),
    yields(64, 1000),
    yields(256, 100),
    one_choice(),
];

/// Threads that take a lock for every one they add.
fn mutex_inc(threads: usize, rounds: usize) {
    let total = Arc::new(Mutex::new(0));
    share(&total, threads, move |total, _| {
        for _ in 0..rounds {
            *total.lock().unwrap() += 1;
        }
    });
    assert_eq!(*total.lock().unwrap(), threads * rounds);
}

/// As `mutex_inc` without the lock: one operation per addition.
fn atomic_inc(threads: usize, rounds: usize) {
    let total = Arc::new(AtomicUsize::new(0));
    share(&total, threads, move |total, _| {
        for _ in 0..rounds {
            total.fetch_add(1, SeqCst);
        }
    });
    assert_eq!(total.load(SeqCst), threads * rounds);
}

/// As `atomic_inc`, but each thread adds to a number of its own, so that all orders are alike.
fn atomic_private(threads: usize, rounds: usize) {
    let count_alone = move || {
        let own = AtomicUsize::new(0);
        for _ in 0..rounds {
            own.fetch_add(1, SeqCst);
        }
        assert_eq!(own.load(SeqCst), rounds);
    };
    wait_for((0..threads).map(|_| spawn(count_alone)).collect());
}

/// One writer and one reader of a ring of `capacity` atomics; whoever can not go on yields.
fn spsc(items: usize, capacity: usize) {
    struct Ring {
        cells: Vec<AtomicUsize>,
        read: AtomicUsize,
        written: AtomicUsize,
    }

    impl Ring {
        fn put(&self, item: usize) {
            let written = self.written.load(Relaxed);
            while written - self.read.load(Acquire) == self.cells.len() {
                yield_now();
            }
            self.cells[written % self.cells.len()].store(item, Relaxed);
            self.written.store(written + 1, Release);
        }

        fn take(&self) -> usize {
            let read = self.read.load(Relaxed);
            while self.written.load(Acquire) == read {
                yield_now();
            }
            let item = self.cells[read % self.cells.len()].load(Relaxed);
            self.read.store(read + 1, Release);
            item
        }
    }

    let ring = Arc::new(Ring {
        cells: (0..capacity).map(|_| AtomicUsize::new(0)).collect(),
        read: AtomicUsize::new(0),
        written: AtomicUsize::new(0),
    });
    let writer = start(&ring, 0, move |ring, _| (1..=items).for_each(|item| ring.put(item)));
    for expected in 1..=items {
        assert_eq!(ring.take(), expected);
    }
    wait_for(vec![writer]);
}

/// Two threads send `each` numbers to the third, which adds them up.
fn channel3(each: usize) {
    let (sender, receiver) = channel();
    let senders = (0..2)
        .map(|number| {
            let sender = sender.clone();
            spawn(move || {
                for item in number * each..(number + 1) * each {
                    sender.send(item).unwrap();
                }
            })
        })
        .collect();
    drop(sender);
    let total: usize = (0..2 * each).map(|_| receiver.recv().unwrap()).sum();
    assert_eq!(total, each * (2 * each - 1));
    wait_for(senders);
}

/// Two threads that have to take turns, by one condition variable: hardly a step without a wait.
fn condvar_pingpong(rounds: usize) {
    struct Table {
        hits: Mutex<usize>,
        hit: Condvar,
    }

    fn play(table: &Table, player: usize, rounds: usize) {
        for _ in 0..rounds {
            let mut hits = table.hits.lock().unwrap();
            while *hits % 2 != player {
                hits = table.hit.wait(hits).unwrap();
            }
            *hits += 1;
            drop(hits);
            table.hit.notify_all();
        }
    }

    let table = Arc::new(Table { hits: Mutex::new(0), hit: Condvar::new() });
    let other = start(&table, 1, move |table, player| play(table, player, rounds));
    play(&table, 0, rounds);
    wait_for(vec![other]);
    assert_eq!(*table.hits.lock().unwrap(), 2 * rounds);
}

/// Threads with nothing to do: what a thread costs.
fn spawn_join(threads: usize) {
    wait_for((0..threads).map(|_| spawn(|| {})).collect());
}

/// Threads that do nothing but let others go first: what a scheduling point costs.
fn yields(threads: usize, rounds: usize) {
    let step_aside = move || (0..rounds).for_each(|_| yield_now());
    wait_for((0..threads).map(|_| spawn(step_aside)).collect());
}

/// As good as empty. Selvedge runs a program in which there is nothing to decide once and no
/// more, so this has one decision: whether the exchange fails for no reason.
fn one_choice() {
    let number = AtomicUsize::new(0);
    // Either way is right.
    let _ = number.compare_exchange_weak(0, 1, SeqCst, SeqCst);
}

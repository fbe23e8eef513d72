//! Sources of projects that several tests use.

/// A library with a counter that two threads can not share, and a test that shows it.
pub(crate) const RACY: &str = "\
use std::sync::atomic::{AtomicU32, Ordering};

pub struct Counter(AtomicU32);

impl Counter {
    pub const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    pub fn add(&self) {
        let old = self.0.load(Ordering::SeqCst);
        self.0.store(old + 1, Ordering::SeqCst);
    }

    pub fn get(&self) -> u32 {
        self.0.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::Counter;

    #[test]
    fn two_threads_count_to_two() {
        let counter = Counter::new();
        std::thread::scope(|scope| {
            scope.spawn(|| counter.add());
            counter.add();
        });
        assert_eq!(counter.get(), 2);
    }

    #[test]
    fn one_thread_counts_to_one() {
        let counter = Counter::new();
        counter.add();
        assert_eq!(counter.get(), 1);
    }
}
";

/// Threads that take two locks one after the other, in ever other orders: much to cover.
pub(crate) const BUSY: &str = "\
use std::sync::Mutex;

pub fn transfer(from: &Mutex<u32>, to: &Mutex<u32>) {
    *from.lock().unwrap() -= 1;
    *to.lock().unwrap() += 1;
}

#[test]
fn transfers() {
    let accounts = [const { Mutex::new(100) }; 3];
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let accounts = &accounts;
            scope.spawn(move || {
                transfer(&accounts[thread], &accounts[(thread + 1) % 3]);
                transfer(&accounts[(thread + 2) % 3], &accounts[thread]);
            });
        }
    });
    let sum: u32 = accounts.into_iter().map(|account| account.into_inner().unwrap()).sum();
    assert_eq!(sum, 300);
}

#[test]
fn one_thread() {
    let accounts = [const { Mutex::new(100) }; 2];
    transfer(&accounts[0], &accounts[1]);
}
";

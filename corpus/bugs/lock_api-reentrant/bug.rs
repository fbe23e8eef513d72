//! lock_api 0.3.0: <https://github.com/Amanieu/parking_lot/commit/da16c2c7>
//!
//! `ReentrantMutex` writes its count down after it has given the lock back. If the next owner has locked by then, its count is
//! overwritten, and its locks are given back too early or more often than they were taken.

use lock_api::{GetThreadId, GuardNoSend, RawMutex, ReentrantMutex};
use std::cell::Cell;
use std::hint;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Spinlock(AtomicBool);

// SAFETY: only one thread at a time can change the flag from false to true.
unsafe impl RawMutex for Spinlock {
    const INIT: Self = Self(AtomicBool::new(false));
    type GuardMarker = GuardNoSend;

    fn lock(&self) {
        while !self.try_lock() {
            hint::spin_loop();
        }
    }

    fn try_lock(&self) -> bool {
        self.0.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    fn unlock(&self) {
        self.0.store(false, Ordering::Release);
    }
}

struct AddressOfLocal;

// SAFETY: a thread's own copy of a variable lies at an address of its own for as long as the thread lives.
unsafe impl GetThreadId for AddressOfLocal {
    const INIT: Self = Self;

    fn nonzero_thread_id(&self) -> NonZero<usize> {
        thread_local!(static LOCAL: u8 = const { 0 });
        LOCAL.with(|local| NonZero::new(&raw const *local as usize).unwrap())
    }
}

#[test]
fn two_threads_lock_twice_each() {
    let total = ReentrantMutex::<Spinlock, AddressOfLocal, _>::new(Cell::new(0));
    let add = || {
        let outer = total.lock();
        {
            let inner = total.lock();
            inner.set(inner.get() + 1);
        }
        outer.set(outer.get() + 1);
    };
    thread::scope(|scope| {
        scope.spawn(add);
        add();
    });
    assert_eq!(total.lock().get(), 4);
}

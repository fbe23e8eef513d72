//! Threads that wait with the C library's mutex and condition variable.

use std::cell::UnsafeCell;
use std::sync::Arc;
use std::thread;

struct Gate {
    mutex: UnsafeCell<libc::pthread_mutex_t>,
    condition: UnsafeCell<libc::pthread_cond_t>,
    open: UnsafeCell<bool>,
}

// SAFETY: `open` is used with the mutex held only, and the other two are made for sharing.
unsafe impl Sync for Gate {}
// SAFETY: nothing in it belongs to a thread.
unsafe impl Send for Gate {}

#[test]
fn whoever_waits_is_let_in() {
    let gate = Arc::new(Gate {
        mutex: UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER),
        condition: UnsafeCell::new(libc::PTHREAD_COND_INITIALIZER),
        open: UnsafeCell::new(false),
    });
    let other = Arc::clone(&gate);
    // SAFETY: the objects live as long as the gate, and `open` is protected by the mutex.
    let opener = thread::spawn(move || unsafe {
        libc::pthread_mutex_lock(other.mutex.get());
        *other.open.get() = true;
        libc::pthread_cond_signal(other.condition.get());
        libc::pthread_mutex_unlock(other.mutex.get());
    });
    // SAFETY: as above.
    unsafe {
        libc::pthread_mutex_lock(gate.mutex.get());
        while !*gate.open.get() {
            libc::pthread_cond_wait(gate.condition.get(), gate.mutex.get());
        }
        libc::pthread_mutex_unlock(gate.mutex.get());
    }
    opener.join().unwrap();
}

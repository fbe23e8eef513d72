//! A helper thread that waits in the kernel and is told to end by a signal.

#![cfg(test)]

use std::cell::UnsafeCell;
use std::io::{ErrorKind, Read, pipe};
use std::os::unix::thread::JoinHandleExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use std::{mem, ptr};

fn install(signal: i32, handler: extern "C" fn(i32)) {
    // SAFETY: all zeroes are an action, and the structure lives as long as the call.
    unsafe {
        let mut action = mem::zeroed::<libc::sigaction>();
        action.sa_sigaction = handler as *const () as usize;
        assert_eq!(libc::sigaction(signal, &action, ptr::null_mut()), 0);
    }
}

#[derive(Default)]
struct State {
    producer_done: bool,
    consumer_done: bool,
}

extern "C" fn nothing(_: i32) {}

/// The thread is waited for with the lock in hand, after it has given it back for the last time.
#[test]
fn a_helper_in_the_kernel_is_told_to_end() {
    install(libc::SIGUSR1, nothing);
    let state = Arc::new((Mutex::new(State::default()), Condvar::new()));
    let (mut input, output) = pipe().unwrap();
    let of_helper = Arc::clone(&state);
    let helper = thread::spawn(move || {
        let (lock, changed) = &*of_helper;
        while !lock.lock().unwrap().producer_done {
            let read = input.read(&mut [0]);
            assert_eq!(read.unwrap_err().kind(), ErrorKind::Interrupted);
        }
        lock.lock().unwrap().consumer_done = true;
        changed.notify_one();
    });
    let began = Instant::now();
    let (lock, changed) = &*state;
    lock.lock().unwrap().producer_done = true;
    let mut guard = lock.lock().unwrap();
    for _ in 0..100 {
        if guard.consumer_done {
            break;
        }
        // SAFETY: the thread has not been joined.
        unsafe { libc::pthread_kill(helper.as_pthread_t(), libc::SIGUSR1) };
        guard = changed.wait_timeout(guard, Duration::from_millis(10)).unwrap().0;
        thread::yield_now();
    }
    assert!(guard.consumer_done);
    helper.join().unwrap();
    assert!(began.elapsed() < Duration::from_millis(500));
    drop(output);
}

struct Plain(UnsafeCell<[u64; 2]>);

// SAFETY: the handler reads after the signal was sent, and its thread goes on after the handler.
unsafe impl Sync for Plain {}

static PLAIN: Plain = Plain(UnsafeCell::new([0; 2]));

extern "C" fn add(_: i32) {
    // SAFETY: see `Plain`.
    unsafe { (*PLAIN.0.get())[1] = (*PLAIN.0.get())[0] + 1 };
}

/// The handler knows what its sender has written, and its thread what the handler has.
#[test]
fn a_signal_comes_before_its_handler() {
    static GO: AtomicBool = AtomicBool::new(false);
    // SAFETY: see `Plain`.
    unsafe { *PLAIN.0.get() = [0; 2] };
    GO.store(false, Ordering::Relaxed);
    install(libc::SIGUSR2, add);
    let helper = thread::spawn(|| {
        while !GO.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        // SAFETY: see `Plain`.
        unsafe { (*PLAIN.0.get())[1] }
    });
    // SAFETY: see `Plain`; the thread has not been joined.
    unsafe {
        (*PLAIN.0.get())[0] = 41;
        libc::pthread_kill(helper.as_pthread_t(), libc::SIGUSR2);
    }
    GO.store(true, Ordering::Relaxed);
    assert_eq!(helper.join().unwrap(), 42);
}

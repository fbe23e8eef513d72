//! Time as the threads of a schedule see it.

mod common;

use common::{enforce, event, spawn};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

const HOUR: Duration = Duration::from_secs(3600);

/// Everything here takes hours of the test's time, so the test hangs if they are real.
#[test]
fn hours_pass_when_nobody_can_go_on() {
    let result = enforce("a -> b", || {
        let begin = Instant::now();
        thread::sleep(HOUR);
        event("a");
        assert!(begin.elapsed() >= HOUR);

        let (sender, receiver) = mpsc::channel::<()>();
        assert_eq!(receiver.recv_timeout(HOUR), Err(mpsc::RecvTimeoutError::Timeout));
        assert!(begin.elapsed() >= 2 * HOUR);
        drop(sender);

        let (_sender, receiver) = crossbeam_channel::bounded::<()>(1);
        assert!(receiver.recv_timeout(HOUR).is_err());
        assert!(begin.elapsed() >= 3 * HOUR);

        let (mutex, condvar) = (Mutex::new(()), Condvar::new());
        let (_guard, timeout) = condvar.wait_timeout(mutex.lock().unwrap(), HOUR).unwrap();
        assert!(timeout.timed_out());

        let (mutex, condvar) = (parking_lot::Mutex::new(()), parking_lot::Condvar::new());
        assert!(condvar.wait_for(&mut mutex.lock(), HOUR).timed_out());

        thread::park_timeout(HOUR);
        assert!(begin.elapsed() >= 6 * HOUR);
        event("b");
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn sleeps_end_in_the_order_of_their_times() {
    let result = enforce("a -> b", || {
        let order = Arc::new(Mutex::new(Vec::new()));
        let sleepers: Vec<_> = [5, 3, 1, 4, 2]
            .map(|hours| {
                let order = Arc::clone(&order);
                thread::spawn(move || {
                    thread::sleep(hours * HOUR);
                    order.lock().unwrap().push(hours);
                })
            })
            .into();
        for sleeper in sleepers {
            sleeper.join().unwrap();
        }
        assert_eq!(*order.lock().unwrap(), [1, 2, 3, 4, 5]);
        event("a");
        event("b");
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn a_wait_is_ended_by_who_comes_before_its_timeout() {
    let result = enforce("a -> b", || {
        let (sender, receiver) = mpsc::channel();
        let other = spawn("other", move || {
            thread::sleep(HOUR);
            event("a");
            sender.send(17).unwrap();
        });
        assert_eq!(receiver.recv_timeout(2 * HOUR), Ok(17));
        event("b");
        other.join().unwrap();
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn a_timed_wait_is_blocked_until_its_time_has_come() {
    let result = enforce("[receiving] -> sending", || {
        let (sender, receiver) = mpsc::channel();
        let other = spawn("other", move || {
            event("receiving");
            receiver.recv_timeout(HOUR)
        });
        event("sending");
        sender.send(17).unwrap();
        assert_eq!(other.join().unwrap(), Ok(17));
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn others_at_the_same_condvar_do_not_notice_a_timeout() {
    let result = enforce("timed_out -> notifying", || {
        let pair = Arc::new((Mutex::new(0), Condvar::new()));
        let theirs = Arc::clone(&pair);
        let other = spawn("other", move || {
            let guard = theirs.0.lock().unwrap();
            *theirs.1.wait(guard).unwrap()
        });
        let theirs = Arc::clone(&pair);
        let timed = spawn("timed", move || {
            let guard = theirs.0.lock().unwrap();
            let (_guard, timeout) = theirs.1.wait_timeout(guard, HOUR).unwrap();
            assert!(timeout.timed_out());
            event("timed_out");
        });
        event("notifying");
        timed.join().unwrap();
        *pair.0.lock().unwrap() = 17;
        pair.1.notify_all();
        assert_eq!(other.join().unwrap(), 17);
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn a_loop_until_a_time_ends() {
    let result = enforce("a -> b", || {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_millis(20) {
            std::hint::spin_loop();
        }
        event("a");
        event("b");
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn time_is_real_for_other_threads() {
    let (sender, receiver) = mpsc::channel();
    let (done, end) = mpsc::channel();
    let outside = thread::spawn(move || {
        let begin = Instant::now();
        sender.send(()).unwrap();
        end.recv().unwrap();
        begin.elapsed()
    });
    receiver.recv().unwrap();
    let result = enforce("a -> b", move || {
        thread::sleep(24 * HOUR);
        event("a");
        event("b");
        done.send(()).unwrap();
    });
    assert_eq!(result, Ok(()));
    assert!(outside.join().unwrap() < 24 * HOUR);
}

#[test]
fn a_timeout_comes_although_somebody_spins_until_it_has() {
    let result = enforce("a -> b", || {
        let done = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&done);
        let timed = spawn("timed", move || {
            thread::park_timeout(Duration::from_millis(10));
            theirs.store(true, Ordering::Release);
            event("a");
        });
        while !done.load(Ordering::Acquire) {
            std::hint::spin_loop();
        }
        event("b");
        timed.join().unwrap();
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn hours_pass_while_somebody_polls_by_giving_way() {
    let result = enforce("a -> b", || {
        let done = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&done);
        let sleeper = spawn("sleeper", move || {
            thread::sleep(HOUR);
            theirs.store(true, Ordering::Release);
            event("a");
        });
        while !done.load(Ordering::Acquire) {
            thread::yield_now();
        }
        event("b");
        sleeper.join().unwrap();
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn who_waits_for_another_test_is_not_overtaken_by_time() {
    static SERIAL: Mutex<()> = Mutex::new(());
    let first = thread::spawn(|| {
        enforce("a -> b", || {
            let _serial = SERIAL.lock().unwrap();
            // Real time, for the other test and for its impatient thread.
            let begin = Instant::now();
            while begin.elapsed() < Duration::from_millis(100) {
                std::hint::spin_loop();
            }
            event("a");
            event("b");
        })
    });
    let second = thread::spawn(|| {
        enforce("a -> b", || {
            let done = Arc::new(AtomicBool::new(false));
            let theirs = Arc::clone(&done);
            let impatient = spawn("impatient", move || {
                thread::park_timeout(HOUR);
                assert!(theirs.load(Ordering::Acquire), "an hour is over");
            });
            drop(SERIAL.lock().unwrap());
            done.store(true, Ordering::Release);
            impatient.thread().unpark();
            impatient.join().unwrap();
            event("a");
            event("b");
        })
    });
    assert_eq!(first.join().unwrap(), Ok(()));
    assert_eq!(second.join().unwrap(), Ok(()));
}

//! Correct programs in many styles, of which nothing is to be said.

use super::Program;
use selvedge::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use selvedge::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use selvedge::sync::{Barrier, Condvar, Mutex, MutexGuard, OnceLock, RwLock};
use selvedge::{Builder, thread};
use std::collections::VecDeque;
use std::time::Duration;

/// Explores with the detectors that are on for everybody, with waits that end for no reason.
#[track_caller]
fn nothing_is_said(program: Program) {
    for spurious in ["rare", "eager"] {
        let report = Builder::new().executions(300).set("spurious", spurious).explore(program);
        let report = report.unwrap();
        assert!(report.finding.is_none(), "{:#?}", report.finding);
        assert!(report.warnings.is_empty(), "{:#?}", report.warnings);
    }
}

/// A queue that is looked at anew at the top of the loop, the guard of the wait being given back.
#[test]
fn a_loop_that_locks_again_at_its_top() {
    nothing_is_said(|| {
        let (queue, changed) = (Mutex::new(Vec::new()), Condvar::new());
        thread::scope(|scope| {
            let waiter = scope.spawn(|| {
                loop {
                    let mut queue = queue.lock().unwrap();
                    if let Some(item) = queue.pop() {
                        return item;
                    }
                    let _ = changed.wait(queue);
                }
            });
            queue.lock().unwrap().push(7);
            changed.notify_one();
            assert_eq!(waiter.join().unwrap(), 7);
        });
    });
}

struct Queue {
    items: Mutex<VecDeque<u32>>,
    changed: Condvar,
}

impl Queue {
    /// Waits a little; whether there is something to take is up to the caller.
    fn wait_a_little(&self) {
        let items = self.items.lock().unwrap();
        if items.is_empty() {
            drop(self.changed.wait(items).unwrap());
        }
    }

    fn try_take(&self) -> Option<u32> {
        self.items.lock().unwrap().pop_front()
    }

    fn put(&self, item: u32) {
        self.items.lock().unwrap().push_back(item);
        self.changed.notify_one();
    }
}

#[test]
fn a_helper_that_waits_and_a_caller_that_looks() {
    nothing_is_said(|| {
        let queue = Queue { items: Mutex::default(), changed: Condvar::new() };
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut left = 2;
                while left > 0 {
                    match queue.try_take() {
                        Some(_) => left -= 1,
                        None => queue.wait_a_little(),
                    }
                }
            });
            queue.put(1);
            queue.put(2);
        });
    });
}

#[test]
fn a_bounded_queue_with_two_conditions() {
    nothing_is_said(|| {
        let queue = Mutex::new(VecDeque::new());
        let (room, items) = (Condvar::new(), Condvar::new());
        thread::scope(|scope| {
            scope.spawn(|| {
                for item in 0..3 {
                    let mut queue =
                        room.wait_while(queue.lock().unwrap(), |q| q.len() == 1).unwrap();
                    queue.push_back(item);
                    drop(queue);
                    items.notify_one();
                }
            });
            for item in 0..3 {
                let mut queue = items.wait_while(queue.lock().unwrap(), |q| q.is_empty()).unwrap();
                assert_eq!(queue.pop_front(), Some(item));
                room.notify_one();
            }
        });
    });
}

#[test]
fn a_loop_with_a_deadline() {
    nothing_is_said(|| {
        let (ready, changed) = (Mutex::new(false), Condvar::new());
        thread::scope(|scope| {
            scope.spawn(|| {
                *ready.lock().unwrap() = true;
                changed.notify_all();
            });
            let mut guard = ready.lock().unwrap();
            while !*guard {
                guard = changed.wait_timeout(guard, Duration::from_millis(50)).unwrap().0;
            }
        });
    });
}

/// An event count: whoever waits takes the number first, looks at an atomic, and then waits for
/// another number.
#[test]
fn an_event_count() {
    nothing_is_said(|| {
        let (ready, count, changed) = (AtomicBool::new(false), Mutex::new(0_u32), Condvar::new());
        thread::scope(|scope| {
            scope.spawn(|| {
                ready.store(true, Ordering::SeqCst);
                *count.lock().unwrap() += 1;
                changed.notify_all();
            });
            while !ready.load(Ordering::SeqCst) {
                let before = *count.lock().unwrap();
                if ready.load(Ordering::SeqCst) {
                    break;
                }
                let now = count.lock().unwrap();
                if *now == before {
                    drop(changed.wait(now).unwrap());
                }
            }
        });
    });
}

struct Semaphore {
    permits: Mutex<u32>,
    released: Condvar,
}

impl Semaphore {
    fn acquire(&self) {
        let mut permits = self.permits.lock().unwrap();
        while *permits == 0 {
            permits = self.released.wait(permits).unwrap();
        }
        *permits -= 1;
    }

    fn release(&self) {
        *self.permits.lock().unwrap() += 1;
        self.released.notify_one();
    }
}

#[test]
fn a_semaphore() {
    nothing_is_said(|| {
        let semaphore = Semaphore { permits: Mutex::new(1), released: Condvar::new() };
        let inside = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    semaphore.acquire();
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    inside.fetch_sub(1, Ordering::SeqCst);
                    semaphore.release();
                });
            }
        });
    });
}

#[test]
fn a_count_down_latch() {
    nothing_is_said(|| {
        let (left, done) = (Mutex::new(2), Condvar::new());
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut left = left.lock().unwrap();
                    *left -= 1;
                    if *left == 0 {
                        done.notify_all();
                    }
                });
            }
            let guard: MutexGuard<'_, _> = left.lock().unwrap();
            drop(done.wait_while(guard, |left| *left > 0).unwrap());
        });
    });
}

#[test]
fn what_is_made_once_with_double_checks() {
    nothing_is_said(|| {
        let (cell, made): (OnceLock<u32>, Mutex<u32>) = (OnceLock::new(), Mutex::new(0));
        let get = || match cell.get() {
            Some(value) => *value,
            None => *cell.get_or_init(|| {
                *made.lock().unwrap() += 1;
                7
            }),
        };
        thread::scope(|scope| {
            scope.spawn(|| assert_eq!(get(), 7));
            assert_eq!(get(), 7);
        });
        assert_eq!(*made.lock().unwrap(), 1);
    });
}

#[test]
fn a_read_lock_that_is_given_back_before_writing() {
    nothing_is_said(|| {
        let map = RwLock::new(Vec::new());
        let intern = |item: u32| {
            if let Some(at) = map.read().unwrap().iter().position(|known| *known == item) {
                return at;
            }
            let mut map = map.write().unwrap();
            match map.iter().position(|known| *known == item) {
                Some(at) => at,
                None => {
                    map.push(item);
                    map.len() - 1
                }
            }
        };
        thread::scope(|scope| {
            let one = scope.spawn(|| intern(3));
            let two = intern(3);
            assert_eq!(one.join().unwrap(), two);
        });
    });
}

/// Both orders of two locks, never without a third one.
#[test]
fn opposite_orders_behind_a_gate() {
    nothing_is_said(|| {
        let (gate, left, right) = (Mutex::new(()), Mutex::new(0), Mutex::new(0));
        thread::scope(|scope| {
            scope.spawn(|| {
                let _gate = gate.lock().unwrap();
                let mut left = left.lock().unwrap();
                *left += *right.lock().unwrap();
            });
            let _gate = gate.lock().unwrap();
            let mut right = right.lock().unwrap();
            *right += *left.lock().unwrap();
        });
    });
}

/// Both orders of two locks, the second after the thread with the first has ended.
#[test]
fn opposite_orders_one_after_the_other() {
    nothing_is_said(|| {
        let (left, right) = (Mutex::new(0), Mutex::new(0));
        {
            let mut right = right.lock().unwrap();
            *right += *left.lock().unwrap();
        }
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut left = left.lock().unwrap();
                *left += *right.lock().unwrap();
            });
        });
        let mut right = right.lock().unwrap();
        *right += *left.lock().unwrap();
    });
}

/// Both orders of two locks, one of them before a message is sent and the other after it came.
#[test]
fn opposite_orders_with_a_message_in_between() {
    nothing_is_said(|| {
        let (left, right) = (Mutex::new(0), Mutex::new(0));
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            let (left, right) = (&left, &right);
            scope.spawn(move || {
                let mut left = left.lock().unwrap();
                *left += *right.lock().unwrap();
                drop(left);
                sender.send(()).unwrap();
            });
            receiver.recv().unwrap();
            let mut right = right.lock().unwrap();
            *right += *left.lock().unwrap();
        });
    });
}

/// Whoever does not get the second lock gives the first one back.
#[test]
fn opposite_orders_with_a_try() {
    nothing_is_said(|| {
        let (left, right) = (Mutex::new(0), Mutex::new(0));
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut left = left.lock().unwrap();
                *left += *right.lock().unwrap();
            });
            loop {
                let mut right = right.lock().unwrap();
                if let Ok(left) = left.try_lock() {
                    *right += *left;
                    break;
                }
                drop(right);
                thread::yield_now();
            }
        });
    });
}

fn serve(requests: &Receiver<(u32, Sender<u32>)>) {
    for (request, answer) in requests {
        answer.send(request + 1).unwrap();
    }
}

/// A client that several threads share: each waits for its own answer with the client in hand.
#[test]
fn requests_that_are_answered() {
    nothing_is_said(|| {
        let (requests, received) = sync_channel(1);
        thread::scope(|scope| {
            scope.spawn(move || serve(&received));
            for request in 0..2 {
                let requests = requests.clone();
                scope.spawn(move || {
                    let (answer, answered) = channel();
                    requests.send((request, answer)).unwrap();
                    assert_eq!(answered.recv().unwrap(), request + 1);
                });
            }
            drop(requests);
        });
    });
}

#[test]
fn workers_that_share_a_receiver_and_a_leader_that_waits_for_all() {
    nothing_is_said(|| {
        let (sender, receiver) = channel::<u32>();
        let (receiver, sum, met) = (Mutex::new(receiver), Mutex::new(0), Barrier::new(3));
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    loop {
                        let Ok(item) = receiver.lock().unwrap().recv() else { break };
                        *sum.lock().unwrap() += item;
                    }
                    met.wait();
                });
            }
            sender.send(1).unwrap();
            sender.send(2).unwrap();
            drop(sender);
            met.wait();
            assert_eq!(*sum.lock().unwrap(), 3);
        });
    });
}

/// A thread that is told to stop by a flag and woken by a token.
#[test]
fn a_flag_and_a_token() {
    nothing_is_said(|| {
        let stop = std::sync::Arc::new(AtomicBool::new(false));
        let theirs = std::sync::Arc::clone(&stop);
        let worker = thread::spawn(move || {
            while !theirs.load(Ordering::SeqCst) {
                thread::park();
            }
        });
        stop.store(true, Ordering::SeqCst);
        worker.thread().unpark();
        worker.join().unwrap();
    });
}

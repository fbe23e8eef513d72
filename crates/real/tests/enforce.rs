//! Schedules that are enforced.

mod common;

use common::{enforce, event, schedule, spawn};
use selvedge_real::{Mode, run};
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread;

/// The blocking queue of the example.
#[derive(Default)]
struct Queue {
    items: Mutex<VecDeque<u32>>,
    added: Condvar,
}

impl Queue {
    fn add(&self, item: u32) {
        self.items.lock().unwrap().push_back(item);
        self.added.notify_one();
    }

    fn take(&self) -> u32 {
        let mut items = self.items.lock().unwrap();
        loop {
            if let Some(item) = items.pop_front() {
                return item;
            }
            items = self.added.wait(items).unwrap();
        }
    }
}

const QUEUE: &str = "finished_add1 -> starting_take1, [starting_take2] -> starting_add2";

#[test]
fn the_example_of_the_queue_happens_a_thousand_times() {
    let spec = schedule(QUEUE);
    for _ in 0..1000 {
        let trace = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&trace);
        let note = move |what| trace.lock().unwrap().push(what);
        let result = run(&spec, "queue", Mode::Enforce, move || {
            let queue = Arc::new(Queue::default());
            let (theirs, noted) = (Arc::clone(&queue), note.clone());
            let adder = spawn("adder", move || {
                theirs.add(1);
                noted("added 1");
                event("finished_add1");
                event("starting_add2");
                noted("adds 2");
                theirs.add(2);
            });
            event("starting_take1");
            note("takes 1");
            assert_eq!(queue.take(), 1);
            note("taken 1");
            event("starting_take2");
            assert_eq!(queue.take(), 2);
            note("taken 2");
            adder.join().unwrap();
        });
        assert_eq!(result, Ok(()));
        let trace = kept.lock().unwrap();
        assert_eq!(*trace, ["added 1", "takes 1", "taken 1", "adds 2", "taken 2"]);
    }
}

#[test]
fn one_event_waits_for_another_whoever_is_first() {
    for (first, second) in [("a", "b"), ("b", "a")] {
        let order = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&order);
        let result = enforce(&format!("{first} -> {second}"), move || {
            let theirs = Arc::clone(&order);
            let other = spawn("other", move || {
                event("b");
                theirs.lock().unwrap().push("b");
                event("b_done");
            });
            event("a");
            order.lock().unwrap().push("a");
            event("a_done");
            other.join().unwrap();
        });
        assert_eq!(result, Ok(()));
        // The notes are made after the events, so only what is ordered by `_done` is certain.
        assert_eq!(kept.lock().unwrap().len(), 2);
    }
}

/// Each way in which a thread can wait that a schedule should see as blocked. The waiting thread
/// is told to go on by the function that comes with it.
#[track_caller]
fn sees_block<W, G>(make: impl FnOnce() -> (W, G) + Send + 'static)
where
    W: FnOnce() + Send + 'static,
    G: FnOnce() + Send + 'static,
{
    let result = enforce("[waiting] -> going", move || {
        let (wait, go) = make();
        let waiter = spawn("waiter", move || {
            event("waiting");
            wait();
        });
        event("going");
        go();
        waiter.join().unwrap();
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn receiving_blocks() {
    sees_block(|| {
        let (sender, receiver) = mpsc::channel();
        (move || receiver.recv().unwrap(), move || sender.send(()).unwrap())
    });
}

#[test]
fn receiving_from_crossbeam_blocks() {
    sees_block(|| {
        let (sender, receiver) = crossbeam_channel::bounded(1);
        (move || receiver.recv().unwrap(), move || sender.send(()).unwrap())
    });
}

#[test]
fn sending_to_a_full_channel_blocks() {
    sees_block(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        (move || sender.send(()).unwrap(), move || receiver.recv().unwrap())
    });
}

#[test]
fn waiting_for_a_condvar_blocks() {
    sees_block(|| {
        let pair = Arc::new((Mutex::new(0), Condvar::new()));
        let other = Arc::clone(&pair);
        let wait = move || {
            let guard = pair.0.lock().unwrap();
            drop(pair.1.wait_while(guard, |value| *value == 0).unwrap());
        };
        let go = move || {
            *other.0.lock().unwrap() = 1;
            other.1.notify_all();
        };
        (wait, go)
    });
}

#[test]
fn waiting_for_a_condvar_of_parking_lot_blocks() {
    sees_block(|| {
        let pair = Arc::new((parking_lot::Mutex::new(0), parking_lot::Condvar::new()));
        let other = Arc::clone(&pair);
        let wait = move || {
            let mut guard = pair.0.lock();
            pair.1.wait_while(&mut guard, |value| *value == 0);
        };
        let go = move || {
            *other.0.lock() = 1;
            other.1.notify_all();
        };
        (wait, go)
    });
}

#[test]
fn parking_blocks() {
    sees_block(|| {
        let (sender, receiver) = mpsc::channel();
        let wait = move || {
            sender.send(thread::current()).unwrap();
            thread::park();
        };
        (wait, move || receiver.recv().unwrap().unpark())
    });
}

#[test]
fn locking_what_another_thread_has_locked_blocks() {
    let result = enforce("locked -> locking, [locking] -> unlocking", || {
        let mutex = Arc::new(Mutex::new(0));
        let theirs = Arc::clone(&mutex);
        let other = spawn("other", move || {
            event("locking");
            *theirs.lock().unwrap() += 1;
        });
        let mut guard = mutex.lock().unwrap();
        event("locked");
        event("unlocking");
        *guard += 1;
        drop(guard);
        other.join().unwrap();
        assert_eq!(*mutex.lock().unwrap(), 2);
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn joining_blocks() {
    let result = enforce("[joining] -> ending", || {
        let other = spawn("other", || event("ending"));
        event("joining");
        other.join().unwrap();
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn reading_from_a_pipe_blocks() {
    sees_block(|| {
        let (mut reader, mut writer) = std::io::pipe().unwrap();
        let wait = move || {
            let mut byte = [0];
            reader.read_exact(&mut byte).unwrap();
        };
        (wait, move || writer.write_all(&[1]).unwrap())
    });
}

#[test]
fn a_thread_may_be_blocked_while_another_one_runs() {
    let result = enforce("[waiting] -> going", || {
        let done = Arc::new(AtomicU32::new(0));
        let theirs = Arc::clone(&done);
        let spinner = spawn("spinner", move || {
            while theirs.load(Ordering::Relaxed) == 0 {
                std::hint::spin_loop();
            }
        });
        let (sender, receiver) = mpsc::channel::<()>();
        let waiter = spawn("waiter", move || {
            event("waiting");
            receiver.recv().unwrap();
        });
        event("going");
        sender.send(()).unwrap();
        done.store(1, Ordering::Relaxed);
        waiter.join().unwrap();
        spinner.join().unwrap();
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn threads_begin_and_end_in_order() {
    let result =
        enforce("end@first -> start@second, end@second -> start@third-with-a-long-name", || {
            let order = Arc::new(Mutex::new(Vec::new()));
            let threads = ["third-with-a-long-name", "second", "first"].map(|name| {
                let order = Arc::clone(&order);
                spawn(name, move || order.lock().unwrap().push(name))
            });
            for thread in threads {
                thread.join().unwrap();
            }
            assert_eq!(*order.lock().unwrap(), ["first", "second", "third-with-a-long-name"]);
        });
    assert_eq!(result, Ok(()));
}

#[test]
fn threads_can_be_named_by_themselves() {
    let result = enforce("step@b -> step@a", || {
        let order = Arc::new(Mutex::new(Vec::new()));
        let threads = ["a", "b"].map(|name| {
            let order = Arc::clone(&order);
            thread::spawn(move || {
                selvedge_real::name_thread(name);
                if name == "b" {
                    order.lock().unwrap().push(name);
                    event("step");
                } else {
                    event("step");
                    order.lock().unwrap().push(name);
                }
            })
        });
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(*order.lock().unwrap(), ["b", "a"]);
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn occurrences_are_counted() {
    let result = enforce("take#3 -> reset", || {
        let taken = Arc::new(AtomicU32::new(0));
        let theirs = Arc::clone(&taken);
        let taker = spawn("taker", move || {
            for _ in 0..5 {
                theirs.fetch_add(1, Ordering::SeqCst);
                event("take");
            }
        });
        event("reset");
        assert!(taken.load(Ordering::SeqCst) >= 3);
        taker.join().unwrap();
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn every_occurrence_comes_before_what_waits_for_all_of_them() {
    let result = enforce("take#* -> reset", || {
        let taken = Arc::new(AtomicU32::new(0));
        let takers: Vec<_> = (0..3)
            .map(|_| {
                let taken = Arc::clone(&taken);
                spawn("taker", move || {
                    for _ in 0..5 {
                        event("take");
                        taken.fetch_add(1, Ordering::SeqCst);
                    }
                })
            })
            .collect();
        event("reset");
        assert_eq!(taken.load(Ordering::SeqCst), 15);
        for taker in takers {
            taker.join().unwrap();
        }
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn a_panic_of_the_body_goes_on_in_the_caller() {
    let panic = std::panic::catch_unwind(|| enforce("a -> b", || std::panic::panic_any(17_u32)));
    assert_eq!(*panic.unwrap_err().downcast::<u32>().unwrap(), 17);
}

#[test]
fn the_name_of_the_schedule_in_force_is_known_to_its_threads_only() {
    assert_eq!(selvedge_real::current(), None);
    let result = run(&schedule("a -> b"), "mine", Mode::Enforce, || {
        assert_eq!(selvedge_real::current().as_deref(), Some("mine"));
        spawn("other", || assert_eq!(selvedge_real::current().as_deref(), Some("mine")))
            .join()
            .unwrap();
        event("a");
        event("b");
    });
    assert_eq!(result, Ok(()));
    assert_eq!(selvedge_real::current(), None);
}

#[test]
fn tests_at_the_same_time_do_not_disturb_each_other() {
    let threads: Vec<_> = (0..8)
        .map(|number| {
            // Half of them want it the other way round.
            let text = if number % 2 == 0 { "x -> y" } else { "y -> x" };
            thread::spawn(move || {
                for _ in 0..50 {
                    let order = Arc::new(Mutex::new(Vec::new()));
                    let kept = Arc::clone(&order);
                    let result = enforce(text, move || {
                        let theirs = Arc::clone(&order);
                        let step = |name: &'static str, order: &Mutex<Vec<_>>| {
                            if text.starts_with(name) {
                                order.lock().unwrap().push(name);
                                event(name);
                            } else {
                                event(name);
                                order.lock().unwrap().push(name);
                            }
                        };
                        let other = spawn("other", move || step("x", &theirs));
                        step("y", &order);
                        other.join().unwrap();
                    });
                    assert_eq!(result, Ok(()));
                    let expected = if number % 2 == 0 { ["x", "y"] } else { ["y", "x"] };
                    assert_eq!(*kept.lock().unwrap(), expected);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[test]
fn what_comes_after_the_body_is_waited_for() {
    let result = enforce("end@main -> late", || {
        spawn("other", || event("late"));
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn processes_and_sockets_work_as_always() {
    let result = enforce("[accepting] -> connecting", || {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = spawn("server", move || {
            event("accepting");
            let (mut stream, _) = listener.accept().unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        });
        event("connecting");
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(b"hello").unwrap();
        drop(stream);
        assert_eq!(server.join().unwrap(), "hello");
        let output = Command::new("echo").arg("hello").output().unwrap();
        assert_eq!(output.stdout, b"hello\n");
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn a_lock_that_is_free_in_a_moment_is_no_block() {
    for _ in 0..50 {
        let result = enforce("locked -> waiting, [waiting] -> going", || {
            let mutex = Arc::new(Mutex::new(()));
            let is_there = Arc::new(AtomicBool::new(false));
            let is_over = Arc::new(AtomicBool::new(false));
            let (theirs, stop) = (Arc::clone(&mutex), Arc::clone(&is_over));
            let holder = spawn("holder", move || {
                let guard = theirs.lock().unwrap();
                event("locked");
                for _ in 0..1000 {
                    std::hint::spin_loop();
                }
                drop(guard);
                while !stop.load(Ordering::Acquire) {
                    std::hint::spin_loop();
                }
            });
            let (sender, receiver) = mpsc::channel::<()>();
            let there = Arc::clone(&is_there);
            let waiter = spawn("waiter", move || {
                event("waiting");
                drop(mutex.lock().unwrap());
                there.store(true, Ordering::Release);
                receiver.recv().unwrap();
            });
            event("going");
            assert!(is_there.load(Ordering::Acquire), "blocked at the lock");
            sender.send(()).unwrap();
            is_over.store(true, Ordering::Release);
            waiter.join().unwrap();
            holder.join().unwrap();
        });
        assert_eq!(result, Ok(()));
    }
}

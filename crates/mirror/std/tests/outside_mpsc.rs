//! Channels outside of controlled executions: every test runs against std as well as against the
//! mirror, so none claims anything that std does not keep.

/// Compiles the tests against the modules of one crate.
macro_rules! suite {
    ($suite:ident, $root:ident) => {
        mod $suite {
            use std::collections::BTreeSet;
            use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
            use std::sync::{Arc, Barrier, Mutex};
            use std::thread;
            use std::time::{Duration, Instant};
            use $root::sync::mpsc::{
                Receiver, RecvError, RecvTimeoutError, SendError, Sender, SyncSender, TryRecvError,
                TrySendError, channel, sync_channel,
            };

            /// Counts how often messages are dropped.
            struct Counted(Arc<AtomicUsize>);

            impl Drop for Counted {
                fn drop(&mut self) {
                    self.0.fetch_add(1, SeqCst);
                }
            }

            #[test]
            fn messages_arrive_in_the_order_in_which_they_were_sent() {
                let (tx, rx) = channel();
                (0..100).for_each(|n| tx.send(n).unwrap());
                assert_eq!(rx.try_iter().collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
                assert_eq!(rx.try_recv(), Err(TryRecvError::Empty));
            }

            #[test]
            fn what_was_sent_can_be_received_after_the_last_sender_is_gone() {
                let (tx, rx) = channel();
                let other = tx.clone();
                tx.send(1).unwrap();
                drop(tx);
                other.send(2).unwrap();
                drop(other);
                assert_eq!(rx.recv(), Ok(1));
                assert_eq!(rx.try_recv(), Ok(2));
                assert_eq!(rx.recv(), Err(RecvError));
                assert_eq!(rx.try_recv(), Err(TryRecvError::Disconnected));
                assert_eq!(rx.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Disconnected));
                assert_eq!(rx.iter().next(), None);
            }

            #[test]
            fn a_message_that_nobody_will_receive_comes_back() {
                let (tx, rx) = channel();
                drop(rx);
                assert_eq!(tx.send("a"), Err(SendError("a")));
                for capacity in [0, 1] {
                    let (tx, rx) = sync_channel(capacity);
                    drop(rx);
                    assert_eq!(tx.send("b"), Err(SendError("b")));
                    assert_eq!(tx.try_send("c"), Err(TrySendError::Disconnected("c")));
                }
            }

            #[test]
            fn a_full_channel_refuses_what_can_not_wait() {
                let (tx, rx) = sync_channel(2);
                assert_eq!(tx.try_send(1), Ok(()));
                assert_eq!(tx.clone().try_send(2), Ok(()));
                assert_eq!(tx.try_send(3), Err(TrySendError::Full(3)));
                assert_eq!(rx.recv(), Ok(1));
                assert_eq!(tx.try_send(4), Ok(()));
                drop(tx);
                assert_eq!(rx.into_iter().collect::<Vec<_>>(), [2, 4]);
            }

            #[test]
            fn a_receiver_that_goes_away_drops_what_it_has_not_received() {
                let dropped = Arc::new(AtomicUsize::new(0));
                let (tx, rx) = channel();
                (0..3).for_each(|_| tx.send(Counted(Arc::clone(&dropped))).unwrap());
                drop(rx.recv());
                assert_eq!(dropped.load(SeqCst), 1);
                drop(rx);
                assert_eq!(dropped.load(SeqCst), 3);
                drop(tx.send(Counted(Arc::clone(&dropped))));
                assert_eq!(dropped.load(SeqCst), 4);
            }

            /// A message that uses the channel in which it is when it is dropped.
            struct Boomerang(Option<Sender<Boomerang>>);

            impl Drop for Boomerang {
                fn drop(&mut self) {
                    if let Some(tx) = self.0.take() {
                        assert!(tx.clone().send(Boomerang(None)).is_err());
                    }
                }
            }

            #[test]
            fn the_destructor_of_a_message_may_use_its_channel() {
                let (tx, rx) = channel();
                tx.send(Boomerang(Some(tx.clone()))).unwrap();
                tx.send(Boomerang(Some(tx.clone()))).unwrap();
                drop(tx);
                drop(rx);
            }

            #[test]
            fn a_waiting_receiver_hears_of_a_message_and_of_the_last_sender() {
                for round in 0..50 {
                    let (tx, rx) = channel();
                    let steps = Arc::new(AtomicUsize::new(0));
                    let receiver = {
                        let steps = Arc::clone(&steps);
                        thread::spawn(move || {
                            steps.fetch_add(1, SeqCst);
                            let first = rx.recv();
                            steps.fetch_add(1, SeqCst);
                            (first, rx.recv())
                        })
                    };
                    // Gives the receiver time to wait, in at least some of the rounds.
                    let wait_for = |step| {
                        while steps.load(SeqCst) < step {
                            thread::yield_now();
                        }
                        (0..round * 10).for_each(|_| thread::yield_now());
                    };
                    wait_for(1);
                    tx.send(7).unwrap();
                    wait_for(2);
                    drop(tx.clone());
                    drop(tx);
                    assert_eq!(receiver.join().unwrap(), (Ok(7), Err(RecvError)));
                }
            }

            #[test]
            fn a_timeout_ends_the_wait_and_only_then() {
                let (tx, rx) = channel();
                let (timeout, began) = (Duration::from_millis(20), Instant::now());
                assert_eq!(rx.recv_timeout(timeout), Err(RecvTimeoutError::Timeout));
                assert!(began.elapsed() >= timeout);
                tx.send(1).unwrap();
                assert_eq!(rx.recv_timeout(Duration::ZERO), Ok(1));
                let receiver = thread::spawn(move || rx.recv_timeout(Duration::MAX));
                tx.send(2).unwrap();
                assert_eq!(receiver.join().unwrap(), Ok(2));
            }

            /// After the n-th message is sent, at least `n - capacity` receives have begun.
            fn stays_within(capacity: usize) {
                const MESSAGES: usize = 500;
                let begun = Arc::new(AtomicUsize::new(0));
                let (tx, rx) = sync_channel(capacity);
                let sender = {
                    let begun = Arc::clone(&begun);
                    thread::spawn(move || {
                        for n in 1..=MESSAGES {
                            tx.send(n).unwrap();
                            assert!(begun.load(SeqCst) + capacity >= n, "sent too early: {n}");
                        }
                    })
                };
                for n in 1..=MESSAGES {
                    begun.fetch_add(1, SeqCst);
                    assert_eq!(rx.recv(), Ok(n));
                    if n % 50 == 0 {
                        // Lets the sender run ahead, if it can.
                        (0..100).for_each(|_| thread::yield_now());
                    }
                }
                sender.join().unwrap();
                assert_eq!(rx.recv(), Err(RecvError));
            }

            #[test]
            fn senders_wait_for_room() {
                stays_within(1);
                stays_within(3);
            }

            #[test]
            fn senders_wait_for_the_receiver_if_there_is_no_buffer() {
                stays_within(0);
            }

            #[test]
            fn without_a_buffer_nothing_is_left_for_a_receiver_that_does_not_wait() {
                let (tx, rx) = sync_channel(0);
                assert_eq!(tx.try_send(1), Err(TrySendError::Full(1)));
                assert_eq!(rx.try_recv(), Err(TryRecvError::Empty));
                assert_eq!(rx.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout));
                assert_eq!(tx.try_send(2), Err(TrySendError::Full(2)));
                let receiver = thread::spawn(move || rx.recv());
                while tx.try_send(3).is_err() {
                    thread::yield_now();
                }
                assert_eq!(receiver.join().unwrap(), Ok(3));
                assert_eq!(tx.try_send(4), Err(TrySendError::Disconnected(4)));
            }

            #[test]
            fn a_receiver_that_does_not_wait_meets_a_sender_that_does() {
                let (tx, rx) = sync_channel(0);
                let sender = thread::spawn(move || tx.send(5));
                let message = loop {
                    match rx.try_recv() {
                        Ok(message) => break message,
                        Err(error) => assert_eq!(error, TryRecvError::Empty),
                    }
                    thread::yield_now();
                };
                assert_eq!(message, 5);
                assert_eq!(sender.join().unwrap(), Ok(()));
            }

            /// Some of the waiting senders get rid of their message, the others get theirs back.
            fn sort_out(capacity: usize, received: usize) {
                const SENDERS: usize = 6;
                let started = Arc::new(Barrier::new(SENDERS + 1));
                let (tx, rx) = sync_channel(capacity);
                let senders: Vec<_> = (0..SENDERS)
                    .map(|n| {
                        let (tx, started) = (tx.clone(), Arc::clone(&started));
                        thread::spawn(move || {
                            started.wait();
                            (n, tx.send(n))
                        })
                    })
                    .collect();
                started.wait();
                let taken: BTreeSet<usize> = rx.iter().take(received).collect();
                assert_eq!(taken.len(), received);
                drop(rx);
                let mut sent = 0;
                for sender in senders {
                    match sender.join().unwrap() {
                        (_, Ok(())) => sent += 1,
                        (n, Err(SendError(back))) => {
                            assert_eq!(back, n);
                            assert!(!taken.contains(&n), "{n} was received and came back");
                        }
                    }
                }
                assert!((received..=received + capacity).contains(&sent), "{sent} were sent");
            }

            #[test]
            fn senders_whose_message_was_not_taken_get_it_back() {
                for round in 0..30 {
                    sort_out(0, round % 7);
                    sort_out(2, round % 5);
                }
            }

            #[test]
            fn many_senders_one_receiver() {
                const SENDERS: usize = 4;
                const MESSAGES: usize = 500;
                let (unbounded, rx) = channel::<(usize, usize)>();
                check_order(rx, |n| {
                    let tx = unbounded.clone();
                    move |message| tx.send((n, message)).unwrap()
                });
                drop(unbounded);

                fn check_order<S: FnMut(usize) + Send + 'static>(
                    rx: Receiver<(usize, usize)>,
                    sender: impl Fn(usize) -> S,
                ) {
                    let senders: Vec<_> = (0..SENDERS)
                        .map(|n| {
                            let mut send = sender(n);
                            thread::spawn(move || (0..MESSAGES).for_each(&mut send))
                        })
                        .collect();
                    let mut expected = [0; SENDERS];
                    for (n, message) in rx.iter().take(SENDERS * MESSAGES) {
                        assert_eq!(message, expected[n], "sender {n}");
                        expected[n] += 1;
                    }
                    senders.into_iter().for_each(|sender| sender.join().unwrap());
                    assert_eq!(rx.try_recv(), Err(TryRecvError::Empty));
                }

                for capacity in [0, 1, 5] {
                    let (bounded, rx) = sync_channel::<(usize, usize)>(capacity);
                    check_order(rx, |n| {
                        let tx: SyncSender<_> = bounded.clone();
                        move |message| tx.send((n, message)).unwrap()
                    });
                }
            }

            #[test]
            fn workers_can_take_turns_at_one_receiver() {
                let (tx, rx) = channel();
                let rx = Arc::new(Mutex::new(rx));
                let workers: Vec<_> = (0..3)
                    .map(|_| {
                        let rx = Arc::clone(&rx);
                        thread::spawn(move || {
                            let next = || rx.lock().unwrap().recv().ok();
                            std::iter::from_fn(next).sum::<usize>()
                        })
                    })
                    .collect();
                (1..=100).for_each(|n| tx.send(n).unwrap());
                drop(tx);
                let sums = workers.into_iter().map(|worker| worker.join().unwrap());
                assert_eq!(sums.sum::<usize>(), 5050);
            }

            #[test]
            fn the_ends_say_what_they_are() {
                let (tx, rx) = channel::<u8>();
                assert_eq!(format!("{tx:?} {rx:?}"), "Sender { .. } Receiver { .. }");
                let (tx, rx) = sync_channel::<u8>(1);
                assert_eq!(format!("{tx:?} {rx:?}"), "SyncSender { .. } Receiver { .. }");
            }
        }
    };
}

suite!(real, std);
suite!(mirror, selvedge_std);

//! Thread-locals and clocks outside of controlled executions: every test runs against std as well
//! as against the mirror, so none claims anything that std does not keep.

/// Compiles the tests against the modules of one crate.
macro_rules! suite {
    ($suite:ident, $root:ident) => {
        mod $suite {
            use $root::thread::LocalKey;
            use $root::time::{Instant, SystemTime, UNIX_EPOCH};
            use $root::{hint, thread_local};
            use std::cell::{Cell, RefCell};
            use std::sync::mpsc::{Sender, channel};
            use std::thread;
            use std::time::Duration;

            #[test]
            fn each_thread_has_its_own_value() {
                thread_local! {
                    static LAZY: Cell<u32> = Cell::new(1);
                    static CONST: Cell<u32> = const { Cell::new(2) };
                }
                LAZY.set(10);
                CONST.set(20);
                let other = thread::spawn(|| (LAZY.get(), CONST.get()));
                assert_eq!(other.join().unwrap(), (1, 2));
                assert_eq!((LAZY.get(), CONST.get()), (10, 20));
            }

            #[test]
            fn a_value_is_made_once_and_only_when_it_is_used() {
                thread_local! {
                    static MADE: Cell<u32> = const { Cell::new(0) };
                    static VALUE: u32 = {
                        MADE.set(MADE.get() + 1);
                        7
                    };
                }
                assert_eq!(MADE.get(), 0);
                VALUE.with(|&value| assert_eq!(value, 7));
                assert_eq!(VALUE.try_with(|&value| value), Ok(7));
                assert_eq!(MADE.get(), 1);
            }

            #[test]
            fn setting_a_value_needs_no_initialiser() {
                thread_local! {
                    static CELL: Cell<u32> = panic!("not needed");
                    static REF_CELL: RefCell<u32> = panic!("not needed");
                }
                CELL.set(1);
                CELL.set(2);
                assert_eq!((CELL.replace(3), CELL.take(), CELL.get()), (2, 3, 0));
                REF_CELL.set(1);
                REF_CELL.set(2);
                assert_eq!((REF_CELL.replace(3), REF_CELL.take()), (2, 3));
                REF_CELL.with_borrow_mut(|value| *value += 5);
                assert_eq!(REF_CELL.with_borrow(|value| *value), 5);
            }

            #[test]
            fn keys_are_values_that_can_be_passed_on() {
                thread_local!(static KEY: RefCell<Vec<u8>> = RefCell::new(vec![1]));
                const TABLE: &[&LocalKey<RefCell<Vec<u8>>>] = &[&KEY];
                TABLE[0].with_borrow_mut(|list| list.push(2));
                let key: &'static LocalKey<_> = &KEY;
                assert_eq!(key.take(), [1, 2]);
                assert_eq!(format!("{key:?}"), "LocalKey { .. }");
            }

            #[test]
            fn attributes_and_visibility_are_kept() {
                mod inner {
                    use $root::thread_local;

                    thread_local! {
                        #[cfg(any())]
                        pub(super) static VALUE: u8 = "not compiled";
                        #[cfg(not(any()))]
                        pub(super) static VALUE: u8 = const { 3 };
                    }
                }
                assert_eq!(inner::VALUE.with(|value| *value), 3);
            }

            /// Tells in its destructor whether another thread-local can be used.
            struct Witness(Sender<Option<u32>>, &'static LocalKey<Probe>);

            /// A value with a destructor.
            struct Probe(u32);

            impl Drop for Probe {
                fn drop(&mut self) {
                    self.0 = 0;
                }
            }

            impl Drop for Witness {
                fn drop(&mut self) {
                    self.0.send(self.1.try_with(|probe| probe.0).ok()).unwrap();
                }
            }

            thread_local! {
                static PROBE: Probe = const { Probe(4) };
                static WITNESS: RefCell<Option<Witness>> = const { RefCell::new(None) };
            }

            #[test]
            fn values_go_when_the_thread_ends_the_last_first() {
                let (tx, rx) = channel();
                let late = tx.clone();
                let destroyed = thread::spawn(move || {
                    WITNESS.set(Some(Witness(late, &PROBE)));
                    PROBE.with(|probe| probe.0)
                });
                assert_eq!(destroyed.join().unwrap(), 4);
                assert_eq!(rx.recv(), Ok(None), "the probe was made last and so went first");
                let alive = thread::spawn(move || {
                    PROBE.with(|_| ());
                    WITNESS.set(Some(Witness(tx, &PROBE)));
                });
                alive.join().unwrap();
                assert_eq!(rx.recv(), Ok(Some(4)), "the probe was made first");
            }

            #[test]
            fn a_destroyed_value_is_reported() {
                thread_local!(static OWN: RefCell<Option<Own>> = const { RefCell::new(None) });

                struct Own(Sender<String>);

                impl Drop for Own {
                    fn drop(&mut self) {
                        let error = OWN.try_with(|_| ()).unwrap_err();
                        assert_eq!(error, error.clone());
                        self.0.send(format!("{error:?}: {error}")).unwrap();
                    }
                }

                let (tx, rx) = channel();
                thread::spawn(move || OWN.set(Some(Own(tx)))).join().unwrap();
                assert_eq!(rx.recv().unwrap(), "AccessError: already destroyed");
            }

            #[test]
            fn a_value_without_destructor_can_be_used_to_the_end() {
                thread_local! {
                    static PLAIN: Cell<u32> = Cell::new(1);
                    static LAST_WORDS: RefCell<Option<LastWords>> = const { RefCell::new(None) };
                }

                struct LastWords(Sender<u32>);

                impl Drop for LastWords {
                    fn drop(&mut self) {
                        self.0.send(PLAIN.get()).unwrap();
                    }
                }

                let (tx, rx) = channel();
                let thread = thread::spawn(move || {
                    LAST_WORDS.set(Some(LastWords(tx)));
                    PLAIN.set(9);
                });
                thread.join().unwrap();
                assert_eq!(rx.recv(), Ok(9));
            }

            #[test]
            fn an_initialiser_may_use_its_own_key() {
                thread_local! {
                    static DEPTH: Cell<u32> = const { Cell::new(0) };
                    static NESTED: u32 = {
                        let depth = DEPTH.replace(DEPTH.get() + 1);
                        if depth < 2 { NESTED.with(|inner| inner + 1) } else { 10 }
                    };
                }
                assert_eq!(NESTED.with(|value| *value), 12);
            }

            #[test]
            fn clocks_go_forward() {
                let began = Instant::now();
                let later = began + Duration::from_secs(5);
                assert_eq!(later - began, Duration::from_secs(5));
                assert_eq!(began - later, Duration::ZERO);
                assert_eq!(began.checked_duration_since(later), None);
                assert_eq!(later.checked_sub(Duration::from_secs(5)), Some(began));
                assert_eq!(began.checked_add(Duration::MAX), None);
                assert!(began <= Instant::now() && began.elapsed() < Duration::from_secs(3600));
            }

            #[test]
            fn system_times_count_from_the_epoch() {
                let now = SystemTime::now();
                let since = now.duration_since(UNIX_EPOCH).unwrap();
                assert!(since > Duration::from_secs(1_735_689_600), "the year 2025 is over");
                assert_eq!(UNIX_EPOCH + since, now);
                let error = UNIX_EPOCH.duration_since(now).unwrap_err();
                assert_eq!(error.duration(), since);
                let soon = now + Duration::from_secs(3600);
                assert!(soon.elapsed().is_err() && soon > now);
                assert_eq!(soon.checked_sub(Duration::from_secs(3600)), Some(now));
            }

            #[test]
            fn hints_are_harmless() {
                hint::spin_loop();
                assert_eq!(hint::black_box(3), 3);
            }
        }
    };
}

suite!(real, std);
suite!(mirror, selvedge_std);

#[test]
fn the_times_of_files_can_be_converted() {
    let real = std::time::SystemTime::now();
    let mirror = selvedge_std::time::SystemTime::from(real);
    assert_eq!(std::time::SystemTime::from(mirror), real);
    assert_eq!(format!("{mirror:?}"), format!("{real:?}"));
    let real = std::time::Instant::now();
    let mirror = selvedge_std::time::Instant::from(real);
    assert_eq!(std::time::Instant::from(mirror), real);
}

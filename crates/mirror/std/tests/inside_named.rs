//! Under control, written schedules are kept, and what they leave open stays open.

mod explore;
mod sample;

use explore::{check, explore};
use sample::{endings, settings};
use selvedge_engine::{Ending, Engine, Settings, Usage, Watch};
use selvedge_model::{Config, FindingKind, Rate, Site, Strategy};
use selvedge_spec::{Mode, Spec};
use selvedge_std::named::{self, Heard};
use selvedge_std::sync::atomic::{AtomicBool, Ordering};
use selvedge_std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use selvedge_std::sync::{Condvar, Mutex};
use selvedge_std::thread;
use selvedge_strategy::Random;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

#[track_caller]
fn event(name: &str) {
    assert_eq!(named::event(name, Site::caller()), Heard::ByEngine);
}

/// Runs the body with a schedule and says what it says, or what was wrong with the execution.
fn with(schedule: &str, mode: Mode, body: impl FnOnce() -> String) -> String {
    let spec = Spec::parse(schedule).unwrap();
    assert_eq!(named::begin(&spec, "test", mode), Heard::ByEngine);
    let said = body();
    match named::finish() {
        Ok(()) => said,
        Err(wrong) => wrong,
    }
}

fn enforced(schedule: &str, body: impl FnOnce() -> String) -> String {
    with(schedule, Mode::Enforce, body)
}

/// What threads have done, in order. Not seen by the engine.
#[derive(Default)]
struct Log(std::sync::Mutex<Vec<&'static str>>);

impl Log {
    #[track_caller]
    fn event(&self, name: &'static str) {
        event(name);
        self.add(name);
    }

    fn add(&self, what: &'static str) {
        self.0.lock().unwrap().push(what);
    }

    fn said(&self) -> String {
        self.0.lock().unwrap().join(" ")
    }
}

/// A queue that blocks who takes from it while it is empty.
#[derive(Default)]
struct Queue {
    items: Mutex<VecDeque<u32>>,
    changed: Condvar,
}

impl Queue {
    fn add(&self, item: u32) {
        self.items.lock().unwrap().push_back(item);
        self.changed.notify_all();
    }

    fn take(&self) -> u32 {
        let mut items = self.items.lock().unwrap();
        loop {
            match items.pop_front() {
                Some(item) => return item,
                None => items = self.changed.wait(items).unwrap(),
            }
        }
    }
}

/// The test of the paper's first figure.
fn take_with_add(log: &Log) {
    let queue = Queue::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            queue.add(1);
            log.event("finished_add1");
            log.event("starting_add2");
            queue.add(2);
        });
        log.event("starting_take1");
        assert_eq!(queue.take(), 1);
        log.event("starting_take2");
        assert_eq!(queue.take(), 2);
    });
}

const TAKE_WITH_ADD: &str = "finished_add1 -> starting_take1, [starting_take2] -> starting_add2";

#[test]
fn a_schedule_with_a_block_event_leaves_one_order_of_events() {
    let ways = check(["finished_add1 starting_take1 starting_take2 starting_add2"], || {
        let log = Log::default();
        enforced(TAKE_WITH_ADD, || {
            take_with_add(&log);
            log.said()
        })
    });
    assert!(ways > 1, "what the schedule leaves open is explored");
}

#[test]
fn all_of_many_executions_keep_the_schedule() {
    let mut engine = Engine::new(settings(), Arc::new(Watch::default()));
    let mut strategy = Random::new(7);
    for _ in 0..1_000 {
        strategy.begin();
        let said = std::sync::Mutex::new(String::new());
        let body = || {
            let log = Log::default();
            let text = enforced(TAKE_WITH_ADD, || {
                take_with_add(&log);
                log.said()
            });
            *said.lock().unwrap() = text;
        };
        assert_eq!(*engine.run(&body, &mut strategy, None).ending(), Ending::Passed);
        let said = said.into_inner().unwrap();
        assert_eq!(said, "finished_add1 starting_take1 starting_take2 starting_add2");
    }
}

#[test]
fn without_the_schedule_other_orders_come_up() {
    let outcomes = explore(|| {
        let log = Log::default();
        take_with_add(&log);
        log.said()
    })
    .outcomes;
    assert!(outcomes.len() > 1, "{outcomes:?}");
}

#[test]
fn every_order_that_is_permitted_comes_up_and_no_other() {
    let three = |schedule| {
        move || {
            let log = Log::default();
            enforced(schedule, || {
                thread::scope(|scope| {
                    scope.spawn(|| log.event("a"));
                    scope.spawn(|| log.event("b"));
                    log.event("c");
                });
                log.said()
            })
        }
    };
    check(["a b c", "a c b"], three("a -> b, a -> c"));
    check(["a b c", "b a c"], three("a && b -> c"));
    check(["a b c", "a c b", "b a c", "b c a"], three("a || b -> c"));
    check(["a b c"], three("a -> b, b -> c"));
    check(["a b c", "a c b", "b a c"], three("(a && !b) || (a -> c) -> c, a -> c"));
}

#[test]
fn events_that_are_not_mentioned_and_tests_without_a_schedule_are_free() {
    let events = |body: fn()| sample::events(body).len();
    let plain = events(|| drop(Mutex::new(0).lock().unwrap()));
    let with_events = events(|| {
        event("x");
        drop(Mutex::new(0).lock().unwrap());
    });
    assert_eq!(with_events, plain);
    let with_others = events(|| {
        let said = enforced("a -> b", || {
            event("a");
            event("x");
            event("b");
            drop(Mutex::new(0).lock().unwrap());
            String::new()
        });
        assert_eq!(said, "");
    });
    assert_eq!(with_others, plain + 2);
}

#[test]
fn occurrences_are_counted() {
    check(["b a a"], || {
        let log = Log::default();
        enforced("b -> a#*", || {
            thread::scope(|scope| {
                scope.spawn(|| (0..2).for_each(|_| log.event("a")));
                log.event("b");
            });
            log.said()
        })
    });
    check(["a b a"], || {
        let log = Log::default();
        enforced("a -> b, b -> a#2", || {
            thread::scope(|scope| {
                scope.spawn(|| (0..2).for_each(|_| log.event("a")));
                log.event("b");
            });
            log.said()
        })
    });
    // Every `a`, which can be known only when nobody else goes on.
    check(["a a b"], || {
        let log = Log::default();
        enforced("a#* -> b", || {
            thread::scope(|scope| {
                scope.spawn(|| (0..2).for_each(|_| log.event("a")));
                scope.spawn(|| {
                    thread::sleep(Duration::from_secs(1));
                });
                log.event("b");
            });
            log.said()
        })
    });
}

#[test]
fn threads_start_and_end_when_the_schedule_says_so() {
    let test = |schedule| {
        move || {
            let log = Log::default();
            enforced(schedule, || {
                thread::scope(|scope| {
                    let first = thread::Builder::new().name("first".to_owned());
                    let first = first.spawn_scoped(scope, || log.add("first")).unwrap();
                    scope.spawn(|| {
                        named::name_thread("second");
                        log.event("x");
                    });
                    first.join().unwrap();
                    log.add("joined");
                });
                log.said()
            })
        }
    };
    check(["first joined x", "first x joined", "x first joined"], test("a || !a -> x"));
    check(["x first joined"], test("x@second -> start@first"));
    check(["first joined x", "first x joined"], test("start@first -> x"));
    check(["first x joined", "x first joined"], test("x -> end@first"));
    check(["first joined x", "first x joined"], test("end@first -> x"));
}

#[test]
fn tags_tell_threads_apart_and_the_test_runs_on_main() {
    check(["other main"], || {
        let log = Log::default();
        enforced("e@other -> e@main", || {
            thread::scope(|scope| {
                scope.spawn(|| {
                    assert_eq!(named::name_thread("other"), Heard::ByEngine);
                    event("e");
                    log.add("other");
                });
                event("e");
                log.add("main");
            });
            log.said()
        })
    });
}

/// How the test ends when it is run in every way.
fn ends(test: impl Fn() -> String + Sync) -> Vec<String> {
    explore(test).outcomes.into_iter().collect()
}

#[test]
fn a_schedule_that_can_not_be_kept_ends_the_execution() {
    let ending = ends(|| {
        enforced("never -> b", || {
            event("b");
            String::new()
        })
    });
    assert_eq!(ending, ["Infeasible"]);
    // The other thread waits for a lock that the one that is held has.
    let ending = ends(|| {
        enforced("a -> b", || {
            let mutex = Mutex::new(());
            thread::scope(|scope| {
                scope.spawn(|| {
                    let _guard = mutex.lock().unwrap();
                    event("b");
                });
                let _guard = mutex.lock().unwrap();
                event("a");
            });
            String::new()
        })
    });
    assert_eq!(ending, ["", "Infeasible"]);
}

/// The finding of an execution in which somebody is held.
fn finding(settings: Settings, test: impl Fn() + Sync) -> FindingKind {
    let mut engine = Engine::new(settings, Arc::new(Watch::default()));
    let mut strategy = Random::new(7);
    strategy.begin();
    let outcome = engine.run(&test, &mut strategy, None);
    assert_eq!(*outcome.ending(), Ending::Infeasible);
    outcome.finding().unwrap()
}

#[test]
fn the_finding_says_who_waits_for_what() {
    let found = finding(settings(), || {
        enforced("a -> b, never -> c", || {
            thread::scope(|scope| {
                scope.spawn(|| {
                    named::name_thread("other");
                    event("a");
                    event("c");
                });
                event("b");
            });
            String::new()
        });
    });
    let FindingKind::Infeasible { schedule, held, occurred, waits, hints } = found else {
        panic!()
    };
    assert_eq!(hints, [""; 0]);
    assert_eq!(schedule, "a -> b, never -> c");
    let held: Vec<_> = held.iter().map(|held| (&*held.before, held.needs.join("; "))).collect();
    let need = "`never`, which has not happened (by `never -> c`)".to_owned();
    assert_eq!(held, [("c", need)]);
    let occurred: Vec<_> = occurred.iter().map(|event| &*event.event).collect();
    assert_eq!(occurred, ["a", "b"]);
    assert_eq!(waits.len(), 1, "the test waits for its thread");
}

#[test]
fn who_goes_round_and_round_while_somebody_is_held_is_no_livelock() {
    let settings = Settings { max_steps: 5_000, ..settings() };
    let found = finding(settings, || {
        enforced("never -> b", || {
            let flag = AtomicBool::new(false);
            thread::scope(|scope| {
                scope.spawn(|| {
                    event("b");
                    flag.store(true, Ordering::SeqCst);
                });
                while !flag.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
            });
            String::new()
        });
    });
    assert_eq!(found.name(), "infeasible");
}

#[test]
fn a_thread_that_spins_does_not_keep_every_event_from_being_the_last() {
    let said = ends(|| {
        let log = Log::default();
        enforced("a#* -> b", || {
            let flag = AtomicBool::new(false);
            thread::scope(|scope| {
                scope.spawn(|| {
                    log.event("a");
                    while !flag.load(Ordering::SeqCst) {
                        thread::yield_now();
                    }
                });
                log.event("b");
                flag.store(true, Ordering::SeqCst);
            });
            log.said()
        })
    });
    assert_eq!(said, ["a b"]);
}

/// Receives, while another thread sends and a third one wants to come by `x` when the first is blocked.
fn receive_and_send(x: impl Fn(&std::sync::atomic::AtomicBool) + Sync) -> String {
    let (sender, receiver): (Sender<()>, Receiver<()>) = channel();
    let sent = std::sync::atomic::AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(move || {
            event("receiving");
            receiver.recv().unwrap();
        });
        let (x, sent) = (&x, &sent);
        scope.spawn(move || x(sent));
        // From the moment at which the engine lets it send, the receiver is not blocked any more.
        sender.send(()).unwrap();
        sent.store(true, Ordering::SeqCst);
    });
    String::new()
}

#[test]
fn a_permission_that_was_not_used_in_time_is_gone() {
    let ends = ends(|| {
        enforced("[receiving] -> x", || {
            receive_and_send(|sent| {
                event("x");
                assert!(!sent.load(Ordering::SeqCst));
            })
        })
    });
    assert_eq!(ends, ["", "Infeasible"]);
}

#[test]
fn who_is_watched_is_told_what_was_wrong() {
    let outcomes = ends(|| {
        let said = with("[receiving] -> x", Mode::Check, || receive_and_send(|_| event("x")));
        said.lines().next().unwrap_or_default().to_owned()
    });
    assert_eq!(outcomes.len(), 2, "{outcomes:?}");
    assert_eq!(outcomes[0], "");
    assert!(outcomes[1].starts_with("`x` happened too early"), "{outcomes:?}");
}

#[test]
fn a_violation_comes_with_its_places_and_what_was_around() {
    let said = ends(|| {
        with("a -> b", Mode::Check, || {
            event("b");
            event("a");
            String::new()
        })
    });
    let [said] = &said[..] else { panic!("{said:?}") };
    for words in ["`a -> b`", "`b` by thread `main` at", "`a` by thread `main` at", file!()] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn what_never_happens_is_said_when_the_test_is_over() {
    let said = ends(|| enforced("a -> b", String::new));
    let [said] = &said[..] else { panic!("{said:?}") };
    assert!(said.contains("`a` never happened") && said.contains("`b` never happened"), "{said}");
}

#[test]
fn slips_of_the_pen_are_pointed_out() {
    let body = || {
        let builder = thread::Builder::new().name("worker".to_owned());
        builder.spawn(|| event("finished")).unwrap().join().unwrap();
        event("after");
        String::new()
    };
    for (schedule, hint) in [
        ("finishd -> after#2", "did you mean `finished`"),
        ("finished@wroker -> after#2", "did you mean `worker`"),
    ] {
        let said = ends(|| enforced(schedule, body));
        let [said] = &said[..] else { panic!("{said:?}") };
        assert!(said.contains(hint), "{said}");
    }
    let found = finding(settings(), || drop(enforced("finishd -> after", body)));
    let FindingKind::Infeasible { hints, .. } = found else { panic!() };
    assert!(hints.iter().any(|hint| hint.contains("did you mean `finished`")), "{hints:?}");
}

#[test]
fn the_end_of_the_test_waits_for_threads_that_are_not_joined() {
    for mode in [Mode::Enforce, Mode::Check] {
        let said = ends(|| {
            let handle = std::sync::Mutex::new(None);
            let said = with("a -> b", mode, || {
                *handle.lock().unwrap() = Some(thread::spawn(|| {
                    event("a");
                    thread::sleep(Duration::from_secs(1));
                    event("b");
                }));
                "done".to_owned()
            });
            let handle = handle.lock().unwrap().take();
            handle.unwrap().join().unwrap();
            said
        });
        assert_eq!(said, ["done"]);
    }
}

#[test]
fn a_timed_wait_blocks_and_a_sleep_does_not() {
    let config = Config { timeouts: Rate::Eager, spurious: Rate::Eager, ..Config::default() };
    let test = |wait: fn()| {
        move || {
            enforced("[waiting] -> x", || {
                thread::scope(|scope| {
                    scope.spawn(|| {
                        event("waiting");
                        wait();
                    });
                    event("x");
                });
                String::new()
            });
        }
    };
    let timed = test(|| {
        let (_sender, receiver) = channel::<()>();
        let received = receiver.recv_timeout(Duration::from_millis(1));
        assert_eq!(received, Err(RecvTimeoutError::Timeout));
    });
    let endings_of_timed = endings(Settings::new(&config), timed);
    assert!(endings_of_timed.iter().all(|ending| *ending == Ending::Passed));
    let sleeps = test(|| thread::sleep(Duration::from_millis(1)));
    let endings_of_sleep = endings(Settings::new(&config), sleeps);
    assert!(endings_of_sleep.iter().all(|ending| *ending == Ending::Infeasible));
}

#[test]
fn block_events_can_be_counted_wherever_stops_are_left_out() {
    // The receiver blocks twice in executions in which it comes before both messages.
    let test = || {
        let log = Log::default();
        enforced("block@receiver -> one, block@receiver#2 -> two", || {
            let (sender, receiver) = channel();
            let log = &log;
            thread::scope(|scope| {
                let named = thread::Builder::new().name("receiver".to_owned());
                named
                    .spawn_scoped(scope, move || {
                        receiver.recv().unwrap();
                        log.add("first");
                        receiver.recv().unwrap();
                        log.add("second");
                    })
                    .unwrap();
                log.event("one");
                sender.send(()).unwrap();
                log.event("two");
                sender.send(()).unwrap();
            });
            log.said()
        })
    };
    check(["one first two second"], test);
    for usage in [Usage::SkipPrivate, Usage::StopAlways] {
        let settings = Settings { sharing: usage, ..settings() };
        let endings = endings(settings, || assert_eq!(test(), "one first two second"));
        assert!(endings.iter().all(|ending| *ending == Ending::Passed), "{endings:?}");
    }
}

#[test]
fn ordinary_threads_are_told_that_nobody_hears_them() {
    assert_eq!(named::event("x", Site::caller()), Heard::ByNobody);
    assert_eq!(named::name_thread("x"), Heard::ByNobody);
    let spec = Spec::parse("a -> b").unwrap();
    assert_eq!(named::begin(&spec, "x", Mode::Enforce), Heard::ByNobody);
    assert_eq!(named::finish(), Ok(()));
    assert_eq!(named::current(), None);
}

#[test]
fn the_schedule_in_force_is_known_by_its_name() {
    let said = ends(|| {
        let inside = with("a -> b", Mode::Check, || {
            event("a");
            event("b");
            named::current().unwrap()
        });
        format!("{inside} {:?}", named::current())
    });
    assert_eq!(said, ["test None"]);
}

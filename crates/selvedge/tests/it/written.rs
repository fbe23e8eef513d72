//! Written schedules: the attribute and what it makes of a test.

use crate::help::panic_message;
use selvedge::{event, name_thread, schedule};
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

/// Two threads put their names into a list; the list.
fn arrivals() -> Vec<&'static str> {
    let list = Arc::new(Mutex::new(Vec::new()));
    let theirs = Arc::clone(&list);
    let other = thread::spawn(move || {
        event!(other_arrives);
        theirs.lock().unwrap().push("other");
        event!(other_has_arrived);
    });
    event!(main_arrives);
    list.lock().unwrap().push("main");
    event!(main_has_arrived);
    other.join().unwrap();
    let list = list.lock().unwrap();
    list.clone()
}

#[selvedge::test(schedule = "other_has_arrived -> main_arrives", executions = 200)]
fn the_other_comes_first() {
    assert_eq!(arrivals(), ["other", "main"]);
}

#[selvedge::test(schedule = "main_has_arrived -> other_arrives", executions = 200)]
fn main_comes_first() {
    assert_eq!(arrivals(), ["main", "other"]);
}

#[selvedge::test(schedule { main_has_arrived -> other_arrives })]
fn a_schedule_may_be_written_as_tokens() {
    assert_eq!(arrivals(), ["main", "other"]);
}

#[selvedge::test(schedule = include_str!("main_first.schedule"))]
fn a_schedule_may_stand_in_a_file() {
    assert_eq!(arrivals(), ["main", "other"]);
}

#[selvedge::test(schedule(
    other_first = "other_has_arrived -> main_arrives",
    main_first { main_has_arrived -> other_arrives },
))]
fn each_schedule_is_a_test_of_its_own() {
    let expected = if schedule::is("main_first") { ["main", "other"] } else { ["other", "main"] };
    assert!(schedule::is("main_first") || schedule::is("other_first"));
    assert_eq!(arrivals(), expected);
}

#[selvedge::test(
    schedule = "other_has_arrived -> main_arrives",
    schedule = "main_has_arrived -> other_arrives"
)]
fn schedules_without_a_name_are_numbered() {
    let expected = if schedule::is("schedule_2") { ["main", "other"] } else { ["other", "main"] };
    assert_eq!(arrivals(), expected);
}

#[selvedge::test(schedule = "[receiving@consumer] -> sending")]
fn a_thread_can_be_named_where_it_runs() {
    let (sender, receiver) = mpsc::channel();
    let consumer = thread::spawn(move || {
        name_thread!("consumer");
        event!(receiving);
        receiver.recv()
    });
    event!(sending);
    sender.send(1).unwrap();
    assert_eq!(consumer.join().unwrap(), Ok(1));
}

#[selvedge::test(schedule = "end@first -> start@second")]
fn threads_begin_and_end_as_the_schedule_says() {
    let number = Arc::new(AtomicU32::new(0));
    let spawn = |name: &str, from: u32| {
        let number = Arc::clone(&number);
        let work = move || number.compare_exchange(from, from + 1, SeqCst, SeqCst);
        thread::Builder::new().name(name.to_owned()).spawn(work).unwrap()
    };
    let second = spawn("second", 1);
    let first = spawn("first", 0);
    assert_eq!(first.join().unwrap(), Ok(0));
    assert_eq!(second.join().unwrap(), Ok(1));
}

#[selvedge::test(schedule = "was_put -> take, taken -> put#2, was_put#2 -> take#2")]
fn an_event_may_happen_again() {
    let slot = Arc::new(Mutex::new(None));
    let theirs = Arc::clone(&slot);
    let producer = thread::spawn(move || {
        for number in 0..2 {
            event!(put);
            assert_eq!(theirs.lock().unwrap().replace(number), None);
            event!(was_put);
        }
    });
    for number in 0..2 {
        event!(take);
        assert_eq!(slot.lock().unwrap().take(), Some(number));
        event!(taken);
    }
    producer.join().unwrap();
}

#[test]
#[should_panic(expected = "other_arives")]
fn an_event_that_never_happens_is_an_error() {
    schedule::enforce("main_has_arrived -> other_arives", || drop(arrivals()));
}

#[test]
fn a_schedule_that_can_not_be_kept_is_explained() {
    let message = panic_message(|| {
        schedule::enforce(
            "other_has_arrived -> main_arrives, main_arrives -> other_arrives",
            || {
                drop(arrivals());
            },
        );
    });
    assert!(message.contains("schedule"), "{message}");
}

#[test]
fn an_execution_is_compared_with_a_schedule() {
    // The test itself says who comes first.
    let in_turn = || {
        thread::spawn(|| event!(inner)).join().unwrap();
        event!(outer);
    };
    schedule::check("inner -> outer", in_turn);
    let message = panic_message(move || schedule::check("outer -> inner", in_turn));
    assert!(message.contains("outer -> inner"), "{message}");
}

#[selvedge::test(check = "inner -> outer")]
fn a_test_may_be_checked_only() {
    thread::spawn(|| event!(inner)).join().unwrap();
    event!(outer);
}

#[test]
fn events_outside_of_a_schedule_do_nothing() {
    event!("nobody listens");
    event!(nor::here);
    assert_eq!(schedule::current(), None);
}

mod controlled {
    use selvedge::event;
    use selvedge::sync::{Arc, Mutex};
    use selvedge::thread;
    use std::collections::BTreeSet;

    fn arrivals() -> Vec<&'static str> {
        let list = Arc::new(Mutex::new(Vec::new()));
        let spawn = |name: &'static str| {
            let list = Arc::clone(&list);
            let work = move || {
                match name {
                    "a" => event!(a),
                    "b" => event!(b),
                    _ => event!(c),
                }
                list.lock().unwrap().push(name);
                match name {
                    "a" => event!(after_a),
                    "b" => event!(after_b),
                    _ => event!(after_c),
                }
            };
            thread::spawn(work)
        };
        let threads = ["a", "b", "c"].map(spawn);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        let list = list.lock().unwrap();
        list.clone()
    }

    #[selvedge::test(schedule = "after_b -> a", threads = "controlled", strategy = "exhaustive")]
    fn every_interleaving_is_one_of_the_schedule() {
        let list = arrivals();
        let place = |name| list.iter().position(|other| *other == name);
        assert!(place("b") < place("a"), "{list:?}");
    }

    #[test]
    fn what_the_schedule_leaves_open_is_explored() {
        static SEEN: std::sync::Mutex<BTreeSet<Vec<&str>>> = std::sync::Mutex::new(BTreeSet::new());
        let builder = selvedge::Builder::new().strategy(selvedge::StrategyName::Exhaustive);
        let report = builder.schedule("after_b -> a").explore(|| {
            SEEN.lock().unwrap().insert(arrivals());
        });
        assert_eq!(report.unwrap().finding, None);
        let expected = [["b", "a", "c"], ["b", "c", "a"], ["c", "b", "a"]];
        let expected: BTreeSet<_> = expected.iter().map(|order| order.to_vec()).collect();
        assert_eq!(*SEEN.lock().unwrap(), expected);
    }

    #[test]
    fn mistakes_of_a_schedule_are_mistakes_of_the_settings() {
        let error = selvedge::Builder::new().schedule("a -> ").explore(|| ()).unwrap_err();
        assert!(error.to_string().contains("mistakes in the schedule"), "{error}");
    }
}

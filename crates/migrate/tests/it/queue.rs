//! The example of the paper: Figures 1, 5 and 7.

use crate::support::Subject;
use selvedge_migrate::rewrite::Sleeps;

const SOURCE: &str = r#"use std::thread;

#[test]
fn take_with_add() {
    let q = Arc::new(ArrayBlockingQueue::new(1));
    let queue = q.clone();
    let add_thread = thread::spawn(move || {
        queue.add(1);
        thread::sleep(Duration::from_millis(100));
        queue.add(2);
    });
    thread::sleep(Duration::from_millis(50));
    let taken = q.take();
    assert!(taken == 1 && q.is_empty());
    let taken = q.take();
    assert!(taken == 2 && q.is_empty());
    add_thread.join().unwrap();
}
"#;

const LOG: &str = "
    0    0 call 5
    0    0 return 5
    0    0 call 6
    0    0 return 6
    0    0 call 7
    0.1  0 thread_start 1
    0.2  0 return 7
    0.2  0 call 12
    0.2  0 sleep_call
    0.3  1 thread_begin
    0.3  1 call 8
    0.4  1 return 8
    0.4  1 call 9
    0.4  1 sleep_call
    50.3 0 sleep_return
    50.3 0 return 12
    50.3 0 call 13
    50.4 0 return 13
    50.4 0 call 14
    50.4 0 return 14
    50.4 0 call 15
    50.5 0 block_call untimed
    100.5 1 sleep_return
    100.5 1 return 9
    100.5 1 call 10
    100.6 1 return 10
    100.6 0 block_return
    100.6 0 return 15
    100.6 0 call 16
    100.6 0 return 16
    100.7 0 call 17
    100.8 1 thread_end
    100.9 0 return 17
";

#[test]
fn the_schedule_of_figure_1_is_inferred_from_the_log_of_figure_5() {
    let subject = Subject::new(SOURCE);
    let migration = subject.migrate(&[LOG; 5]);
    let expected = ["finished_add1 -> starting_take1", "[starting_take2] -> starting_add2"];
    assert_eq!(migration.schedule(), expected);
}

#[test]
fn the_source_becomes_that_of_figure_1_c() {
    let subject = Subject::new(SOURCE);
    let migration = subject.migrate(&[LOG; 5]);
    let expected = r#"use std::thread;

#[selvedge::test(schedule = "finished_add1 -> starting_take1, [starting_take2] -> starting_add2")]
fn take_with_add() {
    let q = Arc::new(ArrayBlockingQueue::new(1));
    let queue = q.clone();
    let add_thread = thread::spawn(move || {
        queue.add(1);
        selvedge::event!(finished_add1);
        selvedge::event!(starting_add2);
        queue.add(2);
    });
    selvedge::event!(starting_take1);
    let taken = q.take();
    assert!(taken == 1 && q.is_empty());
    selvedge::event!(starting_take2);
    let taken = q.take();
    assert!(taken == 2 && q.is_empty());
    add_thread.join().unwrap();
}
"#;
    assert_eq!(subject.text(&migration, Sleeps::Removed), expected);
}

#[test]
fn sleeps_can_stay_between_the_events() {
    let subject = Subject::new(SOURCE);
    let migration = subject.migrate(&[LOG; 5]);
    let text = subject.text(&migration, Sleeps::Kept);
    let expected = "        selvedge::event!(finished_add1);
        thread::sleep(Duration::from_millis(100)); selvedge::event!(starting_add2);
        queue.add(2);
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn what_was_seen_in_few_runs_is_not_believed() {
    let subject = Subject::new(SOURCE);
    // In one of five runs the second take was late.
    let late = LOG
        .replace("    50.5 0 block_call untimed\n", "")
        .replace("    100.6 0 block_return\n", "");
    let migration = subject.migrate(&[LOG, LOG, &late, LOG, LOG]);
    assert_eq!(migration.schedule().len(), 2);
    let migration = subject.migrate(&[LOG, &late, &late, &late, LOG]);
    assert_eq!(migration.schedule(), ["finished_add1 -> starting_take1"]);
    assert_eq!(migration.inferred.dropped.rare, 1);
}

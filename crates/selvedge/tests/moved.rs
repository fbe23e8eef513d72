//! A schedule goes on working when the lines of its operations have moved.

use selvedge::sync::{Arc, Mutex};
use selvedge::{Builder, Report, Schedule, Stopped, thread};

fn opposite_orders() {
    let left = Arc::new(Mutex::new(()));
    let right = Arc::new(Mutex::new(()));
    let (first, second) = (Arc::clone(&left), Arc::clone(&right));
    let worker = thread::spawn(move || {
        let _left = first.lock().unwrap();
        let _right = second.lock().unwrap();
    });
    let _right = right.lock().unwrap();
    let _left = left.lock().unwrap();
    drop((_left, _right));
    worker.join().unwrap();
}

fn replay(schedule: &Schedule) -> Report {
    Builder::new().set("replay", &schedule.to_string()).explore(opposite_orders).unwrap()
}

fn found() -> Schedule {
    Builder::new().explore(opposite_orders).unwrap().finding.expect("it deadlocks").schedule
}

/// The schedule as it was before somebody added (or removed) lines above the test.
fn moved(schedule: &Schedule, lines: i32) -> Schedule {
    let mut schedule = schedule.clone();
    for decision in &mut schedule.decisions {
        let source = decision.at.source.as_mut().expect("locks have a place");
        source.line = source.line.checked_add_signed(lines).expect("the file is long enough");
    }
    schedule
}

#[test]
fn lines_that_moved_are_found_again() {
    let schedule = found();
    for lines in [-5, -2, 3, 40] {
        let report = replay(&moved(&schedule, lines));
        let finding = report.finding.unwrap_or_else(|| panic!("{lines}: {:?}", report.stopped));
        assert_eq!(finding.kind.name(), "deadlock");
        assert_eq!(finding.schedule, schedule, "the new schedule is the one that fits");
    }
}

#[test]
fn an_operation_that_is_gone_is_named() {
    let mut schedule = found();
    let source = schedule.decisions[0].at.source.as_mut().expect("locks have a place");
    source.column += 1;
    let place = source.to_string();
    let report = replay(&schedule);
    let Stopped::Misfit(why) = report.stopped else { panic!("{:?}", report.stopped) };
    assert!(why.starts_with("decision 1 of the schedule no longer fits"), "{why}");
    assert!(why.contains(&place), "{why}");
}

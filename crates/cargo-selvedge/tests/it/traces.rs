//! Traces: written while tests run, read afterwards.

use crate::support::{Project, Ran};

/// Two threads that take two locks, one with the other in hand, and a data race.
const BANK: &str = "\
use std::sync::Mutex;

pub fn transfer(from: &Mutex<i32>, to: &Mutex<i32>) {
    let mut from = from.lock().unwrap();
    let mut to = to.lock().unwrap();
    *from -= 1;
    *to += 1;
}

#[test]
fn transfers() {
    let (a, b) = (Mutex::new(5), Mutex::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| transfer(&a, &b));
        transfer(&a, &b);
    });
}

static mut SHARED: u32 = 0;

#[test]
fn races() {
    std::thread::scope(|scope| {
        scope.spawn(|| unsafe { SHARED += 1 });
        unsafe { SHARED += 1 };
    });
}
";

/// Some line of the standard output has all of these words.
#[track_caller]
fn prints(ran: &Ran, words: &[&str]) {
    let has = |line: &str| words.iter().all(|word| line.contains(word));
    assert!(ran.stdout.lines().any(has), "no line has {words:?}\n{ran}");
}

#[test]
fn a_trace_gives_the_table_of_the_exploration_again() {
    let project = Project::new("trace-table", &[("src/lib.rs", BANK)]);
    let metrics = ["--metric", "sp", "--metric", "sync", "--metric", "dupairs*"];
    let explore = ["--executions", "20"];
    let flags = ["coverage", "transfers", "--trace", "--memory=off", "--list"];
    let ran = project.run(flags.into_iter().chain(metrics).chain(explore));
    let file = "target/selvedge/traces/trace-table/transfers.trace";
    ran.left_with(0).says(&["Traced", file]);
    let read = project.run(["trace", "analyze", file, "--list"]);
    read.left_with(0);
    let table = &ran.stdout[ran.stdout.find("metric ").unwrap_or_else(|| panic!("{ran}"))..];
    assert!(read.stdout.ends_with(table), "{read}\nis not\n{ran}");
    let shown = project.run(["trace", "show", file, "--execution", "1"]);
    shown.left_with(0);
    prints(&shown, &["spawn", "thread 1", "src/lib.rs:14:"]);
    prints(&shown, &["lock         mutex 1", "src/lib.rs:4:"]);
    prints(&shown, &["writes       data of mutex 1", "src/lib.rs:6:"]);
    prints(&shown, &["what happened:"]);
    let shown = project.run(["trace", "show", file]);
    shown.left_with(0);
    prints(&shown, &["metrics = sp, sync, dupairs*"]);
    prints(&shown, &["unlock", "80"]);
}

#[test]
fn a_race_is_found_in_the_trace_at_the_same_lines() {
    let project = Project::new("trace-race", &[("src/lib.rs", BANK)]);
    project.run(["test", "races", "--trace"]).left_with(1).says(&["data race"]);
    let file = "target/selvedge/traces/trace-race/races.trace";
    let read = project.run(["trace", "analyze", file]);
    read.left_with(1);
    prints(&read, &["data race of 4 bytes"]);
    prints(&read, &["thread 0 writes", "src/lib.rs:25"]);
    // An addition whose overflow is noticed reads first and writes later.
    prints(&read, &["thread 1 reads", "src/lib.rs:24"]);
}

#[test]
fn what_does_not_fit_is_left_out_and_that_is_said() {
    let project = Project::new("trace-full", &[("src/lib.rs", BANK)]);
    let flags = ["test", "transfers", "--trace", "--memory=off", "--set", "trace_size=16k"];
    project.run(flags).left_with(0).says(&["no room for", "(trace_size is 16.0k)"]);
    let file = "target/selvedge/traces/trace-full/transfers.trace";
    project.run(["trace", "show", file]).left_with(0).says(&["and had no room for"]);
}

#[test]
fn files_that_are_no_traces_are_refused() {
    let project = Project::new("trace-foreign", &[("src/lib.rs", BANK)]);
    let no_trace = ["trace", "show", "src/lib.rs"];
    project.run(no_trace).left_with(2).says(&["src/lib.rs can not be used: it is no trace"]);
    project.run(["trace", "analyze", "nowhere"]).left_with(2).says(&["nowhere can not be used"]);
    project.write("cut.trace", "selvedge trace\n\0\u{3}H");
    project.write("older.trace", "selvedge trace\n\0\u{1}H");
    project.run(["trace", "show", "older.trace"]).left_with(2).says(&["version 1 of the format"]);
    project.run(["trace", "show", "cut.trace"]).left_with(2).says(&["it is cut off"]);
    project.write("newer.trace", "selvedge trace\n\0\u{7}H");
    project.run(["trace", "show", "newer.trace"]).left_with(2).says(&["version 7 of the format"]);
}

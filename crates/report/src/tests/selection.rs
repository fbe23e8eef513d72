//! Which steps are shown.

use super::build::{Story, at, mutex, object};
use crate::fold::Row;
use crate::relevant::{Objects, late_objects, select};
use selvedge_model::OperationKind as Kind;
use selvedge_model::{Effect, Finding, FindingKind, ObjectKind};

fn exit(story: Story) -> Finding {
    let thread = story.thread("0");
    story.finding(FindingKind::Exit { thread, code: Some(0), after: None }, "selvedge/1")
}

/// The lines of the steps that are shown; folds as `+n`, loops as `*n`, what is left out as `-n`.
fn shown(finding: &Finding, about: &Objects) -> Vec<String> {
    let row = |row: &Row| match *row {
        Row::Step(index) => finding.steps[index].at.line.to_string(),
        Row::More { steps, .. } => format!("+{steps}"),
        Row::Again { rows, times, .. } => format!("{rows}*{times}"),
        Row::Skipped { steps, .. } => format!("-{steps}"),
    };
    select(finding, about).iter().map(row).collect()
}

#[track_caller]
fn shows(story: Story, about: &[(ObjectKind, u32)], expected: &[&str]) {
    let about = about.iter().copied().collect();
    assert_eq!(shown(&exit(story), &about), expected);
}

#[test]
fn bookkeeping_and_private_objects_are_dropped() {
    let mut story = Story::spawning(&[1]);
    story.start("1");
    story.off("1", Kind::Yield, 2);
    story.off("1", Kind::ClockRead, 3);
    story.store("1", 7, 4, 1);
    story.store("1", 1, 5, 1);
    story.end("1");
    story.load("0", 1, 6, 1);
    shows(story, &[], &["1", "5", "6"]);
}

#[test]
fn a_private_object_is_shown_if_the_finding_is_about_it() {
    let mut story = Story::new();
    story.lock("0", 1, 1);
    story.lock("0", 2, 2);
    shows(story, &[(ObjectKind::Mutex, 2)], &["2"]);
}

#[test]
fn an_unlock_is_dropped_if_nobody_uses_the_lock_afterwards() {
    let mut story = Story::new();
    story.lock("0", 1, 1);
    story.unlock("0", 1, 2);
    story.lock("1", 1, 3);
    story.unlock("1", 1, 4);
    shows(story, &[], &["1", "2", "3"]);
}

#[test]
fn a_long_run_is_folded_but_not_its_ends() {
    let mut story = Story::new();
    story.load("1", 1, 1, 0);
    (2..12).for_each(|line| story.store("0", 1, line, u64::from(line)));
    story.load("1", 1, 12, 11);
    shows(story, &[], &["1", "2", "+7", "10", "11", "12"]);
}

#[test]
fn two_steps_are_not_worth_a_fold() {
    let mut story = Story::new();
    story.load("1", 1, 1, 0);
    (2..7).for_each(|line| story.store("0", 1, line, u64::from(line)));
    story.load("1", 1, 7, 6);
    shows(story, &[], &["1", "2", "3", "4", "5", "6", "7"]);
}

#[test]
fn steps_on_the_objects_of_the_finding_are_not_folded() {
    let mut story = Story::new();
    story.load("1", 1, 1, 0);
    (2..12).for_each(|line| story.store("0", 1, line, u64::from(line)));
    story.load("1", 1, 12, 11);
    let all: Vec<_> = (1..13).map(|line| line.to_string()).collect();
    let all: Vec<_> = all.iter().map(String::as_str).collect();
    shows(story, &[(ObjectKind::Atomic, 1)], &all);
}

#[test]
fn what_came_out_unusual_is_not_folded() {
    let mut story = Story::new();
    story.load("1", 1, 1, 0);
    (2..7).for_each(|line| story.store("0", 1, line, u64::from(line)));
    story.on("0", Kind::MutexTryLock, mutex(1), 7, Effect::Refused);
    (8..13).for_each(|line| story.store("0", 1, line, u64::from(line)));
    story.lock("1", 1, 13);
    shows(story, &[], &["1", "2", "+4", "7", "+3", "11", "12", "13"]);
}

#[test]
fn a_loop_of_several_threads_is_folded_with_a_count() {
    let mut story = Story::new();
    story.store("2", 1, 9, 5);
    for _ in 0..10 {
        story.load("1", 1, 1, 5);
        story.load("2", 1, 2, 5);
    }
    story.store("1", 1, 3, 0);
    shows(story, &[], &["9", "1", "2", "2*9", "3"]);
}

#[test]
fn a_loop_that_reads_other_values_is_no_repetition() {
    let mut story = Story::new();
    for value in 0..4 {
        story.load("1", 1, 1, value);
        story.store("2", 1, 2, value + 1);
    }
    shows(story, &[], &["1", "2", "1", "2", "1", "2", "1", "2"]);
}

#[test]
fn too_many_rows_lose_some_in_the_middle() {
    let mut story = Story::new();
    for line in 1..=100 {
        story.store(["1", "2"][line as usize % 2], 1, line, u64::from(line));
    }
    let shown = shown(&exit(story), &Objects::new());
    assert_eq!(shown.len(), 65);
    assert_eq!(shown[7..10], ["8", "-36", "45"]);
    assert_eq!(shown[64], "100");
}

#[test]
fn what_is_left_out_takes_the_repetitions_of_its_loops_along() {
    let mut story = Story::new();
    (1..=20).for_each(|line| story.store(["1", "2"][line as usize % 2], 1, line, 1));
    // The loop ends in the last row that would be left out, its count would be the next one.
    (0..50).for_each(|_| story.load("1", 1, 21, 1));
    (22..=76).for_each(|line| story.store(["1", "2"][line as usize % 2], 1, line, 1));
    let shown = shown(&exit(story), &Objects::from([(ObjectKind::Atomic, 1)]));
    assert_eq!(shown[7..10], ["8", "-62", "22"]);
}

#[test]
fn the_late_objects_of_a_thread_are_those_that_others_used_too() {
    let mut story = Story::spawning(&[1]);
    story.store("1", 1, 2, 1);
    story.lock("1", 1, 3);
    story.store("0", 2, 4, 1);
    story.load("0", 1, 5, 1);
    story.join("0", "1", 6);
    let finding = exit(story);
    let late = late_objects(&finding, &finding.threads[0].path);
    assert_eq!(late, Objects::from([(ObjectKind::Atomic, 1)]));
}

#[test]
fn the_late_objects_of_a_thread_that_was_alone_are_its_own() {
    let mut story = Story::spawning(&[1]);
    story.store("0", 2, 4, 1);
    let finding = exit(story);
    let late = late_objects(&finding, &finding.threads[0].path);
    assert_eq!(late, Objects::from([(ObjectKind::Atomic, 2)]));
}

#[test]
fn a_thread_without_shared_objects_is_represented_by_its_last_steps() {
    let mut story = Story::spawning(&[1]);
    (2..6).for_each(|line| story.store("1", 7, line, 1));
    story.lock("1", 1, 6);
    story.unlock("1", 1, 7);
    story.end("1");
    shows(story, &[], &["1", "5", "6"]);
}

#[test]
fn a_private_step_that_came_out_unusual_is_shown() {
    let mut story = Story::new();
    story.lock("0", 1, 1);
    story.on("0", Kind::CondvarWake, mutex(1), 2, Effect::Spurious);
    story.lock("0", 2, 3);
    shows(story, &[], &["2"]);
}

#[test]
fn the_object_that_somebody_waits_for_counts_as_used() {
    let channel = || object(ObjectKind::Channel, 1);
    let mut story = Story::spawning(&[1]);
    story.on("1", Kind::Send, channel(), 2, Effect::Done);
    story.on("1", Kind::SenderDrop, channel(), 3, Effect::Done);
    let wait = story.wait("0", Kind::Receive, Some(channel()), 4, &[]);
    assert_eq!(wait.at, at(4));
    let kind = FindingKind::Stuck { waits: vec![wait], notifies: Vec::new() };
    let finding = story.finding(kind, "selvedge/1");
    assert_eq!(shown(&finding, &Objects::from([(ObjectKind::Channel, 1)])), ["1", "2", "3"]);
}

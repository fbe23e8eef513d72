//! Findings as data to be drawn.

use super::build::{Story, at};
use super::waiting::{SHOP, deadlock};
use crate::{NoSources, Role, diagram, headline};
use selvedge_model::{AccessKind, AccessMode, CodeAddress, FindingKind, RacingAccess};

#[test]
fn a_diagram_has_the_words_and_the_steps_of_the_explanation() {
    let finding = deadlock();
    let drawn = diagram(&finding, &SHOP);
    assert_eq!(drawn.headline, headline(&finding));
    let labels: Vec<_> = drawn.lanes.iter().map(|lane| lane.label.as_str()).collect();
    assert_eq!(labels, ["0 (the test)", "1 'seller'", "2"]);
    let lines: Vec<_> = drawn.lines.iter().map(|line| (line.lane, line.text.as_str())).collect();
    let expected = [
        (Some(0), "spawn 1"),
        (Some(0), "spawn 2"),
        (Some(1), "lock mutex 1"),
        (Some(2), "lock mutex 2"),
        (Some(1), "waits for mutex 2"),
        (Some(2), "waits for mutex 1"),
    ];
    assert_eq!(lines, expected);
    assert_eq!(drawn.created[0], ("mutex 1".to_owned(), at(41)));
}

#[test]
fn an_access_that_races_stands_below_the_last_operation_of_its_thread() {
    let mut story = Story::spawning(&[30, 31]);
    story.start("1");
    story.end("1");
    story.start("2");
    story.end("2");
    story.join("0", "1", 32);
    story.join("0", "2", 33);
    let access = |story: &Story, thread: &str| {
        Box::new(RacingAccess {
            thread: story.thread(thread),
            kind: AccessKind::Write,
            mode: AccessMode::Plain,
            at: None,
            frames: vec![CodeAddress(0x1000)],
            after: None,
            line: None,
            weak: None,
        })
    };
    let (first, second) = (access(&story, "1"), access(&story, "2"));
    let kind = FindingKind::DataRace { first, second, size: 4, block: None };
    let drawn = diagram(&story.finding(kind, "selvedge/1"), &NoSources);
    let lines: Vec<_> = drawn.lines.iter().map(|line| line.text.as_str()).collect();
    let expected =
        ["spawn 1", "spawn 2", "has written 4 bytes", "has written 4 bytes", "join 1", "join 2"];
    assert_eq!(lines, expected);
    assert!(drawn.lines[2..4].iter().all(|line| line.role == Role::Race));
    assert_eq!([drawn.lines[2].lane, drawn.lines[3].lane], [Some(1), Some(2)]);
}

#[test]
fn what_is_folded_can_be_looked_at() {
    let mut story = Story::spawning(&[30]);
    story.store("1", 1, 8, 0);
    (1..20).for_each(|n| story.store("0", 1, 31, n));
    story.load("1", 1, 9, 19);
    let kind = FindingKind::LeakedThreads { waits: Vec::new() };
    let drawn = diagram(&story.finding(kind, "selvedge/1"), &NoSources);
    let fold = drawn.lines.iter().find(|line| line.role == Role::Fold).unwrap();
    assert_eq!((fold.lane, fold.text.as_str()), (Some(0), "… 16 more steps"));
    let hidden: Vec<_> = fold.hidden.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(hidden.len(), 16);
    assert_eq!([hidden[0], hidden[15]], ["atomic 1: store 2", "atomic 1: store 17"]);
    assert_eq!(fold.hidden[0].at, Some(at(31)));
}

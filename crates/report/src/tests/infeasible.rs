//! Written schedules that can not be kept.

use super::build::{Story, at, object};
use super::{PLAIN, check};
use crate::NoSources;
use selvedge_model::OperationKind as Kind;
use selvedge_model::{Effect, FindingKind, HeldBack, NamedEvent, ObjectKind};

#[test]
fn an_infeasible_schedule_is_shown_with_who_is_held_and_why() {
    let schedule = || object(ObjectKind::Schedule, 1);
    let channel = || object(ObjectKind::Channel, 1);
    let mut story = Story::spawning(&[30]);
    story.on("1", Kind::NamedEvent, schedule(), 7, Effect::Done);
    story.on("1", Kind::Receive, channel(), 8, Effect::Done);
    let waits = vec![story.wait("1", Kind::Receive, Some(channel()), 9, &[])];
    let held = vec![HeldBack {
        thread: story.thread("0"),
        before: "sending".to_owned(),
        at: Some(at(31)),
        needs: vec!["`[bell]` (by `[bell] -> sending`)".to_owned()],
    }];
    let occurred = vec![NamedEvent {
        event: "receiving".to_owned(),
        thread: story.thread("1"),
        at: Some(at(7)),
    }];
    let hints = vec!["`bell` never happened; did you mean `ball`?".to_owned()];
    let schedule = "receiving -> sending, [bell] -> sending".to_owned();
    let kind = FindingKind::Infeasible { schedule, held, occurred, waits, hints };
    let finding = story.finding(kind, "selvedge/1");
    check(
        &finding, PLAIN, &NoSources, r"
",
    );
}

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
        &finding,
        PLAIN,
        &NoSources,
        r"
infeasible schedule: 1 thread is held for ever
the schedule: receiving -> sending, [bell] -> sending

  thread 0 (the test)
    is held before sending            src/shop.rs:31:9
    needs `[bell]` (by `[bell] -> sending`)
  thread 1
    waits for a message of channel 1  src/shop.rs:9:9
  happened so far
    receiving of thread 1             src/shop.rs:7:9

  = note: `bell` never happened; did you mean `ball`?

what happened (3 steps):

              0 (the test)   1
                             shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:7   ├────────────▸ event
  shop.rs:8   │              recv from channel 1
  shop.rs:31  is held before sending
  shop.rs:9   │              waits for a message of channel 1

  created at
    channel 1  src/shop.rs:41:9

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}

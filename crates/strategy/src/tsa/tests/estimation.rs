//! What each acceptance condition cuts, and what it leaves.

use super::story::{M, Story};
use crate::tsa::{Conditions, Estimate, Wakes};
use selvedge_model::{Effect, Named, OperationKind as Kind, Place};

/// Another lock.
const L: u32 = 1;
/// A channel, a condition variable, a barrier: whatever else there is.
const OTHER: u32 = 2;

/// The pairs of an estimate, as lines.
fn lines(estimate: &Estimate) -> Vec<(u32, u32)> {
    let line = |named: &Named| match named {
        Named::Place(Place::Line(source)) => source.line,
        other => panic!("{other} is no line"),
    };
    let pairs = estimate.requirements();
    pairs.iter().map(|pair| (line(&pair.parts[0].is), line(&pair.parts[1].is))).collect()
}

fn of_seed(story: &Story) -> Vec<(u32, u32)> {
    lines(&Estimate::of_seed(&story.record()))
}

fn improved(story: &Story, wakes: Wakes) -> Vec<(u32, u32)> {
    lines(&Estimate::improved(&story.record(), wakes))
}

/// What both kinds of conditions say, which must be the same.
fn both(story: &Story) -> Vec<(u32, u32)> {
    let pairs = of_seed(story);
    assert_eq!(pairs, improved(story, Wakes::Spurious));
    pairs
}

#[test]
fn ac1_pairs_an_action_with_the_next_of_its_thread_only() {
    let mut story = Story::new();
    story.visit(0, M, 1).visit(0, M, 2).visit(0, M, 3).visit(0, L, 4);
    assert_eq!(both(&story), [(1, 2), (2, 3)]);
}

#[test]
fn ac2_cuts_what_would_come_into_a_section_of_another_lock() {
    let mut story = Story::new();
    let (a, b) = (story.spawn(0), story.spawn(0));
    // The first holds L from 1 to 2, the second holds L at 3: it can not come in between.
    story.lock(a, L, 10).visit(a, M, 1).visit(a, M, 2).unlock(a, L);
    story.lock(b, L, 11).visit(b, M, 3).unlock(b, L);
    let pairs: Vec<_> = both(&story).into_iter().filter(|pair| pair.0 < 10).collect();
    assert_eq!(pairs, [(1, 2), (2, 3), (3, 1)]);
}

#[test]
fn ac3_cuts_what_would_have_to_come_out_of_a_section_of_another_lock() {
    let mut story = Story::new();
    let (a, b) = (story.spawn(0), story.spawn(0));
    // The second holds L from 3 to 4; the first, with L in hand at 1, can not come in between.
    story.lock(a, L, 10).visit(a, M, 1).unlock(a, L);
    story.lock(b, L, 11).visit(b, M, 3).visit(b, M, 4).unlock(b, L);
    let pairs: Vec<_> = both(&story).into_iter().filter(|pair| pair.0 < 10).collect();
    assert_eq!(pairs, [(1, 3), (3, 4), (4, 1)]);
}

#[test]
fn ac4_cuts_what_comes_before_the_creation_of_a_thread() {
    let mut story = Story::new();
    story.visit(0, M, 1);
    let a = story.spawn(0);
    story.visit(a, M, 2).visit(0, M, 3);
    assert_eq!(both(&story), [(1, 2), (1, 3), (2, 3), (3, 2)]);
}

#[test]
fn a_join_orders_what_follows_it() {
    let mut story = Story::new();
    story.visit(0, M, 1);
    let a = story.spawn(0);
    story.visit(a, M, 2).join(a, 0).visit(0, M, 3);
    // The paper knows only of creation.
    assert_eq!(of_seed(&story), [(1, 2), (1, 3), (2, 3), (3, 2)]);
    assert_eq!(improved(&story, Wakes::Spurious), [(1, 2), (2, 3)]);
}

#[test]
fn a_message_orders_as_far_as_its_sender_is_certain() {
    let mut story = Story::new();
    let (a, b) = (story.spawn(0), story.spawn(0));
    story.visit(a, M, 1).done(a, Kind::Send, OTHER);
    story.done(b, Kind::Receive, OTHER).visit(b, M, 2);
    assert_eq!(of_seed(&story), [(1, 2), (2, 1)]);
    assert_eq!(improved(&story, Wakes::Spurious), [(1, 2)]);

    // With two senders either of them may have been first.
    let mut story = Story::new();
    let (a, b, c) = (story.spawn(0), story.spawn(0), story.spawn(0));
    story.visit(a, M, 1).done(a, Kind::Send, OTHER);
    story.visit(b, M, 2).done(b, Kind::Send, OTHER);
    story.done(c, Kind::Receive, OTHER).visit(c, M, 3);
    story.done(c, Kind::Receive, OTHER).visit(c, M, 4);
    let pairs = improved(&story, Wakes::Spurious);
    assert!(pairs.contains(&(3, 1)) && pairs.contains(&(3, 2)), "{pairs:?}");
    // After two messages both have sent.
    assert!(!pairs.contains(&(4, 1)) && !pairs.contains(&(4, 2)), "{pairs:?}");
}

#[test]
fn what_always_comes_in_between_cuts_a_pair() {
    let mut story = Story::new();
    let (a, b) = (story.spawn(0), story.spawn(0));
    // 1, then a message, then 2, then a message, then 3: 3 never comes directly after 1.
    story.visit(a, M, 1).done(a, Kind::Send, OTHER);
    story.done(b, Kind::Receive, OTHER).visit(b, M, 2).done(b, Kind::Send, OTHER + 1);
    story.done(a, Kind::Receive, OTHER + 1).visit(a, M, 3);
    assert!(of_seed(&story).contains(&(1, 3)));
    assert_eq!(improved(&story, Wakes::Spurious), [(1, 2), (2, 3)]);
}

#[test]
fn a_barrier_orders_all_who_arrive() {
    let mut story = Story::new();
    let (a, b) = (story.spawn(0), story.spawn(0));
    story.visit(a, M, 1).done(a, Kind::BarrierWait, OTHER);
    story.visit(b, M, 2).done(b, Kind::BarrierWait, OTHER);
    story.visit(b, M, 4).done(a, Kind::BarrierPass, OTHER).visit(a, M, 3);
    let pairs = improved(&story, Wakes::Spurious);
    assert!(!pairs.contains(&(3, 2)) && !pairs.contains(&(4, 1)), "{pairs:?}");
    assert!(pairs.contains(&(1, 2)) && pairs.contains(&(2, 1)), "{pairs:?}");
    assert!(pairs.contains(&(3, 4)) && pairs.contains(&(4, 3)), "{pairs:?}");
}

#[test]
fn park_orders_unless_it_may_end_for_no_reason() {
    let mut story = Story::new();
    let (a, b) = (story.spawn(0), story.spawn(0));
    story.visit(a, M, 1).done(a, Kind::Unpark, OTHER);
    story.done(b, Kind::Park, OTHER).visit(b, M, 2);
    assert_eq!(improved(&story, Wakes::Notified), [(1, 2)]);
    assert_eq!(improved(&story, Wakes::Spurious), [(1, 2), (2, 1)]);
}

/// One thread waits for another one: it takes the mutex at 1 and gets it back at 2; the other one
/// takes it at 3 and notifies.
fn waits() -> Story {
    let mut story = Story::new();
    let (a, b) = (story.spawn(0), story.spawn(0));
    story.lock(a, M, 1).wait(a, OTHER, M);
    story.visit(b, M, 3).event(b, Kind::NotifyOne, OTHER, 800, Effect::Woke(1));
    story.wake(a, OTHER, M, 2).unlock(a, M);
    story
}

#[test]
fn a_wait_gives_its_mutex_back_and_its_end_takes_it_again() {
    let story = waits();
    // Whether the wait was notified or ended for no reason, 3 may have come before or after 1.
    assert_eq!(of_seed(&story), [(1, 2), (1, 3), (2, 3), (3, 1), (3, 2)]);
    assert_eq!(improved(&story, Wakes::Spurious), [(1, 2), (1, 3), (2, 3), (3, 1), (3, 2)]);
    // If it was notified, it ended after 3.
    let notified = improved(&story, Wakes::Notified);
    assert!(!notified.contains(&(2, 3)), "{notified:?}");
}

#[test]
fn readers_do_not_exclude_readers() {
    let mut story = Story::new();
    let (a, b) = (story.spawn(0), story.spawn(0));
    // Both hold L for reading, so that the second may come between 1 and 2.
    story.done(a, Kind::RwRead, L).visit(a, M, 1).visit(a, M, 2).done(a, Kind::RwReadUnlock, L);
    story.done(b, Kind::RwRead, L).visit(b, M, 3).done(b, Kind::RwReadUnlock, L);
    let pairs = improved(&story, Wakes::Spurious);
    assert!(pairs.contains(&(1, 3)) && pairs.contains(&(3, 2)), "{pairs:?}");
}

#[test]
fn nobody_writes_between_a_write_lock_and_its_downgrade() {
    let mut story = Story::new();
    let (a, b) = (story.spawn(0), story.spawn(0));
    story.event(a, Kind::RwWrite, L, 1, Effect::Done);
    story.event(a, Kind::RwDowngrade, L, 2, Effect::Done).done(a, Kind::RwReadUnlock, L);
    story.event(b, Kind::RwRead, L, 3, Effect::Done).done(b, Kind::RwReadUnlock, L);
    let pairs = improved(&story, Wakes::Spurious);
    assert!(!pairs.contains(&(1, 3)) && pairs.contains(&(2, 3)), "{pairs:?}");
}

#[test]
fn a_try_that_fails_is_no_action() {
    let mut story = Story::new();
    let (a, b) = (story.spawn(0), story.spawn(0));
    story.lock(a, M, 1);
    story.event(b, Kind::MutexTryLock, M, 2, Effect::Refused);
    story.unlock(a, M);
    assert_eq!(both(&story), []);
    story.event(b, Kind::MutexTryLock, M, 2, Effect::Done).unlock(b, M);
    assert_eq!(both(&story), [(1, 2), (2, 1)]);
}

#[test]
fn what_another_execution_shows_is_added() {
    let mut story = Story::new();
    let (a, b) = (story.spawn(0), story.spawn(0));
    story.visit(a, M, 1).visit(b, M, 2);
    let mut estimate = Estimate::new(Conditions::Improved(Wakes::Spurious));
    estimate.add(&story.record());
    assert_eq!(lines(&estimate), [(1, 2), (2, 1)]);
    // A branch that was not taken before.
    story.visit(b, M, 3);
    estimate.add(&story.record());
    assert_eq!(lines(&estimate), [(1, 2), (1, 3), (2, 1), (2, 3), (3, 1)]);
}

/// Threads that each take something out of a pool (whose lock is L), lock it twice, and put it back.
fn lends(threads: u32) -> Story {
    let mut story = Story::new();
    let threads: Vec<u32> = (0..threads).map(|_| story.spawn(0)).collect();
    for thread in threads {
        story.visit(thread, L, 10).visit(thread, M, 1).visit(thread, M, 2).visit(thread, L, 11);
    }
    story
}

#[test]
fn what_goes_from_hand_to_hand_is_paired_where_it_changes_hands() {
    let pairs: Vec<_> =
        improved(&lends(5), Wakes::Spurious).into_iter().filter(|pair| pair.0 < 10).collect();
    assert_eq!(pairs, [(1, 2), (2, 1)]);
    // The paper takes the threads for such as may meet.
    let pairs: Vec<_> = of_seed(&lends(5)).into_iter().filter(|pair| pair.0 < 10).collect();
    assert_eq!(pairs, [(1, 1), (1, 2), (2, 1), (2, 2)]);

    // As soon as two have met at the lock, it is an ordinary one.
    let mut story = lends(5);
    let (a, b) = (story.spawn(0), story.spawn(0));
    story.visit(a, M, 1).visit(b, M, 1);
    let pairs: Vec<_> =
        improved(&story, Wakes::Spurious).into_iter().filter(|pair| pair.0 < 10).collect();
    assert_eq!(pairs, [(1, 1), (1, 2), (2, 1), (2, 2)]);
}

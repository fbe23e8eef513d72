//! Single phrases: what a step did, what a thread waits for.

use super::build::{Story, held, mutex, object};
use crate::names::Names;
use crate::operation::{AtomicNames, describe};
use crate::{Context, NoSources, Style, explain, headline};
use selvedge_model::OperationKind as Kind;
use selvedge_model::{Effect, Finding, FindingKind, ObjectKind, ObjectName, ThreadId};

/// The phrase for a step of thread 1.
#[track_caller]
fn says(kind: Kind, object: Option<ObjectName>, effect: Effect, expected: &str) {
    let mut story = Story::spawning(&[30, 31]);
    match object {
        Some(object) => story.on("1", kind, object, 8, effect),
        None => story.off("1", kind, 8),
    }
    let finding = story.finding(FindingKind::LeakedThreads { waits: Vec::new() }, "selvedge/1");
    let step = finding.steps.last().expect("a step");
    let names = Names::of(&finding);
    assert_eq!(describe(step, &names, AtomicNames::Shown, None), expected);
}

#[test]
fn steps_on_locks() {
    let rwlock = || Some(object(ObjectKind::RwLock, 2));
    says(Kind::MutexLock, Some(mutex(1)), Effect::Done, "lock mutex 1");
    says(Kind::MutexTryLock, Some(mutex(1)), Effect::Done, "try_lock mutex 1");
    says(Kind::MutexTryLock, Some(mutex(1)), Effect::Refused, "try_lock mutex 1 (failed)");
    says(Kind::MutexUnlock, Some(mutex(1)), Effect::Done, "unlock mutex 1");
    says(Kind::RwRead, rwlock(), Effect::Done, "read rwlock 2");
    says(Kind::RwTryWrite, rwlock(), Effect::Refused, "try_write rwlock 2 (failed)");
    says(Kind::RwReadUnlock, rwlock(), Effect::Done, "unlock rwlock 2");
    says(Kind::RwDowngrade, rwlock(), Effect::Done, "downgrade rwlock 2");
}

#[test]
fn steps_on_threads() {
    let thread = |number| Some(object(ObjectKind::Thread, number));
    says(Kind::Spawn, thread(3), Effect::Thread(ThreadId(2)), "spawn 2");
    says(Kind::Join, thread(3), Effect::Thread(ThreadId(2)), "join 2");
    says(Kind::Unpark, thread(3), Effect::Thread(ThreadId(2)), "unpark 2");
    says(Kind::Signal, thread(3), Effect::Thread(ThreadId(2)), "signal 2");
    says(Kind::IsFinished, thread(3), Effect::Refused, "is_finished thread 2 (not yet)");
    says(Kind::Park, thread(2), Effect::Done, "park");
    says(Kind::Park, thread(2), Effect::TimedOut, "park (timed out)");
    says(Kind::Park, thread(2), Effect::Spurious, "park (spurious)");
    says(Kind::Sleep, None, Effect::Done, "sleep");
    let files = Some(object(ObjectKind::Files, 1));
    says(Kind::IoRead, files, Effect::Spurious, "read from a file (interrupted)");
    says(Kind::Poll, None, Effect::Done, "poll");
}

#[test]
fn steps_on_what_threads_wait_at() {
    let condvar = || Some(object(ObjectKind::Condvar, 1));
    let barrier = || Some(object(ObjectKind::Barrier, 1));
    says(Kind::CondvarWait, condvar(), Effect::Done, "wait on condvar 1");
    says(Kind::CondvarWake, Some(mutex(1)), Effect::Done, "wake, lock mutex 1");
    says(Kind::CondvarWake, Some(mutex(1)), Effect::TimedOut, "time out, lock mutex 1");
    says(Kind::NotifyAll, condvar(), Effect::Woke(3), "notify_all condvar 1 (woke 3 threads)");
    let futex = || Some(object(ObjectKind::Futex, 1));
    says(Kind::FutexWait, futex(), Effect::Done, "wait on futex 1");
    says(Kind::FutexWait, futex(), Effect::Refused, "wait on futex 1 (value changed)");
    says(Kind::FutexWoken, futex(), Effect::Done, "woken on futex 1");
    says(Kind::FutexWoken, futex(), Effect::TimedOut, "time out on futex 1");
    says(Kind::FutexWake, futex(), Effect::Woke(0), "wake futex 1 (woke nobody)");
    let files = || Some(object(ObjectKind::Files, 1));
    says(Kind::IoRead, files(), Effect::Done, "read from a file");
    says(Kind::IoRead, files(), Effect::Refused, "read from a file (would block)");
    says(Kind::IoWait, files(), Effect::TimedOut, "wait for files (timed out)");
    says(Kind::BarrierWait, barrier(), Effect::Done, "arrive at barrier 1");
    says(Kind::BarrierPass, barrier(), Effect::Done, "leave barrier 1");
}

#[test]
fn steps_on_channels_and_onces() {
    let channel = || Some(object(ObjectKind::Channel, 1));
    let once = || Some(object(ObjectKind::Once, 1));
    says(Kind::Send, channel(), Effect::Refused, "send to channel 1 (closed)");
    says(Kind::Receive, channel(), Effect::TimedOut, "recv from channel 1 (timed out)");
    says(Kind::TryReceive, channel(), Effect::Refused, "try_recv from channel 1 (failed)");
    says(Kind::SenderDrop, channel(), Effect::Done, "drop sender of channel 1");
    says(Kind::OnceCall, once(), Effect::Refused, "call_once once 1 (done before)");
    says(Kind::OnceDone, once(), Effect::Done, "finish once 1");
    says(Kind::OnceGet, once(), Effect::Refused, "look at once 1 (empty)");
}

#[test]
fn steps_on_atomics() {
    let atomic = || Some(object(ObjectKind::Atomic, 1));
    says(Kind::AtomicLoad, atomic(), Effect::Read(0), "atomic 1: load 0");
    says(Kind::AtomicStore, atomic(), Effect::Wrote(1), "atomic 1: store 1");
    let changed = Effect::Changed { from: 1, to: 2 };
    says(Kind::AtomicRmw, atomic(), changed, "atomic 1: fetch 1→2");
    says(Kind::AtomicCas, atomic(), Effect::Kept(5), "atomic 1: cas kept 5");
    says(Kind::AtomicLoad, atomic(), Effect::Read(1 << 32), "atomic 1: load 0x100000000");
}

/// The phrase for a wait of thread 1 for thread 2.
#[track_caller]
fn waits(kind: Kind, object: Option<ObjectName>, expected: &str) {
    let story = Story::spawning(&[30, 31]);
    let wait = story.wait("1", kind, object, 8, &["2"]);
    let kind = FindingKind::DoubleLock { wait: Box::new(wait) };
    let headline = headline(&story.finding(kind, "selvedge/1"));
    let phrase = headline.strip_prefix("double lock: thread 1 ").expect("the usual beginning");
    assert_eq!(phrase.rsplit_once(", ").expect("the usual end").0, expected);
}

#[test]
fn what_a_thread_waits_for() {
    let some = |kind| Some(object(kind, 1));
    waits(Kind::MutexLock, some(ObjectKind::Mutex), "waits for mutex 1");
    waits(Kind::RwRead, some(ObjectKind::RwLock), "waits to read rwlock 1");
    waits(Kind::CondvarWake, some(ObjectKind::Condvar), "waits for a notify of condvar 1");
    waits(Kind::CondvarWake, some(ObjectKind::Mutex), "was woken, waits for mutex 1");
    waits(Kind::Join, some(ObjectKind::Thread), "waits for thread 2 to end");
    waits(Kind::Park, some(ObjectKind::Thread), "is parked");
    waits(Kind::OnceCall, some(ObjectKind::Once), "waits for once 1");
    let library = "waits on futex 1 (the lock of a library such as parking_lot)";
    waits(Kind::FutexWoken, some(ObjectKind::Futex), library);
    waits(Kind::BarrierPass, some(ObjectKind::Barrier), "waits at barrier 1");
    waits(Kind::Send, some(ObjectKind::Channel), "waits for room in channel 1");
    waits(
        Kind::SendDone,
        some(ObjectKind::Channel),
        "waits until its message is taken from channel 1",
    );
    waits(Kind::Receive, some(ObjectKind::Channel), "waits for a message of channel 1");
    waits(Kind::AtomicLoad, some(ObjectKind::Atomic), "is about to load atomic 1");
    waits(Kind::Yield, None, "spins");
}

fn explained(finding: &Finding) -> String {
    explain(finding, Context::default(), Style::default(), &NoSources)
}

#[test]
fn a_circle_of_three_begins_with_the_lowest_thread_and_keeps_its_order() {
    let story = Story::spawning(&[30, 31, 32]);
    let wait = |thread: &str, number, holder: &str| {
        story.wait(thread, Kind::MutexLock, Some(mutex(number)), 8, &[holder])
    };
    let cycle = vec![wait("2", 1, "3"), wait("3", 2, "1"), wait("1", 3, "2")];
    let text = explained(&story.finding(FindingKind::Deadlock { cycle }, "selvedge/1"));
    let threads: Vec<_> = text.lines().filter(|line| line.starts_with("  thread ")).collect();
    assert_eq!(threads, ["  thread 1", "  thread 2", "  thread 3"]);
}

#[test]
fn the_mutex_that_was_given_back_to_wait_is_shown_and_no_other() {
    let condvar = || object(ObjectKind::Condvar, 1);
    let mut story = Story::new();
    story.lock("0", 1, 1);
    story.unlock("0", 1, 1);
    story.lock("0", 2, 2);
    story.unlock("0", 2, 2);
    story.on("0", Kind::MutexTryLock, mutex(2), 3, Effect::Refused);
    story.lock("0", 3, 4);
    story.waits_on("0", condvar(), 3, 5);
    let mut wait = story.wait("0", Kind::CondvarWake, Some(condvar()), 5, &[]);
    wait.holds.push(held(mutex(4), Kind::MutexLock, 6));
    let kind = FindingKind::Stuck { waits: vec![wait], notifies: Vec::new() };
    let text = explained(&story.finding(kind, "selvedge/1"));
    assert!(text.contains("  lock mutex 3\n"), "{text}");
    assert!(!text.contains("  lock mutex 1\n") && !text.contains("  lock mutex 2\n"), "{text}");
}

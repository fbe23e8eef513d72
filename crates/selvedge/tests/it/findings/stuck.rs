//! Waits that nobody will end.

use super::{Page, Told, test_thread, this_page, thread_spawned};
use crate::help::{exhaustive, finding, portfolio};
use selvedge::sync::mpsc::{channel, sync_channel};
use selvedge::sync::{Arc, Barrier, Condvar, Mutex, OnceLock};
use selvedge::{Builder, Finding, FindingKind, OperationKind, Rate, Replayed, thread};
use selvedge_model::{LastNotify, ObjectKind};

const PAGE: Page = this_page!("stuck.rs");

fn calm(builder: Builder) -> Builder {
    builder.spurious(Rate::Off)
}

/// Who waits, in the order of the threads, and what became of the notifications.
#[track_caller]
fn stuck(finding: &Finding) -> (Vec<Told>, &[LastNotify]) {
    assert_eq!(finding.replayed, Replayed::Yes);
    let FindingKind::Stuck { waits, notifies } = &finding.kind else {
        panic!("{:?}", finding.kind)
    };
    (PAGE.waits(waits), notifies)
}

#[test]
fn a_lost_wake_up_names_the_waiter_and_the_notification_that_came_too_early() {
    for search in [exhaustive(1_000), portfolio(1_000)] {
        let found = finding(calm(search), || {
            let bell = Arc::new((Mutex::new(()), Condvar::new())); // the bell
            let other = Arc::clone(&bell);
            let body = move || other.1.notify_one(); // the ring
            let ringer = thread::spawn(body); // the ringer is spawned
            let guard = bell.0.lock().unwrap(); // the lock before the wait
            drop(bell.1.wait(guard).unwrap()); // the wait for the bell
            ringer.join().unwrap();
        });
        let (waits, notifies) = stuck(&found);
        let expected = Told {
            thread: test_thread(),
            wants: OperationKind::CondvarWake,
            of: Some((ObjectKind::Condvar, "the bell")),
            at: "the wait for the bell",
            waits_for: vec![],
            holds: vec![],
        };
        assert_eq!(waits, [expected]);
        let [last] = notifies else { panic!("{notifies:?}") };
        assert_eq!(PAGE.object(&last.object), (ObjectKind::Condvar, "the bell"));
        let (ringer, kind, at) = last.notify.as_ref().expect("somebody rang");
        assert_eq!(PAGE.thread(ringer), thread_spawned("1", "the ringer is spawned"));
        assert_eq!((*kind, PAGE.mark(at)), (OperationKind::NotifyOne, "the ring"));
        assert_eq!(last.woke, 0);
    }
}

#[test]
fn a_wait_that_nobody_ever_notifies_says_so() {
    let found = finding(calm(portfolio(10)), || {
        let bell = (Mutex::new(()), Condvar::new()); // the silent bell
        let guard = bell.0.lock().unwrap(); // the lock of the silent bell
        drop(bell.1.wait(guard).unwrap()); // the wait for the silent bell
    });
    let (waits, notifies) = stuck(&found);
    assert_eq!(waits[0].at, "the wait for the silent bell");
    let [last] = notifies else { panic!("{notifies:?}") };
    assert_eq!((&last.notify, last.woke), (&None, 0));
}

#[test]
fn a_notification_that_woke_the_wrong_one_is_named_with_how_many_it_woke() {
    let found = finding(calm(portfolio(1_000)), || {
        let bell = Arc::new((Mutex::new(0), Condvar::new())); // the bell for two
        let waiters = [1, 2].map(|_| {
            let bell = Arc::clone(&bell);
            let body = move || {
                let mut count = bell.0.lock().unwrap();
                *count += 1;
                drop(bell.1.wait(count).unwrap()); // the waits of both
            };
            thread::spawn(body) // both are spawned
        });
        while *bell.0.lock().unwrap() < 2 {
            thread::yield_now();
        }
        bell.1.notify_one(); // the only notification
        waiters.into_iter().for_each(|waiter| waiter.join().unwrap()); // the joins
    });
    let (waits, notifies) = stuck(&found);
    let wants: Vec<_> = waits.iter().map(|wait| (wait.wants, wait.at)).collect();
    assert_eq!(wants[0], (OperationKind::Join, "the joins"));
    assert_eq!(wants[1..], [(OperationKind::CondvarWake, "the waits of both")]);
    assert_eq!(waits[0].waits_for, [waits[1].thread.0.clone()]);
    let [last] = notifies else { panic!("{notifies:?}") };
    let (ringer, kind, at) = last.notify.as_ref().expect("somebody notified");
    assert_eq!(PAGE.thread(ringer), test_thread());
    assert_eq!((*kind, PAGE.mark(at)), (OperationKind::NotifyOne, "the only notification"));
    assert_eq!(last.woke, 1);
}

#[test]
fn a_park_without_its_token_is_stuck() {
    let found = finding(calm(portfolio(10)), || {
        thread::park(); // the park
    });
    let (waits, notifies) = stuck(&found);
    assert_eq!((waits[0].wants, waits[0].at), (OperationKind::Park, "the park"));
    assert_eq!(notifies, []);
}

#[test]
fn receiving_from_a_sender_that_stays_silent_is_stuck() {
    let found = finding(portfolio(10), || {
        let (sender, receiver) = channel::<()>(); // the silent channel
        let body = move || receiver.recv(); // the receive
        let consumer = thread::spawn(body); // the consumer is spawned
        let _ = consumer.join().unwrap(); // the join of the consumer
        drop(sender);
    });
    let (waits, _) = stuck(&found);
    assert_eq!(waits[0].waits_for, ["1"]);
    assert_eq!((waits[0].wants, waits[0].at), (OperationKind::Join, "the join of the consumer"));
    assert_eq!(waits[1].thread, thread_spawned("1", "the consumer is spawned"));
    assert_eq!((waits[1].wants, waits[1].at), (OperationKind::Receive, "the receive"));
    assert_eq!(waits[1].of, Some((ObjectKind::Channel, "the silent channel")));
}

#[test]
fn sending_into_a_full_channel_with_a_lock_in_hand_is_stuck() {
    let found = finding(portfolio(10), || {
        let lock = Mutex::new(()); // the lock in hand
        let (sender, _receiver) = sync_channel(1); // the narrow channel
        let _guard = lock.lock().unwrap(); // the lock is taken
        sender.send(1).unwrap();
        sender.send(2).unwrap(); // the send without room
    });
    let (waits, _) = stuck(&found);
    assert_eq!((waits[0].wants, waits[0].at), (OperationKind::Send, "the send without room"));
    let held =
        (ObjectKind::Mutex, "the lock in hand", OperationKind::MutexLock, "the lock is taken");
    assert_eq!(waits[0].holds, [held]);
}

#[test]
fn a_barrier_for_more_than_there_are_is_stuck() {
    let found = finding(portfolio(10), || {
        let barrier = Arc::new(Barrier::new(3)); // the barrier
        let other = Arc::clone(&barrier);
        thread::spawn(move || other.wait().is_leader()); // the second to arrive
        barrier.wait(); // the arrival of the test
    });
    let (waits, _) = stuck(&found);
    let wants: Vec<_> = waits.iter().map(|wait| (wait.wants, wait.of, wait.at)).collect();
    let barrier = Some((ObjectKind::Barrier, "the barrier"));
    let pass = OperationKind::BarrierPass;
    let expected =
        [(pass, barrier, "the arrival of the test"), (pass, barrier, "the second to arrive")];
    assert_eq!(wants, expected);
}

#[test]
fn waiting_for_a_value_that_nobody_sets_is_stuck() {
    let found = finding(portfolio(10), || {
        let cell = OnceLock::<u32>::new(); // the cell
        cell.wait(); // the wait for the value
    });
    let (waits, _) = stuck(&found);
    assert_eq!((waits[0].wants, waits[0].at), (OperationKind::OnceWait, "the wait for the value"));
}

//! Channels: who comes first, and what those who do not wait find.

use super::{as_is, exactly};
use selvedge::sync::mpsc::{RecvTimeoutError, TryRecvError, TrySendError, channel, sync_channel};
use selvedge::thread;
use std::time::Duration;

#[test]
fn messages_of_two_senders_arrive_in_either_order() {
    exactly([[1, 2], [2, 1]], as_is, || {
        let (sender, receiver) = channel();
        let other = sender.clone();
        let first = thread::spawn(move || sender.send(1).unwrap());
        let second = thread::spawn(move || other.send(2).unwrap());
        let messages = [receiver.recv().unwrap(), receiver.recv().unwrap()];
        first.join().unwrap();
        second.join().unwrap();
        messages
    });
}

#[test]
fn messages_of_one_sender_stay_in_order() {
    exactly([vec![1, 2, 3]], as_is, || {
        let (sender, receiver) = sync_channel(1);
        let producer = thread::spawn(move || (1..=3).for_each(|n| sender.send(n).unwrap()));
        let messages: Vec<_> = receiver.iter().collect();
        producer.join().unwrap();
        messages
    });
}

#[test]
fn a_bounded_send_waits_for_room() {
    // With room for one message, the sender is at most two ahead of what was received.
    exactly([0, 1, 2], as_is, || {
        let (sender, receiver) = sync_channel(1);
        let sent = selvedge::sync::Arc::new(selvedge::sync::atomic::AtomicU32::new(0));
        let count = selvedge::sync::Arc::clone(&sent);
        let producer = thread::spawn(move || {
            for _ in 0..3 {
                sender.send(()).unwrap();
                count.fetch_add(1, selvedge::sync::atomic::Ordering::SeqCst);
            }
        });
        receiver.recv().unwrap();
        let ahead = sent.load(selvedge::sync::atomic::Ordering::SeqCst);
        assert_eq!(receiver.iter().count(), 2);
        producer.join().unwrap();
        ahead
    });
}

#[test]
fn try_recv_finds_a_message_or_none() {
    exactly([Err(TryRecvError::Empty), Ok(1)].map(|r| format!("{r:?}")), as_is, || {
        let (sender, receiver) = channel();
        let other = sender.clone();
        let producer = thread::spawn(move || other.send(1).unwrap());
        let first: Result<u32, _> = receiver.try_recv();
        producer.join().unwrap();
        drop(sender);
        format!("{first:?}")
    });
}

#[test]
fn try_recv_tells_an_empty_channel_from_an_abandoned_one() {
    let allowed = [TryRecvError::Empty, TryRecvError::Disconnected];
    exactly(allowed.map(|error| format!("{error:?}")), as_is, || {
        let (sender, receiver) = channel::<()>();
        let producer = thread::spawn(move || drop(sender));
        let error = receiver.try_recv().unwrap_err();
        producer.join().unwrap();
        format!("{error:?}")
    });
}

#[test]
fn recv_timeout_gets_the_message_or_times_out() {
    let allowed = [Ok(1), Err(RecvTimeoutError::Timeout)];
    exactly(allowed.map(|result| format!("{result:?}")), as_is, || {
        let (sender, receiver) = channel();
        let kept = sender.clone();
        let producer = thread::spawn(move || sender.send(1).unwrap());
        let result: Result<u32, _> = receiver.recv_timeout(Duration::from_millis(1));
        producer.join().unwrap();
        drop(kept);
        format!("{result:?}")
    });
}

#[test]
fn try_send_on_a_rendezvous_channel_needs_a_receiver_that_waits() {
    exactly([("full", "disconnected"), ("sent", "received")], as_is, || {
        let (sender, receiver) = sync_channel(0);
        let consumer = thread::spawn(move || match receiver.recv() {
            Ok(()) => "received",
            Err(_) => "disconnected",
        });
        let sent = match sender.try_send(()) {
            Ok(()) => "sent",
            Err(TrySendError::Full(())) => "full",
            Err(TrySendError::Disconnected(())) => panic!("the receiver is there"),
        };
        drop(sender);
        (sent, consumer.join().unwrap())
    });
}

#[test]
fn try_send_finds_room_or_none() {
    exactly([false, true], as_is, || {
        let (sender, receiver) = sync_channel(1);
        sender.send(1).unwrap();
        let consumer = thread::spawn(move || {
            receiver.recv().unwrap();
            receiver
        });
        let sent = sender.try_send(2).is_ok();
        drop(consumer.join().unwrap());
        sent
    });
}

#[test]
fn a_rendezvous_send_ends_after_its_message_was_taken() {
    exactly([true], as_is, || {
        let (sender, receiver) = sync_channel(0);
        let taken = selvedge::sync::Arc::new(selvedge::sync::atomic::AtomicBool::new(false));
        let before = selvedge::sync::Arc::clone(&taken);
        let consumer = thread::spawn(move || {
            before.store(true, selvedge::sync::atomic::Ordering::SeqCst);
            receiver.recv().unwrap();
        });
        sender.send(()).unwrap();
        let taken = taken.load(selvedge::sync::atomic::Ordering::SeqCst);
        consumer.join().unwrap();
        taken
    });
}

#[test]
fn a_send_finds_the_receiver_or_gets_its_message_back() {
    exactly([Err(7), Ok(())], as_is, || {
        let (sender, receiver) = channel();
        let consumer = thread::spawn(move || drop(receiver));
        let sent = sender.send(7).map_err(|error| error.0);
        consumer.join().unwrap();
        sent
    });
}

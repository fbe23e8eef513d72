//! Channels under control: everything that can happen does, and nothing else.

mod explore;

use explore::check;
use selvedge_std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use selvedge_std::sync::mpsc::{Receiver, SendError, Sender, channel, sync_channel};
use selvedge_std::{sync, thread};
use std::sync::Arc;
use std::time::Duration;

#[test]
fn messages_of_different_senders_come_in_any_order() {
    check(["[1, 2]", "[2, 1]"], || {
        let (tx, rx) = channel();
        for message in [1, 2] {
            let tx = tx.clone();
            thread::spawn(move || tx.send(message).unwrap());
        }
        drop(tx);
        format!("{:?}", rx.iter().collect::<Vec<i32>>())
    });
}

#[test]
fn a_receiver_without_sender_is_stuck_only_if_one_could_still_send() {
    check(["Stuck"], || {
        let (_tx, rx) = channel::<u8>();
        format!("{:?}", rx.recv())
    });
    check(["Err(RecvError)"], || {
        let (tx, rx) = channel::<u8>();
        let sender = thread::spawn(move || drop(tx));
        let received = rx.recv();
        sender.join().unwrap();
        format!("{received:?}")
    });
}

#[test]
fn a_sender_that_waits_for_room_gets_it_or_its_message_back() {
    let seen = [
        "Err(Empty), [Err(SendError { .. }), Err(SendError { .. })]",
        "Err(Empty), [Ok(()), Err(SendError { .. })]",
        "Ok(1), [Ok(()), Err(SendError { .. })]",
        "Ok(1), [Ok(()), Ok(())]",
    ];
    check(seen, || {
        let (tx, rx) = sync_channel(1);
        let sender = thread::spawn(move || [1, 2].map(|message| tx.send(message)));
        let received = rx.try_recv();
        drop(rx);
        format!("{received:?}, {:?}", sender.join().unwrap())
    });
}

/// Two senders without a buffer, of whose messages some are received.
fn meet(received: usize) -> String {
    let (tx, rx) = sync_channel(0);
    let senders = ["a", "b"].map(|message| {
        let tx = tx.clone();
        thread::spawn(move || match tx.send(message) {
            Ok(()) => "sent",
            Err(SendError(back)) => {
                assert_eq!(back, message);
                "back"
            }
        })
    });
    let received: Vec<_> = rx.iter().take(received).collect();
    drop(rx);
    format!("{received:?}, {:?}", senders.map(|sender| sender.join().unwrap()))
}

#[test]
fn senders_whose_message_was_not_taken_get_it_back() {
    check([r#"[], ["back", "back"]"#], || meet(0));
    check([r#"["a"], ["sent", "back"]"#, r#"["b"], ["back", "sent"]"#], || meet(1));
    let all = [r#"["a", "b"], ["sent", "sent"]"#, r#"["b", "a"], ["sent", "sent"]"#];
    check(all, || meet(2));
}

#[test]
fn a_receiver_that_is_about_to_wait_does_not_wait_yet() {
    let seen = ["Err(TrySendError::Full(..)), Err(RecvError)", "Ok(()), Ok(3)", "too early"];
    check(seen, || {
        let (tx, rx) = sync_channel(0);
        let ready = Arc::new(AtomicBool::new(false));
        let receiver = {
            let ready = Arc::clone(&ready);
            thread::spawn(move || {
                ready.store(true, SeqCst);
                rx.recv()
            })
        };
        if !ready.load(SeqCst) {
            return "too early".to_owned();
        }
        let sent = tx.try_send(3);
        drop(tx);
        format!("{sent:?}, {:?}", receiver.join().unwrap())
    });
}

#[test]
fn a_timed_receive_may_time_out_whenever_there_is_nothing() {
    let seen = ["Err(Timeout), Err(SendError { .. })", "Err(Timeout), Ok(())", "Ok(1), Ok(())"];
    check(seen, || {
        let (tx, rx) = channel();
        let sender = thread::spawn(move || tx.send(1));
        let received = rx.recv_timeout(Duration::from_secs(3600));
        drop(rx);
        format!("{received:?}, {:?}", sender.join().unwrap())
    });
    check(["Stuck"], || {
        let (_tx, rx) = channel::<u8>();
        format!("{:?}", rx.recv_timeout(Duration::MAX))
    });
}

/// A message that uses mirrors, also the channel in which it is, when it is dropped.
struct Boomerang {
    back: Option<Sender<Boomerang>>,
    dropped: Arc<sync::Mutex<u32>>,
}

impl Drop for Boomerang {
    fn drop(&mut self) {
        *self.dropped.lock().unwrap() += 1;
        if let Some(tx) = self.back.take() {
            let message = Boomerang { back: None, dropped: Arc::clone(&self.dropped) };
            assert!(tx.send(message).is_err());
        }
    }
}

#[test]
fn the_destructor_of_a_message_may_do_anything() {
    check(["false, 2", "true, 2"], || {
        let dropped = Arc::new(sync::Mutex::new(0));
        let (tx, rx) = channel();
        let message = Boomerang { back: Some(tx.clone()), dropped: Arc::clone(&dropped) };
        let sender = thread::spawn(move || tx.send(message).is_ok());
        drop(rx);
        let sent = sender.join().unwrap();
        format!("{sent}, {}", dropped.lock().unwrap())
    });
}

#[test]
fn a_channel_can_be_used_on_both_sides_one_after_the_other() {
    type Ends = (Sender<&'static str>, Receiver<&'static str>);
    static KEPT: std::sync::Mutex<Option<Ends>> = std::sync::Mutex::new(None);

    let (tx, rx) = channel();
    tx.send("sent outside").unwrap();
    *KEPT.lock().unwrap() = Some((tx, rx));
    check(["sent outside"], || {
        let (tx, rx) = KEPT.lock().unwrap().take().unwrap();
        let received = rx.recv().unwrap();
        tx.send("sent inside").unwrap();
        *KEPT.lock().unwrap() = Some((tx, rx));
        received.to_owned()
    });
    let (tx, rx) = KEPT.lock().unwrap().take().unwrap();
    tx.send("sent afterwards").unwrap();
    drop(tx);
    assert_eq!(rx.iter().collect::<Vec<_>>(), ["sent inside", "sent afterwards"]);
}

#[test]
fn only_the_last_sender_is_missed() {
    let interleavings = |senders| {
        check(["Err(RecvError)"], || {
            let (tx, rx) = channel::<u8>();
            let others: Vec<_> = (0..senders).map(|_| tx.clone()).collect();
            let thread = thread::spawn(move || drop(others));
            drop(tx);
            let received = rx.recv();
            thread.join().unwrap();
            format!("{received:?}")
        })
    };
    assert_eq!(interleavings(1), interleavings(20), "dropping the others is no operation");
}

//! One bug each, of kinds that happen.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;
use tokio::sync::{Notify, Semaphore, broadcast, mpsc, oneshot, watch};
use tokio::time::timeout;

/// A flag that can be waited for.
#[derive(Default)]
struct Flag {
    set: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Flag {
    fn set(&self) {
        self.set.store(true, Ordering::SeqCst);
        if let Some(waker) = self.waker.lock().unwrap().take() {
            waker.wake();
        }
    }
}

/// Bug: looks at the flag, and only then leaves its waker.
struct WakerTooLate(Arc<Flag>);

impl Future for WakerTooLate {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0.set.load(Ordering::SeqCst) {
            return Poll::Ready(());
        }
        *self.0.waker.lock().unwrap() = Some(context.waker().clone());
        Poll::Pending
    }
}

#[test]
fn waker_is_left_after_the_look() {
    let flag = Arc::new(Flag::default());
    let theirs = Arc::clone(&flag);
    let thread = thread::spawn(move || theirs.set());
    futures::executor::block_on(WakerTooLate(flag));
    thread.join().unwrap();
}

/// Bug: keeps the waker of the first poll, although another task may poll later.
struct FirstWaker {
    flag: Arc<Flag>,
    left: bool,
}

impl Future for FirstWaker {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if !self.left {
            self.left = true;
            *self.flag.waker.lock().unwrap() = Some(context.waker().clone());
        }
        match self.flag.set.load(Ordering::SeqCst) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waker_is_not_replaced() {
    let flag = Arc::new(Flag::default());
    let mut waiting = FirstWaker { flag: Arc::clone(&flag), left: false };
    // Somebody looks whether it is there already, and hands it on.
    if futures::poll!(&mut waiting).is_ready() {
        return;
    }
    let task = tokio::spawn(waiting);
    flag.set();
    task.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notified_is_created_too_late() {
    let (notify, ready) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
    let (theirs, is_ready) = (Arc::clone(&notify), Arc::clone(&ready));
    let task = tokio::spawn(async move {
        // Bug: whoever is not waiting yet is not notified by `notify_waiters`.
        while !is_ready.load(Ordering::SeqCst) {
            theirs.notified().await;
        }
    });
    ready.store(true, Ordering::SeqCst);
    notify.notify_waiters();
    task.await.unwrap();
}

/// Reads two numbers. Bug: if it is dropped between them, the first one is lost.
async fn read_pair(receiver: &mut mpsc::Receiver<u32>) -> Option<(u32, u32)> {
    let first = receiver.recv().await?;
    let second = receiver.recv().await?;
    Some((first, second))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn select_drops_a_future_that_is_half_done() {
    let (sender, mut receiver) = mpsc::channel(4);
    let (stop, mut stopped) = mpsc::channel::<()>(4);
    let task = tokio::spawn(async move {
        sender.send(1).await.unwrap();
        stop.send(()).await.unwrap();
        sender.send(2).await.unwrap();
    });
    let pair = loop {
        tokio::select! {
            pair = read_pair(&mut receiver) => break pair,
            Some(()) = stopped.recv() => {}
        }
    };
    task.await.unwrap();
    assert_eq!(pair, Some((1, 2)));
}

/// Bug: takes every poll but the first for the one that it was woken for.
struct ReadyOnSecondPoll {
    flag: Arc<Flag>,
    polled: bool,
}

impl Future for ReadyOnSecondPoll {
    type Output = bool;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<bool> {
        if self.polled {
            return Poll::Ready(self.flag.set.load(Ordering::SeqCst));
        }
        self.polled = true;
        *self.flag.waker.lock().unwrap() = Some(context.waker().clone());
        match self.flag.set.load(Ordering::SeqCst) {
            true => Poll::Ready(true),
            false => Poll::Pending,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn second_poll_is_taken_for_a_wake_up() {
    let flag = Arc::new(Flag::default());
    let theirs = Arc::clone(&flag);
    let task = tokio::spawn(async move { theirs.set() });
    let waiting = ReadyOnSecondPoll { flag, polled: false };
    // Whatever else becomes ready here polls both.
    let (is_set, ()) = tokio::join!(waiting, tokio::task::yield_now());
    assert!(is_set);
    task.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokio_mutex_is_given_back_between_read_and_write() {
    let counter = Arc::new(tokio::sync::Mutex::new(0));
    let tasks = [(); 2].map(|()| {
        let counter = Arc::clone(&counter);
        tokio::spawn(async move {
            let value = *counter.lock().await;
            *counter.lock().await = value + 1;
        })
    });
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(*counter.lock().await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn oneshot_is_dropped_by_a_server_that_stops() {
    let (requests, mut served) = mpsc::channel::<oneshot::Sender<u32>>(4);
    let (stop, mut stopped) = oneshot::channel::<()>();
    let server = tokio::spawn(async move {
        loop {
            tokio::select! {
                request = served.recv() => match request {
                    Some(answer) => answer.send(1).unwrap(),
                    None => break,
                },
                // Bug: requests that are waiting get no answer.
                _ = &mut stopped => break,
            }
        }
    });
    let (answer, answered) = oneshot::channel();
    let sent = requests.send(answer).await;
    stop.send(()).unwrap();
    if sent.is_ok() {
        assert_eq!(answered.await, Ok(1));
    }
    server.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watch_is_looked_at_before_it_is_marked() {
    let (sender, mut receiver) = watch::channel(0);
    let task = tokio::spawn(async move {
        let mut last = *receiver.borrow();
        while last < 2 {
            // Bug: what came since the look counts as seen.
            receiver.mark_unchanged();
            receiver.changed().await.unwrap();
            last = *receiver.borrow();
        }
    });
    sender.send(1).unwrap();
    sender.send(2).unwrap();
    let ended = timeout(Duration::from_secs(3600), task).await;
    drop(sender);
    ended.expect("the last value is seen").unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn semaphore_permit_is_forgotten_when_the_receiver_is_gone() {
    let semaphore = Arc::new(Semaphore::new(1));
    let (sender, receiver) = oneshot::channel();
    let theirs = Arc::clone(&semaphore);
    let task = tokio::spawn(async move {
        let permit = theirs.acquire_owned().await.unwrap();
        // The receiver gives the permit back. Bug: unless it has gone.
        permit.forget();
        let _ = sender.send(());
    });
    if let Ok(result) = timeout(Duration::from_millis(5), receiver).await {
        result.unwrap();
        semaphore.add_permits(1);
    }
    task.await.unwrap();
    assert_eq!(semaphore.available_permits(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn broadcast_receiver_that_lags_gives_up() {
    let (sender, mut receiver) = broadcast::channel(1);
    let task = tokio::spawn(async move {
        let mut last = 0;
        // Bug: to have missed something is not the end.
        while let Ok(number) = receiver.recv().await {
            last = number;
        }
        last
    });
    sender.send(1).unwrap();
    sender.send(2).unwrap();
    drop(sender);
    assert_eq!(task.await.unwrap(), 2);
}

#[test]
fn event_is_listened_to_after_the_look() {
    let event = Arc::new(event_listener::Event::new());
    let count = Arc::new(AtomicU32::new(0));
    let thread = {
        let (event, count) = (Arc::clone(&event), Arc::clone(&count));
        thread::spawn(move || {
            count.fetch_add(1, Ordering::SeqCst);
            event.notify(1);
        })
    };
    smol::block_on(async {
        // Bug: what happens between the look and the listener is missed.
        if count.load(Ordering::SeqCst) == 0 {
            event.listen().await;
        }
    });
    thread.join().unwrap();
}

//! What tokio has to communicate with.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::sync::{Barrier, Mutex, Notify, RwLock, Semaphore, broadcast, mpsc, oneshot, watch};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mpsc_delivers_everything() {
    let (sender, mut receiver) = mpsc::channel(1);
    for number in 0..2 {
        let sender = sender.clone();
        tokio::spawn(async move { sender.send(number).await.unwrap() });
    }
    drop(sender);
    let mut all = Vec::new();
    while let Some(number) = receiver.recv().await {
        all.push(number);
    }
    all.sort_unstable();
    assert_eq!(all, [0, 1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn oneshot_brings_an_answer() {
    let (sender, receiver) = oneshot::channel();
    tokio::spawn(async move { sender.send(7).unwrap() });
    assert_eq!(receiver.await, Ok(7));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn broadcast_reaches_everybody() {
    let (sender, mut first) = broadcast::channel(4);
    let mut second = sender.subscribe();
    let task = tokio::spawn(async move { (second.recv().await, second.recv().await) });
    sender.send(1).unwrap();
    sender.send(2).unwrap();
    assert_eq!((first.recv().await, first.recv().await), (Ok(1), Ok(2)));
    assert_eq!(task.await.unwrap(), (Ok(1), Ok(2)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watch_shows_the_last_value() {
    let (sender, mut receiver) = watch::channel(0);
    let task = tokio::spawn(async move { *receiver.wait_for(|value| *value == 2).await.unwrap() });
    sender.send(1).unwrap();
    sender.send(2).unwrap();
    assert_eq!(task.await.unwrap(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mutex_guards_a_counter() {
    let counter = Arc::new(Mutex::new(0));
    let tasks = [(); 2].map(|()| {
        let counter = Arc::clone(&counter);
        tokio::spawn(async move {
            let mut guard = counter.lock().await;
            let value = *guard;
            tokio::task::yield_now().await;
            *guard = value + 1;
        })
    });
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(*counter.lock().await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rwlock_lets_readers_see_whole_values() {
    let pair = Arc::new(RwLock::new((0, 0)));
    let theirs = Arc::clone(&pair);
    let writer = tokio::spawn(async move {
        let mut pair = theirs.write().await;
        pair.0 += 1;
        tokio::task::yield_now().await;
        pair.1 += 1;
    });
    let seen = *pair.read().await;
    assert_eq!(seen.0, seen.1);
    writer.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn semaphore_lets_one_in_at_a_time() {
    let semaphore = Arc::new(Semaphore::new(1));
    let inside = Arc::new(AtomicU32::new(0));
    let tasks = [(); 2].map(|()| {
        let (semaphore, inside) = (Arc::clone(&semaphore), Arc::clone(&inside));
        tokio::spawn(async move {
            let _permit = semaphore.acquire().await.unwrap();
            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
            tokio::task::yield_now().await;
            inside.fetch_sub(1, Ordering::SeqCst);
        })
    });
    for task in tasks {
        task.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notify_one_keeps_a_permit() {
    let notify = Arc::new(Notify::new());
    let theirs = Arc::clone(&notify);
    let task = tokio::spawn(async move { theirs.notified().await });
    notify.notify_one();
    task.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn barrier_has_one_leader() {
    let barrier = Arc::new(Barrier::new(2));
    let theirs = Arc::clone(&barrier);
    let task = tokio::spawn(async move { theirs.wait().await.is_leader() });
    let here = barrier.wait().await.is_leader();
    assert_ne!(here, task.await.unwrap());
}

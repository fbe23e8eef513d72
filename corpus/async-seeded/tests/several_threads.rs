//! Bugs of tasks that run on several threads. On an idle machine most of these tests pass under `cargo test`.

use event_listener::Event;
use futures::StreamExt;
use futures::executor::{ThreadPool, block_on};
use futures::task::SpawnExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use tokio::sync::{Mutex, Notify, Semaphore, broadcast, mpsc, oneshot, watch};
use tokio::task::JoinSet;

/// Bug: the lock is given back between the look and the write.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn balance_is_read_and_written_under_two_locks() {
    let balance = Arc::new(Mutex::new(0));
    let mut tasks = JoinSet::new();
    for _ in 0..2 {
        let balance = Arc::clone(&balance);
        tasks.spawn(async move {
            let seen = *balance.lock().await;
            *balance.lock().await = seen + 1;
        });
    }
    while tasks.join_next().await.is_some() {}
    assert_eq!(*balance.lock().await, 2);
}

/// Bug: two locks, each held across the await of the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn locks_are_held_across_awaits_in_two_orders() {
    let (from, to) = (Arc::new(Mutex::new(1)), Arc::new(Mutex::new(2)));
    let (theirs, others) = (Arc::clone(&from), Arc::clone(&to));
    let task = tokio::spawn(async move {
        let other = others.lock().await;
        *theirs.lock().await += *other;
    });
    {
        let from = from.lock().await;
        *to.lock().await += *from;
    }
    task.await.unwrap();
}

/// Bug: `notify_waiters` wakes those only who wait already.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notification_comes_between_look_and_wait() {
    let (ready, notify) = (Arc::new(AtomicBool::new(false)), Arc::new(Notify::new()));
    let (theirs, notified) = (Arc::clone(&ready), Arc::clone(&notify));
    let task = tokio::spawn(async move {
        while !theirs.load(Ordering::SeqCst) {
            notified.notified().await;
        }
    });
    ready.store(true, Ordering::SeqCst);
    notify.notify_waiters();
    task.await.unwrap();
}

/// Bug: the first task is taken to be the first to end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn join_set_is_taken_to_keep_the_order() {
    let mut tasks = JoinSet::new();
    tasks.spawn(async { 1 });
    tasks.spawn(async { 2 });
    let mut results = Vec::new();
    while let Some(result) = tasks.join_next().await {
        results.push(result.unwrap());
    }
    assert_eq!(results, [1, 2]);
}

/// Bug: whoever subscribes after the last change waits for another one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watcher_subscribes_after_the_change() {
    let (sender, _keep) = watch::channel(0);
    let sender = Arc::new(sender);
    let theirs = Arc::clone(&sender);
    let watcher = tokio::spawn(async move {
        let mut receiver = theirs.subscribe();
        receiver.changed().await.unwrap();
        *receiver.borrow()
    });
    tokio::task::yield_now().await;
    sender.send_replace(7);
    assert_eq!(watcher.await.unwrap(), 7);
}

/// Bug: the channel holds two messages, and three are sent at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn broadcast_receiver_lags_behind() {
    let (sender, mut receiver) = broadcast::channel(2);
    let task = tokio::spawn(async move {
        let mut sum = 0;
        for _ in 0..3 {
            sum += receiver.recv().await.unwrap();
        }
        sum
    });
    for number in 1..=3 {
        sender.send(number).unwrap();
        tokio::task::yield_now().await;
    }
    assert_eq!(task.await.unwrap(), 6);
}

/// Bug: there is room in the channel only if the consumer has been quick.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn producer_takes_it_that_there_is_room() {
    let (sender, mut receiver) = mpsc::channel(1);
    let consumer = tokio::spawn(async move { while receiver.recv().await.is_some() {} });
    for number in 0..2 {
        sender.try_send(number).unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
    drop(sender);
    consumer.await.unwrap();
}

/// Bug: a server that is told to stop drops the requests that it has not seen.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn request_is_dropped_at_shutdown() {
    let (requests, mut queue) = mpsc::channel::<oneshot::Sender<u32>>(4);
    let (stop, stopped) = oneshot::channel::<()>();
    let client = tokio::spawn(async move {
        let (answer, answered) = oneshot::channel();
        if requests.send(answer).await.is_ok() {
            assert_eq!(answered.await, Ok(7));
        }
    });
    let server = tokio::spawn(async move {
        let mut stopped = stopped;
        loop {
            tokio::select! {
                biased;
                _ = &mut stopped => return,
                Some(answer) = queue.recv() => answer.send(7).unwrap(),
            }
        }
    });
    tokio::task::yield_now().await;
    stop.send(()).unwrap();
    server.await.unwrap();
    client.await.unwrap();
}

/// Bug: the permit is given back before the work is done.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn permit_does_not_cover_the_work() {
    let permits = Arc::new(Semaphore::new(1));
    let inside = Arc::new(AtomicU32::new(0));
    let mut tasks = JoinSet::new();
    for _ in 0..2 {
        let (permits, inside) = (Arc::clone(&permits), Arc::clone(&inside));
        tasks.spawn(async move {
            let _ = permits.acquire().await.unwrap();
            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
            inside.fetch_sub(1, Ordering::SeqCst);
        });
    }
    while let Some(result) = tasks.join_next().await {
        result.unwrap();
    }
}

/// Bug: the one who waits listens only after it has looked.
#[test]
fn executor_task_listens_after_the_look() {
    let executor = Arc::new(async_executor::Executor::new());
    let (ready, event) = (Arc::new(AtomicBool::new(false)), Arc::new(Event::new()));
    let (theirs, told) = (Arc::clone(&ready), Arc::clone(&event));
    let waits = executor.spawn(async move {
        if !theirs.load(Ordering::SeqCst) {
            told.listen().await;
        }
    });
    let raiser = thread::spawn(move || {
        ready.store(true, Ordering::SeqCst);
        event.notify(usize::MAX);
    });
    futures_lite::future::block_on(executor.run(waits));
    raiser.join().unwrap();
}

/// Bug: two tasks of smol look whether there is a connection, and both make one.
#[test]
fn smol_tasks_both_make_the_connection() {
    let executor = Arc::new(smol::Executor::new());
    let made = Arc::new(AtomicU32::new(0));
    let pool = Arc::new(async_lock::RwLock::new(None));
    let tasks: Vec<_> = (0..2)
        .map(|_| {
            let (made, pool) = (Arc::clone(&made), Arc::clone(&pool));
            executor.spawn(async move {
                if pool.read().await.is_none() {
                    let number = made.fetch_add(1, Ordering::SeqCst) + 1;
                    *pool.write().await = Some(number);
                }
            })
        })
        .collect();
    let (stop, stopped) = async_channel::bounded::<()>(1);
    let worker = {
        let executor = Arc::clone(&executor);
        thread::spawn(move || smol::block_on(executor.run(stopped.recv())))
    };
    smol::block_on(executor.run(async {
        for task in tasks {
            task.await;
        }
    }));
    drop(stop);
    let _ = worker.join();
    assert_eq!(made.load(Ordering::SeqCst), 1);
}

/// Bug: nobody waits for the tasks of the pool before the result is read.
#[test]
fn pool_is_not_waited_for() {
    let pool = ThreadPool::builder().pool_size(2).create().unwrap();
    let (sender, mut receiver) = futures::channel::mpsc::unbounded();
    let sum = Arc::new(AtomicU32::new(0));
    for number in 1..=2 {
        let (sender, sum) = (sender.clone(), Arc::clone(&sum));
        pool.spawn(async move {
            sender.unbounded_send(number).unwrap();
            sum.fetch_add(number, Ordering::SeqCst);
        })
        .unwrap();
    }
    drop(sender);
    block_on(async {
        receiver.next().await.unwrap();
        receiver.next().await.unwrap();
    });
    assert_eq!(sum.load(Ordering::SeqCst), 3);
}

//! Bugs of tasks that never leave their thread. On an idle machine most of these tests pass under `cargo test`.

use futures::StreamExt;
use futures::executor::LocalPool;
use futures::task::LocalSpawnExt;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc, oneshot, watch};
use tokio::task::{LocalSet, yield_now};
use tokio::time::{sleep, timeout};

fn ms(time: u64) -> Duration {
    Duration::from_millis(time)
}

/// Bug: the count is taken back only if the request is not dropped half-way.
#[tokio::test]
async fn cancelled_request_stays_counted() {
    let open = Rc::new(Cell::new(0));
    let request = async {
        open.set(open.get() + 1);
        sleep(ms(10)).await;
        open.set(open.get() - 1);
    };
    tokio::select! {
        () = request => {}
        () = sleep(ms(15)) => {}
    }
    assert_eq!(open.get(), 0);
}

/// Bug: a message that was taken out of the channel is lost if the tick comes before it was handled.
#[tokio::test]
async fn message_is_lost_between_two_awaits() {
    let (sender, mut receiver) = mpsc::channel(4);
    tokio::spawn(async move {
        sleep(ms(5)).await;
        sender.send(1).await.unwrap();
    });
    let mut handled = 0;
    for _ in 0..3 {
        let next = async {
            let message = receiver.recv().await;
            sleep(ms(2)).await;
            message
        };
        tokio::select! {
            message = next => handled += message.unwrap_or(0),
            () = sleep(ms(10)) => {}
        }
    }
    assert_eq!(handled, 1);
}

/// Bug: the permit is given back by hand, and nobody does if the work is dropped.
#[tokio::test]
async fn permit_of_cancelled_work_is_gone() {
    let permits = Semaphore::new(1);
    let work = async {
        permits.acquire().await.unwrap().forget();
        sleep(ms(20)).await;
        permits.add_permits(1);
    };
    tokio::select! {
        () = work => {}
        () = sleep(ms(28)) => {}
    }
    assert_eq!(permits.available_permits(), 1);
}

/// Bug: what is left in the queue when the worker is told to stop is not handled.
#[tokio::test]
async fn worker_stops_before_its_queue_is_empty() {
    let (sender, mut queue) = mpsc::channel(4);
    let (stop, mut stopped) = watch::channel(false);
    let worker = tokio::spawn(async move {
        let mut handled = 0;
        loop {
            tokio::select! {
                _ = stopped.changed() => return handled,
                Some(job) = queue.recv() => handled += job,
            }
        }
    });
    sender.send(1).await.unwrap();
    sleep(ms(1)).await;
    sender.send(2).await.unwrap();
    stop.send(true).unwrap();
    assert_eq!(worker.await.unwrap(), 3);
}

/// Bug: reads, lets others go on, writes. Five milliseconds keep the two apart.
#[tokio::test]
async fn update_is_lost_between_two_sleepers() {
    let total = Rc::new(Cell::new(0));
    let local = LocalSet::new();
    for start in [10, 15] {
        let total = Rc::clone(&total);
        local.spawn_local(async move {
            sleep(ms(start)).await;
            let seen = total.get();
            yield_now().await;
            total.set(seen + 1);
        });
    }
    local.await;
    assert_eq!(total.get(), 2);
}

/// Bug: an answer that is a little late is taken for a server that is gone.
#[tokio::test]
async fn late_answer_is_taken_for_none() {
    let (answer, answered) = oneshot::channel();
    tokio::spawn(async move {
        sleep(ms(20)).await;
        let _ = answer.send(7);
    });
    assert!(matches!(timeout(ms(30), answered).await, Ok(Ok(7))));
}

/// Bug: as `cancelled_request_stays_counted`, with `select!` of futures, in its own pool.
#[test]
fn local_pool_loses_what_it_had_taken() {
    let mut pool = LocalPool::new();
    let (sender, mut receiver) = futures::channel::mpsc::unbounded();
    let (stop, stopped) = futures::channel::oneshot::channel::<()>();
    let left = Rc::new(Cell::new(0));
    let theirs = Rc::clone(&left);
    pool.spawner()
        .spawn_local(async move {
            let mut stopped = stopped;
            loop {
                futures::select! {
                    message = receiver.next() => match message {
                        Some(_) => theirs.set(theirs.get() - 1),
                        None => break,
                    },
                    _ = stopped => break,
                }
            }
        })
        .unwrap();
    left.set(2);
    sender.unbounded_send(1).unwrap();
    sender.unbounded_send(2).unwrap();
    stop.send(()).unwrap();
    pool.run();
    assert_eq!(left.get(), 0);
}

/// Bug: the timer of a smol task may be late, and the other one does not wait for it.
#[test]
fn smol_reader_does_not_wait_for_the_writer() {
    let executor = Rc::new(smol::LocalExecutor::new());
    let value = Arc::new(AtomicU32::new(0));
    let theirs = Arc::clone(&value);
    let writer = executor.spawn(async move {
        smol::Timer::after(ms(10)).await;
        smol::future::yield_now().await;
        theirs.store(1, Ordering::SeqCst);
    });
    let reader = executor.spawn(async move {
        smol::Timer::after(ms(18)).await;
        value.load(Ordering::SeqCst)
    });
    let seen = smol::block_on(executor.run(async {
        writer.await;
        reader.await
    }));
    assert_eq!(seen, 1);
}

//! tokio's runtimes, its time, and its ways to run tasks.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::{JoinSet, LocalSet};
use tokio::time::{Instant, interval, sleep, timeout};
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn sleeping_takes_no_time() {
    let before = Instant::now();
    let (sender, mut receiver) = mpsc::channel(1);
    tokio::spawn(async move {
        sleep(Duration::from_secs(3600)).await;
        sender.send(5).await.unwrap();
    });
    assert_eq!(receiver.recv().await, Some(5));
    assert!(before.elapsed() >= Duration::from_secs(3600));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn timeouts_end_what_takes_too_long() {
    let (_sender, receiver) = oneshot::channel::<()>();
    assert!(timeout(Duration::from_secs(60), receiver).await.is_err());
    assert_eq!(timeout(Duration::from_secs(60), async { 3 }).await, Ok(3));
}

#[tokio::test]
async fn intervals_come_again_and_again() {
    let before = Instant::now();
    let mut ticks = interval(Duration::from_secs(60));
    for _ in 0..4 {
        ticks.tick().await;
    }
    assert!(before.elapsed() >= Duration::from_secs(180));
}

#[tokio::test(start_paused = true)]
async fn paused_time_is_advanced_by_hand() {
    let before = Instant::now();
    let task = tokio::spawn(async move {
        sleep(Duration::from_secs(10)).await;
        before.elapsed()
    });
    tokio::task::yield_now().await;
    tokio::time::advance(Duration::from_secs(10)).await;
    assert!(task.await.unwrap() >= Duration::from_secs(10));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn blocking_work_runs_apart() {
    let numbers = [1, 2].map(|number| {
        tokio::task::spawn_blocking(move || {
            std::thread::sleep(Duration::from_secs(number));
            number
        })
    });
    let mut sum = 0;
    for number in numbers {
        sum += number.await.unwrap();
    }
    assert_eq!(sum, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_join_set_collects_all_results() {
    let mut set = JoinSet::new();
    for number in 0..3 {
        set.spawn(async move { number });
    }
    let mut all = set.join_all().await;
    all.sort_unstable();
    assert_eq!(all, [0, 1, 2]);
}

#[tokio::test]
async fn a_local_set_runs_what_can_not_be_sent() {
    let local = LocalSet::new();
    let sum = Rc::new(Cell::new(0));
    local
        .run_until(async {
            let theirs = Rc::clone(&sum);
            let task = tokio::task::spawn_local(async move { theirs.set(theirs.get() + 1) });
            tokio::task::yield_now().await;
            task.await.unwrap();
        })
        .await;
    assert_eq!(sum.get(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn select_takes_whichever_comes_first() {
    let (first, mut from_first) = mpsc::channel(1);
    let (second, mut from_second) = mpsc::channel(1);
    tokio::spawn(async move { first.send(1).await.unwrap() });
    tokio::spawn(async move { second.send(2).await.unwrap() });
    let mut sum = 0;
    while sum < 3 {
        tokio::select! {
            Some(number) = from_first.recv() => sum += number,
            Some(number) = from_second.recv() => sum += number,
            else => break,
        }
    }
    assert_eq!(sum, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_task_stops() {
    let token = CancellationToken::new();
    let theirs = token.child_token();
    let task = tokio::spawn(async move {
        tokio::select! {
            () = theirs.cancelled() => "cancelled",
            () = sleep(Duration::from_secs(3600)) => "late",
        }
    });
    token.cancel();
    assert!(matches!(task.await.unwrap(), "cancelled" | "late"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_aborted_task_gives_its_lock_back() {
    let lock = Arc::new(Mutex::new(()));
    let theirs = Arc::clone(&lock);
    let task = tokio::spawn(async move {
        let _guard = theirs.lock().await;
        std::future::pending::<()>().await;
    });
    tokio::task::yield_now().await;
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
    let _guard = lock.lock().await;
}

#[test]
fn a_runtime_that_is_dropped_takes_its_tasks_along() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let value = Arc::new(());
    let theirs = Arc::clone(&value);
    runtime.spawn(async move {
        std::future::pending::<()>().await;
        drop(theirs);
    });
    drop(runtime);
    assert_eq!(Arc::strong_count(&value), 1);
}

#[test]
fn a_handle_blocks_on_a_runtime_elsewhere() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    let handle = runtime.handle().clone();
    let thread = std::thread::spawn(move || handle.block_on(async { tokio::spawn(async { 4 }).await }));
    assert_eq!(thread.join().unwrap().unwrap(), 4);
}

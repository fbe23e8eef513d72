//! Executors other than tokio's.

use futures::channel::{mpsc, oneshot};
use futures::executor::{LocalPool, ThreadPool, block_on};
use futures::task::{LocalSpawnExt, SpawnExt};
use futures::{FutureExt, SinkExt, StreamExt};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn futures_block_on_is_woken_by_a_thread() {
    let (sender, receiver) = oneshot::channel();
    let thread = thread::spawn(move || sender.send(3).unwrap());
    assert_eq!(block_on(receiver), Ok(3));
    thread.join().unwrap();
}

#[test]
fn futures_thread_pool_runs_all_tasks() {
    let pool = ThreadPool::builder().pool_size(2).create().unwrap();
    let count = Arc::new(AtomicU32::new(0));
    let handles: Vec<_> = (0..3)
        .map(|_| {
            let count = Arc::clone(&count);
            pool.spawn_with_handle(async move { count.fetch_add(1, Ordering::SeqCst) }).unwrap()
        })
        .collect();
    let mut seen = block_on(futures::future::join_all(handles));
    seen.sort_unstable();
    assert_eq!(seen, [0, 1, 2]);
}

#[test]
fn futures_local_pool_runs_tasks_in_one_thread() {
    let mut pool = LocalPool::new();
    let sum = Rc::new(Cell::new(0));
    for number in 1..=3 {
        let sum = Rc::clone(&sum);
        pool.spawner().spawn_local(async move { sum.set(sum.get() + number) }).unwrap();
    }
    pool.run();
    assert_eq!(sum.get(), 6);
}

#[test]
fn futures_mpsc_delivers_in_order() {
    let (mut sender, receiver) = mpsc::channel(1);
    let thread = thread::spawn(move || {
        block_on(async move {
            for number in 0..3 {
                sender.send(number).await.unwrap();
            }
        });
    });
    assert_eq!(block_on(receiver.collect::<Vec<_>>()), [0, 1, 2]);
    thread.join().unwrap();
}

#[test]
fn pollster_block_on_is_woken_by_a_thread() {
    let (sender, receiver) = oneshot::channel();
    let thread = thread::spawn(move || sender.send(3).unwrap());
    assert_eq!(pollster::block_on(receiver), Ok(3));
    thread.join().unwrap();
}

#[test]
fn async_executor_runs_on_two_threads() {
    let executor = Arc::new(async_executor::Executor::new());
    let (stop, stopped) = async_channel::bounded::<()>(1);
    let worker = {
        let (executor, stopped) = (Arc::clone(&executor), stopped.clone());
        thread::spawn(move || block_on(executor.run(stopped.recv())).is_ok())
    };
    let tasks: Vec<_> = (0..3).map(|number| executor.spawn(async move { number * 2 })).collect();
    let results = block_on(executor.run(futures::future::join_all(tasks)));
    assert_eq!(results, [0, 2, 4]);
    drop(stop);
    worker.join().unwrap();
}

#[test]
fn smol_waits_for_timers_and_tasks() {
    smol::block_on(async {
        let before = Instant::now();
        let task = smol::spawn(async { 1 + 1 });
        smol::Timer::after(Duration::from_secs(100)).await;
        assert!(before.elapsed() >= Duration::from_secs(100));
        assert_eq!(task.await, 2);
    });
}

#[test]
fn smol_timers_expire_in_order() {
    smol::block_on(async {
        let order = Arc::new(smol::lock::Mutex::new(Vec::new()));
        let tasks = [3, 1, 2].map(|hours| {
            let order = Arc::clone(&order);
            async move {
                smol::Timer::after(Duration::from_secs(3600 * hours)).await;
                order.lock().await.push(hours);
            }
        });
        futures::future::join_all(tasks).await;
        assert_eq!(*order.lock().await, [1, 2, 3]);
    });
}

#[test]
fn smol_intervals_come_again_and_again() {
    smol::block_on(async {
        let before = Instant::now();
        let mut ticks = smol::Timer::interval(Duration::from_secs(60));
        for _ in 0..3 {
            ticks.next().await.unwrap();
        }
        assert!(before.elapsed() >= Duration::from_secs(180));
    });
}

#[test]
fn smol_unblock_runs_on_a_thread_of_its_own() {
    smol::block_on(async {
        let number = smol::unblock(|| {
            thread::sleep(Duration::from_secs(10));
            7
        });
        assert_eq!(number.await, 7);
    });
}

#[test]
fn smol_race_is_won_by_somebody() {
    smol::block_on(async {
        let (sender, receiver) = smol::channel::bounded(1);
        let late = async {
            smol::Timer::after(Duration::from_secs(1)).await;
            None
        };
        let task = smol::spawn(async move { sender.send(5).await });
        let first = smol::future::race(async { receiver.recv().await.ok() }, late).await;
        assert!(matches!(first, None | Some(5)));
        drop(receiver);
        let _ = task.await;
    });
}

#[async_std::test]
async fn async_std_tasks_and_sleeps() {
    let before = Instant::now();
    let task = async_std::task::spawn(async {
        async_std::task::sleep(Duration::from_secs(3600)).await;
        5
    });
    assert_eq!(task.await, 5);
    assert!(before.elapsed() >= Duration::from_secs(3600));
}

#[test]
fn async_lock_guards_a_counter() {
    let lock = Arc::new(async_lock::Mutex::new(0));
    let threads = [(); 2].map(|()| {
        let lock = Arc::clone(&lock);
        thread::spawn(move || block_on(async { *lock.lock().await += 1 }))
    });
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(*block_on(lock.lock()), 2);
}

#[test]
fn async_channel_is_closed_by_its_last_sender() {
    let (sender, receiver) = async_channel::bounded(1);
    let threads = [1, 2].map(|number| {
        let sender = sender.clone();
        thread::spawn(move || block_on(sender.send(number)).unwrap())
    });
    drop(sender);
    let mut all = block_on(receiver.collect::<Vec<_>>());
    all.sort_unstable();
    assert_eq!(all, [1, 2]);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn event_listener_that_is_made_first_misses_nothing() {
    let event = Arc::new(event_listener::Event::new());
    let flag = Arc::new(AtomicU32::new(0));
    let thread = {
        let (event, flag) = (Arc::clone(&event), Arc::clone(&flag));
        thread::spawn(move || {
            flag.store(1, Ordering::SeqCst);
            event.notify(usize::MAX);
        })
    };
    block_on(async {
        while flag.load(Ordering::SeqCst) == 0 {
            let listener = event.listen();
            if flag.load(Ordering::SeqCst) == 0 {
                listener.await;
            }
        }
    });
    thread.join().unwrap();
}

#[test]
fn select_of_futures_drops_the_loser() {
    let (sender, receiver) = oneshot::channel::<u32>();
    let thread = thread::spawn(move || sender.send(1).is_ok());
    let result = block_on(async {
        futures::select! {
            number = receiver.fuse() => number.ok(),
            () = futures::future::ready(()).fuse() => None,
        }
    });
    assert!(matches!(result, None | Some(1)));
    thread.join().unwrap();
}

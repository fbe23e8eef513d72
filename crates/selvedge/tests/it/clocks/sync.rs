//! Threads, locks, channels and barriers: what orders, and what only happens to come first.

use super::Order::{After, Before, Unordered};
use super::{At, Trace, every_execution, order, orders};
use selvedge::OperationKind::{
    AtomicLoad, AtomicStore, BarrierPass, BarrierWait, Join, MutexLock, MutexTryLock, MutexUnlock,
    OnceCall, OnceDone, OnceGet, Park, Receive, RwRead, RwReadUnlock, RwWrite, RwWriteUnlock, Send,
    Spawn, ThreadEnd, ThreadStart, Unpark,
};
use selvedge::sync::atomic::AtomicU32;
use selvedge::sync::atomic::Ordering::Relaxed;
use selvedge::sync::mpsc::{channel, sync_channel};
use selvedge::sync::{Arc, Barrier, Mutex, OnceLock, RwLock};
use selvedge::{Effect, thread};

/// Something that leaves an event and orders nothing.
fn mark() {
    AtomicU32::new(0).store(1, Relaxed);
}

/// The marks of two threads.
fn marks(trace: &Trace, first: u32, second: u32) -> (At<'_>, At<'_>) {
    (trace.only(first, AtomicStore), trace.only(second, AtomicStore))
}

#[test]
fn a_thread_begins_after_it_was_spawned_and_ends_before_it_was_joined() {
    let program = || thread::spawn(mark).join().unwrap();
    every_execution(program, |trace| {
        let (spawn, start) = (trace.only(0, Spawn), trace.only(1, ThreadStart));
        let (end, join) = (trace.only(1, ThreadEnd), trace.only(0, Join));
        assert_eq!(order(spawn, start), Before);
        assert_eq!(order(end, join), Before);
        assert_eq!(order(spawn, join), Before);
    });
}

#[test]
fn the_work_around_a_spawn_and_a_join_is_ordered() {
    let program = || {
        AtomicU32::new(0).load(Relaxed);
        let worker = thread::spawn(mark);
        worker.join().unwrap();
        drop(Mutex::new(()).lock().unwrap());
    };
    every_execution(program, |trace| {
        let work = trace.only(1, AtomicStore);
        assert_eq!(order(trace.only(0, AtomicLoad), work), Before);
        assert_eq!(order(work, trace.only(0, MutexLock)), Before);
    });
}

#[test]
fn threads_that_share_nothing_are_not_ordered_whoever_comes_first() {
    let program = || {
        let other = thread::spawn(mark);
        mark();
        other.join().unwrap();
    };
    let mut first = Vec::new();
    every_execution(program, |trace| {
        let (here, there) = marks(trace, 0, 1);
        assert_eq!(order(here, there), Unordered);
        first.push(here.came_before(there));
    });
    assert!(first.contains(&true) && first.contains(&false), "only one order was run");
}

#[test]
fn the_end_of_a_scope_comes_after_its_threads() {
    let program = || {
        thread::scope(|scope| {
            scope.spawn(mark);
        });
        mark();
    };
    assert_eq!(orders(program, |trace| Some(marks(trace, 1, 0))), [Before]);
}

/// Two threads that mark and then take a lock, or take it and then mark.
fn both_lock() {
    let lock = Arc::new(Mutex::new(()));
    let theirs = Arc::clone(&lock);
    let other = thread::spawn(move || drop(theirs.lock().unwrap()));
    drop(lock.lock().unwrap());
    other.join().unwrap();
}

#[test]
fn a_lock_comes_after_the_unlock_before_it() {
    let mut seen = Vec::new();
    every_execution(both_lock, |trace| {
        let (here, there) = (trace.only(0, MutexLock), trace.only(1, MutexLock));
        let (first, second) = if here.came_before(there) { (0, 1) } else { (1, 0) };
        seen.push(first);
        let unlock = trace.only(first, MutexUnlock);
        assert_eq!(order(unlock, trace.only(second, MutexLock)), Before);
    });
    assert!(seen.contains(&0) && seen.contains(&1), "only one order was run");
}

#[test]
fn critical_sections_are_ordered_either_way() {
    let seen =
        orders(both_lock, |trace| Some((trace.only(0, MutexLock), trace.only(1, MutexLock))));
    assert_eq!(seen, [Before, After]);
}

#[test]
fn a_refused_try_lock_orders_nothing() {
    let program = || {
        let lock = Arc::new(Mutex::new(()));
        let theirs = Arc::clone(&lock);
        let holder = thread::spawn(move || {
            let guard = theirs.lock().unwrap();
            mark();
            drop(guard);
        });
        drop(lock.try_lock());
        mark();
        holder.join().unwrap();
    };
    let seen = orders(program, |trace| {
        let refused = trace.only(0, MutexTryLock).effect() == Effect::Refused;
        refused.then(|| marks(trace, 1, 0))
    });
    assert_eq!(seen, [Unordered]);
}

#[test]
fn a_writer_is_ordered_with_readers_and_writers() {
    let program = || {
        let lock = Arc::new(RwLock::new(()));
        let theirs = Arc::clone(&lock);
        let writer = thread::spawn(move || drop(theirs.write().unwrap()));
        drop(lock.read().unwrap());
        writer.join().unwrap();
    };
    every_execution(program, |trace| {
        let (read, write) = (trace.only(0, RwRead), trace.only(1, RwWrite));
        let (end, begin) = match read.came_before(write) {
            true => (trace.only(0, RwReadUnlock), write),
            false => (trace.only(1, RwWriteUnlock), read),
        };
        assert_eq!(order(end, begin), Before);
    });
}

#[test]
fn readers_are_not_ordered_with_each_other() {
    let program = || {
        let lock = Arc::new(RwLock::new(()));
        let theirs = Arc::clone(&lock);
        let other = thread::spawn(move || drop(theirs.read().unwrap()));
        drop(lock.read().unwrap());
        other.join().unwrap();
    };
    let seen = orders(program, |trace| Some((trace.only(0, RwRead), trace.only(1, RwRead))));
    assert_eq!(seen, [Unordered]);
}

#[test]
fn a_message_is_received_after_it_was_sent() {
    let program = || {
        let (sender, receiver) = channel();
        let producer = thread::spawn(move || {
            mark();
            sender.send(()).unwrap();
        });
        receiver.recv().unwrap();
        mark();
        producer.join().unwrap();
    };
    every_execution(program, |trace| {
        let (before, after) = marks(trace, 1, 0);
        assert_eq!(order(before, after), Before);
        assert_eq!(order(trace.only(1, Send), trace.only(0, Receive)), Before);
    });
}

#[test]
fn a_bounded_send_that_waited_comes_after_the_receive_that_made_room() {
    let program = || {
        let (sender, receiver) = sync_channel(1);
        sender.send(1).unwrap();
        let consumer = thread::spawn(move || {
            mark();
            receiver.recv().unwrap();
            receiver
        });
        sender.send(2).unwrap();
        mark();
        consumer.join().unwrap();
    };
    assert_eq!(orders(program, |trace| Some(marks(trace, 1, 0))), [Before]);
}

#[test]
fn receiving_one_message_says_nothing_about_the_sender_of_another() {
    let program = || {
        let (sender, receiver) = channel();
        let other = sender.clone();
        thread::scope(|scope| {
            scope.spawn(move || sender.send(1).unwrap());
            scope.spawn(move || other.send(2).unwrap());
            receiver.recv().unwrap();
            mark();
        });
    };
    // The message that came first is received; how does the other send lie to what follows?
    let seen = orders(program, |trace| {
        let (one, two) = (trace.only(1, Send), trace.only(2, Send));
        let late = if one.came_before(two) { two } else { one };
        Some((late, trace.only(0, AtomicStore)))
    });
    assert_eq!(seen, [Unordered]);
}

#[test]
fn a_park_comes_after_the_unpark_that_ended_it() {
    let program = || {
        let test = thread::current();
        let waker = thread::spawn(move || {
            mark();
            test.unpark();
        });
        thread::park();
        mark();
        waker.join().unwrap();
    };
    every_execution(program, |trace| {
        let (before, after) = marks(trace, 1, 0);
        assert_eq!(order(before, after), Before);
        assert_eq!(order(trace.only(1, Unpark), trace.only(0, Park)), Before);
    });
}

#[test]
fn everything_before_a_barrier_comes_before_everything_after_it() {
    let program = || {
        let barrier = Arc::new(Barrier::new(2));
        let theirs = Arc::clone(&barrier);
        let other = thread::spawn(move || {
            mark();
            theirs.wait();
            AtomicU32::new(0).load(Relaxed);
        });
        mark();
        barrier.wait();
        AtomicU32::new(0).load(Relaxed);
        other.join().unwrap();
    };
    every_execution(program, |trace| {
        let (here, there) = marks(trace, 0, 1);
        assert_eq!(order(here, there), Unordered);
        for before in [here, there] {
            for thread in [0, 1] {
                assert_eq!(order(before, trace.only(thread, AtomicLoad)), Before);
            }
        }
        // Both arrive before the one that waited goes on.
        let passes: Vec<_> = [0, 1].into_iter().flat_map(|t| trace.of(t, BarrierPass)).collect();
        assert_eq!(passes.len(), 1);
        for thread in [0, 1] {
            assert_eq!(order(trace.only(thread, BarrierWait), passes[0]), Before);
        }
    });
}

#[test]
fn a_value_is_seen_after_it_was_set() {
    let program = || {
        let cell = Arc::new(OnceLock::new());
        let theirs = Arc::clone(&cell);
        let setter = thread::spawn(move || {
            mark();
            theirs.get_or_init(|| 1);
        });
        cell.get();
        mark();
        setter.join().unwrap();
    };
    let seen = orders(program, |trace| {
        let set = trace.only(0, OnceGet).effect() == Effect::Done;
        set.then(|| marks(trace, 1, 0))
    });
    assert_eq!(seen, [Before]);
    let seen = orders(program, |trace| {
        let set = trace.only(0, OnceGet).effect() == Effect::Done;
        (!set).then(|| marks(trace, 1, 0))
    });
    assert_eq!(seen, [Unordered]);
}

#[test]
fn who_waits_for_an_initialisation_comes_after_its_end() {
    let program = || {
        let cell = OnceLock::new();
        thread::scope(|scope| {
            scope.spawn(|| *cell.get_or_init(|| 1));
            scope.spawn(|| *cell.get_or_init(|| 2));
        });
    };
    every_execution(program, |trace| {
        let done = [1, 2].into_iter().flat_map(|t| trace.of(t, OnceDone)).next();
        let done = done.expect("somebody initialised it");
        let late = 3 - done.event.thread.0;
        for call in trace.of(late, OnceCall) {
            assert_eq!(order(done, call), Before);
        }
    });
}

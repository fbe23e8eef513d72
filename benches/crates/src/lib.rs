//! Tests of published crates that use the locks of `std`, for the study.

#[cfg(test)]
mod tests {
    use crossbeam_channel::{bounded, select, unbounded};
    use crossbeam_utils::sync::{Parker, ShardedLock, WaitGroup};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use threadpool::ThreadPool;

    /// A channel without room, one with room for one message, and a selection over both.
    #[test]
    fn crossbeam_channel() {
        let (meet, met) = bounded(0);
        let (put, taken) = bounded(1);
        let (stop, stopped) = unbounded::<()>();
        let mut threads = Vec::new();
        for number in 0..2 {
            let meet = meet.clone();
            threads.push(thread::spawn(move || meet.send(number).unwrap()));
            let put = put.clone();
            threads.push(thread::spawn(move || {
                put.send(10 + number).unwrap();
                let _ = put.try_send(20 + number);
            }));
        }
        drop((meet, put));
        let selecting = {
            let (met, taken) = (met.clone(), taken.clone());
            thread::spawn(move || {
                loop {
                    select! {
                        recv(met) -> _ => {}
                        recv(taken) -> _ => {}
                        recv(stopped) -> _ => break,
                    }
                }
            })
        };
        let receiving = thread::spawn(move || {
            let _ = taken.try_recv();
            let _ = met.try_recv();
        });
        for thread in threads {
            thread.join().unwrap();
        }
        receiving.join().unwrap();
        drop(stop);
        selecting.join().unwrap();
    }

    /// A lock in shards, a group to wait for, and a thread that is parked.
    #[test]
    fn crossbeam_utils() {
        let numbers = Arc::new(ShardedLock::new(vec![1]));
        let group = WaitGroup::new();
        let parker = Parker::new();
        for number in 0..3 {
            let (numbers, group) = (Arc::clone(&numbers), group.clone());
            thread::spawn(move || {
                numbers.write().unwrap().push(number);
                let _ = numbers.try_read().map(|numbers| numbers.len());
                let _ = numbers.read().unwrap().len();
                drop(group);
            });
        }
        let unparker = parker.unparker().clone();
        let waking = thread::spawn({
            let numbers = Arc::clone(&numbers);
            move || {
                let _ = numbers.try_write().map(|mut numbers| numbers.push(9));
                unparker.unpark();
            }
        });
        parker.park();
        group.wait();
        waking.join().unwrap();
        assert!(numbers.read().unwrap().len() >= 4);
    }

    /// Jobs that start jobs, from two threads, and two that wait for all of them.
    #[test]
    fn threadpool() {
        let pool = ThreadPool::new(3);
        let done = Arc::new(AtomicUsize::new(0));
        let job = |done: &Arc<AtomicUsize>| {
            let done = Arc::clone(done);
            move || {
                done.fetch_add(1, Ordering::Relaxed);
            }
        };
        let other = thread::spawn({
            let (pool, job) = (pool.clone(), job(&done));
            move || {
                pool.execute(job);
                pool.join();
            }
        });
        for _ in 0..3 {
            let (again, inner) = (pool.clone(), job(&done));
            let outer = job(&done);
            pool.execute(move || {
                again.execute(inner);
                outer();
            });
        }
        pool.join();
        other.join().unwrap();
        pool.join();
        assert_eq!(done.load(Ordering::Relaxed), 7);
    }
}

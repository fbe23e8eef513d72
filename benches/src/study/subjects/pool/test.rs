//! Ten threads that use one pool, each in its own way.

use super::{Order, Pool};
use selvedge::sync::Arc;
use selvedge::thread;

/// What each of the threads does.
const THREADS: [fn(&Pool); 10] = [
    |pool| {
        let item = pool.borrow();
        pool.touch(&item);
        pool.give_back(item);
        _ = pool.num_idle();
        _ = pool.times_lent();
        pool.evict();
    },
    |pool| {
        _ = pool.max_total();
        let item = pool.borrow();
        assert!(pool.is_lent(&item));
        pool.discard(item);
        _ = pool.times_discarded();
        pool.rotate();
    },
    |pool| {
        pool.add();
        let item = pool.borrow();
        let item = pool.exchange(item);
        pool.give_back(item);
        _ = pool.made();
        _ = pool.lent_ids();
    },
    |pool| {
        if let Some(item) = pool.try_borrow() {
            pool.give_back(item);
        }
        _ = pool.times_refused();
        pool.set_max_idle(3);
        pool.prepare();
        _ = pool.num_waiting();
    },
    |pool| {
        _ = pool.describe();
        let item = pool.borrow();
        pool.mark_broken(&item);
        pool.repair(&item);
        pool.give_back(item);
        pool.reverse();
        _ = pool.upkeep();
    },
    |pool| {
        pool.validate();
        _ = pool.num_lent();
        pool.set_min_idle(2);
        _ = pool.load();
        pool.wake_all();
        pool.reset_factory();
    },
    |pool| {
        let (idle, lent, total) = pool.snapshot();
        assert_eq!(idle + lent, total, "an object is neither idle nor lent");
        pool.set_order(Order::OldestFirst);
        let item = pool.borrow();
        pool.tag_lent(7);
        pool.give_back(item);
        _ = pool.num_total();
        _ = pool.destroyed();
    },
    |pool| {
        pool.add_listener(1);
        pool.clear();
        _ = pool.is_exhausted();
        _ = pool.newest_lent();
        _ = pool.tell_listeners();
        _ = pool.min_idle();
    },
    |pool| {
        pool.reset_stats();
        let item = pool.borrow();
        _ = pool.find_unused();
        pool.give_back(item);
        _ = pool.idle_ids();
        pool.flip_order();
        _ = pool.is_newest_first();
    },
    |pool| {
        pool.set_max_total(4);
        pool.configure(2, 1);
        _ = pool.times_returned();
        pool.remove_listener(1);
        _ = pool.max_idle();
        pool.add();
    },
];

pub(crate) fn test() {
    let pool = Arc::new(Pool::new(3));
    let threads = THREADS.map(|work| {
        let pool = Arc::clone(&pool);
        thread::spawn(move || work(&pool))
    });
    for thread in threads {
        thread.join().expect("no thread of a correct test panics");
    }
    let (idle, lent, total) = pool.snapshot();
    assert_eq!((idle, lent), (total, 0), "an object was lost");
}

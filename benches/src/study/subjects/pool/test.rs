//! Ten threads that use three pools with statistics and a journal in common, each in its own way.

use super::keyed::Keyed;
use super::stack::Stack;
use super::{Journal, Order, Pool, Stats};
use selvedge::sync::{Arc, Mutex};
use selvedge::thread;

struct Pools {
    pool: Pool,
    keyed: Keyed,
    stack: Stack,
}

/// What each of the threads does.
const THREADS: [fn(&Pools); 10] = [
    |Pools { pool, keyed, stack }| {
        let item = pool.borrow();
        pool.touch(&item);
        keyed.prepare(1, 2);
        pool.give_back(item);
        _ = pool.num_idle();
        _ = stack.peek();
        _ = keyed.num_lent_of(1);
        _ = pool.times_lent();
        pool.evict();
        stack.trim(2);
        _ = keyed.kinds();
        keyed.sort();
    },
    |Pools { pool, keyed, stack }| {
        _ = pool.max_total();
        stack.add();
        let item = pool.borrow();
        assert!(pool.is_lent(&item));
        _ = keyed.num_idle();
        pool.discard(item);
        _ = pool.times_discarded();
        pool.rotate();
        keyed.set_lent_limit(3);
        _ = stack.made();
        keyed.clear_kind(1);
    },
    |Pools { pool, keyed, stack }| {
        pool.add();
        let other = keyed.borrow(1);
        let item = pool.borrow();
        let item = pool.exchange(item);
        pool.give_back(item);
        keyed.give_back(1, other);
        _ = pool.made();
        stack.reverse();
        _ = pool.lent_ids();
        _ = keyed.describe();
    },
    |Pools { pool, keyed, stack }| {
        if let Some(item) = pool.try_borrow() {
            pool.give_back(item);
        }
        _ = keyed.largest();
        _ = pool.times_refused();
        let item = stack.borrow();
        pool.set_max_idle(3);
        stack.give_back(item);
        pool.prepare();
        keyed.forget_empty();
        _ = pool.num_waiting();
    },
    |Pools { pool, keyed, stack }| {
        _ = pool.describe();
        let item = pool.borrow();
        pool.mark_broken(&item);
        keyed.add(2);
        pool.repair(&item);
        pool.give_back(item);
        _ = stack.num_idle();
        pool.reverse();
        _ = keyed.lent_limit();
        _ = pool.upkeep();
        keyed.evict();
    },
    |Pools { pool, keyed, stack }| {
        pool.validate();
        _ = keyed.borrow(2);
        _ = pool.num_lent();
        keyed.discard(2);
        pool.set_min_idle(2);
        stack.sort();
        _ = pool.load();
        pool.wake_all();
        _ = keyed.made();
        pool.reset_factory();
    },
    |Pools { pool, keyed, stack }| {
        let (idle, lent, total) = pool.snapshot();
        assert_eq!(idle + lent, total, "an object is neither idle nor lent");
        pool.set_order(Order::OldestFirst);
        let item = pool.borrow();
        _ = keyed.idle_limit();
        pool.tag_lent(7);
        pool.give_back(item);
        keyed.clear();
        _ = pool.num_total();
        _ = stack.contains(1);
        _ = pool.destroyed();
    },
    |Pools { pool, keyed, stack }| {
        pool.add_listener(1);
        pool.clear();
        _ = keyed.has_kind(1);
        _ = pool.is_exhausted();
        stack.clear();
        _ = pool.newest_lent();
        let item = keyed.borrow(1);
        _ = pool.tell_listeners();
        keyed.give_back(1, item);
        _ = pool.min_idle();
    },
    |Pools { pool, keyed, stack }| {
        pool.reset_stats();
        let item = pool.borrow();
        _ = pool.find_unused();
        keyed.set_idle_limit(1);
        pool.give_back(item);
        _ = pool.idle_ids();
        _ = keyed.num_idle_of(2);
        pool.flip_order();
        _ = pool.is_newest_first();
        stack.add();
    },
    |Pools { pool, keyed, stack }| {
        pool.set_max_total(4);
        _ = keyed.num_lent();
        pool.configure(2, 1);
        let item = stack.borrow();
        _ = pool.times_returned();
        pool.remove_listener(1);
        stack.give_back(item);
        _ = pool.max_idle();
        pool.add();
    },
];

pub(crate) fn test() {
    let stats = Arc::new(Mutex::new(Stats::default()));
    let journal = Journal::default();
    let pools = Arc::new(Pools {
        pool: Pool::new(3, Arc::clone(&stats), Arc::clone(&journal)),
        keyed: Keyed::new(Arc::clone(&stats), Arc::clone(&journal)),
        stack: Stack::new(stats, journal),
    });
    let threads = THREADS.map(|work| {
        let pools = Arc::clone(&pools);
        thread::spawn(move || work(&pools))
    });
    for thread in threads {
        thread.join().expect("no thread of a correct test panics");
    }
    let (idle, lent, total) = pools.pool.snapshot();
    assert_eq!((idle, lent), (total, 0), "an object was lost");
    assert_eq!(pools.keyed.num_lent(), 0);
}

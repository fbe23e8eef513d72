//! Programs that fail in some interleavings, by a panic or by waiting for ever.

use super::crew::{share, start, wait_for};
use super::prims::{Arc, AtomicBool, AtomicUsize, Condvar, Mutex, Ordering::SeqCst, RwLock};
use crate::program::{Program, programs};

/// Every program, in the order of the table.
pub(crate) const ALL: &[Program] = programs![
    lost_update(),
    lost_update_padded(20),
    abba(),
    philosophers(3),
    philosophers(4),
    check_then_act(),
    lost_wakeup(),
    atomicity3(),
    bounded_buffer(1),
    bounded_buffer(2),
    delayed_publish(20),
    delayed_publish(100),
    aba(),
    rw_upgrade(),
    wait_without_loop(),
];

/// An increment in two halves, twice at a time.
fn lost_update() {
    lost_update_padded(0);
}

/// The same with `padding` operations before and after that concern nobody else.
fn lost_update_padded(padding: usize) {
    let visits = Arc::new(AtomicUsize::new(0));
    share(&visits, 2, move |visits, _| {
        let own = AtomicUsize::new(0);
        let pad = || {
            for _ in 0..padding {
                own.fetch_add(1, SeqCst);
            }
        };
        pad();
        visits.store(visits.load(SeqCst) + 1, SeqCst);
        pad();
    });
    assert_eq!(visits.load(SeqCst), 2, "a visit was lost");
}

/// Two locks, taken in either order.
fn abba() {
    let locks = Arc::new([Mutex::new(()), Mutex::new(())]);
    share(&locks, 2, |locks, first| {
        let _outer = locks[first].lock().unwrap();
        let _inner = locks[1 - first].lock().unwrap();
    });
}

/// Everybody takes the fork to the left, then the one to the right.
fn philosophers(seats: usize) {
    let forks: Arc<Vec<Mutex<()>>> = Arc::new((0..seats).map(|_| Mutex::new(())).collect());
    share(&forks, seats, |forks, seat| {
        let _left = forks[seat].lock().unwrap();
        let _right = forks[(seat + 1) % forks.len()].lock().unwrap();
    });
}

/// The balance may have changed between the look at it and the withdrawal.
fn check_then_act() {
    let balance = Arc::new(Mutex::new(100));
    share(&balance, 2, |balance, _| {
        let covered = *balance.lock().unwrap() >= 100;
        if covered {
            *balance.lock().unwrap() -= 100;
        }
    });
    assert!(*balance.lock().unwrap() >= 0, "overdrawn");
}

/// The notification may come after the look at the flag and before the wait, which then lasts for
/// ever.
fn lost_wakeup() {
    struct Gate {
        lock: Mutex<()>,
        opened: Condvar,
        open: AtomicBool,
    }

    let gate = Arc::new(Gate {
        lock: Mutex::new(()),
        opened: Condvar::new(),
        open: AtomicBool::new(false),
    });
    let porter = start(&gate, 0, |gate, _| {
        gate.open.store(true, SeqCst);
        gate.opened.notify_one();
    });
    if !gate.open.load(SeqCst) {
        let guard = gate.lock.lock().unwrap();
        drop(gate.opened.wait(guard).unwrap());
    }
    wait_for(vec![porter]);
}

/// Three threads read and write in two critical sections; it shows only if all three read before
/// any of them writes.
fn atomicity3() {
    let visits = Arc::new(Mutex::new(0));
    share(&visits, 3, |visits, _| {
        let seen = *visits.lock().unwrap();
        *visits.lock().unwrap() = seen + 1;
    });
    assert!(*visits.lock().unwrap() > 1, "two visits were lost");
}

/// Room for one item and one condition variable for both sides: a single notification may wake
/// somebody of the same side, and then everybody waits.
fn bounded_buffer(items: usize) {
    struct Buffer {
        filled: Mutex<usize>,
        changed: Condvar,
    }

    let buffer = Arc::new(Buffer { filled: Mutex::new(0), changed: Condvar::new() });
    share(&buffer, 4, move |buffer, number| {
        // The first two fill the buffer, the others empty it.
        let (when, then) = if number < 2 { (0, 1) } else { (1, 0) };
        for _ in 0..items {
            let mut filled = buffer.filled.lock().unwrap();
            while *filled != when {
                filled = buffer.changed.wait(filled).unwrap();
            }
            *filled = then;
            buffer.changed.notify_one();
        }
    });
}

/// Goes wrong only if a thread of one step is held back until another has made `steps`.
fn delayed_publish(steps: usize) {
    let published = Arc::new(AtomicBool::new(false));
    let short = start(&published, 0, |published, _| published.store(true, SeqCst));
    let long = start(&published, 1, move |published, _| {
        let own = AtomicUsize::new(0);
        for _ in 0..steps {
            own.fetch_add(1, SeqCst);
        }
        assert!(published.load(SeqCst), "used before it was published");
    });
    wait_for(vec![short, long]);
}

/// The end of the list of `Stack`.
const NIL: usize = usize::MAX;

/// A lock-free stack of three nodes that knows them by number.
struct Stack {
    top: AtomicUsize,
    below: [AtomicUsize; 3],
    /// How often each node is with somebody.
    taken: [AtomicUsize; 3],
}

impl Stack {
    fn full() -> Self {
        Self {
            top: AtomicUsize::new(0),
            below: [AtomicUsize::new(1), AtomicUsize::new(2), AtomicUsize::new(NIL)],
            taken: [AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0)],
        }
    }

    fn pop(&self) -> Option<usize> {
        loop {
            let node = self.top.load(SeqCst);
            if node == NIL {
                return None;
            }
            let below = self.below[node].load(SeqCst);
            if self.top.compare_exchange(node, below, SeqCst, SeqCst).is_ok() {
                assert_eq!(self.taken[node].fetch_add(1, SeqCst), 0, "handed out twice");
                return Some(node);
            }
        }
    }

    fn push(&self, node: usize) {
        self.taken[node].fetch_sub(1, SeqCst);
        loop {
            let top = self.top.load(SeqCst);
            self.below[node].store(top, SeqCst);
            if self.top.compare_exchange(top, node, SeqCst, SeqCst).is_ok() {
                return;
            }
        }
    }
}

/// A node that comes back while somebody is about to take it makes the stale exchange succeed.
fn aba() {
    let stack = Arc::new(Stack::full());
    let other = start(&stack, 0, |stack, _| {
        stack.pop();
        stack.pop();
    });
    let first = stack.pop();
    stack.pop();
    if let Some(node) = first {
        stack.push(node);
    }
    wait_for(vec![other]);
}

/// Somebody else may have come first between the read lock and the write lock.
fn rw_upgrade() {
    struct Cache {
        value: RwLock<Option<usize>>,
        made: AtomicUsize,
    }

    let cache = Arc::new(Cache { value: RwLock::new(None), made: AtomicUsize::new(0) });
    share(&cache, 2, |cache, number| {
        let absent = cache.value.read().unwrap().is_none();
        if absent {
            *cache.value.write().unwrap() = Some(number);
            cache.made.fetch_add(1, SeqCst);
        }
    });
    assert_eq!(cache.made.load(SeqCst), 1, "made twice");
}

/// Whoever waits without looking again may find that the item is gone.
fn wait_without_loop() {
    struct Shelf {
        items: Mutex<i32>,
        came: Condvar,
    }

    let shelf = Arc::new(Shelf { items: Mutex::new(0), came: Condvar::new() });
    let customer = |shelf: &Shelf, _| {
        let mut items = shelf.items.lock().unwrap();
        if *items == 0 {
            items = shelf.came.wait(items).unwrap();
        }
        *items -= 1;
        assert!(*items >= 0, "took what was not there");
    };
    let customers = (0..2).map(|number| start(&shelf, number, customer)).collect();
    for _ in 0..2 {
        *shelf.items.lock().unwrap() += 1;
        shelf.came.notify_all();
    }
    wait_for(customers);
}

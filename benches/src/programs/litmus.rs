//! Programs that say what they have seen: the set of all answers is compared with what the
//! language allows.

use super::crew::start;
use super::prims::{
    Arc, AtomicUsize, Condvar, Mutex,
    Ordering::{self, Relaxed, SeqCst},
    spawn, yield_now,
};
use crate::program::{Litmus, litmus};
use std::time::Duration;

/// Every program, in the order of the table.
pub(crate) const ALL: &[Litmus] = &[
    litmus("extra_load", extra_load, "0 1"),
    litmus("key_value+load", || key_value(Redundant::Load), "0,0 0,1 1,0 1,1"),
    litmus("key_value", || key_value(Redundant::Nothing), "0,0 0,1 1,0 1,1"),
    litmus("sb_seqcst", || store_buffering(SeqCst), "01 10 11"),
    Litmus {
        consistent: Some("01 10 11"),
        ..litmus("sb_relaxed", || store_buffering(Relaxed), "00 01 10 11")
    },
    Litmus {
        consistent: Some("00 01 10"),
        ..litmus("load_buffering", load_buffering, "00 01 10 11")
    },
    litmus(
        "iriw_seqcst",
        iriw_seqcst,
        "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 1110 1111",
    ),
    litmus("notify_choice", notify_choice, "A B"),
    litmus("wait_timeout", wait_timeout, "ready timeout woken"),
    litmus("cas_weak", cas_weak, "fails succeeds"),
    litmus("spurious_condvar", spurious_condvar, "spurious woken"),
    litmus("join_err", join_err, "Err"),
];

/// Two numbers, both zero to begin with.
struct Pair {
    x: AtomicUsize,
    y: AtomicUsize,
}

impl Pair {
    fn zeros() -> Arc<Self> {
        Arc::new(Self { x: AtomicUsize::new(0), y: AtomicUsize::new(0) })
    }
}

/// A load that nobody needs must not hide what the store after it can do.
fn extra_load() -> String {
    let pair = Pair::zeros();
    let other = start(&pair, 0, |pair, _| {
        pair.x.load(Relaxed);
        pair.x.store(1, Relaxed);
    });
    let seen = pair.x.load(Relaxed);
    other.join().unwrap();
    seen.to_string()
}

/// Whether the writer of `key_value` looks at the key for no reason.
#[derive(Clone, Copy)]
enum Redundant {
    Load,
    Nothing,
}

/// A key is set, a value comes and goes, the key is taken back; seen are the value, then the key.
fn key_value(redundant: Redundant) -> String {
    let pair = Pair::zeros();
    let writer = start(&pair, 0, move |pair, _| {
        let (key, value) = (&pair.x, &pair.y);
        key.store(1, SeqCst);
        value.store(1, SeqCst);
        value.store(0, SeqCst);
        if let Redundant::Load = redundant {
            key.load(SeqCst);
        }
        key.store(0, SeqCst);
    });
    let reader = start(&pair, 1, |pair, _| (pair.y.load(SeqCst), pair.x.load(SeqCst)));
    writer.join().unwrap();
    let (value, key) = reader.join().unwrap();
    format!("{value},{key}")
}

/// Each thread sets its own number and looks at the other's.
fn store_buffering(order: Ordering) -> String {
    let pair = Pair::zeros();
    let one = start(&pair, 0, move |pair, _| {
        pair.x.store(1, order);
        pair.y.load(order)
    });
    let two = start(&pair, 1, move |pair, _| {
        pair.y.store(1, order);
        pair.x.load(order)
    });
    format!("{}{}", one.join().unwrap(), two.join().unwrap())
}

/// Each thread looks at its own number and sets the other's.
fn load_buffering() -> String {
    let pair = Pair::zeros();
    let one = start(&pair, 0, |pair, _| {
        let seen = pair.x.load(Relaxed);
        pair.y.store(1, Relaxed);
        seen
    });
    let two = start(&pair, 1, |pair, _| {
        let seen = pair.y.load(Relaxed);
        pair.x.store(1, Relaxed);
        seen
    });
    format!("{}{}", one.join().unwrap(), two.join().unwrap())
}

/// Two writers, two readers who must agree on which of the writers was first.
fn iriw_seqcst() -> String {
    let pair = Pair::zeros();
    let first = start(&pair, 0, |pair, _| pair.x.store(1, SeqCst));
    let second = start(&pair, 1, |pair, _| pair.y.store(1, SeqCst));
    let reader = start(&pair, 2, |pair, _| (pair.x.load(SeqCst), pair.y.load(SeqCst)));
    // loom has no room for a fifth thread besides this one, so this one reads as well.
    let (y, x) = (pair.y.load(SeqCst), pair.x.load(SeqCst));
    first.join().unwrap();
    second.join().unwrap();
    let (there_x, there_y) = reader.join().unwrap();
    format!("{there_x}{there_y}{y}{x}")
}

/// A begins to wait, then B; one of them is woken.
fn notify_choice() -> String {
    struct Queue {
        state: Mutex<State>,
        /// Somebody has begun to wait.
        arrived: Condvar,
        /// Somebody may go.
        called: Condvar,
    }

    struct State {
        waiting: usize,
        first: Option<&'static str>,
    }

    fn queue_up(queue: &Queue, place: usize, name: &'static str) {
        let mut state = queue.state.lock().unwrap();
        while state.waiting != place {
            state = queue.arrived.wait(state).unwrap();
        }
        state.waiting += 1;
        queue.arrived.notify_all();
        state = queue.called.wait(state).unwrap();
        state.first.get_or_insert(name);
    }

    let queue = Arc::new(Queue {
        state: Mutex::new(State { waiting: 0, first: None }),
        arrived: Condvar::new(),
        called: Condvar::new(),
    });
    let a = start(&queue, 0, |queue, place| queue_up(queue, place, "A"));
    let b = start(&queue, 1, |queue, place| queue_up(queue, place, "B"));
    let mut state = queue.state.lock().unwrap();
    while state.waiting != 2 {
        state = queue.arrived.wait(state).unwrap();
    }
    queue.called.notify_one();
    drop(state);
    let first = loop {
        if let Some(first) = queue.state.lock().unwrap().first {
            break first;
        }
        yield_now();
    };
    queue.called.notify_all();
    a.join().unwrap();
    b.join().unwrap();
    first.to_owned()
}

/// A flag and a condition variable that tells of it.
struct Flag {
    up: Mutex<bool>,
    raised: Condvar,
}

impl Flag {
    fn down() -> Arc<Self> {
        Arc::new(Self { up: Mutex::new(false), raised: Condvar::new() })
    }

    fn raise(&self) {
        *self.up.lock().unwrap() = true;
        self.raised.notify_all();
    }
}

/// A wait with a time limit whose notification may be too early, in time or too late.
fn wait_timeout() -> String {
    let flag = Flag::down();
    let other = start(&flag, 0, |flag, _| flag.raise());
    let up = flag.up.lock().unwrap();
    let answer = if *up {
        drop(up);
        "ready"
    } else {
        let (up, result) = flag.raised.wait_timeout(up, Duration::from_millis(1)).unwrap();
        drop(up);
        if result.timed_out() { "timeout" } else { "woken" }
    };
    other.join().unwrap();
    answer.to_owned()
}

/// An exchange that nobody disturbs and that may fail all the same.
fn cas_weak() -> String {
    let number = AtomicUsize::new(0);
    let other = spawn(|| {});
    let exchanged = number.compare_exchange_weak(0, 1, SeqCst, SeqCst);
    other.join().unwrap();
    if exchanged.is_ok() { "succeeds" } else { "fails" }.to_owned()
}

/// A wait that may end before the flag is up.
fn spurious_condvar() -> String {
    let flag = Flag::down();
    let other = start(&flag, 0, |flag, _| flag.raise());
    let mut answer = "woken";
    let mut up = flag.up.lock().unwrap();
    while !*up {
        up = flag.raised.wait(up).unwrap();
        if !*up {
            answer = "spurious";
        }
    }
    drop(up);
    other.join().unwrap();
    answer.to_owned()
}

/// A thread that panics is the business of whoever joins it.
fn join_err() -> String {
    let other = spawn(|| panic!("as expected"));
    let joined: Result<(), _> = other.join();
    if joined.is_err() { "Err" } else { "Ok" }.to_owned()
}

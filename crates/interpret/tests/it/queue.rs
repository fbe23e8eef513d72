//! A queue whose size is counted in two steps, and one that is right.

use crate::support::{call, order, run};
use selvedge_harness::Wrong;
use selvedge_interpret::{
    Call, Constructor, Context, Object, Part, Results, Role, Sharing, Table, V, show,
};
use selvedge_std::sync::Mutex;
use selvedge_std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::collections::VecDeque;

struct Queue {
    items: Mutex<VecDeque<V>>,
    size: AtomicUsize,
    counts_at_once: bool,
}

impl Queue {
    fn new(counts_at_once: bool) -> Self {
        let (items, size) = (Mutex::new(VecDeque::new()), AtomicUsize::new(0));
        Self { items, size, counts_at_once }
    }

    fn push(&self, item: V) {
        self.items.lock().unwrap().push_back(item);
        if self.counts_at_once {
            self.size.fetch_add(1, SeqCst);
        } else {
            let size = self.size.load(SeqCst);
            self.size.store(size.wrapping_add(1), SeqCst);
        }
    }

    fn pop(&self) -> Option<V> {
        let item = self.items.lock().unwrap().pop_front()?;
        self.size.fetch_sub(1, SeqCst);
        Some(item)
    }
}

fn queue(context: &Context) -> &'static Queue {
    context.shared::<Queue>(0).expect("nobody takes it")
}

static CALLS: [Call; 3] = [
    call("push", &[Role::Value], |c| show!(c, queue(c).push(c.value(0)))),
    call("pop", &[], |c| show!(c, queue(c).pop())),
    Call { results: Results::Weak, ..call("len", &[], |c| show!(c, queue(c).size.load(SeqCst))) },
];

const PARTS: &[Part] = &[Part { sharing: Sharing::Sync }];

static RACY: Table = Table {
    name: "Queue",
    parts: PARTS,
    constructors: &[Constructor {
        name: "new",
        arguments: &[],
        make: |_| Object::one(Queue::new(false)),
    }],
    calls: &CALLS,
};

static RIGHT: Table = Table {
    constructors: &[Constructor {
        name: "new",
        arguments: &[],
        make: |_| Object::one(Queue::new(true)),
    }],
    name: "Queue",
    parts: PARTS,
    calls: &CALLS,
};

#[test]
fn a_size_that_is_wrong_afterwards_is_found_and_the_test_is_small() {
    let came = run(&RACY, &order(1_000));
    let [violation] = &came.violations[..] else { panic!("{:?}", came.violations) };
    assert_eq!(violation.wrong, Wrong::Results);
    assert!(violation.test.len() <= 4, "{:?}", violation.test);
    assert!(violation.possible.iter().all(|one| one.results != violation.seen.results));
}

#[test]
fn a_queue_that_is_right_has_no_findings_and_all_its_pairs_are_covered() {
    let came = run(&RIGHT, &order(100));
    assert_eq!(came.violations, []);
    let counts = &came.summary.counts;
    assert_eq!((counts.covered, counts.pairs), (6, 6));
    assert_eq!((counts.tests, counts.unjudged.total()), (100, 0));
}

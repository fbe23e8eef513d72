//! The determinism check: a test that does something else each time is told so.

use crate::help::{line, portfolio, silent};
use selvedge::sync::Arc;
use selvedge::sync::Mutex;
use selvedge::sync::atomic::AtomicU32;
use selvedge::sync::atomic::Ordering::SeqCst;
use selvedge::{Effect, FindingKind, OperationKind, Step, Toggle, thread};
use std::collections::HashSet;
use std::hash::{BuildHasher, DefaultHasher, Hasher};
use std::sync::atomic::AtomicU32 as RealAtomicU32;

/// The first difference between two runs of one schedule: the number of the step and both steps.
#[track_caller]
fn difference(program: impl Fn() + Send + Sync + 'static) -> (u64, Option<Step>, Option<Step>) {
    let builder = portfolio(100).check_determinism(Toggle::On);
    let found = builder.explore(program).unwrap().finding.expect("it is not deterministic");
    match found.kind {
        FindingKind::Nondeterminism { step, first, second } => (step, first, second),
        other => panic!("{other:?}"),
    }
}

/// What a step does and on which marked line.
#[track_caller]
fn tell(step: Option<&Step>) -> (OperationKind, Effect, u32) {
    let step = step.expect("there is a step");
    (step.kind, step.effect, step.at.line)
}

fn at(marker: &str) -> u32 {
    line(include_str!("determinism.rs"), marker)
}

#[test]
fn a_value_that_changes_from_run_to_run_is_named_with_both_values() {
    let runs = RealAtomicU32::new(0);
    let (step, first, second) = difference(move || {
        let value = AtomicU32::new(0);
        value.load(SeqCst);
        let run = runs.fetch_add(1, SeqCst);
        value.store(run, SeqCst); // the store of the run
    });
    let line = at("the store of the run");
    // The beginning of the thread and the load come before.
    assert_eq!(step, 3);
    assert_eq!(tell(first.as_ref()), (OperationKind::AtomicStore, Effect::Wrote(0), line));
    assert_eq!(tell(second.as_ref()), (OperationKind::AtomicStore, Effect::Wrote(1), line));
}

#[test]
fn an_operation_that_comes_every_other_time_is_named_with_what_came_instead() {
    let runs = RealAtomicU32::new(0);
    let (step, first, second) = difference(move || {
        let value = AtomicU32::new(0);
        if runs.fetch_add(1, SeqCst) % 2 == 1 {
            value.store(1, SeqCst); // the store of odd runs
        }
        value.load(SeqCst); // the load of all runs
    });
    assert_eq!(step, 2);
    let load = (OperationKind::AtomicLoad, Effect::Read(0), at("the load of all runs"));
    let store = (OperationKind::AtomicStore, Effect::Wrote(1), at("the store of odd runs"));
    assert_eq!((tell(first.as_ref()), tell(second.as_ref())), (load, store));
}

#[test]
fn a_run_that_ends_earlier_has_no_step_to_show() {
    let runs = RealAtomicU32::new(0);
    let (step, first, second) = difference(move || {
        if runs.fetch_add(1, SeqCst) == 0 {
            AtomicU32::new(0).load(SeqCst); // the load of the first run
        }
    });
    assert_eq!(step, 2);
    let line = at("the load of the first run");
    assert_eq!(tell(first.as_ref()), (OperationKind::AtomicLoad, Effect::Read(0), line));
    assert_eq!(second.map(|step| step.kind), Some(OperationKind::ThreadEnd));
}

/// Hashes with another seed each time one is made, as `RandomState` does outside of executions.
struct Reseeded(u32);

static SEEDS: RealAtomicU32 = RealAtomicU32::new(0);

impl Default for Reseeded {
    fn default() -> Self {
        Self(SEEDS.fetch_add(1, SeqCst))
    }
}

impl BuildHasher for Reseeded {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        let mut hasher = DefaultHasher::new();
        hasher.write_u32(self.0);
        hasher
    }
}

/// Writes to atomics in the order of the set.
fn store_in_order_of(set: HashSet<usize, impl BuildHasher>) {
    let counters = [(); 16].map(|()| AtomicU32::new(0));
    for index in set {
        counters[index].store(index as u32, SeqCst); // the store in the order of a set
    }
}

#[test]
fn operations_in_the_order_of_a_set_that_is_hashed_anew_are_found_out() {
    let (step, first, second) =
        difference(|| store_in_order_of((0..10).collect::<HashSet<_, Reseeded>>()));
    assert!((2..=11).contains(&step), "{step}");
    let (first, second) = (tell(first.as_ref()), tell(second.as_ref()));
    let line = at("the store in the order of a set");
    assert_eq!((first.0, first.2), (OperationKind::AtomicStore, line));
    assert_eq!((second.0, second.2), (first.0, first.2));
    assert_ne!(first.1, second.1);
}

/// Where the keys of std's hash maps are the same in every execution.
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
#[test]
fn operations_in_the_order_of_a_set_of_std_are_the_same_in_every_execution() {
    let report = silent(portfolio(100).check_determinism(Toggle::On), || {
        let set = || HashSet::from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let other = thread::spawn(move || store_in_order_of(set()));
        store_in_order_of(set());
        other.join().unwrap();
    });
    assert_eq!(report.executions, 100);
}

#[test]
fn a_deterministic_test_passes_the_check_in_every_execution() {
    let report = silent(portfolio(200).check_determinism(Toggle::On), || {
        // A hash map that only looks things up and addresses that nobody compares do no harm.
        let words = HashSet::from(["a", "b", "c"]);
        let sum = Arc::new(Mutex::new(0));
        let theirs = Arc::clone(&sum);
        let adder = thread::spawn(move || *theirs.lock().unwrap() += 1);
        *sum.lock().unwrap() += words.len();
        adder.join().unwrap();
    });
    assert_eq!(report.executions, 200);
}

#[test]
fn the_check_is_off_unless_it_is_asked_for() {
    let runs = RealAtomicU32::new(0);
    silent(portfolio(10), move || {
        AtomicU32::new(0).store(runs.fetch_add(1, SeqCst), SeqCst);
    });
}

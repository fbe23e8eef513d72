//! Random programs: a search that stops only where it should matter shows exactly the outcomes
//! that a plain enumeration of all interleavings does.

use proptest::collection::vec;
use proptest::prelude::*;
use selvedge::sync::atomic::AtomicU32;
use selvedge::sync::atomic::Ordering::SeqCst;
use selvedge::sync::{Mutex, TryLockError};
use selvedge::thread;
use selvedge_engine::{Ending, Engine, Settings, Usage, Watch};
use selvedge_model::{Progress, Strategy as _};
use selvedge_strategy::Exhaustive;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many atomics and how many mutexes a program has.
const OBJECTS: usize = 2;

/// What a thread does. What it finds goes into its log.
#[derive(Clone, Copy, Debug)]
enum Act {
    Load(usize),
    Store(usize, u32),
    Add(usize),
    Swap(usize, u32, u32),
    /// Adds to what a mutex protects and finds what was there.
    Locked(usize),
    /// As before, if the mutex is free.
    Tried(usize),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        (0..OBJECTS).prop_map(Act::Load),
        (0..OBJECTS, 1..4u32).prop_map(|(object, value)| Act::Store(object, value)),
        (0..OBJECTS).prop_map(Act::Add),
        (0..OBJECTS, 0..2u32, 1..4u32).prop_map(|(object, old, new)| Act::Swap(object, old, new)),
        (0..OBJECTS).prop_map(Act::Locked),
        (0..OBJECTS).prop_map(Act::Tried),
    ]
}

/// What a thread finds when an attempt to lock fails.
const HELD: u32 = u32::MAX;

/// The logs of all threads.
type Logs = Vec<Vec<u32>>;

/// The program, run for real: two threads and the test itself.
fn run(threads: &[Vec<Act>; 3]) -> Logs {
    let atomics = [(); OBJECTS].map(|()| AtomicU32::new(0));
    let mutexes = [(); OBJECTS].map(|()| Mutex::new(0));
    let act = |act: &Act| match *act {
        Act::Load(object) => atomics[object].load(SeqCst),
        Act::Store(object, value) => {
            atomics[object].store(value, SeqCst);
            0
        }
        Act::Add(object) => atomics[object].fetch_add(1, SeqCst),
        Act::Swap(object, old, new) => {
            let result = atomics[object].compare_exchange(old, new, SeqCst, SeqCst);
            result.unwrap_or_else(|found| found)
        }
        Act::Locked(object) => {
            let mut value = mutexes[object].lock().unwrap();
            *value += 1;
            *value
        }
        Act::Tried(object) => match mutexes[object].try_lock() {
            Ok(mut value) => {
                *value += 1;
                *value
            }
            Err(TryLockError::WouldBlock) => HELD,
            Err(TryLockError::Poisoned(_)) => unreachable!("nobody panics"),
        },
    };
    let all = |acts: &[Act]| acts.iter().map(act).collect();
    thread::scope(|scope| {
        let first = scope.spawn(|| all(&threads[0]));
        let second = scope.spawn(|| all(&threads[1]));
        let own = all(&threads[2]);
        vec![first.join().unwrap(), second.join().unwrap(), own]
    })
}

/// The program as a machine with one step for each thing that others can notice.
#[derive(Clone, Default)]
struct Machine {
    atomics: [u32; OBJECTS],
    /// What a mutex protects, and whether somebody has it.
    mutexes: [(u32, bool); OBJECTS],
    /// How many acts of each thread are done, and whether it is in the middle of one.
    done: [(usize, bool); 3],
    logs: Logs,
}

impl Machine {
    /// One step of a thread; nothing if it can not make one.
    fn step(&self, thread: usize, acts: &[Act]) -> Option<Self> {
        let (done, inside) = self.done[thread];
        let mut next = self.clone();
        let found = match *acts.get(done)? {
            Act::Load(object) => self.atomics[object],
            Act::Store(object, value) => {
                next.atomics[object] = value;
                0
            }
            Act::Add(object) => {
                next.atomics[object] += 1;
                self.atomics[object]
            }
            Act::Swap(object, old, new) => {
                if self.atomics[object] == old {
                    next.atomics[object] = new;
                }
                self.atomics[object]
            }
            Act::Locked(object) | Act::Tried(object) => {
                let (value, held) = self.mutexes[object];
                if inside {
                    next.mutexes[object].1 = false;
                    next.done[thread] = (done + 1, false);
                    return Some(next);
                }
                if !held {
                    next.mutexes[object] = (value + 1, true);
                    next.done[thread].1 = true;
                    next.logs[thread].push(value + 1);
                    return Some(next);
                }
                match acts[done] {
                    Act::Tried(_) => HELD,
                    _ => return None,
                }
            }
        };
        next.logs[thread].push(found);
        next.done[thread].0 += 1;
        Some(next)
    }

    /// The logs of every way to go on.
    fn outcomes(self, threads: &[Vec<Act>; 3], all: &mut BTreeSet<Logs>) {
        let ways: Vec<_> =
            (0..3).filter_map(|thread| self.step(thread, &threads[thread])).collect();
        if ways.is_empty() {
            all.insert(self.logs);
            return;
        }
        ways.into_iter().for_each(|next| next.outcomes(threads, all));
    }
}

/// More schedules than any of the programs has.
const MANY: u64 = 1_000_000;

/// The logs of every schedule of the program that differs from the others in the order of
/// operations on shared objects.
fn search(threads: &[Vec<Act>; 3]) -> BTreeSet<Logs> {
    let settings =
        Settings { sharing: Usage::SkipPrivate, ..Settings::new(&selvedge::Config::default()) };
    let mut engine = Engine::new(settings, Arc::new(Watch::default()));
    let mut strategy = Exhaustive::new(None);
    let seen = std::sync::Mutex::new(BTreeSet::new());
    let mut known = engine.knowledge_version();
    for _ in 0..MANY {
        if strategy.begin() == Progress::Exhausted {
            return seen.into_inner().unwrap();
        }
        let program = || {
            let logs = run(threads);
            seen.lock().unwrap().insert(logs);
        };
        let outcome = engine.run(&program, &mut strategy, None);
        assert_eq!(*outcome.ending(), Ending::Passed);
        // The search begins anew whenever an object turns out to be shared.
        if engine.knowledge_version() != known {
            known = engine.knowledge_version();
            strategy = Exhaustive::new(None);
        }
    }
    panic!("the program has too many schedules");
}

proptest! {
    #![proptest_config(super::repeatable())]

    #[test]
    fn random_programs_have_exactly_the_outcomes_of_all_interleavings(
        first in vec(act(), 1..4),
        second in vec(act(), 1..3),
        own in vec(act(), 0..2),
    ) {
        let threads = [first, second, own];
        let mut all = BTreeSet::new();
        Machine { logs: vec![Vec::new(); 3], ..Machine::default() }.outcomes(&threads, &mut all);
        let seen = search(&threads);
        let missed: Vec<_> = all.difference(&seen).collect();
        let forbidden: Vec<_> = seen.difference(&all).collect();
        prop_assert!(missed.is_empty(), "missed: {missed:?}");
        prop_assert!(forbidden.is_empty(), "forbidden: {forbidden:?}");
    }
}

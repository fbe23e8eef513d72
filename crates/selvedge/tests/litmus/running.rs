//! A program on the mirrors of `std`.

use crate::axioms::Outcome;
use crate::program::{Op, Program};
use selvedge::sync::Arc;
use selvedge::sync::atomic::{AtomicU32, Ordering, fence};
use selvedge::thread;

/// Runs the program once.
pub(crate) fn run(program: &Arc<Program>) -> Outcome {
    let memory: Arc<Vec<AtomicU32>> =
        Arc::new((0..program.locations).map(|_| AtomicU32::new(0)).collect());
    let threads: Vec<_> = (0..program.threads.len())
        .map(|number| {
            let (program, memory) = (Arc::clone(program), Arc::clone(&memory));
            thread::spawn(move || {
                let step = |op: &Op| step(*op, &memory);
                program.threads[number].iter().filter_map(step).collect::<Vec<u32>>()
            })
        })
        .collect();
    let mut outcome: Outcome =
        threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect();
    outcome.push(memory.iter().map(|value| value.load(Ordering::Relaxed)).collect());
    outcome
}

/// Carries an operation out and gives back what it has read, if it has.
fn step(op: Op, memory: &[AtomicU32]) -> Option<u32> {
    match op {
        Op::Load(at, order) => Some(memory[at].load(order)),
        Op::Store(at, value, order) => {
            memory[at].store(value, order);
            None
        }
        Op::Add(at, value, order) => Some(memory[at].fetch_add(value, order)),
        Op::Swap(at, value, order) => Some(memory[at].swap(value, order)),
        Op::Exchange { at, from, to, success, failure } => {
            let found = memory[at].compare_exchange(from, to, success, failure);
            Some(found.unwrap_or_else(|found| found))
        }
        Op::Fence(order) => {
            fence(order);
            None
        }
    }
}

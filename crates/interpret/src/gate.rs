//! Where threads of a test stop between calls, and where calls let others in.

use crate::world::{At, Marks, world};
use selvedge_std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// An operation on it is where a thread stops. It orders nothing.
static GATE: AtomicU32 = AtomicU32::new(0);

/// The thread stops here, and may be left behind.
pub(crate) fn pass(thread: usize) {
    let mut state = world();
    state.stopped(thread);
    state.at = At::Boundary;
    drop(state);
    GATE.fetch_add(1, Relaxed);
    let mut state = world();
    state.at = At::Inside;
    state.started(thread);
}

/// Leaves a mark in the record, if the phases of the test are to be told apart there.
pub(crate) fn mark() {
    let marks = world().marks;
    match marks {
        Marks::Yes => {
            GATE.fetch_add(1, Relaxed);
        }
        Marks::No => {}
    }
}

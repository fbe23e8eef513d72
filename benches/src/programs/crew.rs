//! What the programs share: threads that work on one thing.

use super::prims::{Arc, JoinHandle, spawn};

/// Starts `count` threads on the same `state`, each with its number, and waits for all of them.
///
/// Every thread gets an `Arc` of its own and nothing else holds one meanwhile, because to loom a
/// clone of an `Arc` is an operation like any other and would count as work.
pub(crate) fn share<S: Send + Sync + 'static>(
    state: &Arc<S>,
    count: usize,
    body: impl Fn(&S, usize) + Copy + Send + 'static,
) {
    wait_for((0..count).map(|number| start(state, number, body)).collect());
}

/// Starts one thread on the state.
pub(crate) fn start<S: Send + Sync + 'static, T: Send + 'static>(
    state: &Arc<S>,
    number: usize,
    body: impl FnOnce(&S, usize) -> T + Send + 'static,
) -> JoinHandle<T> {
    let state = Arc::clone(state);
    spawn(move || body(&state, number))
}

/// Waits for all of them, in order; a panic of any is a panic of the program.
pub(crate) fn wait_for<T>(threads: Vec<JoinHandle<T>>) {
    for thread in threads {
        assert!(thread.join().is_ok(), "a thread has panicked");
    }
}

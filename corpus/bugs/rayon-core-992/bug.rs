//! rayon-core 1.10.0: <https://github.com/rayon-rs/rayon/issues/992>
//!
//! A worker that is about to fall asleep looks once more for work, but not into the queue of its own that `broadcast` fills. If
//! the job of the second broadcast arrives just then, the worker sleeps, and whoever broadcasts waits for ever.

use rayon_core::ThreadPoolBuilder;

#[test]
fn every_thread_answers_every_broadcast() {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for round in 0..3 {
        assert_eq!(pool.broadcast(|_| round), [round, round]);
    }
}

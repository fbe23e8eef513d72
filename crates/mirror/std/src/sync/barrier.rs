//! Mirror of `std::sync::Barrier`; what it means to the engine is in `engine/objects/barrier.rs`.

use real::fmt;
use selvedge_engine::{Arrival, Controlled, Object};
use selvedge_model::Site;

/// A place where threads wait for each other; see [`std::sync::Barrier`].
pub struct Barrier {
    object: Object,
    size: usize,
    outside: real::sync::Barrier,
}

/// Whether a thread was the one that opened the barrier; see [`std::sync::BarrierWaitResult`].
pub struct BarrierWaitResult(Arrival);

impl Barrier {
    /// Creates a barrier that opens whenever `n` threads have arrived.
    #[must_use]
    #[inline]
    #[track_caller]
    pub const fn new(n: usize) -> Self {
        Self { object: Object::new(Site::caller()), size: n, outside: real::sync::Barrier::new(n) }
    }

    /// Waits until enough threads have arrived. One of them is told that it is the leader.
    #[track_caller]
    pub fn wait(&self) -> BarrierWaitResult {
        let arrival = match Controlled::current() {
            Some(controlled) => controlled.barrier_wait(&self.object, self.size, Site::caller()),
            None => {
                let _in_use = self.object.use_outside();
                match self.outside.wait().is_leader() {
                    true => Arrival::Leader,
                    false => Arrival::Follower,
                }
            }
        };
        BarrierWaitResult(arrival)
    }
}

impl BarrierWaitResult {
    /// Whether this thread is the leader.
    #[must_use]
    pub fn is_leader(&self) -> bool {
        self.0 == Arrival::Leader
    }
}

impl fmt::Debug for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Barrier").finish_non_exhaustive()
    }
}

impl fmt::Debug for BarrierWaitResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BarrierWaitResult").field("is_leader", &self.is_leader()).finish()
    }
}

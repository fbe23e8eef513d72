//! `Barrier`: everybody waits for everybody.

use crate::context::Controlled;
use crate::object::Object;
use crate::objects::ObjectState;
use crate::step::Change;
use selvedge_model::{Effect, OperationKind, Site, ThreadSet};

/// The state of a barrier.
#[derive(Default)]
pub(crate) struct BarrierState {
    arrived: usize,
    waiting: ThreadSet,
}

impl BarrierState {
    pub(crate) fn initial() -> ObjectState {
        ObjectState::Barrier(Box::default())
    }
}

/// Whether a thread was the one that opened the barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It came last.
    Leader,
    /// It waited.
    Follower,
}

impl Controlled {
    /// Waits until `size` threads have arrived.
    pub fn barrier_wait(self, barrier: &Object, size: usize, site: Site) -> Arrival {
        let execution = &mut *self.execution();
        let id = barrier.id(execution, BarrierState::initial, site);
        self.stop(OperationKind::BarrierWait, id, site);

        let execution = &mut *self.execution();
        let me = execution.current;
        let kind = OperationKind::BarrierWait;
        execution.happened(kind, id, site, Effect::Done, Change::Something);
        let state = execution.barrier(id);
        state.arrived += 1;
        if state.arrived >= size {
            state.arrived = 0;
            let waiting = std::mem::take(&mut state.waiting);
            execution.states.wake_all(&waiting);
            return Arrival::Leader;
        }
        state.waiting.insert(me);
        execution.states.block(me);
        self.stop(OperationKind::BarrierPass, id, site);

        let execution = &mut *self.execution();
        let kind = OperationKind::BarrierPass;
        execution.happened(kind, id, site, Effect::Done, Change::Nothing);
        Arrival::Follower
    }
}

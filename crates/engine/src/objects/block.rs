//! What test authors declare: blocks that are meant to happen in one go, and objects that belong
//! together. Nobody stops for it; those who watch are told.

use crate::context::Controlled;
use crate::object::Object;
use crate::objects::mutex::MutexState;
use crate::objects::rwlock::RwLockState;
use crate::step::Change;
use selvedge_model::{Effect, ObjectId, OperationKind, Site};

/// Whether a block begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockEdge {
    /// It begins.
    Enter,
    /// It ends.
    Leave,
}

/// An object that belongs together with others.
#[derive(Clone, Copy, Debug)]
pub enum Member<'a> {
    /// A mutex.
    Mutex(&'a Object),
    /// A reader-writer lock.
    RwLock(&'a Object),
    /// The address of an atomic.
    Atomic(usize),
}

impl Controlled {
    /// The running thread enters or leaves a block that is meant to happen in one go.
    pub fn block(self, edge: BlockEdge, site: Site) {
        let kind = match edge {
            BlockEdge::Enter => OperationKind::BlockEnter,
            BlockEdge::Leave => OperationKind::BlockLeave,
        };
        let execution = &mut *self.execution();
        execution.happened(kind, ObjectId::NONE, site, Effect::Done, Change::Nothing);
    }

    /// Declares the object as number `number`, from 0, of those that belong together.
    pub fn belongs_together(self, member: Member<'_>, number: u64, site: Site) {
        let execution = &mut *self.execution();
        let id = match member {
            Member::Mutex(object) => object.id(execution, MutexState::initial, site),
            Member::RwLock(object) => object.id(execution, RwLockState::initial, site),
            Member::Atomic(address) => execution.atomic(address, site),
        };
        let effect = Effect::Read(number);
        execution.happened(OperationKind::Together, id, site, effect, Change::Nothing);
    }
}

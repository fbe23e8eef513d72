//! `RwLock`: many readers or one writer.
//!
//! Any waiter that can get the lock may get it next: std promises no order either.
//!
//! The lock of std lets no new reader in while a writer waits. When a writer stands before its
//! `write` and can not go on, it may have begun to wait or be about to; so a reader may enter,
//! and may have to wait. Deviation: it enters, since that shows more, unless the thread has a read
//! lock already. That one waits for the writer, and the writer for it: a deadlock.
//!
//! May miss: a deadlock of several threads one of which is a reader that waits behind a writer.
//! Never reports one that the lock of std on Linux could not have.

use crate::context::Controlled;
use crate::execution::Execution;
use crate::object::Object;
use crate::objects::ObjectState;
use crate::objects::lock::Lock;
use crate::objects::mutex::Written;
use crate::step::Change;
use selvedge_model::{Effect, ObjectId, OperationKind, Site, ThreadId, ThreadSet};

/// The state of a reader-writer lock.
#[derive(Default)]
pub(crate) struct RwLockState {
    pub(crate) writer: Option<ThreadId>,
    /// The readers, one entry for each read lock that is held.
    pub(crate) readers: Vec<ThreadId>,
    pub(crate) read_waiters: ThreadSet,
    pub(crate) write_waiters: ThreadSet,
}

impl RwLockState {
    pub(crate) fn initial() -> ObjectState {
        ObjectState::RwLock(Box::default())
    }

    /// Whether the thread has a read lock, and a writer waits until it has not.
    fn keeps_writer_waiting(&self, thread: ThreadId) -> bool {
        !self.write_waiters.is_empty() && self.readers.contains(&thread)
    }

    fn is_free(&self) -> bool {
        self.writer.is_none() && self.readers.is_empty()
    }
}

/// How a reader-writer lock is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RwMode {
    Read,
    Write,
}

impl Lock for RwLockState {
    type Mode = RwMode;

    const MODES: &'static [RwMode] = &[RwMode::Read, RwMode::Write];

    #[inline]
    fn of(state: &mut ObjectState) -> &mut Self {
        state.rwlock()
    }

    #[inline]
    fn admits(&self, mode: RwMode) -> bool {
        match mode {
            RwMode::Read => self.writer.is_none(),
            RwMode::Write => self.is_free(),
        }
    }

    #[inline]
    fn wanted_by(&self, mode: RwMode) -> Option<&ThreadSet> {
        Some(match mode {
            RwMode::Read => &self.read_waiters,
            RwMode::Write => &self.write_waiters,
        })
    }

    #[inline]
    fn wanted_by_mut(&mut self, mode: RwMode) -> &mut ThreadSet {
        match mode {
            RwMode::Read => &mut self.read_waiters,
            RwMode::Write => &mut self.write_waiters,
        }
    }
}

impl Controlled {
    /// Takes the lock for reading, waiting while a writer has it. Does not come back if the caller
    /// has a read lock already and a writer waits.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    pub fn rwlock_read(self, lock: &Object, site: Site) {
        let execution = &mut *self.execution();
        let id = lock.id(execution, RwLockState::initial, site);
        let me = execution.current;
        execution.want::<RwLockState>(me, id, RwMode::Read);
        self.stop(OperationKind::RwRead, id, site);
        let execution = &mut *self.execution();
        if execution.rwlock(id).keeps_writer_waiting(me) {
            execution.states.block(me);
            execution.blocked_on(me, id);
            self.stop(OperationKind::RwRead, id, site);
        }
        let execution = &mut *self.execution();
        execution.start_reading(id);
        execution.happened(OperationKind::RwRead, id, site, Effect::Done, Change::Nothing);
    }

    /// Takes the lock for reading if no writer has it, and says whether it did.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    pub fn rwlock_try_read(self, lock: &Object, site: Site) -> bool {
        let execution = &mut *self.execution();
        let id = lock.id(execution, RwLockState::initial, site);
        execution.registry.sharing.tries();
        self.stop(OperationKind::RwTryRead, id, site);
        let execution = &mut *self.execution();
        let free = execution.rwlock(id).writer.is_none();
        if free {
            execution.start_reading(id);
        }
        let effect = if free { Effect::Done } else { Effect::Refused };
        execution.happened(OperationKind::RwTryRead, id, site, effect, Change::Nothing);
        free
    }

    /// Takes the lock for writing, waiting until nobody has it.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    pub fn rwlock_write(self, lock: &Object, site: Site) {
        let execution = &mut *self.execution();
        let id = lock.id(execution, RwLockState::initial, site);
        let me = execution.current;
        execution.want::<RwLockState>(me, id, RwMode::Write);
        self.stop(OperationKind::RwWrite, id, site);
        let execution = &mut *self.execution();
        execution.start_writing(id);
        execution.happened(OperationKind::RwWrite, id, site, Effect::Done, Change::Nothing);
    }

    /// Takes the lock for writing if nobody has it, and says whether it did.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    pub fn rwlock_try_write(self, lock: &Object, site: Site) -> bool {
        let execution = &mut *self.execution();
        let id = lock.id(execution, RwLockState::initial, site);
        execution.registry.sharing.tries();
        self.stop(OperationKind::RwTryWrite, id, site);
        let execution = &mut *self.execution();
        let free = execution.rwlock(id).is_free();
        if free {
            execution.start_writing(id);
        }
        let effect = if free { Effect::Done } else { Effect::Refused };
        execution.happened(OperationKind::RwTryWrite, id, site, effect, Change::Nothing);
        free
    }

    /// Gives a read lock back.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    pub fn rwlock_read_unlock(self, lock: &Object, site: Site) {
        let kind = OperationKind::RwReadUnlock;
        let id = self.before_unlock(lock, kind, site);
        let execution = &mut *self.execution();
        let me = execution.current;
        let state = execution.rwlock(id);
        // Guards are not `Send`, so the thread that drops one has the read lock.
        if let Some(position) = state.readers.iter().position(|&reader| reader == me) {
            state.readers.swap_remove(position);
        }
        execution.let_waiters_in(id);
        execution.happened(kind, id, site, Effect::Done, Change::Nothing);
    }

    /// Gives a write lock back.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    pub fn rwlock_write_unlock(self, lock: &Object, site: Site, written: Written) {
        let kind = OperationKind::RwWriteUnlock;
        let id = self.before_unlock(lock, kind, site);
        let execution = &mut *self.execution();
        execution.rwlock(id).writer = None;
        execution.let_waiters_in(id);
        execution.happened(kind, id, site, Effect::Done, written.into());
    }

    /// Turns a write lock into a read lock without letting a writer in between.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    pub fn rwlock_downgrade(self, lock: &Object, site: Site, written: Written) {
        let kind = OperationKind::RwDowngrade;
        let id = self.before_unlock(lock, kind, site);
        let execution = &mut *self.execution();
        let me = execution.current;
        let state = execution.rwlock(id);
        state.writer = None;
        state.readers.push(me);
        execution.let_waiters_in(id);
        execution.happened(kind, id, site, Effect::Done, written.into());
    }

    fn before_unlock(self, lock: &Object, kind: OperationKind, site: Site) -> ObjectId {
        let execution = &mut *self.execution();
        let id = lock.id(execution, RwLockState::initial, site);
        if execution.registry.sharing.stops_before_unlock() {
            self.stop(kind, id, site);
        }
        id
    }
}

impl Execution {
    fn start_reading(&mut self, id: ObjectId) {
        let me = self.current;
        let lock = self.objects[id.index()].state.rwlock();
        lock.read_waiters.remove(me);
        lock.readers.push(me);
        self.states.taken(lock);
    }

    fn start_writing(&mut self, id: ObjectId) {
        let me = self.current;
        let lock = self.objects[id.index()].state.rwlock();
        lock.write_waiters.remove(me);
        lock.writer = Some(me);
        self.states.taken(lock);
    }

    /// The lock has become more free.
    fn let_waiters_in(&mut self, id: ObjectId) {
        self.states.given_back(self.objects[id.index()].state.rwlock());
    }
}

//! `Mutex`: one thread at a time.

use crate::context::Controlled;
use crate::execution::Execution;
use crate::object::Object;
use crate::objects::ObjectState;
use crate::objects::lock::Lock;
use crate::step::Change;
use selvedge_model::{Effect, ObjectId, Operation, OperationKind, Site, ThreadId, ThreadSet};

/// The state of a mutex.
#[derive(Default)]
pub(crate) struct MutexState {
    pub(crate) owner: Option<ThreadId>,
    /// How often its owner has taken it again.
    again: u32,
    /// Everybody whose next operation is to take it; enabled only while it is free.
    pub(crate) waiters: ThreadSet,
}

impl MutexState {
    pub(crate) fn initial() -> ObjectState {
        ObjectState::Mutex(Self::default())
    }
}

/// A mutex is taken in one way only.
impl Lock for MutexState {
    type Mode = ();

    const MODES: &'static [()] = &[()];

    #[inline]
    fn of(state: &mut ObjectState) -> &mut Self {
        state.mutex()
    }

    #[inline]
    fn admits(&self, (): ()) -> bool {
        self.owner.is_none()
    }

    #[inline]
    fn wanted_by(&self, (): ()) -> Option<&ThreadSet> {
        Some(&self.waiters)
    }

    #[inline]
    fn wanted_by_mut(&mut self, (): ()) -> &mut ThreadSet {
        &mut self.waiters
    }
}

/// Whether the data behind a lock was written to while it was held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// A mutable reference was handed out.
    Yes,
    /// Only shared references were.
    No,
}

impl From<Written> for Change {
    fn from(written: Written) -> Self {
        match written {
            Written::Yes => Self::Something,
            Written::No => Self::Nothing,
        }
    }
}

impl Controlled {
    /// Takes the mutex, waiting until it is free.
    // In the caller: every return after a switch of stacks is mispredicted.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline(always))]
    pub fn mutex_lock(self, mutex: &Object, site: Site) {
        let mut engine = self.execution();
        let execution = &mut *engine;
        let id = mutex.id(execution, MutexState::initial, site);
        if execution.mutex(id).owner.is_some() {
            execution.want_mutex(execution.current, id);
        } else if execution.length.quiet != 0 {
            execution.mutex(id).owner = Some(execution.current);
            let operation = Operation::new(OperationKind::MutexLock, id, site);
            return execution.happened_quietly(operation, Effect::Done, Change::Nothing);
        }
        // Whoever goes first may take the mutex; then this thread has to wait for it.
        engine.stop_or(OperationKind::MutexLock, id, site, |execution, me| {
            execution.mutex(id).waiters.insert(me);
        });
        let execution = &mut *engine;
        execution.take_mutex(id);
        execution.happened(OperationKind::MutexLock, id, site, Effect::Done, Change::Nothing);
    }

    /// Takes the mutex if it is free and says whether it did.
    pub fn mutex_try_lock(self, mutex: &Object, site: Site) -> bool {
        let execution = &mut *self.execution();
        let id = mutex.id(execution, MutexState::initial, site);
        execution.registry.sharing.tries();
        self.stop(OperationKind::MutexTryLock, id, site);
        let execution = &mut *self.execution();
        let free = execution.mutex(id).owner.is_none();
        let effect = if free { Effect::Done } else { Effect::Refused };
        if free {
            execution.take_mutex(id);
        }
        execution.happened(OperationKind::MutexTryLock, id, site, effect, Change::Nothing);
        free
    }

    /// Gives the mutex back.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    pub fn mutex_unlock(self, mutex: &Object, site: Site, written: Written) {
        let mut engine = self.execution();
        let execution = &mut *engine;
        let id = mutex.id(execution, MutexState::initial, site);
        if execution.length.quiet != 0 {
            // Nobody waits for it: there is nobody else.
            execution.mutex(id).owner = None;
            let operation = Operation::new(OperationKind::MutexUnlock, id, site);
            return execution.happened_quietly(operation, Effect::Done, written.into());
        }
        if execution.registry.sharing.stops_before_unlock() {
            engine.stop(OperationKind::MutexUnlock, id, site);
        }
        let execution = &mut *engine;
        execution.free_mutex(id);
        execution.happened(OperationKind::MutexUnlock, id, site, Effect::Done, written.into());
    }
}

/// A mutex that its owner may take again.
impl Controlled {
    /// Takes the mutex, waiting until nobody else has it.
    pub fn lock_again(self, mutex: &Object, site: Site) {
        let execution = &mut *self.execution();
        let id = mutex.id(execution, MutexState::initial, site);
        let me = execution.current;
        let state = execution.mutex(id);
        if state.owner == Some(me) {
            state.again += 1;
            return;
        }
        self.mutex_lock(mutex, site);
    }

    /// Gives the mutex back as often as it was taken.
    pub fn unlock_again(self, mutex: &Object, site: Site) {
        let execution = &mut *self.execution();
        let id = mutex.id(execution, MutexState::initial, site);
        let state = execution.mutex(id);
        if state.again > 0 {
            state.again -= 1;
            return;
        }
        self.mutex_unlock(mutex, site, Written::No);
    }

    /// Whether another thread of the execution has the mutex.
    pub fn is_locked_elsewhere(self, mutex: &Object) -> bool {
        let execution = &mut *self.execution();
        let Some(id) = mutex.known(execution) else { return false };
        let me = execution.current;
        execution.mutex(id).owner.is_some_and(|owner| owner != me)
    }
}

impl Execution {
    /// The thread's next operation is to take the mutex.
    #[inline]
    pub(crate) fn want_mutex(&mut self, thread: ThreadId, id: ObjectId) {
        self.want::<MutexState>(thread, id, ());
    }

    /// The running thread takes the mutex, which is free.
    #[inline]
    pub(crate) fn take_mutex(&mut self, id: ObjectId) {
        let me = self.current;
        let mutex = self.objects[id.index()].state.mutex();
        debug_assert!(mutex.owner.is_none(), "the engine lets a thread in only if it is free");
        mutex.waiters.remove(me);
        mutex.owner = Some(me);
        self.states.taken(mutex);
    }

    /// The mutex becomes free.
    #[inline]
    pub(crate) fn free_mutex(&mut self, id: ObjectId) {
        let mutex = self.objects[id.index()].state.mutex();
        mutex.owner = None;
        self.states.given_back(mutex);
    }
}

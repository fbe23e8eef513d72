//! Objects of other libraries, such as those of `pthread`: known by where they lie.
//!
//! They have no room for an [`Object`] of ours, so the engine keeps one for each. What they mean is what
//! the mirror of the same kind means. Whoever stands in front of their functions also keeps the real
//! state of the object, so that threads which are not under control find it locked, and the other way
//! round.
//!
//! An object at an address is a new one when it is initialised or destroyed by a function. One that is
//! overwritten by a constant while a thread holds it is taken for the old one.

use crate::context::Controlled;
use crate::execution::Execution;
use crate::object::Object;
use crate::objects::ObjectState;
use crate::objects::barrier::BarrierState;
use crate::objects::condvar::CondvarState;
use crate::objects::mutex::MutexState;
use crate::objects::once::OnceState;
use crate::objects::rwlock::RwLockState;
use rustc_hash::FxHashMap;
use selvedge_model::Site;
use std::ops::Deref;
use std::ptr::NonNull;

/// What kind of object it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForeignKind {
    /// Also a spin lock.
    Mutex,
    /// A condition variable.
    Condvar,
    /// A reader-writer lock.
    RwLock,
    /// A one-time initialisation.
    Once,
    /// A barrier.
    Barrier,
}

impl ForeignKind {
    const ALL: [Self; 5] = [Self::Mutex, Self::Condvar, Self::RwLock, Self::Once, Self::Barrier];

    fn initial(self) -> fn() -> ObjectState {
        match self {
            Self::Mutex => MutexState::initial,
            Self::Condvar => CondvarState::initial,
            Self::RwLock => RwLockState::initial,
            Self::Once => OnceState::initial,
            Self::Barrier => BarrierState::initial,
        }
    }
}

/// The engine's handle of an object that is not ours.
#[derive(Clone, Copy, Debug)]
pub struct Foreign(NonNull<Object>);

impl Deref for Foreign {
    type Target = Object;

    fn deref(&self) -> &Object {
        // SAFETY: Handles come from `Controlled::object_at` only, that is to threads of an execution,
        // and can not leave their operating-system thread. The object is freed with the engine, which
        // outlives its executions.
        unsafe { self.0.as_ref() }
    }
}

/// The objects of other libraries that were met in this execution.
#[derive(Default)]
pub(crate) struct ForeignObjects {
    known: FxHashMap<(usize, ForeignKind), Foreign>,
    /// Used again in the next execution, of which they are new objects. In boxes, for their addresses.
    #[expect(clippy::vec_box, reason = "they must not move")]
    all: Vec<Box<Object>>,
    used: usize,
}

impl ForeignObjects {
    /// Forgets all objects and keeps the memory.
    pub(crate) fn reset(&mut self) {
        self.known.clear();
        self.used = 0;
    }

    fn take(&mut self, site: Site) -> Foreign {
        if self.used == self.all.len() {
            self.all.push(Box::new(Object::new(site)));
        }
        self.used += 1;
        Foreign(NonNull::from(&*self.all[self.used - 1]))
    }
}

/// Who has a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// No thread of the execution.
    Nobody,
    /// The running thread.
    Caller,
    /// Another thread of the execution.
    Other,
}

/// What the running thread has of a reader-writer lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holding {
    /// Nothing.
    Nothing,
    /// It reads.
    Read,
    /// It writes.
    Write,
}

impl Controlled {
    /// The object that lies at an address.
    pub fn object_at(self, address: usize, kind: ForeignKind, site: Site) -> Foreign {
        let execution = &mut *self.execution();
        if execution.heap.is_freed(address) {
            execution.use_after_free(address, site);
        }
        if let Some(&object) = execution.registry.foreign.known.get(&(address, kind)) {
            return object;
        }
        let object = execution.registry.foreign.take(site);
        execution.registry.foreign.known.insert((address, kind), object);
        let id = object.id(execution, kind.initial(), site);
        execution.objects[id.index()].address = address;
        object
    }

    /// Whatever lies at an address from now on is another object.
    pub fn forget_object_at(self, address: usize) {
        let execution = &mut *self.execution();
        for kind in ForeignKind::ALL {
            execution.registry.foreign.known.remove(&(address, kind));
        }
    }

    /// Who has a mutex.
    pub fn mutex_holder(self, mutex: &Object, site: Site) -> Holder {
        let execution = &mut *self.execution();
        let id = mutex.id(execution, MutexState::initial, site);
        let me = execution.current;
        match execution.mutex(id).owner {
            None => Holder::Nobody,
            Some(owner) if owner == me => Holder::Caller,
            Some(_) => Holder::Other,
        }
    }

    /// What the running thread has of a reader-writer lock.
    pub fn rwlock_holding(self, lock: &Object, site: Site) -> Holding {
        let execution = &mut *self.execution();
        let id = lock.id(execution, RwLockState::initial, site);
        let me = execution.current;
        let state = execution.rwlock(id);
        match state.writer {
            Some(writer) if writer == me => Holding::Write,
            _ if state.readers.contains(&me) => Holding::Read,
            _ => Holding::Nothing,
        }
    }

    /// Whether a thread of the execution waits on a futex.
    pub fn futex_is_awaited(self, word: *const u32) -> bool {
        self.execution().is_futex_awaited(word as usize)
    }
}

impl Execution {
    fn is_futex_awaited(&mut self, address: usize) -> bool {
        let id = self.registry.futexes.get(&address).copied();
        id.is_some_and(|id| !self.futex(id).is_empty())
    }
}

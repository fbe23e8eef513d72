//! What the objects mean: when an operation can be carried out and what it does.
//!
//! One file a kind, under the name that its mirror has in `mirror/std` or `mirror/libc`.

pub(crate) mod atomic;
pub(crate) mod barrier;
pub(crate) mod block;
pub(crate) mod channel;
pub(crate) mod condvar;
pub(crate) mod foreign;
pub(crate) mod futex;
pub(crate) mod future;
pub(crate) mod io;
pub(crate) mod lock;
pub(crate) mod mutex;
pub(crate) mod named;
pub(crate) mod once;
pub(crate) mod rwlock;
pub(crate) mod thread;

use selvedge_model::ObjectKind;

/// The state of an object during an execution.
pub(crate) enum ObjectState {
    Atomic,
    Barrier(Box<barrier::BarrierState>),
    Channel(Box<channel::ChannelState>),
    Condvar(condvar::CondvarState),
    Files,
    Futex(futex::FutexState),
    Mutex(mutex::MutexState),
    Once(once::OnceState),
    RwLock(Box<rwlock::RwLockState>),
    Schedule,
    Thread,
}

impl ObjectState {
    pub(crate) fn kind(&self) -> ObjectKind {
        match self {
            Self::Atomic => ObjectKind::Atomic,
            Self::Barrier(_) => ObjectKind::Barrier,
            Self::Channel(_) => ObjectKind::Channel,
            Self::Condvar(_) => ObjectKind::Condvar,
            Self::Files => ObjectKind::Files,
            Self::Futex(_) => ObjectKind::Futex,
            Self::Mutex(_) => ObjectKind::Mutex,
            Self::Once(_) => ObjectKind::Once,
            Self::RwLock(_) => ObjectKind::RwLock,
            Self::Schedule => ObjectKind::Schedule,
            Self::Thread => ObjectKind::Thread,
        }
    }
}

/// Gives each kind of object its accessor: the state behind an id that is known to be of that
/// kind, because the same mirror registered it.
macro_rules! accessors {
    ($($name:ident: $variant:ident($state:ty),)+) => {
        impl ObjectState {
            $(
                #[inline]
                pub(crate) fn $name(&mut self) -> &mut $state {
                    match self {
                        Self::$variant(state) => state,
                        _ => unreachable!(concat!("the object is no ", stringify!($name))),
                    }
                }
            )+
        }

        impl crate::execution::Execution {
            $(
                #[inline]
                pub(crate) fn $name(&mut self, id: selvedge_model::ObjectId) -> &mut $state {
                    self.objects[id.index()].state.$name()
                }
            )+
        }
    };
}

accessors! {
    barrier: Barrier(barrier::BarrierState),
    channel: Channel(channel::ChannelState),
    condvar: Condvar(condvar::CondvarState),
    futex: Futex(futex::FutexState),
    mutex: Mutex(mutex::MutexState),
    once: Once(once::OnceState),
    rwlock: RwLock(rwlock::RwLockState),
}

//! What a thread can do that other threads may notice.

mod meaning;
mod table;

pub use meaning::{
    Hold, Link, LockAction, Look, Meaning, Outcome, SiteOf, Telling, ValueUse, WaitFor,
};

use crate::{ObjectId, Site};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

macro_rules! operation_kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident = $name:literal,)+) => {
        /// The kinds of operation.
        ///
        /// Their names are part of the schedule format: a name may be added, never changed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum OperationKind { $($(#[doc = $doc])+ $kind,)+ }

        impl OperationKind {
            /// Every kind, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)+];

            /// The name used in schedules and explanations.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)+ }
            }
        }

        impl FromStr for OperationKind {
            type Err = ();

            fn from_str(name: &str) -> Result<Self, ()> {
                match name { $($name => Ok(Self::$kind),)+ _ => Err(()) }
            }
        }
    };
}

operation_kinds! {
    /// A thread is about to run its first instruction.
    ThreadStart = "start",
    /// A thread has run its last instruction, thread-local destructors included.
    ThreadEnd = "end",
    /// A new thread comes to life.
    Spawn = "spawn",
    /// Waits until another thread has ended.
    Join = "join",
    /// Asks whether another thread has ended.
    IsFinished = "is_finished",
    /// Gives up the processor, to be asked again later.
    Yield = "yield",
    /// Waits for virtual time to pass.
    Sleep = "sleep",
    /// Reads the virtual clock.
    ClockRead = "now",
    /// Waits for this thread's token.
    Park = "park",
    /// Hands a thread its token.
    Unpark = "unpark",
    /// Takes a mutex, waiting until it is free.
    MutexLock = "lock",
    /// Takes a mutex if it is free.
    MutexTryLock = "try_lock",
    /// Gives a mutex back.
    MutexUnlock = "unlock",
    /// Takes a reader-writer lock for reading.
    RwRead = "read",
    /// Takes a reader-writer lock for reading if no writer has it.
    RwTryRead = "try_read",
    /// Takes a reader-writer lock for writing.
    RwWrite = "write",
    /// Takes a reader-writer lock for writing if nobody has it.
    RwTryWrite = "try_write",
    /// Gives a read lock back.
    RwReadUnlock = "read_unlock",
    /// Gives a write lock back.
    RwWriteUnlock = "write_unlock",
    /// Turns a write lock into a read lock.
    RwDowngrade = "downgrade",
    /// Releases the mutex and waits for a notification.
    CondvarWait = "wait",
    /// Has been woken and takes the mutex again.
    CondvarWake = "wake",
    /// Wakes one waiter.
    NotifyOne = "notify_one",
    /// Wakes every waiter.
    NotifyAll = "notify_all",
    /// Enters a one-time initialisation, or waits for the thread that is in it.
    OnceCall = "call_once",
    /// Leaves a one-time initialisation.
    OnceDone = "once_done",
    /// Waits until a one-time initialisation is done.
    OnceWait = "once_wait",
    /// Asks whether a one-time initialisation is done.
    OnceGet = "once_get",
    /// Arrives at a barrier.
    BarrierWait = "barrier_wait",
    /// Leaves a barrier that has opened.
    BarrierPass = "barrier_pass",
    /// Puts a message into a channel, waiting for room.
    Send = "send",
    /// Puts a message into a channel if there is room.
    TrySend = "try_send",
    /// Has handed its message over to the receiver of a rendezvous channel.
    SendDone = "send_done",
    /// Takes a message out of a channel, waiting for one.
    Receive = "recv",
    /// Takes a message out of a channel if there is one.
    TryReceive = "try_recv",
    /// A sender goes away.
    SenderDrop = "drop_sender",
    /// The receiver goes away.
    ReceiverDrop = "drop_receiver",
    /// Reads an atomic.
    AtomicLoad = "load",
    /// Writes an atomic.
    AtomicStore = "store",
    /// Reads and writes an atomic in one go.
    AtomicRmw = "rmw",
    /// Compares an atomic and writes it if it was as expected.
    AtomicCas = "cas",
    /// Orders the accesses around it.
    Fence = "fence",
    /// Goes on after a write to an atomic, when others have had a chance to run.
    Continue = "continue",
    /// Compares the word of a futex and goes to wait on it if it is as expected.
    FutexWait = "futex_wait",
    /// Waits on a futex until somebody wakes it, and leaves.
    FutexWoken = "futex_woken",
    /// Wakes threads that wait on a futex.
    FutexWake = "futex_wake",
    /// Wakes threads that wait on a futex and moves others on to wait on another one.
    FutexRequeue = "futex_requeue",
    /// Reads from a file, a pipe or a socket, waiting for something to be there.
    IoRead = "io_read",
    /// Writes to a file, a pipe or a socket, waiting for room.
    IoWrite = "io_write",
    /// Waits until one of several files is ready, or a process has ended.
    IoWait = "io_wait",
    /// Polls a future.
    Poll = "poll",
    /// Enters a block that is meant to happen in one go.
    BlockEnter = "enter",
    /// Leaves such a block.
    BlockLeave = "leave",
    /// Declares that an object belongs together with others that are declared at the same place.
    Together = "together",
    /// Comes by something that the test's written schedule mentions.
    NamedEvent = "event",
    /// Sends a signal to a thread, whose handler runs.
    Signal = "signal",
}

impl fmt::Display for OperationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An operation that a thread is about to carry out: the next thing that it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// What it does.
    pub kind: OperationKind,
    /// What it does it to.
    pub object: ObjectId,
    /// What else it concerns: of a wait on a condition variable the mutex, of its end the condition
    /// variable, of a requeue the other futex. Nothing otherwise.
    pub second: ObjectId,
    /// Who asked for it.
    pub site: Site,
}

impl Operation {
    /// An operation on one object.
    #[inline(always)]
    pub const fn new(kind: OperationKind, object: ObjectId, site: Site) -> Self {
        Self { kind, object, second: ObjectId::NONE, site }
    }

    /// Whether the order of the two operations can matter.
    ///
    /// Operations on different objects commute, and so do two reads of one object.
    #[inline]
    pub fn conflicts_with(&self, other: &Self) -> bool {
        self.object == other.object
            && self.object != ObjectId::NONE
            && !(self.kind.only_looks() && other.kind.only_looks())
    }
}

/// What the engine shows of one object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectInfo {
    /// What it is.
    pub kind: ObjectKind,
    /// Where the user made it, if that is known. For a thread, where it was spawned.
    pub created: Option<Site>,
    /// Where it was used first in this execution.
    pub first: Site,
}

/// The kinds of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ObjectKind {
    /// An atomic of any width.
    Atomic,
    /// `Barrier`.
    Barrier,
    /// A channel of `mpsc`, bounded or not.
    Channel,
    /// `Condvar`.
    Condvar,
    /// All files, pipes, sockets and processes together: how they are connected is not known.
    Files,
    /// A word in memory on which threads wait with the help of the kernel.
    Futex,
    /// `Mutex`.
    Mutex,
    /// `Once`, and the one inside `OnceLock` and `LazyLock`.
    Once,
    /// `RwLock`.
    RwLock,
    /// A thread, as the object of `join` and `unpark`.
    Thread,
    /// The written schedule of the test, as the object of its events.
    Schedule,
}

impl fmt::Display for ObjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Atomic => "atomic",
            Self::Barrier => "barrier",
            Self::Channel => "channel",
            Self::Condvar => "condvar",
            Self::Files => "files",
            Self::Futex => "futex",
            Self::Mutex => "mutex",
            Self::Once => "once",
            Self::RwLock => "rwlock",
            Self::Thread => "thread",
            Self::Schedule => "schedule",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_reads_back_from_its_name() {
        for &kind in OperationKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
    }

    #[test]
    fn loads_of_one_object_commute_and_a_store_does_not() {
        let operation = |kind, object| Operation::new(kind, ObjectId(object), Site::caller());
        let load = operation(OperationKind::AtomicLoad, 1);
        let store = operation(OperationKind::AtomicStore, 1);
        assert!(!load.conflicts_with(&load));
        assert!(load.conflicts_with(&store));
        assert!(!store.conflicts_with(&operation(OperationKind::AtomicStore, 2)));
    }
}

//! `Thread` and `ThreadId`.

use real::fmt;
use real::mem;
use real::num::NonZeroU64;
use real::sync::Arc;
use selvedge_engine::{Controlled, ThreadRef};
use selvedge_model::Site;

/// A handle to a thread; see [`std::thread::Thread`].
///
/// As large as the real one, a pointer: there is code that packs handles into what it has measured.
#[derive(Clone)]
pub struct Thread(Arc<Inner>);

enum Inner {
    Real(real::thread::Thread),
    Controlled { thread: ThreadRef, name: Option<Arc<str>> },
}

/// A unique identifier for a running thread; see [`std::thread::ThreadId`].
///
/// As large as the real one, a number that is never 0. Those of ordinary threads are the real
/// ones, which are counted from 1 up; those of controlled threads have `CONTROLLED` set, then
/// the execution, then the number of the thread in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ThreadId(NonZeroU64);

/// Marks the identifiers of controlled threads.
const CONTROLLED: u64 = 1 << 63;

impl ThreadId {
    fn real(id: real::thread::ThreadId) -> Self {
        // SAFETY: The real identifier is a `NonZero<u64>` and nothing else; that it is as large
        // and that nothing of it may be uninitialised is all that is used of that.
        let number = unsafe { mem::transmute::<real::thread::ThreadId, NonZeroU64>(id) };
        debug_assert_eq!(number.get() & CONTROLLED, 0, "nobody has started so many threads");
        Self(number)
    }

    fn controlled(thread: ThreadRef) -> Self {
        let execution = u64::from(thread.execution()) << 32;
        let number = NonZeroU64::new(CONTROLLED | execution | u64::from(thread.number()));
        Self(number.expect("the mark is not 0"))
    }
}

impl Thread {
    pub(crate) fn real(thread: real::thread::Thread) -> Self {
        Self(Arc::new(Inner::Real(thread)))
    }

    pub(crate) fn controlled(thread: ThreadRef, name: Option<Arc<str>>) -> Self {
        Self(Arc::new(Inner::Controlled { thread, name }))
    }

    /// Atomically makes the handle's token available if it is not already.
    #[track_caller]
    pub fn unpark(&self) {
        match &*self.0 {
            Inner::Real(thread) => thread.unpark(),
            // Outside of an execution none of its threads runs, so nobody needs the token.
            Inner::Controlled { thread, .. } => {
                if let Some(controlled) = Controlled::current() {
                    controlled.unpark(*thread, Site::caller());
                }
            }
        }
    }

    /// Gets the thread's unique identifier.
    #[must_use]
    pub fn id(&self) -> ThreadId {
        match &*self.0 {
            Inner::Real(thread) => ThreadId::real(thread.id()),
            Inner::Controlled { thread, .. } => ThreadId::controlled(*thread),
        }
    }

    /// Gets the thread's name.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match &*self.0 {
            Inner::Real(thread) => thread.name(),
            Inner::Controlled { name, .. } => name.as_deref(),
        }
    }
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thread")
            .field("id", &self.id())
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the execution, so that the text is the same in every one.
        let number = match self.0.get() {
            controlled if controlled & CONTROLLED != 0 => controlled & u64::from(u32::MAX),
            real => real,
        };
        f.debug_tuple("ThreadId").field(&number).finish()
    }
}

/// Gets a handle to the thread that invokes it.
#[must_use]
pub fn current() -> Thread {
    match Controlled::current() {
        Some(controlled) => Thread::controlled(controlled.this_thread(), controlled.thread_name()),
        None => Thread::real(real::thread::current()),
    }
}

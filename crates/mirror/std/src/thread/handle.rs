//! `Thread` and `ThreadId`.

use real::fmt;
use real::sync::Arc;
use selvedge_engine::{Controlled, ThreadRef};
use selvedge_model::Site;

/// A handle to a thread; see [`std::thread::Thread`].
#[derive(Clone)]
pub struct Thread(Inner);

#[derive(Clone)]
enum Inner {
    Real(real::thread::Thread),
    Controlled { thread: ThreadRef, name: Option<Arc<str>> },
}

/// A unique identifier for a running thread; see [`std::thread::ThreadId`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ThreadId(Id);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Id {
    Real(real::thread::ThreadId),
    Controlled(ThreadRef),
}

impl Thread {
    pub(crate) fn real(thread: real::thread::Thread) -> Self {
        Self(Inner::Real(thread))
    }

    pub(crate) fn controlled(thread: ThreadRef, name: Option<Arc<str>>) -> Self {
        Self(Inner::Controlled { thread, name })
    }

    /// Atomically makes the handle's token available if it is not already.
    #[track_caller]
    pub fn unpark(&self) {
        match &self.0 {
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
        ThreadId(match &self.0 {
            Inner::Real(thread) => Id::Real(thread.id()),
            Inner::Controlled { thread, .. } => Id::Controlled(*thread),
        })
    }

    /// Gets the thread's name.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match &self.0 {
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
        match self.0 {
            Id::Real(id) => id.fmt(f),
            // The same text in every execution.
            Id::Controlled(thread) => f.debug_tuple("ThreadId").field(&thread.number()).finish(),
        }
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

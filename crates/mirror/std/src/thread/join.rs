//! `JoinHandle`, and what it shares with scoped handles: the way to a thread's result.

use super::handle::Thread;
use super::scoped::ScopeData;
use real::any::Any;
use real::cell::UnsafeCell;
use real::fmt;
use real::marker::PhantomData;
use real::sync::{Arc, OnceLock};
use real::thread::Result;
use selvedge_engine::{Controlled, ThreadRef};
use selvedge_model::Site;

/// Where a thread leaves its result.
///
/// Written by the thread before it ends, read by whoever has waited for that end.
pub(crate) struct Packet<T> {
    result: UnsafeCell<Option<Result<T>>>,
    scope: Option<Arc<ScopeData>>,
}

// SAFETY: The thread writes before its end and the joiner reads after it; `Joinable::join`
// consumes the only right to read.
unsafe impl<T: Send> Sync for Packet<T> {}
// SAFETY: The result is made on one thread and taken on another, one after the other.
unsafe impl<T: Send> Send for Packet<T> {}

impl<T> Packet<T> {
    pub(crate) const fn new(scope: Option<Arc<ScopeData>>) -> Self {
        Self { result: UnsafeCell::new(None), scope }
    }

    /// Leaves the result.
    ///
    /// # Safety
    ///
    /// Only the thread itself may call this, once.
    pub(crate) unsafe fn leave(&self, result: Result<T>) {
        // SAFETY: Nobody reads before the thread has ended.
        unsafe { *self.result.get() = Some(result) };
    }
}

impl<T> Drop for Packet<T> {
    fn drop(&mut self) {
        // A panic that nobody asked for with `join` is the scope's business.
        if let (Some(Err(_)), Some(scope)) = (self.result.get_mut(), &self.scope) {
            scope.panicked();
        }
    }
}

/// A thread that can be waited for.
pub(crate) struct Joinable<T> {
    /// Made when somebody asks for it; few do.
    thread: OnceLock<Thread>,
    pub(crate) native: Native,
    pub(crate) packet: Arc<Packet<T>>,
}

/// How to wait for a thread.
pub(crate) enum Native {
    Real(real::thread::JoinHandle<()>),
    Controlled(ThreadRef, Option<Arc<str>>),
}

impl<T> Joinable<T> {
    pub(crate) fn new(native: Native, packet: Arc<Packet<T>>) -> Self {
        Self { thread: OnceLock::new(), native, packet }
    }

    pub(crate) fn thread(&self) -> &Thread {
        if self.thread.get().is_none() {
            // Made before the cell is touched: an allocator may let another thread run that comes here.
            let made = match &self.native {
                Native::Real(handle) => Thread::real(handle.thread().clone()),
                Native::Controlled(thread, name) => Thread::controlled(*thread, name.clone()),
            };
            drop(self.thread.set(made));
        }
        self.thread.get().expect("it has just been made, here or elsewhere")
    }

    #[track_caller]
    pub(crate) fn join(self) -> Result<T> {
        match self.native {
            Native::Real(handle) => handle.join()?,
            Native::Controlled(thread, _) => {
                if let Some(controlled) = Controlled::current() {
                    controlled.join(thread, Site::caller());
                }
            }
        }
        // SAFETY: The thread has ended, or it belongs to an execution that is over.
        match unsafe { (*self.packet.result.get()).take() } {
            Some(result) => result,
            None => panic!("selvedge: a thread can not be joined after its execution was given up"),
        }
    }

    #[track_caller]
    pub(crate) fn is_finished(&self) -> bool {
        match (&self.native, Controlled::current()) {
            (Native::Real(handle), _) => handle.is_finished(),
            (Native::Controlled(thread, _), Some(controlled)) => {
                controlled.is_finished(*thread, Site::caller())
            }
            (Native::Controlled(..), None) => true,
        }
    }
}

/// An owned permission to join on a thread; see [`std::thread::JoinHandle`].
pub struct JoinHandle<T> {
    pub(crate) inner: Joinable<T>,
    /// As the real handle, it is not unwind safe: the thread's panic is in it.
    pub(crate) unsafe_to_unwind: PhantomData<Box<dyn Any + Send>>,
}

// SAFETY: As the real handle: only `join`, which consumes the handle, gives access to the result.
unsafe impl<T> Send for JoinHandle<T> {}
// SAFETY: As above.
unsafe impl<T> Sync for JoinHandle<T> {}

impl<T> JoinHandle<T> {
    /// Extracts a handle to the underlying thread.
    #[must_use]
    pub fn thread(&self) -> &Thread {
        self.inner.thread()
    }

    /// Waits for the associated thread to finish.
    #[track_caller]
    pub fn join(self) -> Result<T> {
        self.inner.join()
    }

    /// Checks if the associated thread has finished running its main function.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        self.inner.is_finished()
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}

#[cfg(unix)]
mod os {
    use super::{Controlled, JoinHandle, Native, ThreadRef};
    use real::os::unix::thread::{JoinHandleExt, RawPthread};

    /// What a controlled thread is told if it asks who it is. It has no thread of the system of its own: where
    /// nobody stands in front of the C library, that is the one that runs them all.
    fn identity(thread: ThreadRef) -> RawPthread {
        // SAFETY: Asking for the calling thread has no preconditions.
        let ask = || unsafe { libc::pthread_self() };
        match Controlled::current() {
            Some(controlled) => controlled.seen_by(thread, ask),
            None => ask(),
        }
    }

    impl<T> JoinHandleExt for JoinHandle<T> {
        fn as_pthread_t(&self) -> RawPthread {
            match &self.inner.native {
                Native::Real(handle) => handle.as_pthread_t(),
                Native::Controlled(thread, _) => identity(*thread),
            }
        }

        fn into_pthread_t(self) -> RawPthread {
            match self.inner.native {
                Native::Real(handle) => handle.into_pthread_t(),
                Native::Controlled(thread, _) => identity(thread),
            }
        }
    }
}

//! `scope`: threads that borrow from the one that starts them.

use super::builder::Builder;
use super::handle::{Thread, current};
use super::join::Joinable;
use crate::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use real::any::Any;
use real::fmt;
use real::marker::PhantomData;
use real::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use real::sync::{Arc, Mutex, PoisonError};
use real::thread::Result;
use selvedge_engine::{Controlled, ThreadRef};
use selvedge_model::Site;

/// A scope to spawn scoped threads in; see [`std::thread::Scope`].
#[derive(Debug)]
pub struct Scope<'scope, 'env: 'scope> {
    pub(crate) data: Arc<ScopeData>,
    /// Invariant in both lifetimes, as the soundness of the scope demands.
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

/// What a scope and its threads share.
#[derive(Debug)]
pub(crate) struct ScopeData {
    running: AtomicUsize,
    panicked: AtomicBool,
    owner: Thread,
    /// The scope's threads, if they are under control.
    controlled: Mutex<Vec<ThreadRef>>,
}

impl ScopeData {
    /// A thread is about to start.
    pub(crate) fn begun(&self) {
        self.running.fetch_add(1, Ordering::Relaxed);
    }

    /// A controlled thread has started.
    pub(crate) fn add(&self, thread: ThreadRef) {
        self.controlled.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
    }

    /// A thread is about to end.
    pub(crate) fn ended(&self) {
        if self.running.fetch_sub(1, Ordering::Release) == 1 && Controlled::current().is_none() {
            self.owner.unpark();
        }
    }

    /// A thread panicked and nobody took the panic.
    pub(crate) fn panicked(&self) {
        self.panicked.store(true, Ordering::Relaxed);
    }

    /// Waits until every thread of the scope has ended.
    fn wait(&self, site: Site) {
        match Controlled::current() {
            Some(controlled) => {
                let mut next = 0;
                // A thread of the scope may start others while it is being waited for.
                while let Some(thread) = self.nth(next) {
                    controlled.join_if_running(thread, site);
                    next += 1;
                }
            }
            None => {
                while self.running.load(Ordering::Acquire) != 0 {
                    real::thread::park();
                }
            }
        }
    }

    fn nth(&self, n: usize) -> Option<ThreadRef> {
        self.controlled.lock().unwrap_or_else(PoisonError::into_inner).get(n).copied()
    }
}

/// Creates a scope for spawning scoped threads; see [`std::thread::scope`].
#[track_caller]
pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let site = Site::caller();
    let data = Arc::new(ScopeData {
        running: AtomicUsize::new(0),
        panicked: AtomicBool::new(false),
        owner: current(),
        controlled: Mutex::new(Vec::new()),
    });
    let scope = Scope { data, scope: PhantomData, env: PhantomData };
    let result = catch_unwind(AssertUnwindSafe(|| f(&scope)));
    scope.data.wait(site);
    match result {
        Err(panic) => resume_unwind(panic),
        Ok(_) if scope.data.panicked.load(Ordering::Relaxed) => {
            panic!("a scoped thread panicked")
        }
        Ok(result) => result,
    }
}

impl<'scope, 'env> Scope<'scope, 'env> {
    /// Spawns a new thread within a scope, returning a [`ScopedJoinHandle`] for it.
    #[track_caller]
    pub fn spawn<F, T>(&'scope self, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        Builder::new().spawn_scoped(self, f).expect("failed to spawn thread")
    }
}

/// An owned permission to join on a scoped thread; see [`std::thread::ScopedJoinHandle`].
pub struct ScopedJoinHandle<'scope, T> {
    inner: Joinable<T>,
    scope: PhantomData<&'scope ()>,
    /// As the real handle, it is not unwind safe: the thread's panic is in it.
    unsafe_to_unwind: PhantomData<Box<dyn Any + Send>>,
}

// SAFETY: As the real handle: only `join`, which consumes the handle, gives access to the result.
unsafe impl<T: Send> Send for ScopedJoinHandle<'_, T> {}
// SAFETY: As above.
unsafe impl<T: Send> Sync for ScopedJoinHandle<'_, T> {}

impl<T> ScopedJoinHandle<'_, T> {
    pub(crate) fn new(inner: Joinable<T>) -> Self {
        Self { inner, scope: PhantomData, unsafe_to_unwind: PhantomData }
    }

    /// Extracts a handle to the underlying thread.
    #[must_use]
    pub fn thread(&self) -> &Thread {
        self.inner.thread()
    }

    /// Waits for the associated thread to finish. Its panic is then the caller's business, not
    /// the scope's.
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

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopedJoinHandle").finish_non_exhaustive()
    }
}

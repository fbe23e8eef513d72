//! `spawn` and `Builder`: how threads begin.

use super::join::{JoinHandle, Joinable, Native, Packet};
use super::scoped::{Scope, ScopeData, ScopedJoinHandle};
use crate::noise;
use crate::panic::{AssertUnwindSafe, catch_unwind};
use real::io;
use real::marker::PhantomData;
use real::sync::Arc;
use selvedge_engine::{Controlled, ThreadOptions};
use selvedge_model::Site;

/// Thread factory, which can be used in order to configure the properties of a new thread; see
/// [`std::thread::Builder`].
#[must_use = "must eventually spawn the thread"]
#[derive(Debug)]
pub struct Builder {
    name: Option<String>,
    stack_size: Option<usize>,
}

/// Spawns a new thread, returning a [`JoinHandle`] for it.
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    Builder::new().spawn(f).expect("failed to spawn thread")
}

impl Builder {
    /// Generates the base configuration for spawning a thread.
    #[expect(clippy::new_without_default, reason = "as in std")]
    pub fn new() -> Self {
        Self { name: None, stack_size: None }
    }

    /// Names the thread-to-be.
    pub fn name(mut self, name: String) -> Self {
        self.name = Some(name);
        self
    }

    /// Sets the size of the stack (in bytes) for the new thread.
    pub fn stack_size(mut self, size: usize) -> Self {
        self.stack_size = Some(size);
        self
    }

    /// Spawns a new thread by taking ownership of the `Builder`.
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        // SAFETY: Nothing is borrowed.
        unsafe { self.spawn_unchecked(f) }
    }

    /// Spawns a new thread without any lifetime restrictions.
    ///
    /// # Safety
    ///
    /// The caller has to ensure that the spawned thread does not outlive any references in the
    /// supplied thread closure and its return type.
    #[track_caller]
    pub unsafe fn spawn_unchecked<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send,
        T: Send,
    {
        // SAFETY: Passed on to the caller.
        let inner = unsafe { self.start(f, None, Site::caller()) }?;
        Ok(JoinHandle { inner, unsafe_to_unwind: PhantomData })
    }

    /// Spawns a new scoped thread using the settings set through this `Builder`.
    #[track_caller]
    pub fn spawn_scoped<'scope, 'env, F, T>(
        self,
        scope: &'scope Scope<'scope, 'env>,
        f: F,
    ) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let data = Some(Arc::clone(&scope.data));
        // SAFETY: The scope waits for all its threads before `'scope` ends.
        let inner = unsafe { self.start(f, data, Site::caller()) }?;
        Ok(ScopedJoinHandle::new(inner))
    }

    /// Starts a thread of either kind.
    ///
    /// # Safety
    ///
    /// As for [`spawn_unchecked`](Self::spawn_unchecked).
    unsafe fn start<F, T>(
        self,
        f: F,
        scope: Option<Arc<ScopeData>>,
        site: Site,
    ) -> io::Result<Joinable<T>>
    where
        F: FnOnce() -> T + Send,
        T: Send,
    {
        let packet = Arc::new(Packet::new(scope.clone()));
        let theirs = Arc::clone(&packet);
        let in_scope = scope.clone();
        let body = move || {
            let result = catch_unwind(AssertUnwindSafe(f));
            // SAFETY: This is the thread itself, and it does so once.
            unsafe { theirs.leave(result) };
            // A result that nobody will ask for is dropped here, while what it may borrow lives.
            drop(theirs);
            if let Some(scope) = in_scope {
                scope.ended();
            }
        };
        if let Some(scope) = &scope {
            scope.begun();
        }
        let started = match Controlled::current() {
            Some(controlled) => {
                let name = self.name.map(Arc::from);
                let options =
                    ThreadOptions { name: Option::clone(&name), stack_size: self.stack_size };
                // SAFETY: Passed on to the caller.
                unsafe { controlled.spawn(body, options, site) }.map(|thread| {
                    if let Some(scope) = &scope {
                        scope.add(thread);
                    }
                    Native::Controlled(thread, name)
                })
            }
            None => {
                let mut builder = real::thread::Builder::new();
                if let Some(name) = self.name {
                    builder = builder.name(name);
                }
                if let Some(size) = self.stack_size {
                    builder = builder.stack_size(size);
                }
                let handed = noise::hand_on();
                let body = move || {
                    let _noisy = handed.enter();
                    body();
                };
                // SAFETY: Passed on to the caller.
                unsafe { builder.spawn_unchecked(body) }.map(Native::Real)
            }
        };
        match started {
            Ok(native) => Ok(Joinable::new(native, packet)),
            Err(error) => {
                if let Some(scope) = scope {
                    scope.ended();
                }
                Err(error)
            }
        }
    }
}

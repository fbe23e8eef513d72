//! Whether the calling code runs under control, and the way into the engine if it does.

use crate::execution::Execution;
use std::cell::Cell;
use std::ptr::{self, NonNull};

thread_local! {
    /// The execution whose threads run on this operating-system thread.
    static CURRENT: Cell<*mut Execution> = const { Cell::new(ptr::null_mut()) };
}

/// Proof that the caller is a thread of a controlled execution: how mirrors reach the engine.
///
/// Each operation of a mirror asks [`Controlled::current`] anew and uses the answer at once; it
/// must not be kept. It can not be sent to another operating-system thread.
#[derive(Clone, Copy)]
pub struct Controlled {
    execution: NonNull<Execution>,
}

impl Controlled {
    /// The engine that runs the caller, or nothing if the caller is an ordinary thread.
    #[inline]
    pub fn current() -> Option<Self> {
        NonNull::new(CURRENT.get()).map(|execution| Self { execution })
    }

    /// The state of the execution, for a stretch in which no other thread can run.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "the handle is a pointer; the contract is below")]
    pub(crate) fn execution(&self) -> &mut Execution {
        // SAFETY: `current` hands out handles only while `Execution::run` is on this thread, which
        // keeps the execution alive and holds no reference while fibers run. All threads of the
        // execution are fibers of this operating-system thread, so nobody else reaches it at the
        // same time; each engine function takes the reference anew after every switch and calls
        // no code that could come back here while it holds one (strategies and observers run
        // with `CURRENT` cleared).
        unsafe { &mut *self.execution.as_ptr() }
    }

    /// Hands control over to the thread that was chosen; returns when the caller is chosen again.
    #[inline(always)]
    pub(crate) fn switch(&self, exit: crate::fiber::FiberExit) {
        // SAFETY: The exit was read from the thread that runs, that is the caller.
        unsafe { exit.leave() };
    }
}

/// The place where an operating-system thread keeps its current execution. Looked up once for an
/// execution, since looking it up costs more than writing to it.
#[derive(Clone, Copy)]
pub(crate) struct Place(*const Cell<*mut Execution>);

impl Place {
    /// The place of no thread.
    pub(crate) const NOWHERE: Self = Self(ptr::null());

    /// The calling thread's place.
    pub(crate) fn here() -> Self {
        CURRENT.with(|current| Self(ptr::from_ref(current)))
    }

    /// Makes `execution` the current one for as long as the result lives.
    ///
    /// # Safety
    ///
    /// Must be called on the thread whose place this is.
    #[inline(always)]
    pub(crate) unsafe fn enter(self, execution: *mut Execution) -> Enter {
        // SAFETY: The caller is on the thread that owns the place, so it lives and is not shared.
        let outer = unsafe { (*self.0).replace(execution) };
        Enter { place: self, outer }
    }

    /// Runs code of ours that must not take part in the execution, such as a strategy.
    ///
    /// # Safety
    ///
    /// Must be called on the thread whose place this is.
    #[inline(always)]
    pub(crate) unsafe fn outside<R>(self, f: impl FnOnce() -> R) -> R {
        // SAFETY: Passed on to the caller.
        let _outside = unsafe { self.enter(ptr::null_mut()) };
        f()
    }
}

/// Puts the former execution back when it is dropped.
pub(crate) struct Enter {
    place: Place,
    outer: *mut Execution,
}

impl Drop for Enter {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: `Place::enter` was called on this thread, and guards do not leave it.
        unsafe { (*self.place.0).set(self.outer) };
    }
}

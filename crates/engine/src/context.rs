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

/// Makes `execution` the current one for as long as the guard lives.
pub(crate) struct Enter {
    outer: *mut Execution,
}

impl Enter {
    pub(crate) fn new(execution: *mut Execution) -> Self {
        Self { outer: CURRENT.replace(execution) }
    }
}

impl Drop for Enter {
    fn drop(&mut self) {
        CURRENT.set(self.outer);
    }
}

/// Runs code of ours that must not take part in the execution, such as a strategy.
#[inline]
pub(crate) fn outside<R>(f: impl FnOnce() -> R) -> R {
    let _outside = Enter::new(ptr::null_mut());
    f()
}

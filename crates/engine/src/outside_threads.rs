//! Threads and processes that are started behind the engine's back.
//!
//! A C library that starts a thread of its own gets it. The thread is not under control: it runs
//! when it likes, and what it does is not the same in every execution. Who started it is noted, so
//! that a test that can not be replayed can be explained.

use crate::context::{Controlled, Place};
use crate::execution::Execution;
use selvedge_model::{OperationKind, OutsideThread, ThreadId};
use std::{mem, ptr};

/// The start of a thread that is not under control.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutsideStart {
    by: ThreadId,
    /// How many events there had been.
    events: usize,
}

impl Controlled {
    /// Notes that the running thread starts a thread that will not be under control.
    pub fn starts_outside_thread(self) {
        let mut execution = self.execution();
        let start = OutsideStart { by: execution.current, events: execution.events.len() };
        execution.world.outside_threads.push(start);
        execution.partners.watch.has_outsiders();
    }

    /// Runs code of ours that takes no part in the execution: what it asks of the C library is asked
    /// of the real one.
    pub fn apart<R>(self, f: impl FnOnce() -> R) -> R {
        apart(f)
    }

    /// The calling code runs in another process from now on, which has a copy of the execution's
    /// memory and is none of its threads.
    pub fn leave(self) {
        // SAFETY: The place is that of the calling thread.
        let entered = unsafe { Place::here().enter(ptr::null_mut()) };
        // Nobody comes back.
        mem::forget(entered);
    }
}

/// As [`Controlled::apart`], on whatever thread the caller is.
pub(crate) fn apart<R>(f: impl FnOnce() -> R) -> R {
    // SAFETY: The place is that of the calling thread.
    unsafe { Place::here().outside(f) }
}

impl Execution {
    /// The threads that were started without being under control.
    pub(crate) fn outside_threads(&self) -> Vec<OutsideThread> {
        if self.world.outside_threads.is_empty() {
            return Vec::new();
        }
        let threads = self.thread_reports();
        let describe = |start: &OutsideStart| {
            let mut before = self.events[..start.events].iter().rev();
            let last = before.find(|event| event.thread == start.by);
            let operation = last.map(|event| event.operation);
            OutsideThread {
                by: threads[start.by.index()].clone(),
                after: operation
                    .filter(|operation| operation.kind != OperationKind::ThreadStart)
                    .map(|operation| operation.site.source()),
            }
        };
        self.world.outside_threads.iter().map(describe).collect()
    }
}

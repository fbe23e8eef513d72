//! What can be seen of a running execution from another operating-system thread.

use selvedge_model::{Site, Source};
use std::panic::Location;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// Shared with a watchdog, which tells a test that is stuck in real I/O from one that works.
///
/// The engine writes, others read; the values belong together only if nothing moves any more,
/// which is exactly when a watchdog asks.
#[derive(Debug, Default)]
pub struct Watch {
    /// The kernel's number of the thread that runs the executions.
    os_thread: AtomicI32,
    steps: AtomicU64,
    executions: AtomicU64,
    thread: AtomicU32,
    site: AtomicPtr<Location<'static>>,
    waiting: AtomicBool,
    stop: AtomicBool,
}

impl Watch {
    /// How many steps the engine that ran last has made. Changes for as long as there is progress;
    /// every engine counts for itself.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Whether the thread that runs the executions computes, or could if there were a processor for
    /// it; it waits otherwise. Not known, and so not the case, on systems other than Linux.
    pub fn is_computing(&self) -> bool {
        let thread = self.os_thread.load(Ordering::Relaxed);
        let Ok(status) = std::fs::read_to_string(format!("/proc/self/task/{thread}/stat")) else {
            return false;
        };
        // The name of the thread, in parentheses, may have anything in it.
        status.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('R'))
    }

    /// Notes that the calling thread is the one that runs the executions.
    pub(crate) fn runs_here(&self) {
        #[cfg(target_os = "linux")]
        // SAFETY: Asking for the number of the calling thread has no preconditions.
        self.os_thread.store(unsafe { libc::gettid() }, Ordering::Relaxed);
    }

    /// How many executions the campaign has counted.
    pub fn executions(&self) -> u64 {
        self.executions.load(Ordering::Relaxed)
    }

    /// Counts executions.
    pub fn count(&self, executions: u64) {
        self.executions.store(executions, Ordering::Relaxed);
    }

    /// Whether the engine waits for another one, so that no steps mean nothing.
    pub fn is_waiting(&self) -> bool {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Asks the engine to give an execution up that is too long. One of ordinary length comes to
    /// its end.
    pub fn ask_to_stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked for it.
    pub(crate) fn is_asked_to_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Runs `wait`, during which no steps are to be expected.
    pub(crate) fn while_waiting<R>(&self, wait: impl FnOnce() -> R) -> R {
        self.waiting.store(true, Ordering::Relaxed);
        let result = wait();
        self.waiting.store(false, Ordering::Relaxed);
        result
    }

    /// The number of the thread that stopped last and the operation before which it did.
    pub fn last(&self) -> (u32, Option<Source>) {
        let site = self.site.load(Ordering::Relaxed);
        // SAFETY: Only `'static` locations are ever stored.
        let site = (!site.is_null()).then(|| unsafe { &*site });
        let source = site.map(Source::from);
        (self.thread.load(Ordering::Relaxed), source)
    }

    /// Notes the end of an execution.
    pub(crate) fn finished(&self, total: u64) {
        self.steps.store(total, Ordering::Relaxed);
    }

    /// Notes that a thread stands before an operation. One writer, so no read-modify-write is
    /// needed.
    #[inline(always)]
    pub(crate) fn step(&self, total: u64, thread: u32, site: Site) {
        self.steps.store(total, Ordering::Relaxed);
        self.thread.store(thread, Ordering::Relaxed);
        self.site.store(ptr::from_ref(site.location()).cast_mut(), Ordering::Relaxed);
    }
}

//! What can be seen of a running execution from another operating-system thread, or from the
//! process that it was forked from.

use crate::effort::{Effort, Others, Workers, effort};
use crate::ending::Crash;
use crate::shared::{Shareable, Shared};
use selvedge_model::{Site, Source};
use std::panic::Location;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Shared with a watchdog, which tells a test that is stuck in real I/O from one that works.
///
/// The engine writes, others read; the values belong together only if nothing moves any more,
/// which is exactly when a watchdog asks.
#[derive(Debug)]
pub struct Watch {
    page: Shared<Page>,
    /// Held by whoever forks, and by other threads of ours while they do something that must not be
    /// cut in half by it.
    forking: Mutex<()>,
}

#[derive(Debug)]
struct Page {
    /// The kernel's number of the thread that runs the executions.
    os_thread: AtomicI32,
    begun: AtomicU64,
    steps: AtomicU64,
    executions: AtomicU64,
    thread: AtomicU32,
    site: AtomicPtr<Location<'static>>,
    waiting: AtomicBool,
    /// Whether an execution has come to its end.
    ended: AtomicBool,
    stop: AtomicBool,
    insist: AtomicBool,
    /// The child that runs an execution, or 0.
    child: AtomicI32,
    /// How far it has come.
    events: AtomicU64,
    choices: AtomicU64,
    /// Whether the test has threads that are not under control.
    outsiders: AtomicBool,
    /// Why the execution was interrupted ([`Interruption::encode`]), or 0 if it was not.
    interrupt: AtomicU64,
    /// Whether there is no more memory for what we keep.
    no_memory: AtomicBool,
}

// SAFETY: All of it are atomics for which zero is valid.
unsafe impl Shareable for Page {}

/// A moment of an execution: what had happened and how often there had been something to decide.
/// The same schedule comes to the same moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) events: u64,
    pub(crate) choices: u64,
}

impl Default for Watch {
    fn default() -> Self {
        Self { page: Shared::new(), forking: Mutex::new(()) }
    }
}

impl Watch {
    /// Changes for as long as there is progress: how many executions were begun, and how many steps the
    /// engine that ran last has made; every engine counts for itself.
    pub fn progress(&self) -> (u64, u64) {
        (self.page.begun.load(Ordering::Relaxed), self.steps())
    }

    /// How many steps the engine that ran last has made.
    pub fn steps(&self) -> u64 {
        self.page.steps.load(Ordering::Relaxed)
    }

    /// What was done so far by those on whom the execution depends. Nothing if none has begun, so that
    /// nothing of the test's can be waiting.
    pub fn effort(&self) -> Option<Effort> {
        let thread = self.page.os_thread.load(Ordering::Relaxed);
        if thread == 0 {
            return None;
        }
        let process = match self.page.child.load(Ordering::Relaxed) {
            0 => i32::try_from(std::process::id()).unwrap_or(0),
            child => child,
        };
        let others = match self.page.outsiders.load(Ordering::Relaxed) {
            true => Others::Some,
            false => Others::None,
        };
        Some(effort(Workers { process, thread, others }))
    }

    /// Notes that the test has a thread that is not under control.
    pub(crate) fn has_outsiders(&self) {
        self.page.outsiders.store(true, Ordering::Relaxed);
    }

    /// Notes that the calling thread is the one that runs the executions.
    pub(crate) fn runs_here(&self) {
        #[cfg(target_os = "linux")]
        // SAFETY: Asking for the number of the calling thread has no preconditions.
        self.page.os_thread.store(unsafe { libc::gettid() }, Ordering::Relaxed);
    }

    /// How many executions the campaign has counted.
    pub fn executions(&self) -> u64 {
        self.page.executions.load(Ordering::Relaxed)
    }

    /// Counts executions.
    pub fn count(&self, executions: u64) {
        self.page.executions.store(executions, Ordering::Relaxed);
    }

    /// Notes that an execution has come to its end, so that others may not take longer.
    pub fn has_ended_once(&self) {
        self.page.ended.store(true, Ordering::Relaxed);
    }

    /// Whether an execution has come to its end.
    pub fn ended_once(&self) -> bool {
        self.page.ended.load(Ordering::Relaxed)
    }

    /// Whether the engine waits for another one, so that no steps mean nothing.
    pub fn is_waiting(&self) -> bool {
        self.page.waiting.load(Ordering::Relaxed)
    }

    /// Asks the engine to give an execution up that is too long. One of ordinary length comes to
    /// its end.
    pub fn ask_to_stop(&self) {
        self.page.stop.store(true, Ordering::Relaxed);
    }

    /// Asks the engine to give the execution up however long it is: few steps may take much time.
    pub fn insist_on_stop(&self) {
        self.page.insist.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has insisted on it.
    pub(crate) fn must_stop(&self) -> bool {
        self.page.insist.load(Ordering::Relaxed)
    }

    /// Whether somebody has asked for it.
    pub(crate) fn is_asked_to_stop(&self) -> bool {
        self.page.stop.load(Ordering::Relaxed)
    }

    /// Notes that what we keep takes more memory than it may.
    pub fn has_no_memory(&self) {
        self.page.no_memory.store(true, Ordering::Relaxed);
    }

    /// Whether what we keep takes more memory than it may: no other execution should begin, and one
    /// that is long should not go on.
    pub fn is_out_of_memory(&self) -> bool {
        self.page.no_memory.load(Ordering::Relaxed)
    }

    /// Runs `wait`, during which no steps are to be expected.
    pub(crate) fn while_waiting<R>(&self, wait: impl FnOnce() -> R) -> R {
        self.page.waiting.store(true, Ordering::Relaxed);
        let result = wait();
        self.page.waiting.store(false, Ordering::Relaxed);
        result
    }

    /// The number of the thread that stopped last and the operation before which it did.
    pub fn last(&self) -> (u32, Option<Source>) {
        let site = self.page.site.load(Ordering::Relaxed);
        // SAFETY: Only `'static` locations are ever stored, also by children, in which they lie at
        // the same addresses.
        let site = (!site.is_null()).then(|| unsafe { &*site });
        let source = site.map(Source::from);
        (self.page.thread.load(Ordering::Relaxed), source)
    }

    /// Notes the end of an execution.
    pub(crate) fn finished(&self, total: u64) {
        self.page.steps.store(total, Ordering::Relaxed);
    }

    /// Notes that a thread stands before an operation. One writer, so no read-modify-write is
    /// needed.
    #[inline(always)]
    pub(crate) fn step(&self, total: u64, thread: u32, site: Site) {
        self.page.steps.store(total, Ordering::Relaxed);
        self.page.thread.store(thread, Ordering::Relaxed);
        let site = site.location().map_or(ptr::null(), ptr::from_ref);
        self.page.site.store(site.cast_mut(), Ordering::Relaxed);
    }

    /// Nobody forks for as long as the result lives. In a child only the thread goes on that has
    /// forked it, so whoever holds a lock that a child may need does so under this.
    pub fn without_forks(&self) -> MutexGuard<'_, ()> {
        self.forking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A child runs the execution from now on.
    pub(crate) fn has_child(&self, child: i32) {
        self.page.child.store(child, Ordering::Relaxed);
    }

    /// The child has ended, or will be waited for no longer.
    pub(crate) fn has_no_child(&self) {
        self.page.child.store(0, Ordering::Relaxed);
    }

    /// Has the execution end that has not come to an operation for long. Says whether it was asked to: only
    /// once, and only if there is a way. One in a child ends with its process. Otherwise its thread gets
    /// a signal; if it is in code of the test, it is cut off there, as one that crashes is.
    pub fn interrupt(&self, why: Interruption) -> bool {
        let _no_other = self.without_forks();
        if self.interrupted().is_some() {
            return false;
        }
        self.page.interrupt.store(why.encode(), Ordering::SeqCst);
        #[cfg(target_os = "linux")]
        {
            let child = self.page.child.load(Ordering::Relaxed);
            let thread = self.page.os_thread.load(Ordering::Relaxed);
            // SAFETY: The child has not been waited for, which is done without forks only, so the number
            // is still that of the child. The thread is one of this process; if it has ended, the call
            // fails. Its handler looks whether the signal is for it.
            let result = unsafe {
                match child {
                    0 => libc::syscall(libc::SYS_tgkill, libc::getpid(), thread, INTERRUPT),
                    _ => libc::kill(child, libc::SIGKILL).into(),
                }
            };
            result == 0
        }
        #[cfg(not(target_os = "linux"))]
        false
    }

    /// Forgets how far the last child has come.
    pub(crate) fn reset_moment(&self) {
        self.note(Moment { events: 0, choices: 0 });
    }

    /// Notes how far the execution has come.
    pub(crate) fn note(&self, moment: Moment) {
        self.page.events.store(moment.events, Ordering::Relaxed);
        self.page.choices.store(moment.choices, Ordering::Relaxed);
    }

    /// How far the last execution in a child has come.
    pub(crate) fn moment(&self) -> Moment {
        Moment {
            events: self.page.events.load(Ordering::Relaxed),
            choices: self.page.choices.load(Ordering::Relaxed),
        }
    }

    /// An execution begins, which nobody has interrupted.
    pub(crate) fn begins(&self) {
        self.page.begun.fetch_add(1, Ordering::Relaxed);
        self.page.interrupt.store(0, Ordering::SeqCst);
        self.page.outsiders.store(false, Ordering::Relaxed);
    }

    /// What became of the execution by being interrupted, if it was.
    pub(crate) fn interrupted(&self) -> Option<Crash> {
        match self.page.interrupt.load(Ordering::SeqCst) {
            0 => None,
            code => Some(Interruption::crash(code)),
        }
    }
}

/// Why an execution is interrupted that has not come to an operation for long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// Nobody has worked on it for so long.
    Still(Duration),
    /// So much processor time was used for it.
    Computing(Duration),
}

impl Interruption {
    /// Is set in the number of a [`Computing`](Self::Computing).
    const COMPUTING: u64 = 1 << 63;

    /// For how long it has not come to an operation.
    pub fn duration(self) -> Duration {
        match self {
            Self::Still(time) | Self::Computing(time) => time,
        }
    }

    /// As a number that is not 0.
    fn encode(self) -> u64 {
        let milliseconds = u64::try_from(self.duration().as_millis()).unwrap_or(u64::MAX);
        let milliseconds = milliseconds.clamp(1, Self::COMPUTING - 1);
        match self {
            Self::Still(_) => milliseconds,
            Self::Computing(_) => milliseconds | Self::COMPUTING,
        }
    }

    /// What becomes of the execution.
    fn crash(code: u64) -> Crash {
        let milliseconds = code & !Self::COMPUTING;
        match code & Self::COMPUTING {
            0 => Crash::Stalled { milliseconds },
            _ => Crash::Computing { milliseconds },
        }
    }
}

/// The signal that a thread gets which is to end its execution. Nothing happens if nobody handles it.
#[cfg(target_os = "linux")]
pub(crate) const INTERRUPT: i32 = libc::SIGURG;

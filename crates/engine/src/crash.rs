//! Threads that would take the process down with them.
//!
//! A stack overflow, an invalid access, an abort or a call of `std::process::exit` on a
//! controlled thread ends its execution, not the process: the thread is cut off where it stands
//! (its frames are leaked, as those of every abandoned thread) and what happened becomes a
//! finding. Everything else is passed on to whoever handled it before.
//!
//! Deviation: memory that an invalid access has damaged before it was caught stays damaged; the
//! finding is sound, later executions of the same process may suffer.

use crate::context::Controlled;
use crate::ending::{Crash, Ending};

#[cfg(all(unix, not(miri)))]
pub(crate) use unix::install;

/// Nothing is intercepted on this platform: a crash ends the process, as without us.
#[cfg(not(all(unix, not(miri))))]
pub(crate) fn install() {}

/// The name of a signal and what is known of its cause.
pub(crate) fn describe(number: i32, address: usize) -> (String, String) {
    let (name, cause) = match number {
        libc::SIGSEGV => ("SIGSEGV", format!("invalid access to address {address:#x}")),
        libc::SIGBUS => ("SIGBUS", format!("invalid access to address {address:#x}")),
        libc::SIGILL => ("SIGILL", "illegal instruction".to_owned()),
        libc::SIGFPE => ("SIGFPE", "arithmetic exception".to_owned()),
        libc::SIGABRT => (
            "SIGABRT",
            "abort, as after a panic that could not unwind (in a destructor during unwinding, or \
             out of an extern \"C\" function)"
                .to_owned(),
        ),
        libc::SIGKILL => (
            "SIGKILL",
            "the process was killed, by itself, by somebody else or for want of memory".to_owned(),
        ),
        libc::SIGTERM => ("SIGTERM", "the process was asked to end".to_owned()),
        _ => ("signal", format!("number {number}")),
    };
    (name.to_owned(), cause)
}

/// Stops under a debugger, in the running thread.
#[cold]
pub(crate) fn trap() {
    #[cfg(unix)]
    // SAFETY: Raising a signal has no preconditions.
    unsafe {
        libc::raise(libc::SIGTRAP);
    }
}

impl Controlled {
    /// Ends the execution because of a crash of the running thread. The caller must then hand
    /// control back for good.
    pub(crate) fn crashed(self, crash: Crash) {
        self.execution().end(Ending::Crashed { crash });
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod exit;
/// `std::process::exit` is not intercepted on this platform: it ends the process.
#[cfg(not(all(target_os = "linux", target_env = "gnu", not(miri))))]
mod exit {
    pub(super) fn install() {}
}
#[cfg(all(unix, not(miri)))]
mod unix;

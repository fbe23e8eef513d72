//! `std::process::exit` on a controlled thread, with the GNU C library.
//!
//! A test that leaves the process would take all other tests with it. `std::process::exit` ends
//! in the C library's `exit`, in front of which we stand: on a controlled thread it ends the
//! execution instead.
//!
//! The catch: before that, std notes which thread leaves the process, for good. When another
//! thread wants to leave later, std makes it wait for ever in `pause`, and the same thread panics
//! with a message about re-entrance. So we stand in front of `pause` as well: a controlled thread
//! that comes there has called `exit`, and any other one is the real end of the process.

use crate::context::Controlled;
use crate::ending::Crash;
use std::backtrace::Backtrace;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

crate::kept! {
    /// Whether a call of `exit` was intercepted in this process.
    static INTERCEPTED: AtomicBool = AtomicBool::new(false);
}

/// What std panics with when the thread that it has noted leaves again.
const AGAIN: &str = "std::process::exit called re-entrantly";

/// What the test harness leaves the process with if a test has failed.
const TESTS_FAILED: c_int = 101;

/// Makes the linker take the functions below along.
pub(super) fn install() {
    std::hint::black_box((exit as *const (), pause as *const ()));
}

impl Controlled {
    /// Whether the running thread has called `std::process::exit` and std has not let it.
    pub(crate) fn has_called_exit_again(self) -> bool {
        let execution = &mut *self.execution();
        let last = execution.account.panics.notes.last();
        last.is_some_and(|note| note.thread == execution.current && note.message == AGAIN)
    }

    /// Ends the execution because the running thread has called `exit`; never comes back.
    fn exits(self, code: Option<c_int>) -> ! {
        INTERCEPTED.store(true, Ordering::Relaxed);
        self.crashed(Crash::Exit { code });
        self.give_way_for_good()
    }
}

// SAFETY: The signature is that of the C library, and so is what it does for everybody who is not
// under control.
#[unsafe(no_mangle)]
extern "C" fn exit(code: c_int) -> ! {
    if let Some(controlled) = Controlled::running() {
        controlled.exits(Some(code));
    }
    // SAFETY: The next definition of the symbol is the C library's, with this signature.
    unsafe {
        let real = next(c"exit");
        if real.is_null() {
            libc::_exit(code);
        }
        let real: extern "C" fn(c_int) -> ! = std::mem::transmute(real);
        real(code)
    }
}

// SAFETY: As above.
#[unsafe(no_mangle)]
extern "C" fn pause() -> c_int {
    if let Some(controlled) = Controlled::running() {
        controlled.exits(None);
    }
    if INTERCEPTED.load(Ordering::Relaxed) {
        let stack = Backtrace::force_capture().to_string();
        if stack.contains("std::process::exit") {
            // The harness leaves early only if tests have failed.
            exit(TESTS_FAILED);
        }
        if stack.contains("lang_start") {
            // The main function has returned.
            exit(0);
        }
    }
    // SAFETY: The next definition of the symbol is the C library's, with this signature.
    unsafe {
        let real = next(c"pause");
        if real.is_null() {
            return -1;
        }
        let real: extern "C" fn() -> c_int = std::mem::transmute(real);
        real()
    }
}

/// The definition of a symbol that comes after ours.
fn next(symbol: &std::ffi::CStr) -> *mut c_void {
    // SAFETY: The name is valid, and looking it up has no other preconditions.
    unsafe { libc::dlsym(libc::RTLD_NEXT, symbol.as_ptr()) }
}

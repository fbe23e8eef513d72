//! Mirror of `std::panic`: hooks, and what catches and resumes panics.
//!
//! The real hook is the engine's. A hook that a controlled test sets is called in its execution and
//! is gone with it; those of ordinary threads come behind the engine's.

use real::any::Any;
use real::boxed::Box;
pub use real::panic::*;
use selvedge_engine::{Controlled, PanicHook, install_panic_hook, replace_outside_hook};

/// Registers a custom panic hook, replacing the previously registered hook.
pub fn set_hook(hook: PanicHook) {
    // What was there before is dropped here, as code of the test's.
    drop(replace(Some(hook)));
}

/// Unregisters the current panic hook and returns it, registering the default hook in its place.
#[must_use]
pub fn take_hook() -> PanicHook {
    match replace(None) {
        Some(hook) => hook,
        // Under control panics are noted, and the finding tells of them.
        None => Box::new(|_| {}),
    }
}

fn replace(hook: Option<PanicHook>) -> Option<PanicHook> {
    if thread_is_panicking() {
        panic!("cannot modify the panic hook from a panicking thread");
    }
    match Controlled::current() {
        Some(controlled) => controlled.replace_hook(hook),
        None => {
            install_panic_hook();
            replace_outside_hook(hook)
        }
    }
}

fn thread_is_panicking() -> bool {
    crate::thread::panicking()
}

/// Invokes a closure, capturing the cause of an unwinding panic if one occurs.
pub fn catch_unwind<F: FnOnce() -> R + UnwindSafe, R>(f: F) -> real::thread::Result<R> {
    let before = Controlled::current().map(Controlled::panics);
    let result = real::panic::catch_unwind(f);
    if let (Err(_), Some(before), Some(controlled)) = (&result, before, Controlled::current()) {
        controlled.has_caught(before);
    }
    result
}

/// Triggers a panic without invoking the panic hook.
pub fn resume_unwind(payload: Box<dyn Any + Send>) -> ! {
    if let Some(controlled) = Controlled::current() {
        controlled.resumes_unwinding();
    }
    real::panic::resume_unwind(payload)
}

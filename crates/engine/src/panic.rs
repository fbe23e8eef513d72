//! Panics of controlled threads: noted, not printed.

use crate::context::Controlled;
use selvedge_model::{Source, ThreadId};
use std::any::Any;
use std::panic::{self, PanicHookInfo};
use std::sync::Once;

/// A panic that the hook has seen.
#[derive(Clone, Debug)]
pub(crate) struct PanicNote {
    pub(crate) thread: ThreadId,
    pub(crate) message: String,
    pub(crate) at: Option<Source>,
}

/// Puts a panic hook in front of the one that is installed, once a process.
///
/// Panics of controlled threads are noted in their execution instead of printed: an exploration
/// may meet thousands of them. All others go to the hook that was there before.
pub fn install_panic_hook() {
    crate::kept! {
        static INSTALLED: Once = Once::new();
    }
    INSTALLED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| match Controlled::running() {
            Some(controlled) => controlled.note_panic(info),
            None => before(info),
        }));
    });
}

impl Controlled {
    fn note_panic(self, info: &PanicHookInfo<'_>) {
        let execution = &mut *self.execution();
        let thread = execution.current;
        execution.threads[thread.index()].panics += 1;
        let at = info.location().map(Source::from);
        execution.panics.push(PanicNote { thread, message: message(info.payload()), at });
    }

    /// Whether the running thread unwinds because of a panic.
    ///
    /// The real `std::thread::panicking` speaks of the operating-system thread, that is of all
    /// controlled threads together: it is true while any of them is stopped in the middle of
    /// unwinding. A thread that caught its own panic meanwhile is taken for unwinding until
    /// nobody is.
    #[inline]
    pub fn panicking(self) -> bool {
        std::thread::panicking() && {
            let execution = &mut *self.execution();
            execution.threads[execution.current.index()].panics > 0
        }
    }
}

/// The text of a panic.
pub(crate) fn message(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic without a message".to_owned()
    }
}

//! Named events and named threads, from the user's line to whoever keeps the schedule.

use selvedge_model::Site;
use selvedge_std::named::{self, Heard};
use std::panic::Location;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many tests run by a schedule at the moment. An event looks at nothing else if there is none.
static LISTENING: AtomicUsize = AtomicUsize::new(0);

/// As long as it lives, events are told.
pub(super) struct Listening(());

impl Listening {
    pub(super) fn begin() -> Self {
        LISTENING.fetch_add(1, Ordering::Relaxed);
        Self(())
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        LISTENING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Something happens that schedules may name.
#[inline]
#[track_caller]
pub fn event(name: &'static str) {
    // Whoever begins to listen starts its threads afterwards, so these see it.
    if LISTENING.load(Ordering::Relaxed) != 0 {
        told(name);
    }
}

#[cold]
#[track_caller]
fn told(name: &'static str) {
    match named::event(name, Site::caller()) {
        Heard::ByEngine => {}
        Heard::ByNobody => selvedge_real::event(name, Location::caller()),
    }
}

/// The calling thread has this name in schedules from now on.
pub fn name_thread(name: &str) {
    match named::name_thread(name) {
        Heard::ByEngine => {}
        Heard::ByNobody => selvedge_real::name_thread(name),
    }
}

/// Says that something happens which a schedule may name: `event!(finished_add)` or
/// `event!("finished_add")`.
///
/// Under a schedule that names it, a thread waits here until the schedule permits it. Without one it
/// costs a look at a variable.
#[macro_export]
macro_rules! event {
    ($name:literal $(,)?) => {
        $crate::private::event($name)
    };
    ($first:ident $(:: $rest:ident)* $(,)?) => {
        $crate::private::event(::core::concat!(
            ::core::stringify!($first) $(, "::", ::core::stringify!($rest))*
        ))
    };
}

/// Gives the calling thread a name for schedules: `name_thread!("consumer")`. Threads that were
/// made by `thread::Builder::name` have one already.
#[macro_export]
macro_rules! name_thread {
    ($name:expr $(,)?) => {
        $crate::private::name_thread($name)
    };
}

//! Schedules as tests: what must happen before what, said in words instead of sleeps.
//!
//! A test places [`event!`](crate::event)s where something happens that others wait for, and its
//! attribute says in which order they come:
//!
//! ```
//! # // The example has to be compiled without its attribute being collected as a test.
//! # mod example {
//! use std::sync::mpsc;
//! use std::thread;
//!
//! #[selvedge::test(schedule = "[receiving] -> sending")]
//! fn a_waiting_receiver_gets_the_message() {
//!     let (sender, receiver) = mpsc::channel();
//!     let waiting = thread::spawn(move || {
//!         selvedge::event!(receiving);
//!         receiver.recv()
//!     });
//!     selvedge::event!(sending);
//!     sender.send(7).unwrap();
//!     assert_eq!(waiting.join().unwrap(), Ok(7));
//! }
//! # }
//! ```
//!
//! A thread that is about to perform an event too early waits; nobody sleeps. `[receiving]` means that
//! the thread is blocked after that event, here in `recv`. The language is described in the book
//! (`book/src/schedule-language.md`).
//!
//! The same test runs in three ways:
//!
//! - `cargo test`: on real threads, once, in an order that the schedule permits.
//! - `cargo selvedge test`: under control, in many of the interleavings that the schedule permits.
//! - With `threads = "controlled"` in the attribute, `cargo test` explores as well, if the test uses
//!   [`selvedge::sync`](crate::sync) and [`selvedge::thread`](crate::thread).
//!
//! With `SELVEDGE_SCHEDULES=check` in the environment no schedule is enforced, and each test fails if
//! it happened to run in another order.

pub(crate) mod events;
pub(crate) mod run;

pub(crate) use self::run::controlled;

use selvedge_spec::Mode;

/// The name of the schedule that the calling thread's test runs by; nothing if there is none, and
/// an empty text if it has no name.
pub fn current() -> Option<String> {
    selvedge_std::named::current().or_else(selvedge_real::current)
}

/// Whether the calling thread's test runs by the schedule of this name, for what a test does
/// under one of its schedules only.
///
/// ```
/// # mod example {
/// #[selvedge::test(schedule(first_wins = "first -> second", second_wins = "second -> first"))]
/// fn the_faster_one_wins() {
///     let slow = std::thread::spawn(|| selvedge::event!(first));
///     selvedge::event!(second);
///     slow.join().unwrap();
///     let expected = if selvedge::schedule::is("first_wins") { 1 } else { 2 };
///     # let _ = expected;
/// }
/// # }
/// ```
pub fn is(name: &str) -> bool {
    current().as_deref() == Some(name)
}

/// Runs a test on real threads by a schedule.
///
/// # Panics
///
/// Panics if the test does, if the schedule has mistakes or can not be kept, and if an event that it
/// names never happens.
#[track_caller]
pub fn enforce(schedule: &str, test: impl FnOnce() + Send + 'static) {
    run::once(schedule, Mode::Enforce, test);
}

/// Runs a test on real threads, as they come, and compares what happens with a schedule.
///
/// # Panics
///
/// Panics if the test does, if the schedule has mistakes, if events happen in another order than it
/// says, and if an event that it names never happens.
#[track_caller]
pub fn check(schedule: &str, test: impl FnOnce() + Send + 'static) {
    run::once(schedule, Mode::Check, test);
}

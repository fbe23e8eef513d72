//! What tests call.

use super::clock::Clock;
use super::front;
use super::group::{Active, Group, Purpose, is_any_active};
use super::member::{Inside, Member, Pulse};
use super::outsiders;
use super::scheduled::Scheduled;
use crate::{Failure, Mode};
use selvedge_spec::Spec;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread;

/// Runs a test by a schedule, whose name is the given one.
///
/// The body runs on a thread of its own, which schedules know as `main`, so that the test can
/// fail although its threads hang: those that are stuck then stay behind. A panic of the body
/// goes on in the caller. Panics of other threads do what they always do.
///
/// # Errors
///
/// If the schedule can not happen, or did not.
pub fn run(
    spec: &Spec,
    name: &str,
    mode: Mode,
    body: impl FnOnce() + Send + 'static,
) -> Result<(), Failure> {
    front::install();
    // If the caller is a thread of another test's group, the new one is none.
    let _inside = Inside::enter();
    let _active = Active::new();
    let purpose = Purpose::Scheduled(Scheduled::new(spec, name, mode));
    let group = Group::new(Clock::new(1), purpose);
    let Purpose::Scheduled(scheduled) = &group.purpose else { unreachable!("made above") };
    let pulse = Arc::new(Pulse::default());
    let key = scheduled.add(Arc::clone(&pulse));
    let member = Member::new(Arc::clone(&group), key, pulse);
    let mut builder = thread::Builder::new();
    if let Some(name) = thread::current().name() {
        builder = builder.name(name.to_owned());
    }
    let started = builder.spawn(move || {
        let group = Arc::clone(&member.group);
        let Purpose::Scheduled(scheduled) = &group.purpose else { unreachable!("made above") };
        member.adopt();
        inside(|| scheduled.is_main(key));
        let ended = catch_unwind(AssertUnwindSafe(body));
        inside(|| scheduled.body_ended(ended));
    });
    if let Err(error) = started {
        return Err(Failure::Unavailable(format!("no thread can be started: {error}")));
    }
    outsiders::enter(&group.open);
    let result = scheduled.keep(&group.clock, &group.open);
    group.open.close();
    outsiders::leave();
    let body = scheduled.lock().body.take();
    match body {
        Some(Err(panic)) => resume_unwind(panic),
        _ => result,
    }
}

/// Calls the function inside of our own code.
fn inside(function: impl FnOnce()) {
    let _inside = Inside::enter();
    function();
}

/// The calling thread is about to perform a named event. Returns when it may.
///
/// Nothing happens in threads that no test with a schedule has started.
#[inline]
pub fn event(name: &'static str, site: &'static Location<'static>) {
    if is_any_active() {
        event_of_group(name, site);
    }
}

#[cold]
fn event_of_group(name: &'static str, site: &'static Location<'static>) {
    if let Some(member) = Inside::enter()
        && let Purpose::Scheduled(scheduled) = &member.group.purpose
    {
        scheduled.event(member.key, name, site);
    }
}

/// From now on schedules know the calling thread by this name.
///
/// Nothing happens in threads that no test with a schedule has started.
pub fn name_thread(name: &str) {
    if is_any_active()
        && let Some(member) = Inside::enter()
    {
        member.group.named(member.key, name);
    }
}

/// The name of the schedule that is in force for the calling thread.
pub fn current() -> Option<String> {
    let member = Inside::enter()?;
    match &member.group.purpose {
        Purpose::Scheduled(scheduled) => Some(scheduled.name.clone()),
        Purpose::Logged(_) => None,
    }
}

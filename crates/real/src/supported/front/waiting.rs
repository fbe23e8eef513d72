//! Waiting for the rest of the world: sockets, pipes, event loops.
//!
//! Timeouts are real here. They say nothing of the group's own threads.

use crate::supported::clock;
use crate::supported::member::Inside;
use crate::supported::scheduled::WaitsAt;
use crate::supported::wait::Asked;
use libc::{epoll_event, nfds_t, pollfd, sigset_t, timespec};
use std::ffi::c_int;
use std::time::Duration;

selvedge_front::in_front! {
    Inside::enter;
    fn poll(files: *mut pollfd, count: nfds_t, timeout: c_int) -> c_int => poll_millis;
    fn ppoll(
        files: *mut pollfd,
        count: nfds_t,
        timeout: *const timespec,
        signals: *const sigset_t,
    ) -> c_int => poll_nanos;
    fn epoll_wait(
        queue: c_int,
        events: *mut epoll_event,
        count: c_int,
        timeout: c_int,
    ) -> c_int => queue_wait;
    fn epoll_pwait(
        queue: c_int,
        events: *mut epoll_event,
        count: c_int,
        timeout: c_int,
        signals: *const sigset_t,
    ) -> c_int => queue_wait_with_signals;
}

/// A wait of so many milliseconds, of the group's time. Without end, if they are negative.
fn asked(millis: c_int) -> Asked {
    let timeout = u64::try_from(millis).ok().map(Duration::from_millis);
    Asked { at: WaitsAt::World, timeout }
}

/// The real milliseconds that so many of the group take.
fn real_millis(member: &Inside, millis: c_int) -> c_int {
    match u64::try_from(millis) {
        Ok(millis) => {
            let real = member.group.clock.takes(Duration::from_millis(millis));
            c_int::try_from(real.as_millis()).unwrap_or(c_int::MAX)
        }
        Err(_) => millis,
    }
}

/// # Safety
///
/// The arguments are as poll(2) has them.
unsafe fn poll_millis(
    member: Inside,
    files: *mut pollfd,
    count: nfds_t,
    timeout: c_int,
) -> Option<c_int> {
    if timeout == 0 {
        return None;
    }
    let millis = real_millis(&member, timeout);
    Some(member.group.wait(&member, asked(timeout), || {
        // SAFETY: Passed on to the caller.
        unsafe { real::poll.get()(files, count, millis) }
    }))
}

/// # Safety
///
/// The arguments are as ppoll(2) has them.
unsafe fn poll_nanos(
    member: Inside,
    files: *mut pollfd,
    count: nfds_t,
    timeout: *const timespec,
    signals: *const sigset_t,
) -> Option<c_int> {
    // SAFETY: The pointer is null or one to a time, as the caller has promised.
    let time = match unsafe { timeout.as_ref() } {
        // What is no time is for the kernel to say.
        Some(time) => Some(clock::duration(*time)?),
        None => None,
    };
    if time == Some(Duration::ZERO) {
        return None;
    }
    let taken = time.map(|time| clock::timespec(member.group.clock.takes(time)));
    let taken = taken.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    let asked = Asked { at: WaitsAt::World, timeout: time };
    Some(member.group.wait(&member, asked, || {
        // SAFETY: Passed on to the caller.
        unsafe { real::ppoll.get()(files, count, taken, signals) }
    }))
}

/// # Safety
///
/// The arguments are as epoll_wait(2) has them.
unsafe fn queue_wait(
    member: Inside,
    queue: c_int,
    events: *mut epoll_event,
    count: c_int,
    timeout: c_int,
) -> Option<c_int> {
    if timeout == 0 {
        return None;
    }
    let millis = real_millis(&member, timeout);
    Some(member.group.wait(&member, asked(timeout), || {
        // SAFETY: Passed on to the caller.
        unsafe { real::epoll_wait.get()(queue, events, count, millis) }
    }))
}

/// # Safety
///
/// The arguments are as epoll_pwait(2) has them.
unsafe fn queue_wait_with_signals(
    member: Inside,
    queue: c_int,
    events: *mut epoll_event,
    count: c_int,
    timeout: c_int,
    signals: *const sigset_t,
) -> Option<c_int> {
    if timeout == 0 {
        return None;
    }
    let millis = real_millis(&member, timeout);
    Some(member.group.wait(&member, asked(timeout), || {
        // SAFETY: Passed on to the caller.
        unsafe { real::epoll_pwait.get()(queue, events, count, millis, signals) }
    }))
}

//! Functions that wait until files are ready, or a process has ended.
//!
//! When something is ready or the time is up, the C library's function is called with no time to
//! wait, and says what there is.

use super::carry_out;
use crate::syscall::kernel;
use crate::timespec;
use libc::{epoll_event, fd_set, nfds_t, pollfd, sigset_t, timespec as Timespec, timeval};
use selvedge_engine::{Controlled, FileInterest, Io, Patience};
use selvedge_model::{OperationKind, Site};
use std::ffi::c_int;
use std::slice;
use std::time::Duration;

in_front! {
    fn poll(files: *mut pollfd, count: nfds_t, timeout: c_int) -> c_int => inside_poll;
    fn ppoll(
        files: *mut pollfd,
        count: nfds_t,
        timeout: *const Timespec,
        signals: *const sigset_t,
    ) -> c_int => inside_ppoll;
    fn epoll_wait(file: c_int, events: *mut epoll_event, most: c_int, timeout: c_int) -> c_int =>
        inside_epoll_wait;
    fn epoll_pwait(
        file: c_int,
        events: *mut epoll_event,
        most: c_int,
        timeout: c_int,
        signals: *const sigset_t,
    ) -> c_int => inside_epoll_pwait;
    fn select(
        count: c_int,
        read: *mut fd_set,
        write: *mut fd_set,
        except: *mut fd_set,
        timeout: *mut timeval,
    ) -> c_int => inside_select;
    fn waitpid(process: libc::pid_t, status: *mut c_int, options: c_int) -> libc::pid_t =>
        inside_waitpid;
}

/// No time to wait.
static NONE: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// What a timeout in milliseconds means.
fn patience(milliseconds: c_int) -> Patience {
    match u64::try_from(milliseconds) {
        Ok(0) => Patience::None,
        Ok(milliseconds) => Patience::For(Duration::from_millis(milliseconds)),
        Err(_) => Patience::Endless,
    }
}

fn ready(
    controlled: Controlled,
    files: &[FileInterest],
    patience: Patience,
    site: Site,
    look: impl FnOnce() -> c_int,
) -> c_int {
    let io = Io { kind: OperationKind::IoWait, files, patience };
    carry_out(controlled, io, site, |_| look().into()) as c_int
}

/// # Safety
///
/// There must be so many files.
unsafe fn interests(files: *const pollfd, count: nfds_t) -> Vec<FileInterest> {
    if count == 0 {
        return Vec::new();
    }
    // SAFETY: Passed on to the caller.
    let files = unsafe { slice::from_raw_parts(files, count as usize) };
    files.iter().map(|file| FileInterest::new(file.fd, file.events)).collect()
}

/// # Safety
///
/// The arguments are as poll(2) has them.
unsafe fn inside_poll(
    controlled: Controlled,
    files: *mut pollfd,
    count: nfds_t,
    timeout: c_int,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    let interests = unsafe { interests(files, count) };
    let patience = patience(timeout);
    Some(ready(controlled, &interests, patience, Site::caller(), || {
        // SAFETY: Passed on to the caller.
        unsafe { real::poll.get()(files, count, 0) }
    }))
}

/// # Safety
///
/// The arguments are as ppoll(2) has them.
unsafe fn inside_ppoll(
    controlled: Controlled,
    files: *mut pollfd,
    count: nfds_t,
    timeout: *const Timespec,
    signals: *const sigset_t,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    let (interests, timeout) = unsafe { (interests(files, count), timeout.as_ref()) };
    let patience = match timeout {
        None => Patience::Endless,
        Some(time) if (time.tv_sec, time.tv_nsec) == (0, 0) => Patience::None,
        // A bad time is an error, which the C library reports.
        Some(&timeout) => Patience::For(timespec::duration(timeout)?),
    };
    Some(ready(controlled, &interests, patience, Site::caller(), || {
        // SAFETY: Passed on to the caller.
        unsafe { real::ppoll.get()(files, count, &raw const NONE, signals) }
    }))
}

/// # Safety
///
/// The arguments are as epoll_wait(2) has them.
unsafe fn inside_epoll_wait(
    controlled: Controlled,
    file: c_int,
    events: *mut epoll_event,
    most: c_int,
    timeout: c_int,
) -> Option<c_int> {
    // A group of files can be waited for as a file of its own.
    let files = [FileInterest::new(file, libc::POLLIN)];
    Some(ready(controlled, &files, patience(timeout), Site::caller(), || {
        // SAFETY: Passed on to the caller.
        unsafe { real::epoll_wait.get()(file, events, most, 0) }
    }))
}

/// # Safety
///
/// The arguments are as epoll_pwait(2) has them.
unsafe fn inside_epoll_pwait(
    controlled: Controlled,
    file: c_int,
    events: *mut epoll_event,
    most: c_int,
    timeout: c_int,
    signals: *const sigset_t,
) -> Option<c_int> {
    let files = [FileInterest::new(file, libc::POLLIN)];
    Some(ready(controlled, &files, patience(timeout), Site::caller(), || {
        // SAFETY: Passed on to the caller.
        unsafe { real::epoll_pwait.get()(file, events, most, 0, signals) }
    }))
}

/// # Safety
///
/// The arguments are as select(2) has them.
unsafe fn inside_select(
    controlled: Controlled,
    count: c_int,
    read: *mut fd_set,
    write: *mut fd_set,
    except: *mut fd_set,
    timeout: *mut timeval,
) -> Option<c_int> {
    let sets = [(read, libc::POLLIN), (write, libc::POLLOUT), (except, libc::POLLPRI)];
    let mut files = Vec::new();
    for (set, wanted) in sets.into_iter().filter(|(set, _)| !set.is_null()) {
        // SAFETY: The set has as many files as the caller says.
        let members = (0..count).filter(|&file| unsafe { libc::FD_ISSET(file, set) });
        files.extend(members.map(|file| FileInterest::new(file, wanted)));
    }
    // SAFETY: The pointer is null or one to a time, as the caller has promised.
    let patience = match unsafe { timeout.as_ref() } {
        None => Patience::Endless,
        Some(time) => {
            let seconds = Duration::from_secs(time.tv_sec.try_into().ok()?);
            let timeout = seconds + Duration::from_micros(time.tv_usec.try_into().ok()?);
            if timeout.is_zero() { Patience::None } else { Patience::For(timeout) }
        }
    };
    Some(ready(controlled, &files, patience, Site::caller(), || {
        let mut none = timeval { tv_sec: 0, tv_usec: 0 };
        // SAFETY: Passed on to the caller.
        unsafe { real::select.get()(count, read, write, except, &raw mut none) }
    }))
}

/// Waits for one process by way of a file that stands for it. To wait for any of several is left to
/// the C library, and blocks.
///
/// # Safety
///
/// The arguments are as waitpid(2) has them.
unsafe fn inside_waitpid(
    controlled: Controlled,
    process: libc::pid_t,
    status: *mut c_int,
    options: c_int,
) -> Option<libc::pid_t> {
    if process <= 0 || options & libc::WNOHANG != 0 {
        return None;
    }
    // SAFETY: To ask for the file of a process has no preconditions.
    let file = unsafe { kernel(libc::SYS_pidfd_open, [process.into(), 0, 0, 0, 0, 0]) };
    let file = c_int::try_from(file).ok().filter(|&file| file >= 0)?;
    let files = [FileInterest::new(file, libc::POLLIN)];
    let result = ready(controlled, &files, Patience::Endless, Site::caller(), || {
        // SAFETY: Passed on to the caller.
        unsafe { real::waitpid.get()(process, status, options) }
    });
    // SAFETY: The file was opened above, and nobody else knows it.
    unsafe { kernel(libc::SYS_close, [file.into(), 0, 0, 0, 0, 0]) };
    Some(result)
}

//! Functions that wait until files are ready.
//!
//! When something is ready or the time is up, the C library's function is called with no time to
//! wait, and says what there is.

use super::carry_out;
use crate::errno::{fail, keeping_errno};
use crate::syscall::kernel;
use crate::timespec;
use libc::{epoll_event, fd_set, nfds_t, pollfd, sigset_t, timespec as Timespec, timeval};
use selvedge_engine::{Carries, Controlled, FileInterest, Io, Patience, Readiness, Restart};
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
    fn epoll_ctl(file: c_int, operation: c_int, member: c_int, event: *mut epoll_event) -> c_int =>
        inside_epoll_ctl;
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
    fn pselect(
        count: c_int,
        read: *mut fd_set,
        write: *mut fd_set,
        except: *mut fd_set,
        timeout: *const Timespec,
        signals: *const sigset_t,
    ) -> c_int => inside_pselect;
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

/// What a timeout means that may be null; nothing if it is a bad one, which the C library reports.
///
/// # Safety
///
/// The pointer is null or one to a time.
unsafe fn patience_of_time(timeout: *const Timespec) -> Option<Patience> {
    // SAFETY: Passed on to the caller.
    Some(match unsafe { timeout.as_ref() } {
        None => Patience::Endless,
        Some(time) if (time.tv_sec, time.tv_nsec) == (0, 0) => Patience::None,
        Some(&timeout) => Patience::For(timespec::duration(timeout)?),
    })
}

/// Waits until one of the files is ready. A signal always ends that.
fn ready(
    controlled: Controlled,
    files: &[FileInterest],
    patience: Patience,
    site: Site,
    look: impl FnOnce() -> c_int,
) -> c_int {
    ready_or(controlled, files, patience, Restart::Never, site, look)
}

/// As [`ready`], where a signal does what is said.
pub(crate) fn ready_or(
    controlled: Controlled,
    files: &[FileInterest],
    patience: Patience,
    restart: Restart,
    site: Site,
    look: impl FnOnce() -> c_int,
) -> c_int {
    let carries = Carries::Acquire;
    let io = Io { kind: OperationKind::IoWait, files, patience, restart, carries };
    carry_out(controlled, io, site, |readiness| match readiness {
        Readiness::Ready | Readiness::TimedOut => look().into(),
        Readiness::Interrupted => fail(libc::EINTR),
    }) as c_int
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
    let (interests, patience) = unsafe { (interests(files, count), patience_of_time(timeout)?) };
    Some(ready(controlled, &interests, patience, Site::caller(), || {
        // SAFETY: Passed on to the caller.
        unsafe { real::ppoll.get()(files, count, &raw const NONE, signals) }
    }))
}

/// Whoever is told of the file gets what was said of it here.
///
/// # Safety
///
/// The arguments are as epoll_ctl(2) has them.
unsafe fn inside_epoll_ctl(
    controlled: Controlled,
    file: c_int,
    operation: c_int,
    member: c_int,
    event: *mut epoll_event,
) -> Option<c_int> {
    controlled.carries(Carries::Release);
    // SAFETY: Passed on to the caller.
    let result = unsafe { real::epoll_ctl.get()(file, operation, member, event) };
    let _errno = keeping_errno();
    controlled.files_changed();
    Some(result)
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
    // SAFETY: Passed on to the caller.
    let files = unsafe { members(count, [read, write, except]) };
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

/// The files of the sets of `select`, which are null or have so many.
///
/// # Safety
///
/// The arguments are as select(2) has them.
unsafe fn members(count: c_int, [read, write, except]: [*mut fd_set; 3]) -> Vec<FileInterest> {
    let sets = [(read, libc::POLLIN), (write, libc::POLLOUT), (except, libc::POLLPRI)];
    let mut files = Vec::new();
    for (set, wanted) in sets.into_iter().filter(|(set, _)| !set.is_null()) {
        // SAFETY: The set has as many files as the caller says.
        let members = (0..count).filter(|&file| unsafe { libc::FD_ISSET(file, set) });
        files.extend(members.map(|file| FileInterest::new(file, wanted)));
    }
    files
}

/// # Safety
///
/// The arguments are as pselect(2) has them.
unsafe fn inside_pselect(
    controlled: Controlled,
    count: c_int,
    read: *mut fd_set,
    write: *mut fd_set,
    except: *mut fd_set,
    timeout: *const Timespec,
    signals: *const sigset_t,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    let files = unsafe { members(count, [read, write, except]) };
    // SAFETY: As above.
    let patience = unsafe { patience_of_time(timeout)? };
    Some(ready(controlled, &files, patience, Site::caller(), || {
        // SAFETY: As above.
        unsafe { real::pselect.get()(count, read, write, except, &raw const NONE, signals) }
    }))
}

/// Stands in front of a function that older C libraries do not have, and does without it.
///
/// # Safety
///
/// The arguments are as epoll_pwait2(2) has them.
#[unsafe(no_mangle)]
unsafe extern "C" fn epoll_pwait2(
    file: c_int,
    events: *mut epoll_event,
    most: c_int,
    timeout: *const Timespec,
    signals: *const sigset_t,
) -> c_int {
    let Some(controlled) = Controlled::current() else {
        // What the kernel has as the size of a set of signals.
        let size = size_of::<u64>() as libc::c_long;
        let arguments = [file.into(), events as _, most.into(), timeout as _, signals as _, size];
        // SAFETY: Passed on to the caller.
        return unsafe { kernel(libc::SYS_epoll_pwait2, arguments) as c_int };
    };
    // SAFETY: Passed on to the caller.
    let Some(patience) = (unsafe { patience_of_time(timeout) }) else { return fail(libc::EINVAL) };
    let files = [FileInterest::new(file, libc::POLLIN)];
    ready(controlled, &files, patience, Site::caller(), || {
        // SAFETY: Passed on to the caller.
        unsafe { real::epoll_pwait.get()(file, events, most, 0, signals) }
    })
}

//! Functions that open files; what is to be known of them is in `engine/own_files.rs`.
//!
//! Regular files are not among them: nobody waits for those. Sockets that are accepted or
//! connected are the world's, since nobody knows where the other end is.

use crate::errno::keeping_errno;
use crate::io::lock::ask_again;
use libc::{c_long, c_uint};
use selvedge_engine::{Carries, Controlled, Reach};
use selvedge_model::Site;
use std::ffi::c_int;

in_front! {
    fn eventfd(value: c_uint, flags: c_int) -> c_int => inside_eventfd;
    fn epoll_create(size: c_int) -> c_int => inside_epoll_create;
    fn epoll_create1(flags: c_int) -> c_int => inside_epoll_create1;
    fn pipe(ends: *mut c_int) -> c_int => inside_pipe;
    fn pipe2(ends: *mut c_int, flags: c_int) -> c_int => inside_pipe2;
    fn socketpair(domain: c_int, kind: c_int, protocol: c_int, ends: *mut c_int) -> c_int =>
        inside_socketpair;
    fn socket(domain: c_int, kind: c_int, protocol: c_int) -> c_int => inside_socket;
    fn dup(file: c_int) -> c_int => inside_dup;
    fn fcntl(file: c_int, command: c_int, argument: c_long) -> c_int => inside_fcntl;
}

/// Notes a file that was opened, unless that has failed.
pub(crate) fn note(controlled: Controlled, file: c_int, reach: Reach) -> Option<c_int> {
    let _errno = keeping_errno();
    if file >= 0 {
        controlled.file_opened(file, reach);
    }
    Some(file)
}

/// Notes both ends of what was opened, unless that has failed.
///
/// # Safety
///
/// If it has not, there are two ends.
unsafe fn note_ends(controlled: Controlled, result: c_int, ends: *const c_int) -> Option<c_int> {
    let _errno = keeping_errno();
    if result == 0 {
        // SAFETY: Passed on to the caller.
        let both = unsafe { [ends.read(), ends.add(1).read()] };
        both.into_iter().for_each(|end| controlled.file_opened(end, Reach::Process));
    }
    Some(result)
}

/// Notes a file that is the same as another one, unless that has failed.
fn note_duplicate(controlled: Controlled, original: c_int, file: c_int) -> Option<c_int> {
    let _errno = keeping_errno();
    if file >= 0 {
        controlled.file_duplicated(original, file);
    }
    Some(file)
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_eventfd(controlled: Controlled, value: c_uint, flags: c_int) -> Option<c_int> {
    // SAFETY: Has no preconditions.
    note(controlled, unsafe { real::eventfd.get()(value, flags) }, Reach::Process)
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_epoll_create(controlled: Controlled, size: c_int) -> Option<c_int> {
    // SAFETY: Has no preconditions.
    note(controlled, unsafe { real::epoll_create.get()(size) }, Reach::Group)
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_epoll_create1(controlled: Controlled, flags: c_int) -> Option<c_int> {
    // SAFETY: Has no preconditions.
    note(controlled, unsafe { real::epoll_create1.get()(flags) }, Reach::Group)
}

/// # Safety
///
/// The argument is as pipe(2) has it.
unsafe fn inside_pipe(controlled: Controlled, ends: *mut c_int) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    unsafe { note_ends(controlled, real::pipe.get()(ends), ends) }
}

/// # Safety
///
/// The arguments are as pipe2(2) has them.
unsafe fn inside_pipe2(controlled: Controlled, ends: *mut c_int, flags: c_int) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    unsafe { note_ends(controlled, real::pipe2.get()(ends, flags), ends) }
}

/// # Safety
///
/// The arguments are as socketpair(2) has them.
unsafe fn inside_socketpair(
    controlled: Controlled,
    domain: c_int,
    kind: c_int,
    protocol: c_int,
    ends: *mut c_int,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    unsafe { note_ends(controlled, real::socketpair.get()(domain, kind, protocol, ends), ends) }
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_socket(
    controlled: Controlled,
    domain: c_int,
    kind: c_int,
    protocol: c_int,
) -> Option<c_int> {
    // SAFETY: Has no preconditions.
    note(controlled, unsafe { real::socket.get()(domain, kind, protocol) }, Reach::World)
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_dup(controlled: Controlled, file: c_int) -> Option<c_int> {
    // SAFETY: Has no preconditions.
    note_duplicate(controlled, file, unsafe { real::dup.get()(file) })
}

/// The function takes a third argument only for some of its commands. For the others we pass on
/// what happens to be there, at which nobody looks.
///
/// # Safety
///
/// The arguments are as fcntl(2) has them.
unsafe fn inside_fcntl(
    controlled: Controlled,
    file: c_int,
    command: c_int,
    argument: c_long,
) -> Option<c_int> {
    match command {
        libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => {
            // SAFETY: Passed on to the caller.
            let duplicate = unsafe { real::fcntl.get()(file, command, argument) };
            note_duplicate(controlled, file, duplicate)
        }
        libc::F_OFD_SETLKW => Some(ask_again(controlled, Site::caller(), || {
            // SAFETY: Passed on to the caller.
            unsafe { real::fcntl.get()(file, libc::F_OFD_SETLK, argument) }
        })),
        libc::F_OFD_SETLK => {
            controlled.carries(Carries::Both);
            None
        }
        libc::F_SETFL => {
            controlled.about_to_change_flags(file);
            None
        }
        _ => None,
    }
}

//! Functions that read, or accept a connection.

use super::carry_out;
use super::file::{carries_to_reader, patience, restart};
use crate::errno::fail;
use crate::own_files::note;
use libc::{iovec, msghdr, sockaddr, socklen_t};
use selvedge_engine::{Controlled, FileInterest, Io, Patience, Reach, Readiness};
use selvedge_model::{OperationKind, Site};
use std::ffi::{c_int, c_void};

in_front! {
    fn read(file: c_int, buffer: *mut c_void, length: usize) -> isize => inside_read;
    fn readv(file: c_int, parts: *const iovec, count: c_int) -> isize => inside_readv;
    fn recv(file: c_int, buffer: *mut c_void, length: usize, flags: c_int) -> isize => inside_recv;
    fn recvfrom(
        file: c_int,
        buffer: *mut c_void,
        length: usize,
        flags: c_int,
        address: *mut sockaddr,
        size: *mut socklen_t,
    ) -> isize => inside_recvfrom;
    fn recvmsg(file: c_int, message: *mut msghdr, flags: c_int) -> isize => inside_recvmsg;
    fn accept(file: c_int, address: *mut sockaddr, size: *mut socklen_t) -> c_int => inside_accept;
    fn accept4(
        file: c_int,
        address: *mut sockaddr,
        size: *mut socklen_t,
        flags: c_int,
    ) -> c_int => inside_accept4;
    fn eventfd_read(file: c_int, value: *mut u64) -> c_int => inside_eventfd_read;
}

/// Waits until there is something to read, as long as the file allows, and reads it.
pub(super) fn input(
    controlled: Controlled,
    file: c_int,
    flags: c_int,
    site: Site,
    read: impl FnOnce() -> i64,
) -> i64 {
    let patience: Patience = patience(file, libc::SO_RCVTIMEO, flags);
    let files = [FileInterest::new(file, libc::POLLIN)];
    let carries = carries_to_reader(file);
    let restart = restart(patience);
    let io = Io { kind: OperationKind::IoRead, files: &files, patience, restart, carries };
    carry_out(controlled, io, site, |readiness| match readiness {
        Readiness::Ready => read(),
        Readiness::TimedOut => fail(libc::EAGAIN),
        Readiness::Interrupted => fail(libc::EINTR),
    })
}

/// # Safety
///
/// The arguments are as read(2) has them.
unsafe fn inside_read(
    controlled: Controlled,
    file: c_int,
    buffer: *mut c_void,
    length: usize,
) -> Option<isize> {
    // SAFETY: Passed on to the caller.
    let read = || unsafe { real::read.get()(file, buffer, length) as i64 };
    Some(input(controlled, file, 0, Site::caller(), read) as isize)
}

/// # Safety
///
/// The arguments are as readv(2) has them.
unsafe fn inside_readv(
    controlled: Controlled,
    file: c_int,
    parts: *const iovec,
    count: c_int,
) -> Option<isize> {
    // SAFETY: Passed on to the caller.
    let read = || unsafe { real::readv.get()(file, parts, count) as i64 };
    Some(input(controlled, file, 0, Site::caller(), read) as isize)
}

/// # Safety
///
/// The arguments are as recv(2) has them.
unsafe fn inside_recv(
    controlled: Controlled,
    file: c_int,
    buffer: *mut c_void,
    length: usize,
    flags: c_int,
) -> Option<isize> {
    // SAFETY: Passed on to the caller.
    let read = || unsafe { real::recv.get()(file, buffer, length, flags) as i64 };
    Some(input(controlled, file, flags, Site::caller(), read) as isize)
}

/// # Safety
///
/// The arguments are as recvfrom(2) has them.
unsafe fn inside_recvfrom(
    controlled: Controlled,
    file: c_int,
    buffer: *mut c_void,
    length: usize,
    flags: c_int,
    address: *mut sockaddr,
    size: *mut socklen_t,
) -> Option<isize> {
    // SAFETY: Passed on to the caller.
    let read =
        || unsafe { real::recvfrom.get()(file, buffer, length, flags, address, size) as i64 };
    Some(input(controlled, file, flags, Site::caller(), read) as isize)
}

/// # Safety
///
/// The arguments are as recvmsg(2) has them.
unsafe fn inside_recvmsg(
    controlled: Controlled,
    file: c_int,
    message: *mut msghdr,
    flags: c_int,
) -> Option<isize> {
    // SAFETY: Passed on to the caller.
    let read = || unsafe { real::recvmsg.get()(file, message, flags) as i64 };
    Some(input(controlled, file, flags, Site::caller(), read) as isize)
}

/// # Safety
///
/// The arguments are as accept(2) has them.
unsafe fn inside_accept(
    controlled: Controlled,
    file: c_int,
    address: *mut sockaddr,
    size: *mut socklen_t,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    let accept = || unsafe { real::accept.get()(file, address, size).into() };
    let accepted = input(controlled, file, 0, Site::caller(), accept) as c_int;
    note(controlled, accepted, Reach::World)
}

/// # Safety
///
/// The arguments are as accept4(2) has them.
unsafe fn inside_accept4(
    controlled: Controlled,
    file: c_int,
    address: *mut sockaddr,
    size: *mut socklen_t,
    flags: c_int,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    let accept = || unsafe { real::accept4.get()(file, address, size, flags).into() };
    let accepted = input(controlled, file, 0, Site::caller(), accept) as c_int;
    note(controlled, accepted, Reach::World)
}

/// # Safety
///
/// The arguments are as eventfd_read(3) has them.
unsafe fn inside_eventfd_read(
    controlled: Controlled,
    file: c_int,
    value: *mut u64,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    let read = || unsafe { real::eventfd_read.get()(file, value).into() };
    Some(input(controlled, file, 0, Site::caller(), read) as c_int)
}

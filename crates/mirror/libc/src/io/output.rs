//! Functions that write, connect or close.
//!
//! A blocking write goes on until everything is written. Here it does so in pieces, between which
//! others can run: whoever is to make room is a fiber of the same operating-system thread.
//!
//! What goes to the standard output and the standard error is kept with the execution, like what
//! the macros print (`engine/output.rs`): a test is run a thousand times, and nobody wants to read
//! it as often.

use super::carry_out;
use super::file::{Kind, NeverBlocks, carries_from_writer, kind, patience, pending_error, restart};
use crate::errno::{fail, keeping_errno};
use crate::file_times::note_written;
use libc::{iovec, msghdr, sockaddr, socklen_t};
use selvedge_engine::{Carries, Controlled, FileInterest, Io, Patience, Readiness};
use selvedge_model::{OperationKind, Site};
use std::ffi::{c_int, c_void};
use std::slice;

in_front! {
    fn write(file: c_int, buffer: *const c_void, length: usize) -> isize => inside_write;
    fn writev(file: c_int, parts: *const iovec, count: c_int) -> isize => inside_writev;
    fn send(file: c_int, buffer: *const c_void, length: usize, flags: c_int) -> isize =>
        inside_send;
    fn sendto(
        file: c_int,
        buffer: *const c_void,
        length: usize,
        flags: c_int,
        address: *const sockaddr,
        size: socklen_t,
    ) -> isize => inside_sendto;
    fn sendmsg(file: c_int, message: *const msghdr, flags: c_int) -> isize => inside_sendmsg;
    fn eventfd_write(file: c_int, value: u64) -> c_int => inside_eventfd_write;
    fn connect(file: c_int, address: *const sockaddr, size: socklen_t) -> c_int => inside_connect;
    fn shutdown(file: c_int, how: c_int) -> c_int => inside_shutdown;
    fn close(file: c_int) -> c_int => inside_close;
}

/// Whether a file is one that people read.
const fn is_printed(file: c_int) -> bool {
    matches!(file, libc::STDOUT_FILENO | libc::STDERR_FILENO)
}

/// Prints what a part of a write has.
///
/// # Safety
///
/// So many bytes can be read there.
unsafe fn print(controlled: Controlled, buffer: *const c_void, length: usize) -> isize {
    if length > 0 {
        // SAFETY: Passed on to the caller; where there are bytes, the pointer is not null.
        controlled.print_bytes(unsafe { slice::from_raw_parts(buffer.cast(), length) });
    }
    length as isize
}

/// Waits until there is room, as long as is said, and writes.
pub(super) fn output(
    controlled: Controlled,
    file: c_int,
    patience: Patience,
    site: Site,
    write: impl FnOnce() -> i64,
) -> i64 {
    let files = [FileInterest::new(file, libc::POLLOUT)];
    let carries = carries_from_writer(file);
    let restart = restart(patience);
    let io = Io { kind: OperationKind::IoWrite, files: &files, patience, restart, carries };
    let result = carry_out(controlled, io, site, |readiness| match readiness {
        Readiness::Ready => write(),
        Readiness::TimedOut => fail(libc::EAGAIN),
        Readiness::Interrupted => fail(libc::EINTR),
    });
    // Nothing but a regular file is written without waiting for anybody.
    if result > 0 && carries == Carries::Release {
        note_written(controlled, file);
    }
    result
}

/// The first piece is enough, however long it is.
const ANY: usize = 0;

/// Writes everything in pieces, each as large as `write` makes it, which does not block.
fn in_pieces(
    controlled: Controlled,
    file: c_int,
    patience: Patience,
    length: usize,
    site: Site,
    write: impl Fn(usize) -> i64,
) -> isize {
    let mut done = 0;
    loop {
        let result = output(controlled, file, patience, site, || write(done));
        if result < 0 {
            let again = std::io::Error::last_os_error().raw_os_error() == Some(libc::EAGAIN);
            match patience {
                // There was less room than it seemed.
                Patience::Endless if again => continue,
                _ if done > 0 => return done as isize,
                _ => return -1,
            }
        }
        done += result as usize;
        if done >= length || result == 0 || patience == Patience::None {
            return done as isize;
        }
    }
}

/// # Safety
///
/// The arguments are as write(2) has them.
unsafe fn inside_write(
    controlled: Controlled,
    file: c_int,
    buffer: *const c_void,
    length: usize,
) -> Option<isize> {
    if is_printed(file) {
        // SAFETY: Passed on to the caller.
        return Some(unsafe { print(controlled, buffer, length) });
    }
    // SAFETY: Passed on to the caller.
    Some(unsafe { write_all(controlled, file, buffer, length, Site::caller()) })
}

/// # Safety
///
/// The arguments are as write(2) has them.
unsafe fn write_all(
    controlled: Controlled,
    file: c_int,
    buffer: *const c_void,
    length: usize,
    site: Site,
) -> isize {
    let patience = patience(file, libc::SO_SNDTIMEO, 0);
    let kind = if patience == Patience::None { Kind::Other } else { kind(file) };
    match kind {
        Kind::Other => output(controlled, file, patience, site, || {
            // SAFETY: Passed on to the caller.
            unsafe { real::write.get()(file, buffer, length) as i64 }
        }) as isize,
        Kind::Pipe => in_pieces(controlled, file, patience, length, site, |done| {
            // A pipe that is ready has room for this many.
            let piece = (length - done).min(libc::PIPE_BUF);
            // SAFETY: As above; the piece lies within what the caller has promised.
            unsafe { real::write.get()(file, buffer.byte_add(done), piece) as i64 }
        }),
        Kind::Socket => in_pieces(controlled, file, patience, length, site, |done| {
            let (rest, flags) = (length - done, libc::MSG_DONTWAIT);
            // SAFETY: As above.
            unsafe { real::send.get()(file, buffer.byte_add(done), rest, flags) as i64 }
        }),
    }
}

/// What a pipe takes at once, and a socket as far as there is room, is written as one. Of what else would be
/// written in pieces anyway, the first part is enough: callers have to be content with less than everything.
///
/// # Safety
///
/// The arguments are as writev(2) has them.
unsafe fn inside_writev(
    controlled: Controlled,
    file: c_int,
    parts: *const iovec,
    count: c_int,
) -> Option<isize> {
    let site = Site::caller();
    if is_printed(file) && count > 0 {
        // SAFETY: There are so many parts, as the caller has promised.
        let parts = unsafe { slice::from_raw_parts(parts, count as usize) };
        let printed = parts.iter().map(|part| {
            // SAFETY: Passed on to the caller.
            unsafe { print(controlled, part.iov_base, part.iov_len) }
        });
        return Some(printed.sum());
    }
    let patience = patience(file, libc::SO_SNDTIMEO, 0);
    let kind = if patience == Patience::None || count <= 0 { Kind::Other } else { kind(file) };
    // SAFETY: Passed on to the caller.
    let write = || unsafe { real::writev.get()(file, parts, count) as i64 };
    Some(match kind {
        Kind::Other => output(controlled, file, patience, site, write) as isize,
        Kind::Pipe => {
            // SAFETY: There are so many parts, as the caller has promised.
            let all = unsafe { slice::from_raw_parts(parts, count as usize) };
            if all.iter().map(|part| part.iov_len).sum::<usize>() <= libc::PIPE_BUF {
                // A pipe that is ready has room for this many.
                output(controlled, file, patience, site, write) as isize
            } else {
                let part = all.iter().find(|part| part.iov_len > 0).unwrap_or(&all[0]);
                // SAFETY: Passed on to the caller.
                unsafe { write_all(controlled, file, part.iov_base, part.iov_len, site) }
            }
        }
        Kind::Socket => in_pieces(controlled, file, patience, ANY, site, |_| {
            // SAFETY: All zeroes are a message without parts.
            let mut message: msghdr = unsafe { std::mem::zeroed() };
            (message.msg_iov, message.msg_iovlen) = (parts.cast_mut(), count as _);
            // SAFETY: Passed on to the caller; the kernel does not write to the parts.
            unsafe { real::sendmsg.get()(file, &raw const message, libc::MSG_DONTWAIT) as i64 }
        }),
    })
}

/// # Safety
///
/// The arguments are as send(2) has them.
unsafe fn inside_send(
    controlled: Controlled,
    file: c_int,
    buffer: *const c_void,
    length: usize,
    flags: c_int,
) -> Option<isize> {
    let patience = patience(file, libc::SO_SNDTIMEO, flags);
    let flags = flags | libc::MSG_DONTWAIT;
    Some(in_pieces(controlled, file, patience, length, Site::caller(), |done| {
        // SAFETY: What is left lies within what the caller has promised.
        unsafe { real::send.get()(file, buffer.byte_add(done), length - done, flags) as i64 }
    }))
}

/// # Safety
///
/// The arguments are as sendto(2) has them.
unsafe fn inside_sendto(
    controlled: Controlled,
    file: c_int,
    buffer: *const c_void,
    length: usize,
    flags: c_int,
    address: *const sockaddr,
    size: socklen_t,
) -> Option<isize> {
    let patience = patience(file, libc::SO_SNDTIMEO, flags);
    let flags = flags | libc::MSG_DONTWAIT;
    Some(in_pieces(controlled, file, patience, length, Site::caller(), |done| {
        let rest = length - done;
        // SAFETY: What is left lies within what the caller has promised.
        unsafe {
            real::sendto.get()(file, buffer.byte_add(done), rest, flags, address, size) as i64
        }
    }))
}

/// # Safety
///
/// The arguments are as sendmsg(2) has them.
unsafe fn inside_sendmsg(
    controlled: Controlled,
    file: c_int,
    message: *const msghdr,
    flags: c_int,
) -> Option<isize> {
    let patience = patience(file, libc::SO_SNDTIMEO, flags);
    let flags = flags | libc::MSG_DONTWAIT;
    Some(in_pieces(controlled, file, patience, ANY, Site::caller(), |_| {
        // SAFETY: Passed on to the caller.
        unsafe { real::sendmsg.get()(file, message, flags) as i64 }
    }))
}

/// # Safety
///
/// The arguments are as eventfd_write(3) has them.
unsafe fn inside_eventfd_write(controlled: Controlled, file: c_int, value: u64) -> Option<c_int> {
    let patience = patience(file, libc::SO_SNDTIMEO, 0);
    // SAFETY: Passed on to the caller.
    let write = || unsafe { real::eventfd_write.get()(file, value).into() };
    Some(output(controlled, file, patience, Site::caller(), write) as c_int)
}

/// A connection that can not be made at once is begun, and waited for as if there were something to
/// write. Only a socket of the same machine whose other side has a full queue can not be begun: that
/// is tried again after others have run.
///
/// # Safety
///
/// The arguments are as connect(2) has them.
unsafe fn inside_connect(
    controlled: Controlled,
    file: c_int,
    address: *const sockaddr,
    size: socklen_t,
) -> Option<c_int> {
    let site = Site::caller();
    let patience = patience(file, libc::SO_SNDTIMEO, 0);
    // SAFETY: Passed on to the caller.
    let connect = || unsafe { real::connect.get()(file, address, size).into() };
    if patience == Patience::None {
        return Some(output(controlled, file, Patience::None, site, connect) as c_int);
    }
    loop {
        let begun = output(controlled, file, Patience::None, site, || {
            let _never_blocks = NeverBlocks::new(file);
            connect()
        });
        match std::io::Error::last_os_error().raw_os_error() {
            _ if begun == 0 => return Some(0),
            Some(libc::EINPROGRESS) => break,
            Some(libc::EAGAIN) => controlled.yield_now(OperationKind::Yield, site),
            _ => return Some(-1),
        }
    }
    Some(output(controlled, file, patience, site, || match pending_error(file) {
        0 => 0,
        error => fail(error),
    }) as c_int)
}

/// # Safety
///
/// The arguments are as shutdown(2) has them.
unsafe fn inside_shutdown(controlled: Controlled, file: c_int, how: c_int) -> Option<c_int> {
    controlled.closes();
    // SAFETY: Passed on to the caller.
    let result = unsafe { real::shutdown.get()(file, how) };
    let _errno = keeping_errno();
    controlled.files_changed();
    Some(result)
}

/// No operation: whoever drops a file would have to stop there, and what others can notice of it is
/// that there is nothing more to read.
///
/// # Safety
///
/// The arguments are as close(2) has them.
unsafe fn inside_close(controlled: Controlled, file: c_int) -> Option<c_int> {
    controlled.closes();
    controlled.about_to_close(file);
    // SAFETY: Passed on to the caller.
    let result = unsafe { real::close.get()(file) };
    let _errno = keeping_errno();
    controlled.file_closed(file);
    controlled.files_changed();
    Some(result)
}

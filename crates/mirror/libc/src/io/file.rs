//! What there is to know about a file before it is used.

use crate::errno::keeping_errno;
use selvedge_engine::{Carries, Patience, Restart};
use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::time::Duration;

/// How a file takes what is written to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// As much as there is room for.
    Pipe,
    /// As above, and one can ask not to be blocked.
    Socket,
    /// All at once.
    Other,
}

/// The kind of a file.
pub(super) fn kind(file: c_int) -> Kind {
    match mode(file) {
        libc::S_IFIFO => Kind::Pipe,
        libc::S_IFSOCK => Kind::Socket,
        _ => Kind::Other,
    }
}

/// Whether a file is one of the file system's, with content.
fn is_regular(file: c_int) -> bool {
    mode(file) == libc::S_IFREG
}

/// What the kernel says of which type a file is.
fn mode(file: c_int) -> libc::mode_t {
    let mut facts = MaybeUninit::<libc::stat>::zeroed();
    // SAFETY: The structure lives as long as the call, and all zeroes are a value of it.
    let mode = unsafe {
        libc::fstat(file, facts.as_mut_ptr());
        facts.assume_init().st_mode
    };
    mode & libc::S_IFMT
}

/// Which order it carries to write to a file. Whoever writes to what can be full may have waited for
/// somebody to make room; a regular file is never full.
pub(super) fn carries_from_writer(file: c_int) -> Carries {
    if is_regular(file) { Carries::Release } else { Carries::Both }
}

/// Which order it carries to read from a file.
pub(super) fn carries_to_reader(file: c_int) -> Carries {
    if is_regular(file) { Carries::Acquire } else { Carries::Both }
}

/// Makes a file one that never blocks, for as long as this lives.
pub(super) struct NeverBlocks {
    file: c_int,
    status: c_int,
}

impl NeverBlocks {
    /// Of a file that does block.
    pub(super) fn new(file: c_int) -> Self {
        // SAFETY: To ask for the flags of a file and to set them has no preconditions.
        let status = unsafe { libc::fcntl(file, libc::F_GETFL) };
        // SAFETY: As above.
        unsafe { libc::fcntl(file, libc::F_SETFL, status | libc::O_NONBLOCK) };
        Self { file, status }
    }
}

impl Drop for NeverBlocks {
    fn drop(&mut self) {
        let _errno = keeping_errno();
        // SAFETY: As above.
        unsafe { libc::fcntl(self.file, libc::F_SETFL, self.status) };
    }
}

/// Why the last operation on a socket that nobody waited for failed; zero if it did not.
pub(super) fn pending_error(file: c_int) -> c_int {
    let mut error = 0;
    let mut size = size_of::<c_int>() as libc::socklen_t;
    // SAFETY: The error and its size live as long as the call.
    let result = unsafe {
        let place = (&raw mut error).cast();
        libc::getsockopt(file, libc::SOL_SOCKET, libc::SO_ERROR, place, &raw mut size)
    };
    if result == -1 { libc::EBADF } else { error }
}

/// What a signal does to a wait for a file. One that is limited by an option of a socket never starts
/// again.
pub(super) fn restart(patience: Patience) -> Restart {
    match patience {
        Patience::None | Patience::Endless => Restart::IfAsked,
        Patience::For(_) => Restart::Never,
    }
}

/// How long an operation on the file waits, where `option` is the one that limits it for sockets.
/// The flags are those of `recv` and `send`.
pub(super) fn patience(file: c_int, option: c_int, flags: c_int) -> Patience {
    // SAFETY: To ask for the flags of a file has no preconditions.
    let status = unsafe { libc::fcntl(file, libc::F_GETFL) };
    // A file that is not there is an error, which the C library reports.
    if status == -1 || status & libc::O_NONBLOCK != 0 || flags & libc::MSG_DONTWAIT != 0 {
        return Patience::None;
    }
    let mut limit = libc::timeval { tv_sec: 0, tv_usec: 0 };
    let mut size = size_of::<libc::timeval>() as libc::socklen_t;
    // SAFETY: The limit and its size live as long as the call.
    let result = unsafe {
        let place = (&raw mut limit).cast();
        libc::getsockopt(file, libc::SOL_SOCKET, option, place, &raw mut size)
    };
    if result == -1 || (limit.tv_sec, limit.tv_usec) == (0, 0) {
        return Patience::Endless;
    }
    let micros = u32::try_from(limit.tv_usec).unwrap_or(0);
    Patience::For(Duration::new(limit.tv_sec.try_into().unwrap_or(0), micros * 1000))
}

//! What there is to know about a file before it is used.

use selvedge_engine::Patience;
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
    let mut facts = MaybeUninit::<libc::stat>::zeroed();
    // SAFETY: The structure lives as long as the call, and all zeroes are a value of it.
    let mode = unsafe {
        libc::fstat(file, facts.as_mut_ptr());
        facts.assume_init().st_mode
    };
    match mode & libc::S_IFMT {
        libc::S_IFIFO => Kind::Pipe,
        libc::S_IFSOCK => Kind::Socket,
        _ => Kind::Other,
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

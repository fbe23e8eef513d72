//! Functions by which one thread gets to know what another one has done, although neither waits:
//! names of files, their content, signals, processes, the environment.
//!
//! They do what they always do. The engine is told which order they carry
//! (`engine/objects/io.rs`), before they are called: no other thread of the execution runs between.
//!
//! May miss: functions that are not listed, and what code asks of the kernel without the C library.
//! A function that is missing here makes a race of what is none, if nothing else carries the same
//! order.

use crate::syscall::kernel;
use libc::{
    DIR, c_char, c_uint, dirent, dirent64, iovec, mmsghdr, mode_t, off_t, off64_t, pid_t, sigval,
    timespec,
};
use selvedge_engine::{Carries, Controlled};
use std::ffi::{c_int, c_void};

/// Functions in front of those that are called all the same, each with what is told to the engine.
macro_rules! carried {
    ($($told:ident: fn $name:ident($($argument:ident: $type:ty),* $(,)?) -> $result:ty;)+) => {
        in_front! {
            $(fn $name($($argument: $type),*) -> $result => inside::$name;)+
        }

        /// What is told of each.
        mod inside {
            use super::*;

            $(
                /// # Safety
                ///
                /// None is needed; the function is like others in front of the C library.
                pub(super) unsafe fn $name(
                    controlled: Controlled,
                    $(_: $type),*
                ) -> Option<$result> {
                    told::$told(controlled);
                    None
                }
            )+
        }
    };
}

/// What the engine is told.
mod told {
    use super::*;

    pub(super) fn release(controlled: Controlled) {
        controlled.carries(Carries::Release);
    }

    pub(super) fn acquire(controlled: Controlled) {
        controlled.carries(Carries::Acquire);
    }

    /// Whether it succeeds tells the caller something as well: who was there first.
    pub(super) fn both(controlled: Controlled) {
        controlled.carries(Carries::Both);
    }

    pub(super) fn signals(controlled: Controlled) {
        controlled.signals();
    }
}

carried! {
    both: fn rename(from: *const c_char, to: *const c_char) -> c_int;
    both: fn renameat(a: c_int, from: *const c_char, b: c_int, to: *const c_char) -> c_int;
    both: fn link(from: *const c_char, to: *const c_char) -> c_int;
    both: fn linkat(
        a: c_int,
        from: *const c_char,
        b: c_int,
        to: *const c_char,
        flags: c_int,
    ) -> c_int;
    both: fn symlink(target: *const c_char, path: *const c_char) -> c_int;
    both: fn symlinkat(target: *const c_char, folder: c_int, path: *const c_char) -> c_int;
    both: fn unlink(path: *const c_char) -> c_int;
    both: fn unlinkat(folder: c_int, path: *const c_char, flags: c_int) -> c_int;
    both: fn mkdir(path: *const c_char, mode: mode_t) -> c_int;
    both: fn mkdirat(folder: c_int, path: *const c_char, mode: mode_t) -> c_int;
    both: fn rmdir(path: *const c_char) -> c_int;
    release: fn truncate(path: *const c_char, length: off_t) -> c_int;
    release: fn truncate64(path: *const c_char, length: off64_t) -> c_int;
    release: fn ftruncate(file: c_int, length: off_t) -> c_int;
    release: fn ftruncate64(file: c_int, length: off64_t) -> c_int;
    acquire: fn access(path: *const c_char, mode: c_int) -> c_int;
    acquire: fn faccessat(folder: c_int, path: *const c_char, mode: c_int, flags: c_int) -> c_int;
    acquire: fn readlink(path: *const c_char, buffer: *mut c_char, size: usize) -> isize;
    acquire: fn opendir(path: *const c_char) -> *mut DIR;
    acquire: fn readdir(folder: *mut DIR) -> *mut dirent;
    acquire: fn readdir64(folder: *mut DIR) -> *mut dirent64;

    acquire: fn pread(file: c_int, buffer: *mut c_void, length: usize, offset: off_t) -> isize;
    acquire: fn pread64(file: c_int, buffer: *mut c_void, length: usize, offset: off64_t) -> isize;
    acquire: fn preadv(file: c_int, parts: *const iovec, count: c_int, offset: off_t) -> isize;
    acquire: fn preadv64(file: c_int, parts: *const iovec, count: c_int, offset: off64_t) -> isize;
    release: fn pwrite(file: c_int, buffer: *const c_void, length: usize, offset: off_t) -> isize;
    release: fn pwrite64(
        file: c_int,
        buffer: *const c_void,
        length: usize,
        offset: off64_t,
    ) -> isize;
    release: fn pwritev(file: c_int, parts: *const iovec, count: c_int, offset: off_t) -> isize;
    release: fn pwritev64(file: c_int, parts: *const iovec, count: c_int, offset: off64_t) -> isize;
    both: fn sendmmsg(file: c_int, messages: *mut mmsghdr, count: c_uint, flags: c_int) -> c_int;
    both: fn recvmmsg(
        file: c_int,
        messages: *mut mmsghdr,
        count: c_uint,
        flags: c_int,
        timeout: *mut timespec,
    ) -> c_int;
    both: fn tee(from: c_int, to: c_int, length: usize, flags: c_uint) -> isize;
    both: fn vmsplice(file: c_int, parts: *const iovec, count: usize, flags: c_uint) -> isize;

    signals: fn kill(process: pid_t, signal: c_int) -> c_int;
    signals: fn killpg(group: pid_t, signal: c_int) -> c_int;
    signals: fn sigqueue(process: pid_t, signal: c_int, value: sigval) -> c_int;

    acquire: fn getenv(name: *const c_char) -> *mut c_char;
    acquire: fn secure_getenv(name: *const c_char) -> *mut c_char;
}

/// Tells the engine of a function that older C libraries do not have, and does without it.
macro_rules! by_number {
    ($($told:ident: fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty = $number:path;)+) => {
        $(
            // SAFETY: The signature is that of the C library's header, and the system call does what
            // the function does.
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($($argument: $type),*) -> $result {
                if let Some(controlled) = Controlled::current() {
                    told::$told(controlled);
                }
                let mut arguments = [0; 6];
                for (place, argument) in arguments.iter_mut().zip([$($argument as libc::c_long),*]) {
                    *place = argument;
                }
                // SAFETY: Passed on to the caller.
                unsafe { kernel($number, arguments) as $result }
            }
        )+

        /// Makes the linker take the functions along.
        pub(crate) fn install_all() {
            install();
            $(std::hint::black_box($name as *const ());)+
        }
    };
}

by_number! {
    both: fn renameat2(
        a: c_int,
        from: *const c_char,
        b: c_int,
        to: *const c_char,
        flags: c_uint
    ) -> c_int = libc::SYS_renameat2;
    both: fn copy_file_range(
        from: c_int,
        from_offset: *mut off64_t,
        to: c_int,
        to_offset: *mut off64_t,
        length: usize,
        flags: c_uint
    ) -> isize = libc::SYS_copy_file_range;
}

/// A system call of which nothing is known, by its number: it may carry any order, unless it is one
/// of those that tell the caller of nothing but itself.
pub(crate) fn unknown(controlled: Controlled, number: libc::c_long) {
    let harmless = [
        libc::SYS_gettid,
        libc::SYS_getpid,
        libc::SYS_getppid,
        libc::SYS_getuid,
        libc::SYS_geteuid,
        libc::SYS_getgid,
        libc::SYS_getcpu,
        libc::SYS_madvise,
        libc::SYS_membarrier,
        libc::SYS_sched_getaffinity,
        libc::SYS_sched_setaffinity,
    ];
    match number {
        libc::SYS_kill | libc::SYS_tkill | libc::SYS_tgkill => controlled.signals(),
        _ if harmless.contains(&number) => {}
        _ => controlled.carries(Carries::Both),
    }
}

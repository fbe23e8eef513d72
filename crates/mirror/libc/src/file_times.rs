//! When files were changed; what that is on the calendar of an execution is in `engine/file_times.rs`.
//!
//! May miss: `stat` and its like, by which C asks (`std` asks by `statx`), and system calls by number.

use crate::errno::keeping_errno;
use crate::syscall::kernel;
use libc::{c_char, c_long, c_uint, statx_timestamp, timespec as Timespec};
use selvedge_engine::{Carries, Controlled, FileKey, FileTime};
use std::ffi::c_int;
use std::mem::MaybeUninit;

in_front! {
    fn futimens(file: c_int, times: *const Timespec) -> c_int => inside_futimens;
    fn utimensat(
        folder: c_int,
        path: *const c_char,
        times: *const Timespec,
        flags: c_int,
    ) -> c_int => inside_utimensat;
}

/// Makes the linker take the functions along.
pub(crate) fn install_all() {
    install();
    std::hint::black_box(statx as *const ());
}

const SECOND: i128 = 1_000_000_000;

fn file_time(seconds: i64, nanos: i64) -> FileTime {
    FileTime(i128::from(seconds) * SECOND + i128::from(nanos))
}

fn seconds_and_nanos(time: FileTime) -> (i64, u32) {
    (time.0.div_euclid(SECOND) as i64, time.0.rem_euclid(SECOND) as u32)
}

/// What the kernel's calendar shows, which the C library would tell by the virtual clock.
fn present() -> FileTime {
    let mut time = Timespec { tv_sec: 0, tv_nsec: 0 };
    let place = (&raw mut time) as c_long;
    // SAFETY: The time lives as long as the call.
    unsafe { kernel(libc::SYS_clock_gettime, [libc::CLOCK_REALTIME.into(), place, 0, 0, 0, 0]) };
    file_time(time.tv_sec, time.tv_nsec)
}

/// Notes that the content of a regular file was changed just now.
pub(crate) fn note_written(controlled: Controlled, file: c_int) {
    let _errno = keeping_errno();
    let mut facts = MaybeUninit::<libc::stat>::zeroed();
    // SAFETY: The structure lives as long as the call, and all zeroes are a value of it.
    let facts = unsafe {
        if libc::fstat(file, facts.as_mut_ptr()) != 0 {
            return;
        }
        facts.assume_init()
    };
    if facts.st_mode & libc::S_IFMT == libc::S_IFREG {
        let key = FileKey { device: facts.st_dev, inode: facts.st_ino };
        controlled.file_written(key, file_time(facts.st_mtime, facts.st_mtime_nsec));
    }
}

/// Notes that a file was made or emptied, if it was opened in a way that does so.
pub(crate) fn note_opened(controlled: Controlled, file: c_int, flags: c_int) {
    let made = libc::O_CREAT | libc::O_EXCL;
    if file >= 0 && (flags & libc::O_TRUNC != 0 || flags & made == made) {
        note_written(controlled, file);
    }
}

/// What there is to know of a file. Older C libraries do not have the function, so the kernel is asked.
// SAFETY: The signature is that of the C library's header, and the system call does what the function
// does.
#[unsafe(no_mangle)]
unsafe extern "C" fn statx(
    folder: c_int,
    path: *const c_char,
    flags: c_int,
    mask: c_uint,
    facts: *mut libc::statx,
) -> c_int {
    let controlled = Controlled::current();
    if let Some(controlled) = controlled {
        controlled.carries(Carries::Acquire);
    }
    let arguments = [folder.into(), path as c_long, flags.into(), mask.into(), facts as c_long, 0];
    // SAFETY: Passed on to the caller.
    let result = unsafe { kernel(libc::SYS_statx, arguments) } as c_int;
    if let Some(controlled) = controlled
        && result == 0
    {
        let _errno = keeping_errno();
        // SAFETY: The kernel has written there.
        show(controlled, unsafe { &mut *facts });
    }
    result
}

/// Puts virtual times into what the kernel says of a file.
fn show(controlled: Controlled, facts: &mut libc::statx) {
    let present = present();
    let device = libc::makedev(facts.stx_dev_major, facts.stx_dev_minor);
    let key = FileKey { device, inode: facts.stx_ino };
    let read = |time: &statx_timestamp| file_time(time.tv_sec, time.tv_nsec.into());
    let write = |time: &mut statx_timestamp, shown| {
        (time.tv_sec, time.tv_nsec) = seconds_and_nanos(shown);
    };
    let content = controlled.content_time(key, read(&facts.stx_mtime), present);
    write(&mut facts.stx_mtime, content);
    for time in [&mut facts.stx_atime, &mut facts.stx_btime, &mut facts.stx_ctime] {
        let shown = controlled.file_time(read(time), present);
        write(time, shown);
    }
}

/// The times that the kernel is to note, of access and of content.
///
/// # Safety
///
/// There are two, if any.
unsafe fn for_kernel(controlled: Controlled, times: *const Timespec) -> Option<[Timespec; 2]> {
    if times.is_null() {
        return None;
    }
    let present = present();
    // SAFETY: Passed on to the caller.
    let times = unsafe { [times.read(), times.add(1).read()] };
    Some(times.map(|time| match time.tv_nsec {
        libc::UTIME_NOW | libc::UTIME_OMIT => time,
        nanos => {
            let kernel = controlled.kernel_time(file_time(time.tv_sec, nanos), present);
            let (seconds, nanos) = seconds_and_nanos(kernel);
            Timespec { tv_sec: seconds, tv_nsec: nanos.into() }
        }
    }))
}

/// # Safety
///
/// The arguments are as futimens(3) has them.
unsafe fn inside_futimens(
    controlled: Controlled,
    file: c_int,
    times: *const Timespec,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    unsafe {
        let times = for_kernel(controlled, times)?;
        Some(real::futimens.get()(file, times.as_ptr()))
    }
}

/// # Safety
///
/// The arguments are as utimensat(2) has them.
unsafe fn inside_utimensat(
    controlled: Controlled,
    folder: c_int,
    path: *const c_char,
    times: *const Timespec,
    flags: c_int,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    unsafe {
        let times = for_kernel(controlled, times)?;
        Some(real::utimensat.get()(folder, path, times.as_ptr(), flags))
    }
}

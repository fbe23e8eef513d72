//! What the operating system says of a thread.

use std::ffi::c_long;
use std::io::Write as _;

/// What a thread does, by the operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activity {
    /// It waits in the kernel.
    Waits,
    /// It runs, or could.
    Runs,
    /// Nobody knows: there is no `/proc`, or no such thread any more.
    Unknown,
}

/// What the thread does now. Does not allocate.
pub(crate) fn look(tid: libc::pid_t) -> Activity {
    let mut text = [0; 512];
    let Some(text) = read(tid, "stat", &mut text) else { return Activity::Unknown };
    // The name of the thread stands in parentheses and may have some itself.
    let Some(end) = text.iter().rposition(|byte| *byte == b')') else { return Activity::Unknown };
    match text.get(end + 2) {
        // A wait that nothing can interrupt is for memory or a disk, and short.
        Some(b'S') => Activity::Waits,
        Some(_) => Activity::Runs,
        None => Activity::Unknown,
    }
}

/// How often the thread has gone to wait in the kernel: if that has not changed between two looks
/// at which it waited, it was the same wait. Does not allocate.
pub(crate) fn waits(tid: libc::pid_t) -> Option<u64> {
    let mut text = [0; 4096];
    let text = read(tid, "status", &mut text)?;
    let text = str::from_utf8(text).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
    line.trim().parse().ok()
}

/// The time that the thread has spent on a processor, in nanoseconds.
pub(crate) fn processor_time(tid: libc::pid_t) -> Option<u64> {
    // How Linux numbers the clocks of threads: the kernel's number of the thread, inverted, and what
    // says that it is one thread's time on a processor.
    let clock = (!tid << 3) | 6;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: The pointer is one to a time. Whether there is such a clock is the kernel's to say.
    let error = unsafe { libc::clock_gettime(clock, &raw mut time) };
    let nanos = u64::try_from(time.tv_nsec).ok()?;
    (error == 0).then(|| u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000 + nanos)
}

/// Reads the beginning of a file that says something of a thread.
fn read<'a>(tid: libc::pid_t, file: &str, text: &'a mut [u8]) -> Option<&'a [u8]> {
    let mut path = [0; 64];
    // The rest of the array is zero, which ends the path.
    write!(&mut path[..63], "/proc/self/task/{tid}/{file}").ok()?;
    // SAFETY: The path ends in a zero byte, the buffer has the given length, and the file is ours.
    unsafe {
        let descriptor = libc::open(path.as_ptr().cast(), libc::O_RDONLY | libc::O_CLOEXEC);
        if descriptor < 0 {
            return None;
        }
        let count = libc::read(descriptor, text.as_mut_ptr().cast(), text.len());
        libc::close(descriptor);
        let count = usize::try_from(count as c_long).ok()?;
        text.get(..count)
    }
}

//! How Linux is asked for the state of a process, and told to put it back.
//!
//! A call that fails leaves things as they are: there is nobody who could do better.

use super::{ProcessPart, ProcessState};
use std::ffi::{CStr, c_char, c_int};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::{fs, ptr};

/// How something was.
pub(super) enum Before {
    /// A file that stands for it.
    File(OwnedFd),
    /// That there was no such file.
    NoFile,
    Umask(libc::mode_t),
    Environment(Vec<*mut c_char>),
    Signal(libc::sigaction),
    Mask(libc::sigset_t),
    Limit(libc::rlimit64),
    Timer(libc::itimerval),
    Flags(c_int),
}

/// Numbers of files from here on are seldom those of a test.
const HIGH: c_int = 512;

/// How something is now. Nothing if the kernel does not say, in which case it can not be changed either.
pub(super) fn look(what: ProcessState) -> Option<Before> {
    let ok = |result: c_int| (result == 0).then_some(());
    // SAFETY: All structures live as long as the calls that fill them, and are read only if that has
    // succeeded. The files that are opened are nobody else's.
    unsafe {
        Some(match what {
            ProcessState::Folder => {
                let flags = libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC;
                let file = libc::open(c".".as_ptr(), flags);
                Before::File(high(file)?)
            }
            ProcessState::File(file) => match libc::fcntl(file, libc::F_DUPFD_CLOEXEC, HIGH) {
                -1 => Before::NoFile,
                copy => Before::File(OwnedFd::from_raw_fd(copy)),
            },
            ProcessState::FileFlags(file) => match libc::fcntl(file, libc::F_GETFL) {
                -1 => return None,
                flags => Before::Flags(flags),
            },
            ProcessState::Environment => Before::Environment(variables()),
            ProcessState::Umask => {
                let now = libc::umask(0o077);
                libc::umask(now);
                Before::Umask(now)
            }
            ProcessState::Signal(signal) => {
                let mut action = MaybeUninit::<libc::sigaction>::zeroed();
                ok(libc::sigaction(signal, ptr::null(), action.as_mut_ptr()))?;
                Before::Signal(action.assume_init())
            }
            ProcessState::SignalMask => {
                let mut mask = MaybeUninit::<libc::sigset_t>::zeroed();
                ok(libc::pthread_sigmask(libc::SIG_SETMASK, ptr::null(), mask.as_mut_ptr()))?;
                Before::Mask(mask.assume_init())
            }
            ProcessState::Limit(resource) => {
                let mut limit = MaybeUninit::<libc::rlimit64>::zeroed();
                ok(libc::prlimit64(0, resource as _, ptr::null(), limit.as_mut_ptr()))?;
                Before::Limit(limit.assume_init())
            }
            ProcessState::Timer(which) => {
                let mut timer = MaybeUninit::<libc::itimerval>::zeroed();
                ok(libc::getitimer(which as _, timer.as_mut_ptr()))?;
                Before::Timer(timer.assume_init())
            }
        })
    }
}

/// Makes something what it was.
pub(super) fn put_back(what: ProcessState, before: Before) {
    // SAFETY: The structures live as long as the calls, and the kernel has filled them.
    unsafe {
        match (what, before) {
            (ProcessState::File(file), Before::File(copy)) => {
                // The standard streams are handed on to children.
                libc::dup2(copy.as_raw_fd(), file);
            }
            (ProcessState::File(file), _) => {
                libc::close(file);
            }
            (_, Before::File(folder)) => {
                libc::fchdir(folder.as_raw_fd());
            }
            (ProcessState::FileFlags(file), Before::Flags(flags)) => {
                libc::fcntl(file, libc::F_SETFL, flags);
            }
            (ProcessState::Signal(signal), Before::Signal(action)) => {
                libc::sigaction(signal, &raw const action, ptr::null_mut());
            }
            (ProcessState::Limit(resource), Before::Limit(limit)) => {
                libc::prlimit64(0, resource as _, &raw const limit, ptr::null_mut());
            }
            (ProcessState::Timer(which), Before::Timer(timer)) => {
                libc::setitimer(which as _, &raw const timer, ptr::null_mut());
            }
            (_, Before::Umask(mask)) => {
                libc::umask(mask);
            }
            (_, Before::Mask(mask)) => put_mask_back(&mask),
            (_, Before::Environment(before)) => put_variables_back(&before),
            (_, Before::NoFile | Before::Flags(_) | Before::Signal(_)) => {}
            (_, Before::Limit(_) | Before::Timer(_)) => {}
        }
    }
}

/// Blocks the signals that were blocked. Those that have come for the test meanwhile, and are let
/// through again, are dropped: nobody is left whom they concern.
///
/// # Safety
///
/// None is needed but that the set is one.
unsafe fn put_mask_back(mask: &libc::sigset_t) {
    let now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: All sets live as long as the calls.
    unsafe {
        let mut blocked = MaybeUninit::<libc::sigset_t>::zeroed();
        libc::pthread_sigmask(libc::SIG_SETMASK, ptr::null(), blocked.as_mut_ptr());
        let mut set = MaybeUninit::<libc::sigset_t>::zeroed();
        libc::sigemptyset(set.as_mut_ptr());
        for signal in 1..=libc::SIGRTMAX() {
            if libc::sigismember(blocked.as_ptr(), signal) == 1
                && libc::sigismember(mask, signal) == 0
            {
                libc::sigaddset(set.as_mut_ptr(), signal);
            }
        }
        while libc::sigtimedwait(set.as_ptr(), ptr::null_mut(), &raw const now) > 0 {}
        libc::pthread_sigmask(libc::SIG_SETMASK, mask, ptr::null_mut());
    }
}

/// Ends what an execution has left.
pub(super) fn remove(part: ProcessPart) {
    // SAFETY: The child is one of this process for as long as nobody has waited for it, which the first
    // call finds out; its number is nobody else's until then. The timer was made by the execution and
    // has not been deleted.
    unsafe {
        match part {
            ProcessPart::Child(child) => {
                if libc::waitpid(child, ptr::null_mut(), libc::WNOHANG) == 0 {
                    libc::kill(child, libc::SIGKILL);
                    libc::waitpid(child, ptr::null_mut(), 0);
                }
            }
            ProcessPart::Timer(timer) => {
                libc::timer_delete(timer as libc::timer_t);
            }
        }
    }
}

/// The numbers of all open files.
pub(super) fn open_files() -> Vec<c_int> {
    let Ok(entries) = fs::read_dir("/proc/self/fd") else { return Vec::new() };
    let numbers: Vec<c_int> =
        entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    // The one by which they were read is closed again.
    // SAFETY: Asking for the flags of a file has no preconditions.
    numbers.into_iter().filter(|&file| unsafe { libc::fcntl(file, libc::F_GETFD) } != -1).collect()
}

/// The file under a number that is out of the way.
///
/// # Safety
///
/// The file is nobody else's, unless its number is negative.
unsafe fn high(file: c_int) -> Option<OwnedFd> {
    if file < 0 {
        return None;
    }
    // SAFETY: Passed on to the caller; the copy is a file of its own.
    unsafe {
        let first = OwnedFd::from_raw_fd(file);
        let copy = libc::fcntl(first.as_raw_fd(), libc::F_DUPFD_CLOEXEC, HIGH);
        Some(if copy < 0 { first } else { OwnedFd::from_raw_fd(copy) })
    }
}

unsafe extern "C" {
    static mut environ: *mut *mut c_char;
}

/// The strings of the environment. The C library does not free any.
///
/// # Safety
///
/// Nobody else may change the environment at the same time.
unsafe fn variables() -> Vec<*mut c_char> {
    let mut all = Vec::new();
    // SAFETY: The environment is a list of strings that ends with null, or there is none.
    unsafe {
        let mut at = environ;
        while !at.is_null() && !(*at).is_null() {
            all.push(*at);
            at = at.add(1);
        }
    }
    all
}

/// Makes the environment the list of strings that it was.
///
/// # Safety
///
/// The strings were those of the environment; nobody else may change it at the same time.
unsafe fn put_variables_back(before: &[*mut c_char]) {
    // SAFETY: Both lists hold strings. The names that are passed on end in a zero byte.
    unsafe {
        for string in variables() {
            if !before.contains(&string)
                && let Some(name) = name(string)
            {
                libc::unsetenv(name.as_ptr().cast());
            }
        }
        let now = variables();
        for &string in before {
            if !now.contains(&string) {
                libc::putenv(string);
            }
        }
        // The same strings are there, and now also in the same order: there is room for all of them.
        if variables().len() == before.len() {
            ptr::copy_nonoverlapping(before.as_ptr(), environ, before.len());
        }
    }
}

/// The name of a variable, with a zero byte at its end.
///
/// # Safety
///
/// The pointer is one to a string.
unsafe fn name(string: *const c_char) -> Option<Vec<u8>> {
    // SAFETY: Passed on to the caller.
    let bytes = unsafe { CStr::from_ptr(string) }.to_bytes();
    let end = bytes.iter().position(|&byte| byte == b'=')?;
    Some([&bytes[..end], &[0]].concat())
}

//! Functions that wait until a child process has ended.
//!
//! A process can be waited for by way of a file that stands for it. Whoever waits for any of several
//! waits for the files of all that there are.

use super::ready::ready_or;
use crate::errno::keeping_errno;
use crate::syscall::kernel;
use libc::{id_t, idtype_t, pid_t, siginfo_t};
use selvedge_engine::{Carries, Controlled, FileInterest, Patience, Restart};
use selvedge_model::Site;
use std::ffi::c_int;
use std::fs;

in_front! {
    fn wait(status: *mut c_int) -> pid_t => inside_wait;
    fn waitpid(process: pid_t, status: *mut c_int, options: c_int) -> pid_t => inside_waitpid;
    fn waitid(kind: idtype_t, id: id_t, info: *mut siginfo_t, options: c_int) -> c_int =>
        inside_waitid;
}

/// Files that stand for processes, as long as somebody waits for them.
struct Children(Vec<FileInterest>);

impl Children {
    /// The process of this number, if it is there.
    fn one(process: pid_t) -> Self {
        Self::of([process])
    }

    /// All children of this process; none if the kernel does not tell which there are.
    fn all(controlled: Controlled) -> Self {
        Self::of(controlled.apart(Self::numbers))
    }

    /// The numbers of all children.
    fn numbers() -> Vec<pid_t> {
        let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let lists = threads.filter_map(|thread| {
            // A thread may end meanwhile.
            fs::read_to_string(thread.path().join("children")).ok()
        });
        let numbers = |list: String| -> Vec<pid_t> {
            list.split_whitespace().filter_map(|number| number.parse().ok()).collect()
        };
        lists.flat_map(numbers).collect()
    }

    fn of(processes: impl IntoIterator<Item = pid_t>) -> Self {
        let open = |process: pid_t| {
            // SAFETY: To ask for the file of a process has no preconditions.
            let file = unsafe { kernel(libc::SYS_pidfd_open, [process.into(), 0, 0, 0, 0, 0]) };
            let file = c_int::try_from(file).ok().filter(|&file| file >= 0)?;
            Some(FileInterest::new(file, libc::POLLIN))
        };
        Self(processes.into_iter().filter_map(open).collect())
    }

    /// Waits until one of them has ended, and then asks the C library. Without any there is nothing
    /// to wait for, and the C library has the answer at once, or blocks.
    fn await_one<R: Into<i64>>(
        self,
        controlled: Controlled,
        site: Site,
        ask: impl FnOnce() -> R,
    ) -> Option<i64> {
        if self.0.is_empty() {
            return None;
        }
        // Nobody is asked if a signal comes first, and then it is a failure.
        let mut answer = -1;
        ready_or(controlled, &self.0, Patience::Endless, Restart::IfAsked, site, || {
            answer = ask().into();
            answer as c_int
        });
        // The number of the last error is that of the wait, also when the files are closed.
        let errno = keeping_errno();
        drop(self);
        drop(errno);
        Some(answer)
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for child in &self.0 {
            // SAFETY: The file was opened by us, and nobody else knows it.
            unsafe { kernel(libc::SYS_close, [child.file.into(), 0, 0, 0, 0, 0]) };
        }
    }
}

/// # Safety
///
/// The argument is as wait(2) has it.
unsafe fn inside_wait(controlled: Controlled, status: *mut c_int) -> Option<pid_t> {
    // SAFETY: Passed on to the caller.
    unsafe { inside_waitpid(controlled, -1, status, 0) }
}

/// To wait for a group of processes is left to the C library, and blocks.
///
/// # Safety
///
/// The arguments are as waitpid(2) has them.
unsafe fn inside_waitpid(
    controlled: Controlled,
    process: pid_t,
    status: *mut c_int,
    options: c_int,
) -> Option<pid_t> {
    if options & libc::WNOHANG != 0 {
        controlled.carries(Carries::Acquire);
        return None;
    }
    let children = match process {
        -1 => Children::all(controlled),
        ..=0 => return None,
        _ => Children::one(process),
    };
    let ended = children.await_one(controlled, Site::caller(), || {
        // SAFETY: Passed on to the caller.
        unsafe { real::waitpid.get()(process, status, options) }
    });
    ended.map(|ended| ended as pid_t)
}

/// # Safety
///
/// The arguments are as waitid(2) has them.
unsafe fn inside_waitid(
    controlled: Controlled,
    kind: idtype_t,
    id: id_t,
    info: *mut siginfo_t,
    options: c_int,
) -> Option<c_int> {
    // What else may happen to a process is nothing that its file tells.
    if options & libc::WNOHANG != 0 || options & libc::WEXITED == 0 {
        controlled.carries(Carries::Acquire);
        return None;
    }
    let ask = || {
        // SAFETY: Passed on to the caller.
        unsafe { real::waitid.get()(kind, id, info, options) }
    };
    let site = Site::caller();
    let result = match kind {
        libc::P_ALL => Children::all(controlled).await_one(controlled, site, ask),
        libc::P_PID => Children::one(id as pid_t).await_one(controlled, site, ask),
        libc::P_PIDFD => {
            let files = [FileInterest::new(id as c_int, libc::POLLIN)];
            let endless = Patience::Endless;
            Some(ready_or(controlled, &files, endless, Restart::IfAsked, site, ask).into())
        }
        _ => None,
    };
    result.map(|result| result as c_int)
}

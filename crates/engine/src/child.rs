//! A child process that runs one function and says what came of it.
//!
//! The child is a copy of this process in which only the calling thread goes on. It is ended with
//! its parent. What it has to say it writes to a file in memory that both know.

use crate::progress::Watch;

/// What became of a child.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Departure {
    /// It has said this.
    Told(Vec<u8>),
    /// It left with this exit code before it had said anything.
    Exited(i32),
    /// It died of this signal.
    Killed(i32),
}

/// What begins what a child says.
#[derive(Clone, Copy)]
enum Sort {
    Result,
    Panic,
}

#[cfg(all(target_os = "linux", not(miri)))]
pub(crate) use linux::Children;

#[cfg(all(target_os = "linux", not(miri)))]
mod linux {
    use super::{Departure, Sort, Watch};
    use std::fs::File;
    use std::io::{self, Read, Seek, Write};
    use std::os::fd::FromRawFd;
    use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};

    /// Children, one at a time.
    pub(crate) struct Children {
        /// Where they say what they have to say. It has no name and is closed by `exec`.
        said: File,
    }

    impl Children {
        pub(crate) fn new() -> io::Result<Self> {
            // SAFETY: The name is a string; the file that comes back is nobody else's.
            let said = unsafe {
                match libc::memfd_create(c"selvedge".as_ptr(), libc::MFD_CLOEXEC) {
                    -1 => return Err(io::Error::last_os_error()),
                    file => File::from_raw_fd(file),
                }
            };
            Ok(Self { said })
        }

        /// Runs `f` in a child and waits until that has ended. If `f` panics, so does this.
        pub(crate) fn run(
            &mut self,
            watch: &Watch,
            f: impl FnOnce() -> Vec<u8>,
        ) -> io::Result<Departure> {
            self.said.rewind()?;
            self.said.set_len(0)?;
            let no_other = watch.without_forks();
            // SAFETY: What streams have buffered is written here and not in the child as well. The
            // child runs on with this thread alone. Locks that others may hold at this moment: those
            // of the C library are taken care of by `fork`, other threads of ours stand still as
            // `without_forks` says, and threads of a test run in children only.
            let child = unsafe {
                libc::fflush(std::ptr::null_mut());
                libc::fork()
            };
            match child {
                -1 => return Err(io::Error::last_os_error()),
                0 => {
                    drop(no_other);
                    self.live(watch, f)
                }
                _ => watch.has_child(child),
            }
            drop(no_other);
            let departure = self.await_end(watch, child);
            watch.runs_here();
            departure
        }

        /// The life of the child.
        fn live(&mut self, watch: &Watch, f: impl FnOnce() -> Vec<u8>) -> ! {
            // SAFETY: Changes nothing but what the kernel does when the parent is gone.
            unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
            watch.runs_here();
            let (sort, text) = match catch_unwind(AssertUnwindSafe(f)) {
                Ok(result) => (Sort::Result, result),
                Err(payload) => (Sort::Panic, crate::panic::message(&*payload).into_bytes()),
            };
            let said = self.said.write_all(&[sort as u8]).and_then(|()| self.said.write_all(&text));
            // SAFETY: Leaves at once: what the parent has registered for its end is for the parent
            // to do. Buffers of streams hold what this process has printed.
            unsafe {
                libc::fflush(std::ptr::null_mut());
                libc::_exit(if said.is_ok() { 0 } else { libc::EXIT_FAILURE })
            }
        }

        fn await_end(&mut self, watch: &Watch, child: libc::pid_t) -> io::Result<Departure> {
            // SAFETY: The structure is valid for as long as the call takes. The child is left to be
            // waited for below.
            retry(|| unsafe {
                let mut info = std::mem::zeroed::<libc::siginfo_t>();
                let flags = libc::WEXITED | libc::WNOWAIT;
                libc::waitid(libc::P_PID, child as libc::id_t, &raw mut info, flags)
            })?;
            let mut status = 0;
            {
                // From here on the number may be that of another process.
                let _no_other = watch.without_forks();
                watch.has_no_child();
                // SAFETY: The status is valid for as long as the call takes.
                retry(|| unsafe { libc::waitpid(child, &raw mut status, 0) })?;
            }
            if libc::WIFSIGNALED(status) {
                return Ok(Departure::Killed(libc::WTERMSIG(status)));
            }
            let mut said = Vec::new();
            self.said.rewind()?;
            self.said.read_to_end(&mut said)?;
            if libc::WEXITSTATUS(status) != 0 || said.is_empty() {
                return Ok(Departure::Exited(libc::WEXITSTATUS(status)));
            }
            let text = said.split_off(1);
            if said == [Sort::Panic as u8] {
                panic_any(String::from_utf8_lossy(&text).into_owned());
            }
            Ok(Departure::Told(text))
        }
    }

    /// Calls the kernel until it is not disturbed by a signal.
    fn retry(mut call: impl FnMut() -> i32) -> io::Result<()> {
        loop {
            if call() != -1 {
                return Ok(());
            }
            let error = io::Error::last_os_error();
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(error);
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::{Children, Departure, Watch};

        fn run(f: impl FnOnce() -> Vec<u8>) -> Departure {
            Children::new().unwrap().run(&Watch::default(), f).unwrap()
        }

        #[test]
        fn a_child_says_what_came_of_it_and_changes_nothing_here() {
            let mut here = 1;
            let departure = run(|| {
                here = 2;
                vec![here; 100_000]
            });
            assert_eq!((departure, here), (Departure::Told(vec![2; 100_000]), 1));
        }

        #[test]
        fn however_a_child_ends_it_is_seen() {
            // SAFETY: Ends the child, which nobody misses.
            assert_eq!(run(|| unsafe { libc::_exit(7) }), Departure::Exited(7));
            // SAFETY: As above.
            assert_eq!(run(|| unsafe { libc::_exit(0) }), Departure::Exited(0));
            let killed = run(|| {
                // SAFETY: As above.
                unsafe { libc::raise(libc::SIGKILL) };
                Vec::new()
            });
            assert_eq!(killed, Departure::Killed(libc::SIGKILL));
        }

        #[test]
        #[should_panic(expected = "not as it should be")]
        fn a_panic_of_ours_comes_back() {
            run(|| panic!("not as it should be"));
        }
    }
}

/// Elsewhere nothing is forked.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(crate) struct Children;

#[cfg(not(all(target_os = "linux", not(miri))))]
impl Children {
    pub(crate) fn new() -> std::io::Result<Self> {
        Err(std::io::Error::other("only Linux can run executions in processes of their own"))
    }

    pub(crate) fn run(
        &mut self,
        _: &Watch,
        _: impl FnOnce() -> Vec<u8>,
    ) -> std::io::Result<Departure> {
        unreachable!("there are no children")
    }
}

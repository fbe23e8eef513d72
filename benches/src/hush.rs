//! Keeps failures that are expected from filling the terminal.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a panic is expected. Rendering its backtrace would cost more than the search for it.
static HUSHED: AtomicBool = AtomicBool::new(false);

/// Puts the panic hooks of the engines in their order: Selvedge's takes what happens under
/// Selvedge, shuttle's (which writes about every panic, also of others) gets the rest, and ours,
/// which says nothing of panics that are expected, comes last.
///
/// Each engine puts its hook in front of the others when it first runs, so they are run once here.
pub(crate) fn order_panic_hooks() {
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !HUSHED.load(Ordering::Relaxed) {
            default(info);
        }
    }));
    crate::engines::shuttle::sample(|| {}, 1);
    crate::engines::selvedge::random(|| {}, 1);
}

/// While this lives, nothing reaches the standard error: shuttle writes there on every failure,
/// whatever it is told.
pub(crate) struct Hush {
    stderr: Option<OwnedFd>,
}

impl Hush {
    pub(crate) fn new() -> Self {
        HUSHED.store(true, Ordering::Relaxed);
        Self { stderr: redirect().ok() }
    }
}

impl Drop for Hush {
    fn drop(&mut self) {
        if let Some(stderr) = &self.stderr {
            put_in_place_of_stderr(stderr.as_fd());
        }
        HUSHED.store(false, Ordering::Relaxed);
    }
}

/// Sends the standard error nowhere and returns where it went before.
fn redirect() -> io::Result<OwnedFd> {
    let stderr = io::stderr().as_fd().try_clone_to_owned()?;
    put_in_place_of_stderr(File::create("/dev/null")?.as_fd());
    Ok(stderr)
}

fn put_in_place_of_stderr(file: BorrowedFd<'_>) {
    // SAFETY: Both descriptors are open: one is borrowed, the other is the standard error, which
    // nobody in this process closes.
    unsafe { libc::dup2(file.as_raw_fd(), libc::STDERR_FILENO) };
}

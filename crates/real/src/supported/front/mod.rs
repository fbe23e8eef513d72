//! Functions in front of the C library's, one file a subject.

mod clock;
mod syscall;
mod thread;
mod waiting;

pub(crate) use syscall::kernel;

/// Makes the linker take the functions along, and finds the C library's own ones.
pub(crate) fn install() {
    clock::install();
    syscall::install();
    thread::install();
    waiting::install();
}

//! What a controlled test process sees as the C library.
//!
//! What code asks of the kernel behind the mirrors' back (a lock of its own on a futex, the clock,
//! a sleep, memory) goes through functions of the C library. This crate defines functions of the
//! same names, which the linker prefers. On a controlled thread they ask the engine; for everybody
//! else they do what the C library does, by way of its own definitions.
//!
//! One file a subject, under the name that its counterpart has in the engine. The site of an
//! operation that is met here is the place of our function: who called it is not known.
//!
//! With the GNU C library on Linux only. Elsewhere the crate is empty.

#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
#[macro_use]
mod in_front;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod carried;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod clock;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod errno;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod file_times;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod files;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod futex;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod heap;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod io;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod own_files;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod process;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod process_state;
#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64", not(miri)))]
mod pthread;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod random;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod signal;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod signal_mask;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod signal_wait;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod syscall;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod thread;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod thread_id;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod timer;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod timespec;

/// Makes the linker take the functions along, and finds the C library's own ones.
///
/// To be called once by the program whose C library is to be under control, before its first
/// execution. What the functions do does not depend on it, only whether they are there.
pub fn install() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    {
        carried::install_all();
        clock::install();
        file_times::install_all();
        files::install();
        heap::install();
        io::install();
        own_files::install();
        process::install();
        process_state::install();
        #[cfg(target_pointer_width = "64")]
        pthread::install();
        random::install();
        signal::install();
        signal_mask::install();
        signal_wait::install();
        syscall::install();
        thread::install();
        thread_id::install();
        timer::install();
    }
}

/// Takes a variable out of the environment of this process. To be called before it has a second
/// thread.
pub fn take_variable(name: &str) -> Option<std::ffi::OsString> {
    let value = std::env::var_os(name)?;
    // SAFETY: There is no other thread that could look at the environment at the same time.
    unsafe { std::env::remove_var(name) };
    Some(value)
}

/// Whether this process was started, directly or not, by one that has called this function before.
/// To be called once, before the process has a second thread.
pub fn is_started_from_inside() -> bool {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    return process::is_started_from_inside();
    #[cfg(not(all(target_os = "linux", target_env = "gnu", not(miri))))]
    false
}

/// Ends this process when the one that started it ends, so that nobody goes on exploring for a
/// command that has been killed.
pub fn end_with_parent() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    process::end_with_parent();
}

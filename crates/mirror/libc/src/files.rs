//! Functions by which the numbers of files come and go; what is to be known of files is in
//! `engine/own_files.rs`, and which of them are put back in `engine/process_state.rs`.
//!
//! Nobody waits for the files that are opened here, but they are closed after an execution that has
//! left them open.

use crate::errno::keeping_errno;
use crate::file_times::note_opened;
use crate::own_files::note;
use libc::{DIR, FILE, c_char, c_uint, mode_t, sigset_t};
use selvedge_engine::{Controlled, Reach};
use std::ffi::c_int;

in_front! {
    fn open(path: *const c_char, flags: c_int, mode: mode_t) -> c_int => inside_open;
    fn open64(path: *const c_char, flags: c_int, mode: mode_t) -> c_int => inside_open64;
    fn openat(folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int =>
        inside_openat;
    fn openat64(folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int =>
        inside_openat64;
    fn creat(path: *const c_char, mode: mode_t) -> c_int => inside_creat;
    fn creat64(path: *const c_char, mode: mode_t) -> c_int => inside_creat64;
    fn memfd_create(name: *const c_char, flags: c_uint) -> c_int => inside_memfd;
    fn inotify_init() -> c_int => inside_inotify;
    fn inotify_init1(flags: c_int) -> c_int => inside_inotify1;
    fn signalfd(file: c_int, mask: *const sigset_t, flags: c_int) -> c_int => inside_signalfd;
    fn dup2(file: c_int, number: c_int) -> c_int => inside_dup2;
    fn dup3(file: c_int, number: c_int, flags: c_int) -> c_int => inside_dup3;
    fn closedir(folder: *mut DIR) -> c_int => inside_closedir;
    fn fclose(stream: *mut FILE) -> c_int => inside_fclose;
}

/// Notes a file that was opened with these flags, and when it was made or emptied.
fn note_content(controlled: Controlled, flags: c_int, file: c_int) -> Option<c_int> {
    note_opened(controlled, file, flags);
    note(controlled, file, Reach::World)
}

/// # Safety
///
/// The arguments are as open(2) has them.
unsafe fn inside_open(
    controlled: Controlled,
    path: *const c_char,
    flags: c_int,
    mode: mode_t,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    note_content(controlled, flags, unsafe { real::open.get()(path, flags, mode) })
}

/// # Safety
///
/// The arguments are as open(2) has them.
unsafe fn inside_open64(
    controlled: Controlled,
    path: *const c_char,
    flags: c_int,
    mode: mode_t,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    note_content(controlled, flags, unsafe { real::open64.get()(path, flags, mode) })
}

/// # Safety
///
/// The arguments are as openat(2) has them.
unsafe fn inside_openat(
    controlled: Controlled,
    folder: c_int,
    path: *const c_char,
    flags: c_int,
    mode: mode_t,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    note_content(controlled, flags, unsafe { real::openat.get()(folder, path, flags, mode) })
}

/// # Safety
///
/// The arguments are as openat(2) has them.
unsafe fn inside_openat64(
    controlled: Controlled,
    folder: c_int,
    path: *const c_char,
    flags: c_int,
    mode: mode_t,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    note_content(controlled, flags, unsafe { real::openat64.get()(folder, path, flags, mode) })
}

/// # Safety
///
/// The arguments are as creat(2) has them.
unsafe fn inside_creat(controlled: Controlled, path: *const c_char, mode: mode_t) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    note_content(controlled, libc::O_TRUNC, unsafe { real::creat.get()(path, mode) })
}

/// # Safety
///
/// The arguments are as creat(2) has them.
unsafe fn inside_creat64(
    controlled: Controlled,
    path: *const c_char,
    mode: mode_t,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    note_content(controlled, libc::O_TRUNC, unsafe { real::creat64.get()(path, mode) })
}

/// # Safety
///
/// The arguments are as memfd_create(2) has them.
unsafe fn inside_memfd(
    controlled: Controlled,
    name: *const c_char,
    flags: c_uint,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    note(controlled, unsafe { real::memfd_create.get()(name, flags) }, Reach::World)
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_inotify(controlled: Controlled) -> Option<c_int> {
    // SAFETY: Has no preconditions.
    note(controlled, unsafe { real::inotify_init.get()() }, Reach::World)
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_inotify1(controlled: Controlled, flags: c_int) -> Option<c_int> {
    // SAFETY: Has no preconditions.
    note(controlled, unsafe { real::inotify_init1.get()(flags) }, Reach::World)
}

/// # Safety
///
/// The arguments are as signalfd(2) has them.
unsafe fn inside_signalfd(
    controlled: Controlled,
    file: c_int,
    mask: *const sigset_t,
    flags: c_int,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    note(controlled, unsafe { real::signalfd.get()(file, mask, flags) }, Reach::World)
}

/// Notes a number that stands for another file from now on, unless that has failed.
fn note_number(controlled: Controlled, original: c_int, number: c_int) -> Option<c_int> {
    let _errno = keeping_errno();
    if number >= 0 && number != original {
        controlled.file_closed(number);
        controlled.file_opened(number, Reach::World);
        controlled.file_duplicated(original, number);
        controlled.files_changed();
    }
    Some(number)
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_dup2(controlled: Controlled, file: c_int, number: c_int) -> Option<c_int> {
    if file != number {
        controlled.about_to_close(number);
    }
    // SAFETY: Has no preconditions.
    note_number(controlled, file, unsafe { real::dup2.get()(file, number) })
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_dup3(
    controlled: Controlled,
    file: c_int,
    number: c_int,
    flags: c_int,
) -> Option<c_int> {
    if file != number {
        controlled.about_to_close(number);
    }
    // SAFETY: Has no preconditions.
    note_number(controlled, file, unsafe { real::dup3.get()(file, number, flags) })
}

/// # Safety
///
/// The argument is as closedir(3) has it.
unsafe fn inside_closedir(controlled: Controlled, folder: *mut DIR) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    let file = unsafe { libc::dirfd(folder) };
    controlled.about_to_close(file);
    controlled.file_closed(file);
    None
}

/// # Safety
///
/// The argument is as fclose(3) has it.
unsafe fn inside_fclose(controlled: Controlled, stream: *mut FILE) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    let file = unsafe { libc::fileno(stream) };
    controlled.about_to_close(file);
    controlled.file_closed(file);
    None
}

//! Functions that move data from one file to another inside of the kernel.
//!
//! They wait for both files. Here they do so in the engine, and ask the kernel with files that never
//! block.

use super::file::{NeverBlocks, patience};
use super::{input, output};
use crate::errno::keeping_errno;
use libc::{c_uint, off_t, off64_t};
use selvedge_engine::{Controlled, Patience};
use selvedge_model::Site;
use std::ffi::c_int;

in_front! {
    fn splice(
        from: c_int,
        from_offset: *mut off64_t,
        to: c_int,
        to_offset: *mut off64_t,
        length: usize,
        flags: c_uint,
    ) -> isize => inside_splice;
    fn sendfile(to: c_int, from: c_int, offset: *mut off_t, count: usize) -> isize =>
        inside_sendfile;
    fn sendfile64(to: c_int, from: c_int, offset: *mut off64_t, count: usize) -> isize =>
        inside_sendfile64;
}

/// Moves data when there is some, and room for it.
fn transfer(controlled: Controlled, from: c_int, to: c_int, ask: impl Fn() -> isize) -> isize {
    let site = Site::caller();
    let waits = [(from, libc::SO_RCVTIMEO), (to, libc::SO_SNDTIMEO)]
        .iter()
        .all(|&(file, option)| patience(file, option, 0) != Patience::None);
    loop {
        let moved = input::input(controlled, from, 0, site, || {
            let _from = NeverBlocks::new(from);
            let _to = NeverBlocks::new(to);
            ask() as i64
        });
        let refused = || {
            let reason = std::io::Error::last_os_error().raw_os_error();
            matches!(reason, Some(libc::EAGAIN))
        };
        if moved != -1 || !waits || !refused() {
            let _errno = keeping_errno();
            // What has arrived is there for those who wait for it.
            controlled.carries(selvedge_engine::Carries::Both);
            controlled.files_changed();
            return moved as isize;
        }
        output::output(controlled, to, Patience::Endless, site, || 0);
    }
}

/// # Safety
///
/// The arguments are as splice(2) has them.
unsafe fn inside_splice(
    controlled: Controlled,
    from: c_int,
    from_offset: *mut off64_t,
    to: c_int,
    to_offset: *mut off64_t,
    length: usize,
    flags: c_uint,
) -> Option<isize> {
    if flags & libc::SPLICE_F_NONBLOCK != 0 {
        controlled.carries(selvedge_engine::Carries::Both);
        return None;
    }
    let flags = flags | libc::SPLICE_F_NONBLOCK;
    Some(transfer(controlled, from, to, || {
        // SAFETY: Passed on to the caller.
        unsafe { real::splice.get()(from, from_offset, to, to_offset, length, flags) }
    }))
}

/// # Safety
///
/// The arguments are as sendfile(2) has them.
unsafe fn inside_sendfile(
    controlled: Controlled,
    to: c_int,
    from: c_int,
    offset: *mut off_t,
    count: usize,
) -> Option<isize> {
    Some(transfer(controlled, from, to, || {
        // SAFETY: Passed on to the caller.
        unsafe { real::sendfile.get()(to, from, offset, count) }
    }))
}

/// # Safety
///
/// The arguments are as sendfile(2) has them.
unsafe fn inside_sendfile64(
    controlled: Controlled,
    to: c_int,
    from: c_int,
    offset: *mut off64_t,
    count: usize,
) -> Option<isize> {
    Some(transfer(controlled, from, to, || {
        // SAFETY: Passed on to the caller.
        unsafe { real::sendfile64.get()(to, from, offset, count) }
    }))
}

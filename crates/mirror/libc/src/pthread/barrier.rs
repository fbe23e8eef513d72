//! `pthread_barrier_t`.

use libc::{c_uint, pthread_barrier_t, pthread_barrierattr_t};
use selvedge_engine::{Arrival, Controlled, ForeignKind};
use selvedge_model::Site;
use std::ffi::c_int;

in_front! {
    fn pthread_barrier_init(
        barrier: *mut pthread_barrier_t,
        how: *const pthread_barrierattr_t,
        size: c_uint,
    ) -> c_int => inside_init;
    fn pthread_barrier_wait(barrier: *mut pthread_barrier_t) -> c_int => inside_wait;
    fn pthread_barrier_destroy(barrier: *mut pthread_barrier_t) -> c_int => inside_destroy;
}

/// What the C library keeps in a barrier, from its version 2.25 on: how many have come in, which round it
/// is, and how many meet there.
#[repr(C)]
struct Layout {
    arrived: u32,
    round: u32,
    size: u32,
}

/// # Safety
///
/// As pthread_barrier_init(3) has it.
unsafe fn inside_init(
    controlled: Controlled,
    barrier: *mut pthread_barrier_t,
    _: *const pthread_barrierattr_t,
    _: c_uint,
) -> Option<c_int> {
    controlled.forget_object_at(barrier as usize);
    None
}

/// # Safety
///
/// As pthread_barrier_destroy(3) has it.
unsafe fn inside_destroy(controlled: Controlled, barrier: *mut pthread_barrier_t) -> Option<c_int> {
    controlled.forget_object_at(barrier as usize);
    None
}

/// # Safety
///
/// As pthread_barrier_wait(3) has it.
unsafe fn inside_wait(controlled: Controlled, barrier: *mut pthread_barrier_t) -> Option<c_int> {
    const { assert!(size_of::<Layout>() <= size_of::<pthread_barrier_t>()) };
    // SAFETY: Passed on to the caller. Nobody writes to the number for as long as the barrier is used.
    let size = unsafe { (*barrier.cast::<Layout>()).size };
    let site = Site::caller();
    let object = controlled.object_at(barrier as usize, ForeignKind::Barrier, site);
    Some(match controlled.barrier_wait(&object, size as usize, site) {
        Arrival::Leader => libc::PTHREAD_BARRIER_SERIAL_THREAD,
        Arrival::Follower => 0,
    })
}

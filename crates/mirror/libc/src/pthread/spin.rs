//! `pthread_spinlock_t`: to the engine a mutex, whose waiters need not spin.

use super::{await_change, changed};
use libc::pthread_spinlock_t;
use selvedge_engine::{Controlled, Foreign, ForeignKind, Holder, Written};
use selvedge_model::Site;
use std::ffi::c_int;

in_front! {
    fn pthread_spin_init(lock: *mut pthread_spinlock_t, shared: c_int) -> c_int => inside_init;
    fn pthread_spin_destroy(lock: *mut pthread_spinlock_t) -> c_int => inside_destroy;
    fn pthread_spin_lock(lock: *mut pthread_spinlock_t) -> c_int => inside_lock;
    fn pthread_spin_trylock(lock: *mut pthread_spinlock_t) -> c_int => inside_try;
    fn pthread_spin_unlock(lock: *mut pthread_spinlock_t) -> c_int => inside_unlock;
}

fn object(controlled: Controlled, lock: *mut pthread_spinlock_t) -> Foreign {
    controlled.object_at(lock as usize, ForeignKind::Mutex, Site::caller())
}

/// # Safety
///
/// As pthread_spin_init(3) has it.
unsafe fn inside_init(
    controlled: Controlled,
    lock: *mut pthread_spinlock_t,
    _: c_int,
) -> Option<c_int> {
    controlled.forget_object_at(lock as usize);
    None
}

/// # Safety
///
/// As pthread_spin_destroy(3) has it.
unsafe fn inside_destroy(controlled: Controlled, lock: *mut pthread_spinlock_t) -> Option<c_int> {
    controlled.forget_object_at(lock as usize);
    None
}

/// # Safety
///
/// The lock is one.
unsafe fn inside_lock(controlled: Controlled, lock: *mut pthread_spinlock_t) -> Option<c_int> {
    controlled.mutex_lock(&object(controlled, lock), Site::caller());
    // SAFETY: Passed on to the caller, here and below; the lock is a word.
    while unsafe { real::pthread_spin_trylock.get()(lock) } != 0 {
        // SAFETY: As above.
        unsafe { await_change(controlled, lock.cast_const().cast(), None) };
    }
    Some(0)
}

/// # Safety
///
/// The lock is one.
unsafe fn inside_try(controlled: Controlled, lock: *mut pthread_spinlock_t) -> Option<c_int> {
    let (object, site) = (object(controlled, lock), Site::caller());
    if !controlled.mutex_try_lock(&object, site) {
        return Some(libc::EBUSY);
    }
    // SAFETY: Passed on to the caller.
    let result = unsafe { real::pthread_spin_trylock.get()(lock) };
    if result != 0 {
        controlled.mutex_unlock(&object, site, Written::No);
    }
    Some(result)
}

/// # Safety
///
/// The lock is one.
unsafe fn inside_unlock(controlled: Controlled, lock: *mut pthread_spinlock_t) -> Option<c_int> {
    let (object, site) = (object(controlled, lock), Site::caller());
    if controlled.mutex_holder(&object, site) == Holder::Nobody {
        return None;
    }
    controlled.mutex_unlock(&object, site, Written::Yes);
    // SAFETY: Passed on to the caller.
    let result = unsafe { real::pthread_spin_unlock.get()(lock) };
    changed(controlled, lock.cast_const().cast());
    Some(result)
}

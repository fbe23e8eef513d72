//! `pthread_rwlock_t`.
//!
//! Unless it is made otherwise, the lock lets readers in also while a writer waits, and above all one that
//! reads already.

use super::{await_change, changed, until};
use libc::{clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec as Timespec};
use selvedge_engine::{Controlled, Foreign, ForeignKind, Holding, Written};
use selvedge_model::Site;
use std::ffi::c_int;

in_front! {
    fn pthread_rwlock_init(
        lock: *mut pthread_rwlock_t,
        how: *const pthread_rwlockattr_t,
    ) -> c_int => inside_init;
    fn pthread_rwlock_destroy(lock: *mut pthread_rwlock_t) -> c_int => inside_destroy;
    fn pthread_rwlock_rdlock(lock: *mut pthread_rwlock_t) -> c_int => inside_read;
    fn pthread_rwlock_tryrdlock(lock: *mut pthread_rwlock_t) -> c_int => inside_try_read;
    fn pthread_rwlock_timedrdlock(lock: *mut pthread_rwlock_t, moment: *const Timespec) -> c_int =>
        inside_timed_read;
    fn pthread_rwlock_clockrdlock(
        lock: *mut pthread_rwlock_t,
        clock: clockid_t,
        moment: *const Timespec,
    ) -> c_int => inside_clock_read;
    fn pthread_rwlock_wrlock(lock: *mut pthread_rwlock_t) -> c_int => inside_write;
    fn pthread_rwlock_trywrlock(lock: *mut pthread_rwlock_t) -> c_int => inside_try_write;
    fn pthread_rwlock_timedwrlock(lock: *mut pthread_rwlock_t, moment: *const Timespec) -> c_int =>
        inside_timed_write;
    fn pthread_rwlock_clockwrlock(
        lock: *mut pthread_rwlock_t,
        clock: clockid_t,
        moment: *const Timespec,
    ) -> c_int => inside_clock_write;
    fn pthread_rwlock_unlock(lock: *mut pthread_rwlock_t) -> c_int => inside_unlock;
}

fn object(controlled: Controlled, lock: *mut pthread_rwlock_t) -> Foreign {
    controlled.object_at(lock as usize, ForeignKind::RwLock, Site::caller())
}

fn holding(controlled: Controlled, object: Foreign) -> Holding {
    controlled.rwlock_holding(&object, Site::caller())
}

/// # Safety
///
/// As pthread_rwlock_init(3) has it.
unsafe fn inside_init(
    controlled: Controlled,
    lock: *mut pthread_rwlock_t,
    _: *const pthread_rwlockattr_t,
) -> Option<c_int> {
    controlled.forget_object_at(lock as usize);
    None
}

/// # Safety
///
/// As pthread_rwlock_destroy(3) has it.
unsafe fn inside_destroy(controlled: Controlled, lock: *mut pthread_rwlock_t) -> Option<c_int> {
    controlled.forget_object_at(lock as usize);
    None
}

/// Takes the real lock, from other threads of the process if need be. If that fails for good, gives back
/// what the thread has in the engine.
///
/// # Safety
///
/// The lock is one.
unsafe fn really(
    controlled: Controlled,
    lock: *mut pthread_rwlock_t,
    attempt: unsafe extern "C" fn(*mut pthread_rwlock_t) -> c_int,
    give_up: impl FnOnce(),
) -> c_int {
    loop {
        // SAFETY: Passed on to the caller, here and below.
        match unsafe { attempt(lock) } {
            0 => return 0,
            libc::EBUSY => {}
            error => {
                give_up();
                return error;
            }
        }
        // SAFETY: As above; the first word of the lock has the number of its readers, and bits for
        // writers.
        unsafe { await_change(controlled, lock.cast(), None) };
    }
}

/// # Safety
///
/// The lock is one.
unsafe fn inside_read(controlled: Controlled, lock: *mut pthread_rwlock_t) -> Option<c_int> {
    let (object, site) = (object(controlled, lock), Site::caller());
    match holding(controlled, object) {
        Holding::Write => return Some(libc::EDEADLK),
        // Never waits.
        Holding::Read => {
            controlled.rwlock_try_read(&object, site);
        }
        Holding::Nothing => controlled.rwlock_read(&object, site),
    }
    let give_up = || controlled.rwlock_read_unlock(&object, site);
    // SAFETY: Passed on to the caller.
    Some(unsafe { really(controlled, lock, real::pthread_rwlock_tryrdlock.get(), give_up) })
}

/// # Safety
///
/// The lock is one.
unsafe fn inside_write(controlled: Controlled, lock: *mut pthread_rwlock_t) -> Option<c_int> {
    let (object, site) = (object(controlled, lock), Site::caller());
    if holding(controlled, object) == Holding::Write {
        return Some(libc::EDEADLK);
    }
    controlled.rwlock_write(&object, site);
    let give_up = || controlled.rwlock_write_unlock(&object, site, Written::No);
    // SAFETY: Passed on to the caller.
    Some(unsafe { really(controlled, lock, real::pthread_rwlock_trywrlock.get(), give_up) })
}

/// # Safety
///
/// The lock is one.
unsafe fn inside_try_read(controlled: Controlled, lock: *mut pthread_rwlock_t) -> Option<c_int> {
    let (object, site) = (object(controlled, lock), Site::caller());
    if !controlled.rwlock_try_read(&object, site) {
        return Some(libc::EBUSY);
    }
    // SAFETY: Passed on to the caller.
    let result = unsafe { real::pthread_rwlock_tryrdlock.get()(lock) };
    if result != 0 {
        controlled.rwlock_read_unlock(&object, site);
    }
    Some(result)
}

/// # Safety
///
/// The lock is one.
unsafe fn inside_try_write(controlled: Controlled, lock: *mut pthread_rwlock_t) -> Option<c_int> {
    let (object, site) = (object(controlled, lock), Site::caller());
    if !controlled.rwlock_try_write(&object, site) {
        return Some(libc::EBUSY);
    }
    // SAFETY: Passed on to the caller.
    let result = unsafe { real::pthread_rwlock_trywrlock.get()(lock) };
    if result != 0 {
        controlled.rwlock_write_unlock(&object, site, Written::No);
    }
    Some(result)
}

/// # Safety
///
/// The arguments are as pthread_rwlock_timedrdlock(3) has them.
unsafe fn inside_timed_read(
    controlled: Controlled,
    lock: *mut pthread_rwlock_t,
    moment: *const Timespec,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    unsafe { inside_clock_read(controlled, lock, libc::CLOCK_REALTIME, moment) }
}

/// # Safety
///
/// The arguments are as pthread_rwlock_clockrdlock(3) has them.
unsafe fn inside_clock_read(
    controlled: Controlled,
    lock: *mut pthread_rwlock_t,
    clock: clockid_t,
    moment: *const Timespec,
) -> Option<c_int> {
    if holding(controlled, object(controlled, lock)) == Holding::Write {
        return Some(libc::EDEADLK);
    }
    // SAFETY: Passed on to the caller, here and below.
    let attempt = || unsafe { inside_try_read(controlled, lock) }.unwrap_or(libc::EBUSY);
    // SAFETY: As above.
    Some(unsafe { until(controlled, lock.cast(), (clock, moment), attempt) })
}

/// # Safety
///
/// The arguments are as pthread_rwlock_timedwrlock(3) has them.
unsafe fn inside_timed_write(
    controlled: Controlled,
    lock: *mut pthread_rwlock_t,
    moment: *const Timespec,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    unsafe { inside_clock_write(controlled, lock, libc::CLOCK_REALTIME, moment) }
}

/// # Safety
///
/// The arguments are as pthread_rwlock_clockwrlock(3) has them.
unsafe fn inside_clock_write(
    controlled: Controlled,
    lock: *mut pthread_rwlock_t,
    clock: clockid_t,
    moment: *const Timespec,
) -> Option<c_int> {
    if holding(controlled, object(controlled, lock)) == Holding::Write {
        return Some(libc::EDEADLK);
    }
    // SAFETY: Passed on to the caller, here and below.
    let attempt = || unsafe { inside_try_write(controlled, lock) }.unwrap_or(libc::EBUSY);
    // SAFETY: As above.
    Some(unsafe { until(controlled, lock.cast(), (clock, moment), attempt) })
}

/// # Safety
///
/// The lock is one that the caller has.
unsafe fn inside_unlock(controlled: Controlled, lock: *mut pthread_rwlock_t) -> Option<c_int> {
    let (object, site) = (object(controlled, lock), Site::caller());
    match holding(controlled, object) {
        // Somebody outside may have it.
        Holding::Nothing => return None,
        Holding::Read => controlled.rwlock_read_unlock(&object, site),
        Holding::Write => controlled.rwlock_write_unlock(&object, site, Written::Yes),
    }
    // SAFETY: Passed on to the caller.
    let result = unsafe { real::pthread_rwlock_unlock.get()(lock) };
    changed(controlled, lock.cast());
    Some(result)
}

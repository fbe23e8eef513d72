//! `pthread_mutex_t`.

use super::{await_change, changed, until};
use libc::{clockid_t, pthread_mutex_t, pthread_mutexattr_t, timespec as Timespec};
use selvedge_engine::{Controlled, Foreign, ForeignKind, Holder, Written};
use selvedge_model::Site;
use std::ffi::c_int;

in_front! {
    fn pthread_mutex_init(mutex: *mut pthread_mutex_t, how: *const pthread_mutexattr_t) -> c_int =>
        inside_init;
    fn pthread_mutex_destroy(mutex: *mut pthread_mutex_t) -> c_int => inside_destroy;
    fn pthread_mutex_lock(mutex: *mut pthread_mutex_t) -> c_int => inside_lock;
    fn pthread_mutex_trylock(mutex: *mut pthread_mutex_t) -> c_int => inside_try;
    fn pthread_mutex_timedlock(mutex: *mut pthread_mutex_t, moment: *const Timespec) -> c_int =>
        inside_timed;
    fn pthread_mutex_clocklock(
        mutex: *mut pthread_mutex_t,
        clock: clockid_t,
        moment: *const Timespec,
    ) -> c_int => inside_clock;
    fn pthread_mutex_unlock(mutex: *mut pthread_mutex_t) -> c_int => inside_unlock;
}

/// What happens if a thread locks a mutex that it has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relock {
    /// It waits for itself.
    Deadlock,
    /// It is told.
    Error,
    /// It has it once more.
    Count,
}

/// What the C library knows of a mutex, in the layout that its static initialisers have on all machines
/// with 64 bits.
#[repr(C)]
struct Layout {
    word: u32,
    count: u32,
    owner: i32,
    users: u32,
    kind: i32,
}

/// # Safety
///
/// The mutex is one.
unsafe fn layout<'a>(mutex: *mut pthread_mutex_t) -> &'a Layout {
    const { assert!(size_of::<Layout>() <= size_of::<pthread_mutex_t>()) };
    // SAFETY: Passed on to the caller. Nobody writes to the kind of a mutex, and to the count only
    // threads that have it.
    unsafe { &*mutex.cast::<Layout>() }
}

/// # Safety
///
/// The mutex is one.
unsafe fn relock(mutex: *mut pthread_mutex_t) -> Relock {
    /// The bits of the kind that say it.
    const KIND: c_int = 3;
    // SAFETY: Passed on to the caller.
    match unsafe { layout(mutex) }.kind & KIND {
        libc::PTHREAD_MUTEX_RECURSIVE => Relock::Count,
        libc::PTHREAD_MUTEX_ERRORCHECK => Relock::Error,
        _ => Relock::Deadlock,
    }
}

fn object(controlled: Controlled, mutex: *mut pthread_mutex_t) -> Foreign {
    controlled.object_at(mutex as usize, ForeignKind::Mutex, Site::caller())
}

fn holder(controlled: Controlled, object: Foreign) -> Holder {
    controlled.mutex_holder(&object, Site::caller())
}

/// # Safety
///
/// As pthread_mutex_init(3) has it.
unsafe fn inside_init(
    controlled: Controlled,
    mutex: *mut pthread_mutex_t,
    _: *const pthread_mutexattr_t,
) -> Option<c_int> {
    controlled.forget_object_at(mutex as usize);
    None
}

/// # Safety
///
/// As pthread_mutex_destroy(3) has it.
unsafe fn inside_destroy(controlled: Controlled, mutex: *mut pthread_mutex_t) -> Option<c_int> {
    controlled.forget_object_at(mutex as usize);
    None
}

/// # Safety
///
/// The mutex is one.
unsafe fn inside_lock(controlled: Controlled, mutex: *mut pthread_mutex_t) -> Option<c_int> {
    let object = object(controlled, mutex);
    // SAFETY: Passed on to the caller.
    if holder(controlled, object) == Holder::Caller && unsafe { relock(mutex) } != Relock::Deadlock
    {
        return None;
    }
    controlled.mutex_lock(&object, Site::caller());
    // SAFETY: Passed on to the caller.
    Some(unsafe { lock_really(controlled, mutex, object) })
}

/// The running thread, which has the mutex in the engine, takes the real one, from other threads of the
/// process if need be.
///
/// # Safety
///
/// The mutex is one.
pub(super) unsafe fn lock_really(
    controlled: Controlled,
    mutex: *mut pthread_mutex_t,
    object: Foreign,
) -> c_int {
    loop {
        // SAFETY: Passed on to the caller.
        match unsafe { real::pthread_mutex_trylock.get()(mutex) } {
            libc::EBUSY => {}
            result @ (0 | libc::EOWNERDEAD) => return result,
            error => {
                controlled.mutex_unlock(&object, Site::caller(), Written::No);
                return error;
            }
        }
        // SAFETY: As above; the word is the first of a mutex.
        unsafe { await_change(controlled, mutex.cast(), None) };
    }
}

/// The running thread gives the real mutex back.
///
/// # Safety
///
/// The mutex is one.
pub(super) unsafe fn unlock_really(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: Passed on to the caller.
    unsafe { real::pthread_mutex_unlock.get()(mutex) }
}

/// The engine's mutex, if the running thread has it.
pub(super) fn held(controlled: Controlled, mutex: *mut pthread_mutex_t) -> Option<Foreign> {
    let object = object(controlled, mutex);
    (holder(controlled, object) == Holder::Caller).then_some(object)
}

/// # Safety
///
/// The mutex is one.
unsafe fn inside_try(controlled: Controlled, mutex: *mut pthread_mutex_t) -> Option<c_int> {
    let object = object(controlled, mutex);
    // SAFETY: Passed on to the caller.
    if holder(controlled, object) == Holder::Caller && unsafe { relock(mutex) } == Relock::Count {
        return None;
    }
    if !controlled.mutex_try_lock(&object, Site::caller()) {
        return Some(libc::EBUSY);
    }
    // SAFETY: As above.
    let result = unsafe { real::pthread_mutex_trylock.get()(mutex) };
    if result != 0 && result != libc::EOWNERDEAD {
        controlled.mutex_unlock(&object, Site::caller(), Written::No);
    }
    Some(result)
}

/// # Safety
///
/// The arguments are as pthread_mutex_timedlock(3) has them.
unsafe fn inside_timed(
    controlled: Controlled,
    mutex: *mut pthread_mutex_t,
    moment: *const Timespec,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    unsafe { inside_clock(controlled, mutex, libc::CLOCK_REALTIME, moment) }
}

/// # Safety
///
/// The arguments are as pthread_mutex_clocklock(3) has them.
unsafe fn inside_clock(
    controlled: Controlled,
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    moment: *const Timespec,
) -> Option<c_int> {
    let object = object(controlled, mutex);
    // SAFETY: Passed on to the caller, here and below.
    unsafe {
        if holder(controlled, object) == Holder::Caller && relock(mutex) != Relock::Deadlock {
            // It does not have to wait.
            return inside_lock(controlled, mutex)
                .or_else(|| Some(real::pthread_mutex_lock.get()(mutex)));
        }
        let attempt = || inside_try(controlled, mutex).unwrap_or(libc::EBUSY);
        Some(until(controlled, mutex.cast(), (clock, moment), attempt))
    }
}

/// # Safety
///
/// The mutex is one.
unsafe fn inside_unlock(controlled: Controlled, mutex: *mut pthread_mutex_t) -> Option<c_int> {
    let object = object(controlled, mutex);
    // SAFETY: Passed on to the caller, here and below.
    let relock = unsafe { relock(mutex) };
    match holder(controlled, object) {
        // Somebody outside may have it.
        Holder::Nobody => None,
        // To the C library all threads of the execution are the one that has it.
        Holder::Other if relock != Relock::Deadlock => Some(libc::EPERM),
        // SAFETY: As above.
        Holder::Caller if relock == Relock::Count && unsafe { layout(mutex) }.count > 1 => None,
        Holder::Caller | Holder::Other => {
            controlled.mutex_unlock(&object, Site::caller(), Written::Yes);
            // SAFETY: As above.
            let result = unsafe { unlock_really(mutex) };
            changed(controlled, mutex.cast());
            Some(result)
        }
    }
}

//! `pthread_cond_t`.
//!
//! Controlled threads wait in the engine, others in the C library, and who notifies does so in both. A
//! thread that is notified twice is one that wakes up for no reason, which the standard allows.

use super::mutex::{held, lock_really, unlock_really};
use super::{are_there_outsiders, changed, time_left};
use libc::{clockid_t, pthread_cond_t, pthread_condattr_t, pthread_mutex_t, timespec as Timespec};
use selvedge_engine::{Controlled, Foreign, ForeignKind, Woken, Written, kept};
use selvedge_front::Real;
use selvedge_model::Site;
use std::ffi::c_int;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

in_front! {
    fn pthread_cond_destroy(condvar: *mut pthread_cond_t) -> c_int => inside_destroy;
    fn pthread_cond_wait(condvar: *mut pthread_cond_t, mutex: *mut pthread_mutex_t) -> c_int =>
        inside_wait;
    fn pthread_cond_timedwait(
        condvar: *mut pthread_cond_t,
        mutex: *mut pthread_mutex_t,
        moment: *const Timespec,
    ) -> c_int => inside_timed;
    fn pthread_cond_clockwait(
        condvar: *mut pthread_cond_t,
        mutex: *mut pthread_mutex_t,
        clock: clockid_t,
        moment: *const Timespec,
    ) -> c_int => inside_clock;
}

pub(super) fn install_all() {
    install();
    let ours = [
        pthread_cond_init as *const (),
        pthread_cond_signal as *const (),
        pthread_cond_broadcast as *const (),
    ];
    std::hint::black_box(ours);
    INIT.get();
    SIGNAL.get();
    BROADCAST.get();
}

type Notify = unsafe extern "C" fn(*mut pthread_cond_t) -> c_int;
type Init = unsafe extern "C" fn(*mut pthread_cond_t, *const pthread_condattr_t) -> c_int;

// SAFETY: The signatures are those of the C library's header.
static INIT: Real<Init> = unsafe { Real::new("pthread_cond_init\0") };
// SAFETY: As above.
static SIGNAL: Real<Notify> = unsafe { Real::new("pthread_cond_signal\0") };
// SAFETY: As above.
static BROADCAST: Real<Notify> = unsafe { Real::new("pthread_cond_broadcast\0") };

kept! {
    /// Where condition variables lie that go by the monotonic clock. A table, since a thread that is not
    /// under control must neither allocate nor lock here.
    static MONOTONIC: [AtomicUsize; 1024] = [const { AtomicUsize::new(0) }; 1024];
    /// How often condition variables were notified by threads that are not under control. Several
    /// share a counter, and then a thread may wake up for no reason.
    static NOTIFIED: [AtomicU32; 64] = [const { AtomicU32::new(0) }; 64];
}

fn counter(condvar: *mut pthread_cond_t) -> &'static AtomicU32 {
    &NOTIFIED[(condvar as usize >> 4) % NOTIFIED.len()]
}

fn object(controlled: Controlled, condvar: *mut pthread_cond_t) -> Foreign {
    controlled.object_at(condvar as usize, ForeignKind::Condvar, Site::caller())
}

/// So many places of the table are looked at for an address.
const WINDOW: usize = 16;

fn places(condvar: *mut pthread_cond_t) -> impl Iterator<Item = &'static AtomicUsize> {
    let first = condvar as usize >> 4;
    (0..WINDOW).map(move |next| &MONOTONIC[(first + next) % MONOTONIC.len()])
}

/// Notes by which clock the condition variable goes from now on.
fn note_clock(condvar: *mut pthread_cond_t, clock: clockid_t) {
    let address = condvar as usize;
    let (old, new) = match clock {
        libc::CLOCK_MONOTONIC => (0, address),
        _ => (address, 0),
    };
    if (clock == libc::CLOCK_MONOTONIC) == (clock_of(condvar) == libc::CLOCK_MONOTONIC) {
        return;
    }
    let change = |place: &AtomicUsize| {
        place.compare_exchange(old, new, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    };
    if !places(condvar).any(change)
        && let Some(place) = places(condvar).next()
    {
        // There are too many: another one is forgotten.
        place.store(new, Ordering::Relaxed);
    }
}

fn clock_of(condvar: *mut pthread_cond_t) -> clockid_t {
    let address = condvar as usize;
    match places(condvar).any(|place| place.load(Ordering::Relaxed) == address) {
        true => libc::CLOCK_MONOTONIC,
        false => libc::CLOCK_REALTIME,
    }
}

// SAFETY: The signature is that of the C library's header, and it does the same.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_cond_init(
    condvar: *mut pthread_cond_t,
    how: *const pthread_condattr_t,
) -> c_int {
    let mut clock = libc::CLOCK_REALTIME;
    if !how.is_null() {
        // SAFETY: The attributes are valid, as the caller has promised.
        unsafe { libc::pthread_condattr_getclock(how, &raw mut clock) };
    }
    if let Some(controlled) = Controlled::current() {
        controlled.forget_object_at(condvar as usize);
    }
    note_clock(condvar, clock);
    // SAFETY: Passed on to the caller.
    unsafe { INIT.get()(condvar, how) }
}

// SAFETY: As above.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_cond_signal(condvar: *mut pthread_cond_t) -> c_int {
    match Controlled::current() {
        Some(controlled) => {
            controlled.condvar_notify_one(&object(controlled, condvar), Site::caller());
        }
        None => {
            counter(condvar).fetch_add(1, Ordering::SeqCst);
        }
    }
    // SAFETY: Passed on to the caller.
    unsafe { SIGNAL.get()(condvar) }
}

// SAFETY: As above.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_cond_broadcast(condvar: *mut pthread_cond_t) -> c_int {
    match Controlled::current() {
        Some(controlled) => {
            controlled.condvar_notify_all(&object(controlled, condvar), Site::caller());
        }
        None => {
            counter(condvar).fetch_add(1, Ordering::SeqCst);
        }
    }
    // SAFETY: Passed on to the caller.
    unsafe { BROADCAST.get()(condvar) }
}

/// # Safety
///
/// As pthread_cond_destroy(3) has it.
unsafe fn inside_destroy(controlled: Controlled, condvar: *mut pthread_cond_t) -> Option<c_int> {
    controlled.forget_object_at(condvar as usize);
    None
}

/// # Safety
///
/// As pthread_cond_wait(3) has it.
unsafe fn inside_wait(
    controlled: Controlled,
    condvar: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    Some(unsafe { wait(controlled, condvar, mutex, None) })
}

/// # Safety
///
/// As pthread_cond_timedwait(3) has it.
unsafe fn inside_timed(
    controlled: Controlled,
    condvar: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    moment: *const Timespec,
) -> Option<c_int> {
    let clock = clock_of(condvar);
    // SAFETY: Passed on to the caller.
    unsafe { inside_clock(controlled, condvar, mutex, clock, moment) }
}

/// # Safety
///
/// As pthread_cond_clockwait(3) has it.
unsafe fn inside_clock(
    controlled: Controlled,
    condvar: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    moment: *const Timespec,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller, here and below.
    Some(match unsafe { time_left(controlled, clock, moment) } {
        // SAFETY: As above.
        Ok(left) => unsafe { wait(controlled, condvar, mutex, Some(left)) },
        Err(error) => error,
    })
}

/// # Safety
///
/// As pthread_cond_wait(3) has it.
unsafe fn wait(
    controlled: Controlled,
    condvar: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    timeout: Option<Duration>,
) -> c_int {
    let Some(held) = held(controlled, mutex) else { return libc::EPERM };
    let object = object(controlled, condvar);
    let word = are_there_outsiders().then(|| counter(condvar));
    // SAFETY: Passed on to the caller, here and below. Others may take the real mutex from here on, which
    // is a little early; to threads of the execution it is the engine that counts.
    unsafe { unlock_really(mutex) };
    changed(controlled, mutex.cast());
    let site = Site::caller();
    let woken = controlled.condvar_wait_or(&object, &held, timeout, Written::Yes, site, word);
    // SAFETY: As above.
    match (unsafe { lock_really(controlled, mutex, held) }, woken) {
        (0, Woken::Notified) => 0,
        (0, Woken::TimedOut) => libc::ETIMEDOUT,
        (error, _) => error,
    }
}

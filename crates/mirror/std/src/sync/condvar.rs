//! Mirror of `std::sync::Condvar`; what it means to the engine is in `engine/objects/condvar.rs`.

use super::mutex::{Hold, MutexGuard, OutsideHold, Side};
use crate::noise;
use real::fmt;
use real::mem::{self, ManuallyDrop};
use real::sync::{LockResult, PoisonError};
use real::time::{Duration, Instant};
use selvedge_engine::{Controlled, Object, Woken, Written};
use selvedge_model::Site;

/// A condition variable; see [`std::sync::Condvar`].
pub struct Condvar {
    object: Object,
    outside: real::sync::Condvar,
}

/// Whether a timed wait returned because of its deadline; see [`std::sync::WaitTimeoutResult`].
#[derive(Debug, PartialEq, Eq, Copy, Clone)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// Returns `true` if the wait was known to have timed out.
    #[must_use]
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

impl Condvar {
    /// Creates a new condition variable which is ready to be waited on and notified.
    #[must_use]
    #[inline]
    #[track_caller]
    pub const fn new() -> Self {
        Self { object: Object::new(Site::caller()), outside: real::sync::Condvar::new() }
    }

    /// Gives the lock up, waits, and takes the lock again.
    fn wait_at<'a, T>(
        &self,
        guard: &mut MutexGuard<'a, T>,
        timeout: Option<Duration>,
        site: Site,
    ) -> Woken {
        let mutex = &guard.lock.object;
        let hold = guard.hold();
        let (entered, taken_at) = (hold.entered, hold.site);
        let (side, woken) = match mem::replace(&mut hold.side, Side::Nowhere) {
            Side::Controlled(telling) => {
                let controlled = Controlled::current().expect("the guard was taken under control");
                let written = hold.written;
                let woken = controlled.condvar_wait(&self.object, mutex, timeout, written, site);
                (Side::Controlled(telling), woken)
            }
            Side::Outside(outside) => {
                let OutsideHold { real, in_use } = ManuallyDrop::into_inner(outside);
                noise::before_operation();
                let (real, woken) = self.wait_outside(real, timeout);
                // However the wait ended, the mutex was taken again.
                noise::lock_taken(mutex, &in_use, site);
                (Side::Outside(ManuallyDrop::new(OutsideHold { real, in_use })), woken)
            }
            Side::Nowhere => unreachable!("a guard that waits is borrowed by the wait"),
        };
        *guard.hold() = Hold { side, entered, written: Written::No, site: taken_at };
        woken
    }

    /// Waits as the real one does.
    fn wait_outside<'a>(
        &self,
        real: real::sync::MutexGuard<'a, ()>,
        timeout: Option<Duration>,
    ) -> (real::sync::MutexGuard<'a, ()>, Woken) {
        let _in_use = self.object.use_outside();
        match timeout {
            None => {
                let real = self.outside.wait(real).unwrap_or_else(PoisonError::into_inner);
                (real, Woken::Notified)
            }
            Some(timeout) => {
                let (real, result) = self
                    .outside
                    .wait_timeout(real, timeout)
                    .unwrap_or_else(PoisonError::into_inner);
                (real, if result.timed_out() { Woken::TimedOut } else { Woken::Notified })
            }
        }
    }

    /// Blocks the current thread until this condition variable receives a notification.
    #[track_caller]
    pub fn wait<'a, T>(&self, mut guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        self.wait_at(&mut guard, None, Site::caller());
        guard.wrap()
    }

    /// Blocks the current thread until the provided condition becomes false.
    #[track_caller]
    pub fn wait_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: F,
    ) -> LockResult<MutexGuard<'a, T>>
    where
        F: FnMut(&mut T) -> bool,
    {
        let site = Site::caller();
        while condition(&mut *guard) {
            self.wait_at(&mut guard, None, site);
            guard = guard.wrap()?;
        }
        Ok(guard)
    }

    /// Waits on this condition variable for a notification, timing out after the specified number
    /// of milliseconds.
    #[deprecated(since = "1.6.0", note = "replaced by `std::sync::Condvar::wait_timeout`")]
    #[track_caller]
    pub fn wait_timeout_ms<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        ms: u32,
    ) -> LockResult<(MutexGuard<'a, T>, bool)> {
        match self.wait_timeout(guard, Duration::from_millis(ms.into())) {
            Ok((guard, result)) => Ok((guard, !result.timed_out())),
            Err(error) => {
                let (guard, result) = error.into_inner();
                Err(PoisonError::new((guard, !result.timed_out())))
            }
        }
    }

    /// Waits on this condition variable for a notification, timing out after a specified duration.
    #[track_caller]
    pub fn wait_timeout<'a, T>(
        &self,
        mut guard: MutexGuard<'a, T>,
        dur: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let woken = self.wait_at(&mut guard, Some(dur), Site::caller());
        with_result(guard.wrap(), WaitTimeoutResult(woken == Woken::TimedOut))
    }

    /// Waits on this condition variable for a notification, timing out after a specified duration.
    /// Waits again while the condition holds and time is left.
    #[track_caller]
    pub fn wait_timeout_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        dur: Duration,
        mut condition: F,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)>
    where
        F: FnMut(&mut T) -> bool,
    {
        let site = Site::caller();
        let began = now(site);
        loop {
            if !condition(&mut *guard) {
                return Ok((guard, WaitTimeoutResult(false)));
            }
            let Some(left) = dur.checked_sub(now(site).saturating_sub(began)) else {
                return Ok((guard, WaitTimeoutResult(true)));
            };
            self.wait_at(&mut guard, Some(left), site);
            guard = match guard.wrap() {
                Ok(guard) => guard,
                Err(error) => return with_result(Err(error), WaitTimeoutResult(false)),
            };
        }
    }

    /// Wakes up one blocked thread on this condvar.
    #[inline]
    #[track_caller]
    pub fn notify_one(&self) {
        match Controlled::current() {
            Some(controlled) => controlled.condvar_notify_one(&self.object, Site::caller()),
            None => {
                noise::before_operation();
                self.outside.notify_one();
            }
        }
    }

    /// Wakes up all blocked threads on this condvar.
    #[inline]
    #[track_caller]
    pub fn notify_all(&self) {
        match Controlled::current() {
            Some(controlled) => controlled.condvar_notify_all(&self.object, Site::caller()),
            None => {
                noise::before_operation();
                self.outside.notify_all();
            }
        }
    }
}

fn with_result<G>(
    guard: LockResult<G>,
    result: WaitTimeoutResult,
) -> LockResult<(G, WaitTimeoutResult)> {
    match guard {
        Ok(guard) => Ok((guard, result)),
        Err(error) => Err(PoisonError::new((error.into_inner(), result))),
    }
}

/// The time since some moment in the past, on the clock of the caller's side.
fn now(site: Site) -> Duration {
    match Controlled::current() {
        Some(controlled) => controlled.now(site),
        None => {
            selvedge_engine::kept! {
                static START: real::sync::OnceLock<Instant> = real::sync::OnceLock::new();
            }
            START.get_or_init(Instant::now).elapsed()
        }
    }
}

impl Default for Condvar {
    #[track_caller]
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Condvar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Condvar").finish_non_exhaustive()
    }
}

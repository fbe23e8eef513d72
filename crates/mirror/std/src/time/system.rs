//! Mirror of `std::time::SystemTime`.

use real::fmt;
use real::ops::{Add, AddAssign, Sub, SubAssign};
use real::time::{Duration, SystemTimeError};
use selvedge_engine::{Controlled, VirtualClock};
use selvedge_model::Site;

/// A point in time on the calendar's clock; see [`std::time::SystemTime`].
///
/// Inside a controlled execution the clock is virtual and every execution begins with the year
/// 2025 (2025-01-01 00:00:00 UTC), so that a program that looks at the date does the same in each
/// of them, today and when it is replayed in a year.
///
/// The times of files are std's own. [`From`] converts between the two without loss.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SystemTime(real::time::SystemTime);

/// The beginning of the year 2025, counted from the Unix epoch.
const BEGINNING: Duration = VirtualClock::Calendar.beginning();

impl SystemTime {
    /// The beginning of 1970 in UTC; see [`std::time::SystemTime::UNIX_EPOCH`].
    pub const UNIX_EPOCH: Self = Self(real::time::SystemTime::UNIX_EPOCH);

    /// Reads the clock.
    #[must_use]
    #[track_caller]
    pub fn now() -> Self {
        match Controlled::current() {
            Some(controlled) => Self::UNIX_EPOCH + (BEGINNING + controlled.now(Site::caller())),
            None => Self(real::time::SystemTime::now()),
        }
    }

    /// The time from `earlier` to this point. If that one is the later of the two, the error tells
    /// by how much.
    pub fn duration_since(&self, earlier: Self) -> Result<Duration, SystemTimeError> {
        self.0.duration_since(earlier.0)
    }

    /// Reads the clock and tells how long ago this point in time was.
    #[track_caller]
    pub fn elapsed(&self) -> Result<Duration, SystemTimeError> {
        Self::now().duration_since(*self)
    }

    /// The point in time that lies `duration` ahead of this one, if it can be represented.
    pub fn checked_add(&self, duration: Duration) -> Option<Self> {
        self.0.checked_add(duration).map(Self)
    }

    /// The point in time that lies `duration` before this one, if it can be represented.
    pub fn checked_sub(&self, duration: Duration) -> Option<Self> {
        self.0.checked_sub(duration).map(Self)
    }
}

impl Add<Duration> for SystemTime {
    type Output = Self;

    #[track_caller]
    fn add(self, duration: Duration) -> Self {
        Self(self.0 + duration)
    }
}

impl AddAssign<Duration> for SystemTime {
    #[track_caller]
    fn add_assign(&mut self, duration: Duration) {
        self.0 += duration;
    }
}

impl Sub<Duration> for SystemTime {
    type Output = Self;

    #[track_caller]
    fn sub(self, duration: Duration) -> Self {
        Self(self.0 - duration)
    }
}

impl SubAssign<Duration> for SystemTime {
    #[track_caller]
    fn sub_assign(&mut self, duration: Duration) {
        self.0 -= duration;
    }
}

impl fmt::Debug for SystemTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// For `std::fs` and other code that was not compiled against this mirror.
impl From<SystemTime> for real::time::SystemTime {
    fn from(time: SystemTime) -> Self {
        time.0
    }
}

/// For `std::fs` and other code that was not compiled against this mirror.
impl From<real::time::SystemTime> for SystemTime {
    fn from(time: real::time::SystemTime) -> Self {
        Self(time)
    }
}

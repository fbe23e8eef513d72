//! Mirror of `std::time::Instant`.

use real::fmt;
use real::ops::{Add, AddAssign, Sub, SubAssign};
use real::sync::OnceLock;
use real::time::Duration;
use selvedge_engine::Controlled;
use selvedge_model::Site;

/// A point in time on a clock that never goes back; see [`std::time::Instant`].
///
/// Inside a controlled execution the clock is virtual. Each execution begins at the same instant.
/// With the C library under control it is the one that [`std::time::Instant`] shows as well;
/// otherwise it is the one at which this process first asked for the time inside of an execution.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(real::time::Instant);

/// The instant at which every controlled execution of this process begins.
fn beginning(controlled: Controlled) -> real::time::Instant {
    selvedge_engine::kept! {
        static BEGINNING: OnceLock<real::time::Instant> = OnceLock::new();
    }
    *BEGINNING.get_or_init(|| controlled.at_the_beginning(real::time::Instant::now))
}

impl Instant {
    /// Reads the clock.
    #[must_use]
    #[track_caller]
    pub fn now() -> Self {
        Self(match Controlled::current() {
            Some(controlled) => beginning(controlled) + controlled.now(Site::caller()),
            None => real::time::Instant::now(),
        })
    }

    /// The time from `earlier` to this instant, or none at all if that one is the later of the
    /// two.
    #[must_use]
    pub fn duration_since(&self, earlier: Self) -> Duration {
        self.0.duration_since(earlier.0)
    }

    /// The time from `earlier` to this instant, unless that one is the later of the two.
    #[must_use]
    pub fn checked_duration_since(&self, earlier: Self) -> Option<Duration> {
        self.0.checked_duration_since(earlier.0)
    }

    /// The time from `earlier` to this instant, zero if that one is the later of the two.
    #[must_use]
    pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_duration_since(earlier.0)
    }

    /// Reads the clock and tells how long ago this instant was.
    #[must_use]
    #[track_caller]
    pub fn elapsed(&self) -> Duration {
        Self::now() - *self
    }

    /// The instant that lies `duration` ahead of this one, if it can be represented.
    pub fn checked_add(&self, duration: Duration) -> Option<Self> {
        self.0.checked_add(duration).map(Self)
    }

    /// The instant that lies `duration` before this one, if it can be represented.
    pub fn checked_sub(&self, duration: Duration) -> Option<Self> {
        self.0.checked_sub(duration).map(Self)
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    #[track_caller]
    fn add(self, other: Duration) -> Self {
        Self(self.0 + other)
    }
}

impl AddAssign<Duration> for Instant {
    #[track_caller]
    fn add_assign(&mut self, other: Duration) {
        self.0 += other;
    }
}

impl Sub<Duration> for Instant {
    type Output = Self;

    #[track_caller]
    fn sub(self, other: Duration) -> Self {
        Self(self.0 - other)
    }
}

impl SubAssign<Duration> for Instant {
    #[track_caller]
    fn sub_assign(&mut self, other: Duration) {
        self.0 -= other;
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, other: Self) -> Duration {
        self.0 - other.0
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// For code that was not compiled against this mirror.
impl From<Instant> for real::time::Instant {
    fn from(instant: Instant) -> Self {
        instant.0
    }
}

/// For code that was not compiled against this mirror.
impl From<real::time::Instant> for Instant {
    fn from(instant: real::time::Instant) -> Self {
        Self(instant)
    }
}

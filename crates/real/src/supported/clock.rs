//! The time as the threads of a group see it.
//!
//! It begins as the real one. It may run slower, for the log of a test whose sleeps are to be told
//! apart, and it may jump ahead, when all threads of a group wait for time to pass.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The clocks that a group has its own time on, as the kernel numbers them.
const CLOCKS: [libc::clockid_t; 4] =
    [libc::CLOCK_MONOTONIC, libc::CLOCK_REALTIME, libc::CLOCK_BOOTTIME, libc::CLOCK_MONOTONIC_RAW];

/// The clocks of a group.
#[derive(Debug)]
pub(crate) struct Clock {
    /// What each of [`CLOCKS`] showed when the group began.
    begin: [Duration; 4],
    /// So many times slower than the real one.
    scale: u32,
    /// How far it has jumped, in nanoseconds.
    jumped: AtomicU64,
}

impl Clock {
    /// One that shows the real time, and goes on the given number of times slower.
    pub(crate) fn new(scale: u32) -> Self {
        Self { begin: CLOCKS.map(real), scale: scale.max(1), jumped: AtomicU64::new(0) }
    }

    /// The time since the group began.
    pub(crate) fn now(&self) -> Duration {
        (real(libc::CLOCK_MONOTONIC) - self.begin[0]) / self.scale + self.jumped()
    }

    fn jumped(&self) -> Duration {
        Duration::from_nanos(self.jumped.load(Ordering::Acquire))
    }

    /// What one of the kernel's clocks shows to the group when it shows this in reality. Nothing if
    /// the group has no time of its own on it.
    pub(crate) fn shown(&self, clock: libc::clockid_t, time: Duration) -> Option<Duration> {
        let begin = self.begin_of(clock)?;
        // The coarse clocks are a little late.
        let passed = time.saturating_sub(begin);
        Some(begin.min(time) + passed / self.scale + self.jumped())
    }

    /// The group's time until one of the kernel's clocks shows this to it.
    pub(crate) fn until(&self, clock: libc::clockid_t, time: Duration) -> Option<Duration> {
        let now = self.shown(clock, real(clock))?;
        Some(time.saturating_sub(now))
    }

    /// The real time that a time of the group takes, if it does not jump.
    pub(crate) fn takes(&self, time: Duration) -> Duration {
        time.saturating_mul(self.scale)
    }

    /// Jumps ahead to this time since the group began. Who jumps is one thread at a time.
    pub(crate) fn jump_to(&self, time: Duration) {
        let ahead = time.saturating_sub(self.now());
        let nanos = u64::try_from(ahead.as_nanos()).unwrap_or(u64::MAX / 4);
        self.jumped.fetch_add(nanos, Ordering::AcqRel);
    }

    /// Shows the real time again. For threads that stay behind when a test is over: others that find
    /// them (a pool, a timer) begin with the real time.
    pub(crate) fn jump_back(&self) {
        self.jumped.store(0, Ordering::Release);
    }

    fn begin_of(&self, clock: libc::clockid_t) -> Option<Duration> {
        let fine = match clock {
            libc::CLOCK_MONOTONIC_COARSE => libc::CLOCK_MONOTONIC,
            libc::CLOCK_REALTIME_COARSE => libc::CLOCK_REALTIME,
            clock => clock,
        };
        let index = CLOCKS.iter().position(|known| *known == fine)?;
        Some(self.begin[index])
    }
}

/// What one of the kernel's clocks shows in reality. To be called inside of our own code.
pub(crate) fn real(clock: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: The pointer is one to a time.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    duration(time).unwrap_or_default()
}

/// The duration, unless it is negative or has more than a second's worth of nanoseconds.
pub(crate) fn duration(time: libc::timespec) -> Option<Duration> {
    let seconds = u64::try_from(time.tv_sec).ok()?;
    let nanos = u32::try_from(time.tv_nsec).ok().filter(|nanos| *nanos < 1_000_000_000)?;
    Some(Duration::new(seconds, nanos))
}

/// The time as the C library has it.
pub(crate) fn timespec(duration: Duration) -> libc::timespec {
    let seconds = libc::time_t::try_from(duration.as_secs()).unwrap_or(libc::time_t::MAX);
    libc::timespec { tv_sec: seconds, tv_nsec: duration.subsec_nanos().into() }
}

//! What the clocks show when an execution begins.
//!
//! Every execution begins at the same moment, on each of the clocks, so that a program that looks
//! at the time does the same in each of them, today and when it is replayed in a year. Whoever
//! shows virtual time to a program adds it to one of these.

use crate::context::Controlled;
use crate::execution::Execution;
use selvedge_model::Site;
use std::time::Duration;

/// A clock that a program can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VirtualClock {
    /// That of `Instant`: counts from the start of the machine, which was some time ago, so that
    /// programs can subtract.
    Monotonic,
    /// That of `SystemTime`: counts from 1970. Executions begin with the year 2025 (2025-01-01
    /// 00:00:00 UTC).
    Calendar,
}

impl VirtualClock {
    /// What the clock shows when an execution begins.
    pub const fn beginning(self) -> Duration {
        match self {
            Self::Monotonic => Duration::from_secs(1_000_000),
            Self::Calendar => Duration::from_secs(1_735_689_600),
        }
    }
}

/// Whether whoever asks for the time gets the present one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shown {
    #[default]
    Present,
    /// No: that of the beginning, and to ask is no operation.
    Beginning,
}

impl Controlled {
    /// The time that is left until the clock shows `moment`, nothing if it has. To ask is no
    /// operation.
    pub fn time_until(self, clock: VirtualClock, moment: Duration) -> Duration {
        let now = clock.beginning() + Duration::from_nanos(self.execution().time.now);
        moment.saturating_sub(now)
    }

    /// Runs `f` in such a way that the real clocks show what they did when the execution began, if
    /// somebody stands in front of the C library. Otherwise they are what they are.
    pub fn at_the_beginning<R>(self, f: impl FnOnce() -> R) -> R {
        self.execution().show(Shown::Beginning);
        let result = f();
        self.execution().show(Shown::Present);
        result
    }

    /// Reads a clock, as [`now`](Self::now) does.
    pub fn read_clock(self, clock: VirtualClock, site: Site) -> Duration {
        clock.beginning()
            + match self.execution().time.shown {
                Shown::Present => self.now(site),
                Shown::Beginning => Duration::ZERO,
            }
    }
}

impl Execution {
    fn show(&mut self, shown: Shown) {
        self.time.shown = shown;
    }
}

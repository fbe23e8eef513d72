//! Timers that are files: timerfd(2) in virtual time.
//!
//! An event loop does not sleep: it waits for files, and a timer is one of them. The file is real, so
//! that everybody who waits for files sees it among the others. When it gets ready is not: a timer
//! that a controlled thread sets never runs in the kernel. Its deadline stands here, and when
//! virtual time reaches it, the kernel is told that the timer has expired.
//!
//! Timers that were not made in this execution are left alone, as are those whose clock is not
//! virtual: they are as real as any other file of the outside.
//!
//! Deviations: (1) a duplicate of a timer's file is not known to be the same timer, and when the
//! original is closed the timer never expires; (2) the clock of the calendar can not be set, so
//! nothing is ever cancelled because of that.

use crate::clock::VirtualClock;
use crate::context::Controlled;
use crate::execution::Execution;
use crate::outside_threads::apart;
use selvedge_model::{Fault, Rate};
use std::ffi::c_int;
use std::time::Duration;

/// What a timer is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimerSetting {
    /// The time until it expires; nothing if it never does.
    pub first: Option<Duration>,
    /// It then expires again and again, each time after so long; zero if it does not.
    pub interval: Duration,
}

/// When a timer is to expire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimerStart {
    /// Never; it is switched off.
    Never,
    /// After this time.
    In(Duration),
    /// When its clock shows this.
    At(Duration),
}

/// A timer that was made in this execution.
#[derive(Clone, Copy)]
struct Timer {
    file: c_int,
    clock: VirtualClock,
    /// When it expires next, if it is on.
    deadline: Option<u64>,
    /// In nanoseconds; zero if it expires only once.
    interval: u64,
    /// How often it has expired since somebody is known to have read that.
    expirations: u64,
}

/// The timers of an execution. There are few: an event loop has one.
#[derive(Default)]
pub(crate) struct Timers {
    all: Vec<Timer>,
}

impl Timers {
    pub(crate) fn reset(&mut self) {
        self.all.clear();
    }

    /// The next deadline at which a file becomes ready that is not yet.
    pub(crate) fn next_deadline(&self) -> Option<u64> {
        let silent = |timer: &&Timer| timer.expirations == 0 || !is_ready(timer.file);
        self.all
            .iter()
            .filter(|timer| timer.deadline.is_some())
            .filter(silent)
            .filter_map(|timer| timer.deadline)
            .min()
    }

    /// The file was closed. If it was a timer, it is none any more.
    pub(crate) fn closed(&mut self, file: c_int) {
        self.all.retain(|timer| timer.file != file);
    }

    fn find(&mut self, file: c_int) -> Option<&mut Timer> {
        self.all.iter_mut().find(|timer| timer.file == file)
    }

    /// Lets all timers expire whose deadline the clock has reached; says whether there are any.
    fn expire(&mut self, now: u64) -> Expired {
        let mut expired = Expired::None;
        for timer in &mut self.all {
            let Some(deadline) = timer.deadline.filter(|&deadline| deadline <= now) else {
                continue;
            };
            let count = match timer.interval {
                0 => 1,
                interval => 1 + (now - deadline) / interval,
            };
            timer.deadline = match timer.interval {
                0 => None,
                interval => Some(deadline.saturating_add(count.saturating_mul(interval))),
            };
            if !is_ready(timer.file) {
                timer.expirations = 0;
            }
            timer.expirations += count;
            apart(|| ring(timer.file, timer.expirations));
            expired = Expired::Some;
        }
        expired
    }
}

/// Whether timers have expired.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expired {
    None,
    Some,
}

impl Controlled {
    /// The running thread has made a timer with this file.
    pub fn timer_created(self, file: c_int, clock: VirtualClock) {
        let mut execution = self.execution();
        execution.world.timers.closed(file);
        let timer = Timer { file, clock, deadline: None, interval: 0, expirations: 0 };
        execution.world.timers.all.push(timer);
    }

    /// What is left of a timer's setting; nothing if the file is none of this execution's timers.
    pub fn timer_setting(self, file: c_int) -> Option<TimerSetting> {
        let mut execution = self.execution();
        let now = execution.time.now;
        let timer = execution.world.timers.find(file)?;
        // A timer that is on never says that nothing is left, since that means off.
        let left = |deadline: u64| Duration::from_nanos(deadline.saturating_sub(now).max(1));
        let interval = Duration::from_nanos(timer.interval);
        Some(TimerSetting { first: timer.deadline.map(left), interval })
    }

    /// Sets a timer, which forgets that it has ever expired. The real one must have been switched
    /// off; if the file is none of this execution's timers, nothing happens.
    pub fn set_timer(self, file: c_int, start: TimerStart, interval: Duration) {
        let mut execution = self.execution();
        let now = execution.time.now;
        let Some(timer) = execution.world.timers.find(file) else { return };
        let after = match start {
            TimerStart::Never => None,
            TimerStart::In(time) => Some(time),
            TimerStart::At(moment) => {
                let shown = timer.clock.beginning() + Duration::from_nanos(now);
                Some(moment.saturating_sub(shown))
            }
        };
        timer.deadline = after.map(|after| now.saturating_add(nanos(after)));
        timer.interval = nanos(interval);
        timer.expirations = 0;
        execution.expire_timers();
    }
}

impl Execution {
    /// The clock has moved: lets timers expire, and those go on who have waited for them.
    pub(crate) fn expire_timers(&mut self) {
        if !self.world.timers.all.is_empty()
            && self.world.timers.expire(self.time.now) == Expired::Some
        {
            self.look_outside(Duration::ZERO);
        }
    }

    /// The running thread is about to wait for files, and a timer may be among them. Whether its
    /// deadline is taken as reached at once, as if everybody else were slow, is a decision, as it
    /// is for waits that have a deadline themselves.
    pub(crate) fn may_expire_early(&mut self) {
        if self.world.timers.all.is_empty() || self.settings.timeouts == Rate::Off {
            return;
        }
        let Some(deadline) = self.world.timers.next_deadline() else { return };
        let ahead = deadline.saturating_sub(self.time.now);
        if u128::from(ahead) <= self.settings.slack.as_nanos() && self.ask_fault(Fault::Timeout) {
            self.time_out(deadline);
        }
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Whether somebody who reads the timer now would be told that it has expired.
fn is_ready(file: c_int) -> bool {
    /// There is something to read, in the bits of `poll`.
    const INPUT: i16 = 1;
    crate::outside::is_ready(&[crate::outside::FileInterest::new(file, INPUT)])
}

/// Makes whoever reads the timer find that it has expired so often. A file that is no timer any more
/// stays as it is.
///
/// To be called apart from the execution, since somebody may stand in front of the C library.
#[cfg(all(target_os = "linux", not(miri)))]
fn ring(file: c_int, expirations: u64) {
    /// `TFD_IOC_SET_TICKS`, for which the kernel has a setting.
    const SET_TICKS: libc::c_ulong = 0x4008_5400;
    // SAFETY: The number lives as long as the call, and any other file refuses the request.
    let told = unsafe { libc::ioctl(file, SET_TICKS as _, &raw const expirations) };
    if told == 0 {
        return;
    }
    // The kernel can not be told, so the timer is made to expire, once and at once.
    let soon = libc::timespec { tv_sec: 0, tv_nsec: 1 };
    let never = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let setting = libc::itimerspec { it_interval: never, it_value: soon };
    let old = std::ptr::null_mut::<libc::itimerspec>();
    // SAFETY: The setting lives as long as the call, and null is allowed.
    let set = unsafe { libc::timerfd_settime(file, 0, &raw const setting, old) };
    while set == 0 && !is_ready(file) {
        std::thread::yield_now();
    }
}

/// Elsewhere nobody stands in front of the C library, so there are no timers.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn ring(_: c_int, _: u64) {}

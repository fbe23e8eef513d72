//! What the threads of one test have in common.
//!
//! A thread belongs to the group of the thread that has started it, so tests that run at the same
//! time in one process do not see each other. A group follows a schedule or writes a log.

use super::clock::{self, Clock};
use super::logged::Logged;
use super::member::{Member, Pulse};
use super::outsiders::Open;
use super::scheduled::Scheduled;
use super::wait::{Asked, FutexWait};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How many groups there are. As long as there are none, an event costs one look at this.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);

/// Whether there is any group.
#[inline]
pub(crate) fn is_any_active() -> bool {
    ACTIVE.load(Ordering::Relaxed) != 0
}

/// There is one more group as long as this lives.
#[derive(Debug)]
pub(crate) struct Active(());

impl Active {
    pub(crate) fn new() -> Self {
        ACTIVE.fetch_add(1, Ordering::Relaxed);
        Self(())
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        ACTIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The threads of one test.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) clock: Clock,
    pub(crate) purpose: Purpose,
    pub(crate) open: Open,
}

/// What a group is there for.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one for each test, never moved")]
pub(crate) enum Purpose {
    /// To follow a schedule.
    Scheduled(Scheduled),
    /// To write down what happens.
    Logged(Logged),
}

impl Group {
    pub(crate) fn new(clock: Clock, purpose: Purpose) -> Arc<Self> {
        Arc::new(Self { clock, purpose, open: Open::new() })
    }

    /// A member for a thread that is about to be started by another one.
    pub(crate) fn child(self: &Arc<Self>, parent: u32) -> Arc<Member> {
        let pulse = Arc::new(Pulse::default());
        let key = match &self.purpose {
            Purpose::Scheduled(scheduled) => scheduled.add(Arc::clone(&pulse)),
            Purpose::Logged(logged) => logged.started(&self.clock, parent),
        };
        Member::new(Arc::clone(self), key, pulse)
    }

    /// The thread could not be started after all.
    pub(crate) fn not_started(&self, key: u32) {
        if let Purpose::Scheduled(scheduled) = &self.purpose {
            scheduled.remove(key);
        }
    }

    /// The thread has been named, which may be the first that it does.
    pub(crate) fn named(&self, key: u32, name: &str) {
        match &self.purpose {
            Purpose::Scheduled(scheduled) => scheduled.named(key, name),
            Purpose::Logged(logged) => logged.begun(&self.clock, key, name),
        }
    }

    /// The thread has ended.
    pub(crate) fn ended(&self, key: u32) {
        match &self.purpose {
            Purpose::Scheduled(scheduled) => scheduled.ended(key),
            Purpose::Logged(logged) => logged.ended(&self.clock, key),
        }
    }

    /// The thread sleeps for a time of the group.
    pub(crate) fn sleep(&self, key: u32, time: Duration) {
        match &self.purpose {
            Purpose::Scheduled(scheduled) => scheduled.sleep(&self.clock, key, time),
            Purpose::Logged(logged) => logged.sleep(&self.clock, key, time),
        }
    }

    /// The thread waits at a futex. Returns what the system call does, and why it failed if it did.
    pub(crate) fn futex_wait(&self, member: &Member, wait: FutexWait) -> Result<(), i32> {
        match &self.purpose {
            Purpose::Scheduled(scheduled) => scheduled.futex_wait(&self.clock, member, wait),
            Purpose::Logged(logged) => {
                let timeout = wait.timeout.map(|time| self.clock.takes(time));
                logged.wait(&self.clock, member.key, wait.asked(), || {
                    wait.kernel(wait.bits, timeout.map(in_real_time))
                })
            }
        }
    }

    /// The thread waits in some other function.
    pub(crate) fn wait<R>(&self, member: &Member, asked: Asked, function: impl FnOnce() -> R) -> R {
        match &self.purpose {
            Purpose::Scheduled(scheduled) => scheduled.wait(&self.clock, member, asked, function),
            Purpose::Logged(logged) => logged.wait(&self.clock, member.key, asked, function),
        }
    }
}

/// When this much real time has passed, on the monotonic clock.
pub(crate) fn in_real_time(time: Duration) -> Duration {
    clock::real(libc::CLOCK_MONOTONIC).saturating_add(time)
}

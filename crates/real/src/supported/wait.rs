//! How a thread of a group waits, and how it sleeps.
//!
//! A wait with a timeout is made without one when the group's time is the keeper's: who waits is
//! woken through the word that it waits at. To wake nobody else, each thread waits with a bit of its
//! own, which matches whatever a program wakes with.

use super::clock::{self, Clock};
use super::errno::{errno, set_errno};
use super::front;
use super::group::in_real_time;
use super::member::Member;
use super::scheduled::{Course, Doing, ScheduleState, Scheduled, SleepEnd, Waiting, WaitsAt};
use libc::c_long;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What a thread wants to wait for, and how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub(crate) at: WaitsAt,
    /// In the group's time.
    pub(crate) timeout: Option<Duration>,
}

/// A wait at a futex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FutexWait {
    pub(crate) word: *const u32,
    pub(crate) expected: u32,
    /// Zero, or that the word is this process's own.
    pub(crate) private: i32,
    pub(crate) bits: u32,
    /// In the group's time.
    pub(crate) timeout: Option<Duration>,
}

/// Waiters and wakers that say nothing of bits have all of them.
const ALL_BITS: u32 = u32::MAX;

impl FutexWait {
    pub(crate) fn asked(&self) -> Asked {
        Asked { at: WaitsAt::Futex(self.word as usize), timeout: self.timeout }
    }

    /// Waits with these bits until a real time on the monotonic clock.
    pub(crate) fn kernel(&self, bits: u32, until: Option<Duration>) -> Result<(), i32> {
        let operation = libc::FUTEX_WAIT_BITSET | self.private;
        let until = until.map(clock::timespec);
        let until = until.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        let arguments = [
            self.word as c_long,
            operation.into(),
            self.expected.into(),
            until as c_long,
            0,
            bits.into(),
        ];
        // SAFETY: The kernel looks at the word, and says so if it can not. The time is one, or null.
        match unsafe { front::kernel(libc::SYS_futex, arguments) } {
            0 => Ok(()),
            _ => Err(errno()),
        }
    }
}

/// Wakes the thread with the given key, if it waits at the word. Says whether somebody was.
fn wake(word: usize, key: u32) -> bool {
    let bits = own_bit(key);
    // Words of other processes are never waited at with a bit of a thread's own.
    let operation = libc::FUTEX_WAKE_BITSET | libc::FUTEX_PRIVATE_FLAG;
    let arguments = [word as c_long, operation.into(), i32::MAX.into(), 0, 0, bits.into()];
    // SAFETY: To wake needs an address and nothing else.
    unsafe { front::kernel(libc::SYS_futex, arguments) > 0 }
}

/// Whether the word is one of the program's static variables, which tests share: whoever waits there
/// may wait for another test.
fn is_static(word: usize) -> bool {
    unsafe extern "C" {
        /// Defined by the linker: where the program's variables begin, and where they end.
        static __data_start: u8;
        static _end: u8;
    }
    let variables = (&raw const __data_start) as usize..(&raw const _end) as usize;
    variables.contains(&word)
}

/// The bit with which a thread waits.
fn own_bit(key: u32) -> u32 {
    1 << (key % u32::BITS)
}

impl Scheduled {
    /// The thread waits in some function, whose timeouts are real.
    pub(crate) fn wait<R>(
        &self,
        clock: &Clock,
        member: &Member,
        asked: Asked,
        function: impl FnOnce() -> R,
    ) -> R {
        let until = asked.timeout.map(|time| Self::deadline(clock, time));
        self.wait_begins(member, asked.at, until);
        let result = function();
        let reason = errno();
        self.wait_ends(member);
        set_errno(reason);
        result
    }

    /// The thread waits at a futex.
    pub(crate) fn futex_wait(
        &self,
        clock: &Clock,
        member: &Member,
        wait: FutexWait,
    ) -> Result<(), i32> {
        let is_ours = wait.private != 0
            && wait.bits == ALL_BITS
            && self.has_virtual_time()
            && !is_static(wait.word as usize);
        let until = wait.timeout.map(|time| Self::deadline(clock, time));
        if !is_ours {
            let real = wait.timeout.map(in_real_time);
            let asked = Asked { at: WaitsAt::World, timeout: wait.timeout };
            let asked = if self.has_virtual_time() { asked } else { wait.asked() };
            return self.wait(clock, member, asked, || wait.kernel(wait.bits, real));
        }
        self.wait_begins(member, wait.asked().at, until);
        let mut woken = wait.kernel(own_bit(member.key), None);
        member.pulse.in_kernel.store(false, Ordering::Release);
        let state = self.lock();
        let is_over = state.course == Course::Over;
        let has_come = matches!(
            &state.thread(member.key).doing,
            Doing::Waiting(Waiting { end: SleepEnd::Come, .. })
        );
        drop(state);
        if has_come {
            woken = Err(libc::ETIMEDOUT);
        } else if let (true, Some(until)) = (is_over, until)
            && woken.is_ok()
        {
            // The group was closed, or somebody has woken us, in which case the word has changed.
            let left = until.saturating_sub(clock.now());
            woken = wait.kernel(wait.bits, Some(in_real_time(left)));
        }
        self.wait_ends(member);
        woken
    }

    fn wait_begins(&self, member: &Member, at: WaitsAt, until: Option<Duration>) {
        let key = member.key;
        let mut state = self.lock();
        self.is_back(&mut state, key);
        let since = Instant::now();
        state.set(key, Doing::Waiting(Waiting { at, until, since, end: SleepEnd::NotYet }));
        member.pulse.in_kernel.store(true, Ordering::Release);
        state.ceased_to_run(key);
    }

    fn wait_ends(&self, member: &Member) {
        let key = member.key;
        member.pulse.in_kernel.store(false, Ordering::Release);
        let mut state = self.lock();
        self.is_back(&mut state, key);
        state.set(key, Doing::Running);
    }

    /// The thread sleeps.
    pub(crate) fn sleep(&self, clock: &Clock, key: u32, time: Duration) {
        let until = Self::deadline(clock, time);
        let mut state = self.lock();
        self.is_back(&mut state, key);
        state.set(key, Doing::Asleep { until, end: SleepEnd::NotYet });
        state.ceased_to_run(key);
        while self.has_virtual_time()
            && state.course == Course::Open
            && matches!(state.thread(key).doing, Doing::Asleep { end: SleepEnd::NotYet, .. })
        {
            state = state.wait_as_thread();
        }
        if !matches!(state.thread(key).doing, Doing::Asleep { end: SleepEnd::Come, .. }) {
            drop(state);
            std::thread::sleep(until.saturating_sub(clock.now()));
            state = self.lock();
        }
        state.set(key, Doing::Running);
    }
}

impl ScheduleState {
    /// Ends the thread's timed wait or its sleep, which others are told of. Says whether it could be
    /// done: who is only about to wait can not be woken yet.
    pub(crate) fn time_out(&mut self, key: u32) -> bool {
        let woken = match &self.thread(key).doing {
            Doing::Asleep { .. } => true,
            Doing::Waiting(Waiting { at: WaitsAt::Futex(word), .. }) => {
                self.thread(key).is_in_kernel() && wake(*word, key)
            }
            _ => false,
        };
        if woken {
            match &mut self.thread_mut(key).doing {
                Doing::Asleep { end, .. } | Doing::Waiting(Waiting { end, .. }) => {
                    *end = SleepEnd::Come;
                }
                _ => {}
            }
            self.changes += 1;
        }
        woken
    }

    /// Wakes the threads that wait for the keeper to say that their time has come.
    pub(crate) fn wake_timed(&self) -> Woken {
        let mut woken = Woken::All;
        for key in self.keys() {
            let thread = self.thread(key);
            if let Doing::Waiting(Waiting { at: WaitsAt::Futex(word), until: Some(_), .. }) =
                thread.doing
                && thread.pulse.in_kernel.load(Ordering::Acquire)
                && !wake(word, key)
            {
                woken = Woken::NotAll;
            }
        }
        woken
    }
}

/// Whether all threads that wait for a time have been woken: who is only about to wait can not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Woken {
    All,
    NotAll,
}

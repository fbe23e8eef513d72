//! What the keeper sees of the threads, and what it remembers from one look to the next.

use super::os::{self, Activity};
use super::scheduled::{Doing, ScheduleState, SleepEnd, Waiting, WaitsAt};
use selvedge_spec::Permission;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// So long a thread waits, while others run, before it counts as blocked.
pub(crate) const BLOCKED_AFTER: Duration = Duration::from_millis(1);
/// How often threads are looked at that are in no function that we stand in front of.
pub(crate) const TICK: Duration = Duration::from_millis(10);
/// A thread that has given way so often while nothing changed, and for as long as [`TICK`], polls. So
/// often it calls the keeper.
pub(crate) const POLLS: u32 = 1000;
/// So long after its end a thread may still be on its way out.
const EXIT: Duration = Duration::from_millis(100);

/// What a look at all threads has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scene {
    /// Nobody can go on, or only to see that they can not.
    Quiet,
    /// Somebody is about to wait in the kernel, or has been woken there.
    Entering,
    /// Somebody may go on by the schedule or the clock, and has not come to it yet.
    Leaving,
    /// Somebody runs.
    Moving,
}

/// What the keeper remembers from one look to the next.
#[derive(Default)]
pub(crate) struct Looks {
    /// How often things had changed, and since when they have not.
    unchanged: Option<(u64, Instant)>,
    /// When threads were looked at last that are in no function that we stand in front of.
    everywhere: Option<Instant>,
    /// How long to wait for threads that are on their way.
    pause: Duration,
    /// The deadline that has come while threads ran, and their processor time then.
    late: Option<(Duration, Times)>,
    /// By the threads' keys.
    threads: Vec<Look>,
}

/// What the keeper remembers of a thread.
#[derive(Clone, Default)]
struct Look {
    /// Since when it waited, and what the others' processor time was then.
    wait: Option<(Instant, Times)>,
    /// Since when it waits in the kernel without our knowing, and how often it had done so.
    elsewhere: Option<(Instant, u64)>,
    /// Whether it waits there for long enough.
    is_elsewhere: bool,
    /// How often it had given way when things changed last.
    yields: u32,
    /// Whether it has done nothing else for a while.
    is_polling: bool,
}

/// The processor time of threads, in nanoseconds.
type Times = Vec<(u32, u64)>;

impl Looks {
    /// Looks at all threads.
    pub(crate) fn look(&mut self, state: &ScheduleState, now: Instant) -> Scene {
        self.update(state, now);
        let matters =
            state.is_anybody_held() || state.body.is_some() || state.monitor.watches_blocking();
        let looks_everywhere =
            matters && self.everywhere.is_none_or(|last| now.duration_since(last) >= TICK / 2);
        if looks_everywhere {
            self.everywhere = Some(now);
        }
        let mut scene = Scene::Quiet;
        for key in state.keys() {
            let thread = state.thread(key);
            let here = match &thread.doing {
                Doing::Running => {
                    let look = &mut self.threads[key as usize];
                    if looks_everywhere || look.elsewhere.is_some() {
                        look.look_elsewhere(state, key, now);
                    }
                    match look.is_elsewhere || look.is_polling {
                        true => Scene::Quiet,
                        false => Scene::Moving,
                    }
                }
                Doing::Held { action, .. } => match state.permission(key, *action) {
                    Permission::Now => Scene::Leaving,
                    _ if state.granted == Some(key) => Scene::Leaving,
                    _ => Scene::Quiet,
                },
                Doing::Waiting(Waiting { end: SleepEnd::Come, .. })
                | Doing::Asleep { end: SleepEnd::Come, .. } => Scene::Leaving,
                Doing::Waiting(_) if !thread.is_in_kernel() => Scene::Entering,
                Doing::Ended { at } if state.is_awaited(key, now.duration_since(*at)) => {
                    Scene::Entering
                }
                Doing::Waiting(_) | Doing::Asleep { .. } | Doing::Ended { .. } => Scene::Quiet,
            };
            scene = scene.max(here);
        }
        if scene != Scene::Entering {
            self.pause = Duration::ZERO;
        }
        scene
    }

    /// Notes what has changed.
    fn update(&mut self, state: &ScheduleState, now: Instant) {
        self.threads.resize(state.threads.len(), Look::default());
        let has_changed = self.unchanged.is_none_or(|(changes, _)| changes != state.changes);
        if has_changed {
            self.unchanged = Some((state.changes, now));
        }
        let is_long = self.unchanged(now) >= TICK;
        for (thread, look) in state.threads.iter().zip(&mut self.threads) {
            let yields = thread.pulse.yields.load(Ordering::Relaxed);
            if has_changed {
                look.yields = yields;
            }
            look.is_polling = is_long && yields.wrapping_sub(look.yields) >= POLLS;
            if !matches!(thread.doing, Doing::Running) {
                look.elsewhere = None;
                look.is_elsewhere = false;
            }
        }
    }

    /// How long nothing has changed.
    pub(crate) fn unchanged(&self, now: Instant) -> Duration {
        self.unchanged.map_or(Duration::ZERO, |(_, since)| now.duration_since(since))
    }

    /// How long to wait for threads that are on their way: longer each time in a row.
    pub(crate) fn pause(&mut self) -> Duration {
        self.pause = (self.pause * 2).clamp(Duration::from_micros(20), BLOCKED_AFTER);
        self.pause
    }

    /// Whether the thread waits in the kernel without our knowing for what.
    pub(crate) fn is_elsewhere(&self, key: u32) -> bool {
        self.threads.get(key as usize).is_some_and(|look| look.is_elsewhere)
    }

    /// Whether some thread does nothing but look whether it can go on.
    pub(crate) fn is_anybody_polling(&self) -> bool {
        self.threads.iter().any(|look| look.is_polling)
    }

    /// Whether somebody waits for something that no thread may be the one to do.
    pub(crate) fn is_world_awaited(&self, state: &ScheduleState) -> bool {
        state.keys().any(|key| match &state.thread(key).doing {
            Doing::Waiting(waiting) => waiting.at == WaitsAt::World,
            Doing::Running => self.is_elsewhere(key),
            _ => false,
        })
    }

    /// Since when the thread waits.
    pub(crate) fn waits_since(&self, state: &ScheduleState, key: u32) -> Option<Instant> {
        match &state.thread(key).doing {
            Doing::Waiting(waiting) => Some(waiting.since),
            Doing::Running => self.threads[key as usize].elsewhere.map(|(since, _)| since),
            _ => None,
        }
    }

    /// Whether a thread that waits since then does so although others had the time to go on.
    pub(crate) fn has_waited_long(
        &mut self,
        state: &ScheduleState,
        key: u32,
        since: Instant,
        now: Instant,
    ) -> bool {
        let look = &mut self.threads[key as usize];
        match &look.wait {
            Some((begun, times)) if *begun == since => {
                now.duration_since(since) >= BLOCKED_AFTER
                    && (look.is_elsewhere || state.thread(key).is_in_kernel())
                    && state.have_run(times, BLOCKED_AFTER)
            }
            _ => {
                look.wait = Some((since, state.processor_times()));
                false
            }
        }
    }

    /// Whether the threads that run had so much processor time since the deadline came.
    pub(crate) fn have_run_since(
        &mut self,
        deadline: Duration,
        state: &ScheduleState,
        time: Duration,
    ) -> bool {
        match &self.late {
            Some((late, times)) if *late == deadline => state.have_run(times, time),
            _ => {
                self.late = Some((deadline, state.processor_times()));
                false
            }
        }
    }
}

impl Look {
    /// Looks whether a thread that should be running waits in the kernel, in the same wait for a
    /// while.
    fn look_elsewhere(&mut self, state: &ScheduleState, key: u32, now: Instant) {
        let thread = state.thread(key);
        let waits = match thread.is_elsewhere() {
            true => os::waits(state.tid(key)).filter(|_| thread.is_elsewhere()),
            false => None,
        };
        match (self.elsewhere, waits) {
            (Some((since, before)), Some(waits)) if before == waits => {
                self.is_elsewhere = now.duration_since(since) >= BLOCKED_AFTER;
            }
            (_, waits) => {
                self.elsewhere = waits.map(|waits| (now, waits));
                self.is_elsewhere = false;
            }
        }
    }
}

impl ScheduleState {
    /// The processor time of each thread that runs.
    fn processor_times(&self) -> Times {
        let running = self.keys().filter(|key| matches!(self.thread(*key).doing, Doing::Running));
        running.filter_map(|key| Some((key, os::processor_time(self.tid(key))?))).collect()
    }

    /// Whether all that run had so much processor time since.
    fn have_run(&self, before: &Times, time: Duration) -> bool {
        self.processor_times().iter().all(|(key, now)| {
            let before = before.iter().find(|(other, _)| other == key);
            let passed =
                before.map(|(_, before)| Duration::from_nanos(now.saturating_sub(*before)));
            passed.is_none_or(|passed| passed >= time)
                || os::look(self.tid(*key)) == Activity::Waits
        })
    }

    /// Whether somebody may wait for the end of a thread that is over for us but not for the kernel.
    fn is_awaited(&self, key: u32, since: Duration) -> bool {
        let is_join =
            |doing: &Doing| matches!(doing, Doing::Waiting(Waiting { at: WaitsAt::Join, .. }));
        since < EXIT
            && self.threads.iter().any(|thread| is_join(&thread.doing))
            && os::look(self.tid(key)) != Activity::Unknown
    }

    fn tid(&self, key: u32) -> libc::pid_t {
        self.thread(key).pulse.tid.load(Ordering::Acquire)
    }
}

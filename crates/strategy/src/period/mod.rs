//! PERIOD: schedules with few preemptions, one after the other.
//!
//! Source: Wen, He, Wu, Zhang, Wang, Zhou, *Controlled concurrency testing via periodical
//! scheduling* (ICSE 2022): a schedule is a sequence of periods, in each of which one thread runs,
//! and schedules are tried by increasing number of periods.
//!
//! Deviations: (1) the points at which a thread can be preempted are the operations that were in a
//! conflict in some execution so far, instead of statically selected ones; (2) threads that come to
//! the same conflicting places in the same order count as one, so that a hundred equal threads make
//! no more schedules than two; (3) what is not in a schedule, such as the order of the threads that
//! it does not speak of, is random; (4) schedules with equally many preemptions come in random
//! order, and beyond some thousands a sample is tried; (5) if the thread whose turn it is waits for
//! one that was preempted, that one goes on until it need not wait any more.
//!
//! May miss: what needs more than four preemptions; where threads do something else depending on
//! the schedule, points that were never seen.

mod plan;

use self::plan::{Plan, Plans, Point, Rest, Thread};
use crate::exported::{from_bytes, to_bytes};
use crate::shared::{Knowledge, Shared};
use crate::{Portfolio, Rng};
use rustc_hash::FxHashMap;
use selvedge_model::{
    Act, Config, Event, Fault, Hold, Link, ObjectId, Pick, Progress, Rate, Record, Strategy,
    ThreadId, View,
};

/// Few preemptions, systematically.
#[derive(Debug)]
pub struct Period {
    rng: Rng,
    shared: Knowledge,
    /// The threads that were seen in some execution.
    threads: Vec<Thread>,
    /// Their keys.
    keys: Vec<u64>,
    /// The positions of threads in the list, by key. Only ever looked up.
    positions: FxHashMap<u64, usize>,
    plans: Plans,
    plan: Option<Plan>,
    /// Which segment of the plan has been reached.
    at: usize,
    /// The threads of the segments, as far as they have been spawned.
    actors: Vec<Option<ThreadId>>,
    /// How many threads of the execution have been looked at.
    looked_at: usize,
    /// How many conflicting operations each thread has carried out.
    passed: Vec<u32>,
}

/// What became of a segment.
enum Turn {
    Run(ThreadId),
    Wait,
    Over,
}

impl Period {
    pub(crate) fn new(seed: u64, shared: &Knowledge) -> Self {
        Self {
            rng: Rng::new(seed),
            shared: Knowledge::clone(shared),
            threads: Vec::new(),
            keys: Vec::new(),
            positions: FxHashMap::default(),
            plans: Plans::default(),
            plan: None,
            at: 0,
            actors: Vec::new(),
            looked_at: 0,
            passed: Vec::new(),
        }
    }

    /// Finds the threads of the plan among those that have been spawned.
    fn look_at_threads(&mut self, view: &View<'_>) {
        let Some(plan) = &self.plan else { return };
        for position in self.looked_at..view.threads.len() {
            let key = view.threads[position].key;
            for (segment, actor) in plan.segments.iter().zip(&mut self.actors) {
                if self.keys[segment.thread] == key {
                    *actor = Some(ThreadId(position as u32));
                }
            }
        }
        self.looked_at = view.threads.len();
        if self.passed.len() < view.threads.len() {
            self.passed.resize(view.threads.len(), 0);
        }
    }

    /// What the segment that has been reached asks for.
    fn turn(&self, view: &View<'_>, until: Option<u32>) -> Turn {
        let Some(thread) = self.actors[self.at] else { return Turn::Wait };
        let enabled = view.enabled.contains(thread);
        let pending = view.pending(thread);
        if pending.kind.link() == Link::Ends && !enabled {
            return Turn::Over;
        }
        if until.is_some_and(|until| self.passed[thread.index()] >= until) {
            return Turn::Over;
        }
        if enabled { Turn::Run(thread) } else { Turn::Wait }
    }

    /// Whether the plan has something else in mind for a thread than to run now.
    fn is_reserved(&self, thread: ThreadId) -> bool {
        self.plan.as_ref().is_some_and(|plan| self.at < plan.segments.len())
            && self.actors.contains(&Some(thread))
    }

    /// Somebody whom the plan does not speak of; the running thread if that is one.
    fn anybody_else(&mut self, view: &View<'_>) -> Option<ThreadId> {
        if view.could_continue() && !self.is_reserved(view.current) {
            return Some(view.current);
        }
        let free = view.enabled.iter().filter(|&thread| !self.is_reserved(thread));
        let free: Vec<ThreadId> = free.collect();
        match free.as_slice() {
            [] => None,
            free => Some(free[self.rng.below(free.len() as u64) as usize]),
        }
    }

    /// Somebody runs so that the thread whose turn it is can go on, or comes to life.
    fn make_way(&mut self, view: &View<'_>) -> ThreadId {
        let missing = self.actors[self.at].is_none();
        if missing {
            // Whoever spawns it is mostly the test's own thread.
            if view.enabled.contains(ThreadId::MAIN) {
                return ThreadId::MAIN;
            }
            if let Some(thread) = self.anybody_else(view) {
                return thread;
            }
        }
        let earlier = self.actors[..self.at].iter().rev().flatten().copied();
        let earlier = earlier.into_iter().find(|&thread| view.enabled.contains(thread));
        earlier.or_else(|| self.anybody_else(view)).unwrap_or_else(|| self.rng.pick(view.enabled))
    }
}

pub(crate) fn make(config: &Config) -> Box<dyn Strategy> {
    Box::new(Portfolio::of_one(|known| Period::new(config.seed, known)))
}

impl Strategy for Period {
    fn name(&self) -> String {
        "period".to_owned()
    }

    fn begin(&mut self) -> Progress {
        self.at = 0;
        self.looked_at = 0;
        self.passed.clear();
        self.actors.clear();
        self.plan = self.plans.next(&self.threads, &mut self.rng);
        if let Some(plan) = &self.plan {
            self.actors.resize(plan.segments.len(), None);
        }
        Progress::Continue
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        self.look_at_threads(view);
        let Some(plan) = &self.plan else { return self.rng.pick(view.enabled) };
        let (segments, rest) = (plan.segments.len(), plan.rest);
        if rest == Rest::First
            && let Some(thread) = self.anybody_else(view)
        {
            return thread;
        }
        while self.at < segments {
            let until = self.plan.as_ref().and_then(|plan| plan.segments[self.at].until);
            match self.turn(view, until) {
                Turn::Run(thread) => return thread,
                Turn::Wait => return self.make_way(view),
                Turn::Over => self.at += 1,
            }
        }
        self.anybody_else(view).unwrap_or_else(|| self.rng.pick(view.enabled))
    }

    fn continuations(&mut self) -> u32 {
        self.rng.continuations()
    }

    fn pick(&mut self, _: &View<'_>, pick: Pick, of: usize) -> usize {
        self.rng.one_of(pick, of)
    }

    fn fault(&mut self, _: &View<'_>, _: Fault, rate: Rate) -> bool {
        self.rng.fault(rate)
    }

    fn wants_events(&self) -> bool {
        self.plan.is_some()
    }

    fn event(&mut self, event: &Event) {
        let operation = event.operation;
        let mut shared = self.shared.borrow_mut();
        let Shared { profile, pairs, .. } = &mut *shared;
        let place = profile.places.get((operation.kind, operation.site));
        let is_point = |place| pairs.is_conflicting(place) && !operation.kind.gives_back();
        if place.is_some_and(is_point) {
            if self.passed.len() <= event.thread.index() {
                self.passed.resize(event.thread.index() + 1, 0);
            }
            self.passed[event.thread.index()] += 1;
        }
    }

    fn end(&mut self, record: &Record<'_>) {
        // Plans are made of what is known of the threads; that settles soon.
        let mut shared = self.shared.borrow_mut();
        let Shared { profile, pairs, .. } = &mut *shared;
        if !profile.learned_last() {
            return;
        }
        let mut seen = vec![Thread::default(); record.threads.len()];
        let mut held = vec![0_u32; record.threads.len()];
        for event in record.events {
            let Event { thread, operation, .. } = *event;
            let before = held[thread.index()];
            held[thread.index()] = locks_after(event, before);
            if operation.object == ObjectId::NONE || operation.kind.gives_back() {
                continue;
            }
            let place = profile.places.number((operation.kind, operation.site));
            if pairs.is_conflicting(place) {
                let Thread { class, points } = &mut seen[thread.index()];
                *class = class.rotate_left(7).wrapping_mul(31).wrapping_add(place as u64 + 1);
                let takes = held[thread.index()] > before;
                points.push(if before == 0 || takes { Point::Open } else { Point::Inside });
            }
        }
        drop(shared);
        let mut grown = false;
        for (info, thread) in record.threads.iter().zip(seen) {
            let next = self.threads.len();
            let position = *self.positions.entry(info.key).or_insert(next);
            if position == next {
                self.threads.push(thread);
                self.keys.push(info.key);
                grown = true;
            } else if thread.points.len() > self.threads[position].points.len() {
                self.threads[position] = thread;
                grown = true;
            }
        }
        if grown {
            self.plans.grow(&self.threads, &mut self.rng);
        }
    }

    fn export(&self) -> Vec<u8> {
        to_bytes(&self.rng)
    }

    fn import(&mut self, exported: &[u8]) {
        self.rng = from_bytes(exported);
    }
}

/// How many locks a thread holds after an event if it held so many before.
fn locks_after(event: &Event, before: u32) -> u32 {
    let act = Act::from(event);
    let given_back =
        u32::from(act.gives_back().is_some_and(|(_, hold)| hold != Hold::Initialising));
    before.saturating_sub(given_back) + u32::from(act.meaning.locks().is_some())
}

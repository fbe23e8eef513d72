//! Steering: tries to bring about what a detector has predicted.
//!
//! Source: active testing as in Sen, *Race directed random testing of concurrent programs* (PLDI
//! 2008), and Joshi, Park, Sen and Naik, *A randomized dynamic program analysis technique for
//! detecting real deadlocks* (PLDI 2009).
//!
//! A thread that comes to a place of the prediction is held back for as long as anybody else can
//! run; otherwise who goes next is random. When only those are left that are held back, one of them
//! is let go.
//!
//! Deviations: (1) a thread is known by its path and a place by its site, kind and the sites of the
//! locks that are held there, instead of by abstractions of objects; (2) how often a thread may pass
//! its place before it is held back is drawn anew for every execution, so that later turns of a loop
//! are tried as well; (3) so is how readily the running thread gives way; (4) holding back can end
//! when given operations have been carried out.
//!
//! May miss: what needs other threads to be held back elsewhere as well.

use crate::Rng;
use crate::exported::{from_bytes, to_bytes};
use selvedge_model::{
    Event, Fault, HeldLock, HeldLocks, Operation, Pick, Progress, Rate, Site, Steering, Stop,
    Strategy, ThreadId, View,
};

/// Steers executions towards one prediction.
#[derive(Debug)]
pub struct Steer {
    rng: Rng,
    hold: Vec<WatchedStop>,
    until: Vec<WatchedStop>,
    /// Where each thread has taken the locks that it holds.
    held: HeldLocks<Site>,
    /// The keys of the threads that have been seen.
    keys: Vec<u64>,
    /// The running thread goes on this often out of four times.
    goes_on: u64,
}

/// A place of the prediction in the running execution.
#[derive(Debug)]
struct WatchedStop {
    stop: Stop,
    key: u64,
    /// How often it may be passed before it counts.
    passes: u64,
    state: StopState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StopState {
    Waiting,
    Done,
}

impl WatchedStop {
    fn new(stop: Stop) -> Self {
        Self { key: stop.thread.key(), stop, passes: 0, state: StopState::Waiting }
    }

    /// Whether this is where a thread is.
    fn is_at(&self, key: u64, operation: &Operation, held: &[HeldLock<Site>]) -> bool {
        self.key == key
            && self.stop.kind == operation.kind
            && self.stop.at.is_at(operation.site)
            && self.stop.holding.iter().all(|at| held.iter().any(|lock| at.is_at(lock.site)))
    }
}

impl Steer {
    /// Steers with the given seed.
    pub fn new(seed: u64, steering: &Steering) -> Self {
        Self {
            rng: Rng::new(seed),
            hold: steering.hold.iter().cloned().map(WatchedStop::new).collect(),
            until: steering.until.iter().cloned().map(WatchedStop::new).collect(),
            held: HeldLocks::default(),
            keys: Vec::new(),
            goes_on: 0,
        }
    }

    fn is_over(&self) -> bool {
        !self.until.is_empty() && self.until.iter().all(|place| place.state == StopState::Done)
    }

    fn is_held_back(&self, view: &View<'_>, thread: ThreadId) -> bool {
        let key = view.threads[thread.index()].key;
        let (pending, held) = (view.pending(thread), self.held.by(thread));
        self.hold.iter().any(|place| place.passes == 0 && place.is_at(key, pending, held))
    }
}

impl Strategy for Steer {
    fn name(&self) -> String {
        "steer".to_owned()
    }

    fn begin(&mut self) -> Progress {
        self.held.clear();
        self.keys.clear();
        self.goes_on = self.rng.below(4);
        for place in self.hold.iter_mut().chain(&mut self.until) {
            place.state = StopState::Waiting;
            place.passes = 0;
        }
        // Mostly the first time is as good as any.
        for place in &mut self.hold {
            place.passes = if self.rng.coin() { 0 } else { self.rng.below(4) };
        }
        Progress::Continue
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        let known = self.keys.len();
        self.keys.extend(view.threads.iter().skip(known).map(|info| info.key));
        let over = self.is_over();
        let free: Vec<ThreadId> = view
            .enabled
            .iter()
            .filter(|&thread| over || !self.is_held_back(view, thread))
            .collect();
        match free.as_slice() {
            [] => self.rng.pick(view.enabled),
            [only] => *only,
            _ if free.contains(&view.current) && self.rng.chance(self.goes_on, 4) => view.current,
            _ => free[self.rng.below(free.len() as u64) as usize],
        }
    }

    fn pick(&mut self, _: &View<'_>, pick: Pick<'_>, of: usize) -> usize {
        match pick {
            Pick::Waiter => self.rng.below(of as u64) as usize,
            // The way to the prediction is known for these only.
            Pick::RandomBytes | Pick::Delay(_) | Pick::Value(_) | Pick::Place(_) => 0,
        }
    }

    fn fault(&mut self, _: &View<'_>, _: Fault, _: Rate) -> bool {
        false
    }

    fn wants_events(&self) -> bool {
        true
    }

    fn export(&self) -> Vec<u8> {
        to_bytes(&self.rng)
    }

    fn import(&mut self, exported: &[u8]) {
        self.rng = from_bytes(exported);
    }

    fn event(&mut self, event: &Event) {
        let thread = event.thread;
        if let Some(&key) = self.keys.get(thread.index()) {
            let held = self.held.by(thread);
            for place in &mut self.hold {
                if place.is_at(key, &event.operation, held) {
                    place.passes = place.passes.saturating_sub(1);
                }
            }
            for place in &mut self.until {
                if place.is_at(key, &event.operation, held) {
                    place.state = StopState::Done;
                }
            }
        }
        self.held.event(event);
    }
}

//! Portfolio: a mixture of strategies that shifts the budget to what pays off.
//!
//! No single strategy wins everywhere: a fair coin misses orders in which a thread must be held
//! back, priorities need many tries on tight races, uniform walks depend on an estimate. The
//! portfolio gives each a share of the executions. What an execution pays is whether it showed an
//! interleaving that had not been seen; the shares follow what each strategy has paid of late.
//!
//! Source: the observation that samplers complement each other is in Thomson et al. (TOPC 2016);
//! shares and turns are our own.
//!
//! May miss: what all its members miss. Never starves a member: each keeps a share.

use crate::{Pct, Pos, Random, Rng, Selection, Surw};
use rustc_hash::FxHashSet;
use selvedge_model::{Event, Fault, ObjectId, Progress, Rate, Record, Strategy, ThreadId, View};

/// The mixture.
pub struct Portfolio {
    members: Vec<Member>,
    /// The member that decides in this execution.
    active: usize,
    /// The interleavings seen so far, up to the order of operations that commute.
    seen: FxHashSet<u64>,
    executions: u64,
}

struct Member {
    strategy: Box<dyn Strategy>,
    /// What it has paid of late, from 0 to 1.
    pay: f64,
    /// What its pay is worth; chosen so that no bug of the benchmark is found much later than by
    /// the best single strategy.
    base: f64,
    /// The executions that it is still owed.
    credit: f64,
}

/// How fast the past fades.
const FADE: f64 = 0.05;
/// Every execution is looked at for something new at first, later on one in so many.
const LOOK_AT_ALL: u64 = 256;
/// See [`LOOK_AT_ALL`].
const LOOK_AT_ONE_IN: u64 = 16;
/// Interleavings beyond this many are not remembered; by then the shares have settled.
const MOST_SEEN: usize = 1 << 20;

impl Portfolio {
    /// A mixture whose members take their seeds from this one.
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut members = Vec::new();
        let mut add = |base: f64, debt: f64, make: &dyn Fn(u64) -> Box<dyn Strategy>| {
            // The order of the first turns differs from seed to seed.
            let credit = rng.below(1 << 20) as f64 / f64::from(1 << 20) - debt;
            members.push(Member { strategy: make(rng.bits()), pay: 1.0, base, credit });
        };
        add(1.6, 0.0, &|seed| Box::new(Surw::new(seed, Selection::OneObject)));
        add(1.0, 0.0, &|seed| Box::new(Surw::new(seed, Selection::Everything)));
        add(1.2, 0.0, &|seed| Box::new(Random::new(seed)));
        add(0.6, 0.0, &|seed| Box::new(Pos::new(seed)));
        // Priorities shine where the others fail for long, and lose on what they find at once.
        add(1.4, 2.0, &|seed| Box::new(Pct::new(seed, 3)));
        add(0.6, 1.5, &|seed| Box::new(Pct::new(seed, 2)));
        Self { members, active: 0, seen: FxHashSet::default(), executions: 0 }
    }

    /// The member whose turn it is: each gets its share, spread evenly over the executions.
    fn turn(&mut self) -> usize {
        let total: f64 = self.members.iter().map(Member::share).sum();
        for member in &mut self.members {
            member.credit += member.share() / total;
        }
        let credits = self.members.iter().map(|member| member.credit).enumerate();
        let (richest, _) = credits.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0));
        self.members[richest].credit -= 1.0;
        richest
    }
}

impl Member {
    fn share(&self) -> f64 {
        self.base * (0.25 + self.pay)
    }
}

impl Strategy for Portfolio {
    fn name(&self) -> String {
        format!("portfolio: {}", self.members[self.active].strategy.name())
    }

    fn begin(&mut self) -> Progress {
        self.active = self.turn();
        self.members[self.active].strategy.begin()
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        self.members[self.active].strategy.next_thread(view)
    }

    fn wake(&mut self, view: &View<'_>, waiters: &[ThreadId]) -> usize {
        self.members[self.active].strategy.wake(view, waiters)
    }

    fn fault(&mut self, view: &View<'_>, fault: Fault, rate: Rate) -> bool {
        self.members[self.active].strategy.fault(view, fault, rate)
    }

    fn wants_events(&self) -> bool {
        self.members[self.active].strategy.wants_events()
    }

    fn event(&mut self, event: &Event) {
        self.members[self.active].strategy.event(event);
    }

    fn end(&mut self, record: &Record<'_>) {
        // Every member learns from every execution, whoever decided in it.
        for member in &mut self.members {
            member.strategy.end(record);
        }
        self.executions += 1;
        let looks =
            self.executions <= LOOK_AT_ALL || self.executions.is_multiple_of(LOOK_AT_ONE_IN);
        if looks && self.seen.len() < MOST_SEEN {
            let new = self.seen.insert(interleaving(record));
            let pay = &mut self.members[self.active].pay;
            *pay += FADE * (f64::from(u8::from(new)) - *pay);
        }
    }

    fn export(&self) -> Vec<u8> {
        self.members[self.active].strategy.export()
    }

    fn import(&mut self, exported: &[u8]) {
        self.members[self.active].strategy.import(exported);
    }
}

/// A number for the order of the conflicting operations of an execution: executions that differ
/// only in the order of operations that commute have the same one.
fn interleaving(record: &Record<'_>) -> u64 {
    let mut threads: Vec<u64> = record.threads.iter().map(|info| info.key | 1).collect();
    let mut objects: Vec<(u64, u64)> = Vec::new();
    let mut none = (0, 0);
    for event in record.events {
        let thread = &mut threads[event.thread.index()];
        let kind = event.operation.kind;
        let object = event.operation.object;
        if object != ObjectId::NONE && objects.len() <= object.index() {
            objects.resize(object.index() + 1, (0, 0));
        }
        let (written, read) = objects.get_mut(object.index()).unwrap_or(&mut none);
        // What the operation depends on: the thread's past and the object's last change, and for
        // a change also all reads since.
        let mut past = mix(*thread, kind as u64 ^ *written);
        if kind.only_reads() {
            *read = read.wrapping_add(past);
        } else if object != ObjectId::NONE {
            past = mix(past, *read);
            (*written, *read) = (past, 0);
        }
        *thread = past;
    }
    threads.into_iter().fold(0, u64::wrapping_add)
}

fn mix(a: u64, b: u64) -> u64 {
    (a ^ b.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

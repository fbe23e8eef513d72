//! Portfolio: a mixture of strategies that shifts the budget to what pays off.
//!
//! No single strategy wins everywhere: a fair coin misses orders in which a thread must be held
//! back, priorities need many tries on tight races, uniform walks depend on an estimate. The
//! portfolio gives each a share of the executions. What an execution pays is whether it showed an
//! interleaving that had not been seen; the shares follow what each strategy has paid of late.
//!
//! Source: the observation that samplers complement each other is in Thomson et al. (TOPC 2016);
//! the shares follow the EXP3 rule of Auer, Cesa-Bianchi, Freund, Schapire (SIAM J. Comput. 2002),
//! deviating in that the past fades.
//!
//! May miss: what all its members miss. Never starves a member: each keeps a share.

use crate::{Pct, Pos, Random, Rng, Selection, Surw};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_model::{Event, Fault, ObjectId, Progress, Rate, Record, Strategy, ThreadId, View};

/// The mixture.
pub struct Portfolio {
    rng: Rng,
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
    /// The least share that it gets whatever it pays.
    base: f64,
}

/// How fast the past fades.
const FADE: f64 = 0.05;
/// Interleavings beyond this many are not remembered; by then the shares have settled.
const MOST_SEEN: usize = 1 << 20;

impl Portfolio {
    /// A mixture whose members take their seeds from this one.
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut members = Vec::new();
        let mut add = |base: f64, make: &dyn Fn(u64) -> Box<dyn Strategy>| {
            members.push(Member { strategy: make(rng.bits()), pay: 1.0, base });
        };
        add(1.0, &|seed| Box::new(Surw::new(seed, Selection::OneObject)));
        add(1.0, &|seed| Box::new(Pct::new(seed, 3)));
        add(1.0, &|seed| Box::new(Random::new(seed)));
        add(1.0, &|seed| Box::new(Pos::new(seed)));
        add(1.0, &|seed| Box::new(Pct::new(seed, 2)));
        add(1.0, &|seed| Box::new(Surw::new(seed, Selection::Everything)));
        Self { rng, members, active: 0, seen: FxHashSet::default(), executions: 0 }
    }

    /// Draws the member for the next execution by its share.
    fn draw(&mut self) -> usize {
        let shares: Vec<f64> = self.members.iter().map(|m| m.base * (0.25 + m.pay)).collect();
        let total: f64 = shares.iter().sum();
        let fraction = (self.rng.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut left = fraction * total;
        for (index, share) in shares.iter().enumerate() {
            if left < *share {
                return index;
            }
            left -= share;
        }
        shares.len() - 1
    }
}

impl Strategy for Portfolio {
    fn name(&self) -> String {
        format!("portfolio: {}", self.members[self.active].strategy.name())
    }

    fn begin(&mut self) -> Progress {
        self.active = self.draw();
        self.executions += 1;
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
        if self.seen.len() < MOST_SEEN {
            let new = self.seen.insert(interleaving(record));
            let pay = &mut self.members[self.active].pay;
            *pay += FADE * (f64::from(u8::from(new)) - *pay);
        }
    }
}

/// A number for the order of the conflicting operations of an execution: executions that differ
/// only in the order of operations that commute have the same one.
fn interleaving(record: &Record<'_>) -> u64 {
    let mut threads: Vec<u64> = record.threads.iter().map(|info| info.key | 1).collect();
    let mut objects: FxHashMap<ObjectId, (u64, u64)> = FxHashMap::default();
    for event in record.events {
        let thread = &mut threads[event.thread.index()];
        let kind = event.operation.kind;
        let (written, read) = objects.entry(event.operation.object).or_default();
        // What the operation depends on: the thread's past and the object's last change, and for
        // a change also all reads since.
        let mut past = mix(*thread, kind as u64 ^ *written);
        if kind.only_reads() {
            *read = read.wrapping_add(past);
        } else if event.operation.object != ObjectId::NONE {
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

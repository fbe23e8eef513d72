//! Which operations came directly after which, across threads: what feedback is made of.
//!
//! A *pair* is two places of the program, the second reached directly after the first on the same
//! object, by another thread, where the order matters: a lock handed over, a value written and
//! read, a value read and overwritten. It is what RFF calls a reads-from pair, widened to every
//! kind of object.

use crate::orders::{Orders, Sight, goes_without_saying, mix};
use crate::places::Places;
use rustc_hash::FxHashSet;
use selvedge_model::{ObjectId, Record, ThreadId};

/// Two places, the second of which came directly after the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pair {
    pub(crate) first: u32,
    pub(crate) second: u32,
}

impl Pair {
    /// The same places the other way round.
    pub(crate) fn reversed(self) -> Self {
        Self { first: self.second, second: self.first }
    }
}

/// What an execution has shown that was not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct News {
    /// So many pairs that had never been seen.
    pub(crate) pairs: u32,
    /// Whether these pairs had never been seen together, as often as they were.
    pub(crate) combination: bool,
    /// Whether the order of the conflicting operations as a whole had never been seen.
    pub(crate) order: bool,
}

impl News {
    /// Whether the execution is worth going on from.
    pub(crate) fn is_worth_keeping(self) -> bool {
        self.pairs > 0 || self.combination
    }

    /// What the execution is worth, from 0 to 1.
    pub(crate) fn pay(self) -> f64 {
        match self {
            Self { pairs: 1.., .. } => 1.0,
            Self { combination: true, .. } => 0.6,
            Self { order: true, .. } => 0.4,
            _ => 0.0,
        }
    }
}

/// The pairs that were seen so far.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    seen: FxHashSet<Pair>,
    /// Pairs that are the reverse of one that was seen, and were not seen themselves, in the order
    /// in which they became known. Some were seen since.
    reverse: Vec<Pair>,
    /// Whether an operation at each place has ever been in a conflict.
    conflicting: Vec<bool>,
    combinations: FxHashSet<u64>,
    orders: Orders,
    /// The pairs of the last execution that had never been seen before it.
    latest: Vec<Pair>,
    /// Kept for its memory.
    objects: Vec<Last>,
}

/// Who used an object last, and where.
#[derive(Clone, Copy, Debug)]
struct Last {
    writer: ThreadId,
    written: u32,
    reader: ThreadId,
    read: u32,
}

/// No place.
const NOWHERE: u32 = u32::MAX;

/// Combinations beyond this many are not remembered.
const MOST: usize = 1 << 20;

impl Pairs {
    /// Whether operations at this place have ever been in a conflict with another thread's.
    pub(crate) fn is_conflicting(&self, place: usize) -> bool {
        self.conflicting.get(place).copied().unwrap_or(false)
    }

    /// Pairs that may be possible and were not seen.
    pub(crate) fn unseen(&mut self) -> &[Pair] {
        let seen = &self.seen;
        self.reverse.retain(|pair| !seen.contains(pair));
        &self.reverse
    }

    /// The pairs of the last execution that were new in it.
    pub(crate) fn latest(&self) -> &[Pair] {
        &self.latest
    }

    /// Takes an execution into account.
    pub(crate) fn learn(&mut self, record: &Record<'_>, places: &mut Places) -> News {
        let nobody = Last {
            writer: ThreadId(u32::MAX),
            written: NOWHERE,
            reader: ThreadId(u32::MAX),
            read: NOWHERE,
        };
        let mut objects = std::mem::take(&mut self.objects);
        objects.clear();
        self.latest.clear();
        let mut combination = 0_u64;
        for event in record.events {
            let (kind, object) = (event.operation.kind, event.operation.object);
            if object == ObjectId::NONE || goes_without_saying(kind) {
                continue;
            }
            if objects.len() <= object.index() {
                objects.resize(object.index() + 1, nobody);
            }
            let last = &mut objects[object.index()];
            let place = places.number((kind, event.operation.site)) as u32;
            if last.writer != event.thread && last.written != NOWHERE {
                combination = combination.wrapping_add(self.meet(last.written, place));
            }
            if kind.only_looks() {
                (last.reader, last.read) = (event.thread, place);
            } else {
                if last.reader != event.thread && last.read != NOWHERE {
                    combination = combination.wrapping_add(self.meet(last.read, place));
                }
                (last.writer, last.written) = (event.thread, place);
                last.read = NOWHERE;
            }
        }
        self.objects = objects;
        News {
            pairs: self.latest.len() as u32,
            combination: self.combinations.len() < MOST && self.combinations.insert(combination),
            order: self.orders.see(record) == Sight::New,
        }
    }

    /// Takes an execution into account that others have run. Says whether it has shown a pair that had never been
    /// seen; these are the latest then.
    pub(crate) fn take_up(&mut self, pairs: impl IntoIterator<Item = Pair>) -> bool {
        self.latest.clear();
        for Pair { first, second } in pairs {
            self.meet(first, second);
        }
        !self.latest.is_empty()
    }

    /// A pair was seen; gives a number for it.
    fn meet(&mut self, first: u32, second: u32) -> u64 {
        let pair = Pair { first, second };
        if self.seen.insert(pair) {
            self.latest.push(pair);
            if !self.seen.contains(&pair.reversed()) {
                self.reverse.push(pair.reversed());
            }
            let most = first.max(second) as usize;
            if self.conflicting.len() <= most {
                self.conflicting.resize(most + 1, false);
            }
            self.conflicting[first as usize] = true;
            self.conflicting[second as usize] = true;
        }
        mix(u64::from(first) + 1, u64::from(second) + 1)
    }
}

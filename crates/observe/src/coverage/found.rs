//! What a metric has found in the running execution.

use super::fact::NONE;
use rustc_hash::FxHashMap;

/// How many parts a requirement has at most.
pub const PARTS: usize = 6;

/// A requirement within one execution: the numbers of its parts, in the order of
/// [`Metric::parts`](super::Metric::parts). Parts that a metric does not have are [`NONE`].
pub type Tuple = [u32; PARTS];

/// A tuple with these parts.
#[inline(always)]
pub fn tuple<const N: usize>(parts: [u32; N]) -> Tuple {
    let mut tuple = [NONE; PARTS];
    tuple[..N].copy_from_slice(&parts);
    tuple
}

/// Collects the tuples of an execution, each once.
///
/// The same numbers come up in execution after execution, so the table is kept and remembers in
/// which execution each tuple came up last: nothing has to be cleared in between.
pub struct Found {
    execution: u32,
    last: FxHashMap<Tuple, u32>,
    now: Vec<Tuple>,
    /// So many tuples are kept of an execution.
    most: usize,
    /// Whether there were more.
    more: bool,
    /// Tuples that have come up in this execution, to find those that come again and again.
    recent: Box<[(Tuple, u32); RECENT]>,
    sets: Sets,
}

const RECENT: usize = 64;
/// When the table has grown to this, it begins anew: numbers that were never seen again fill it.
const LARGE: usize = 1 << 20;

impl Default for Found {
    fn default() -> Self {
        Self {
            execution: 0,
            last: FxHashMap::default(),
            now: Vec::new(),
            most: usize::MAX,
            more: false,
            recent: Box::new([([0; PARTS], 0); RECENT]),
            sets: Sets::default(),
        }
    }
}

impl Found {
    /// A new execution begins.
    pub(crate) fn begin(&mut self) {
        self.execution += 1;
        self.now.clear();
        if self.last.len() > LARGE {
            self.last.clear();
        }
    }

    /// Keeps no more tuples of an execution than so many.
    pub(crate) fn limit(&mut self, most: usize) {
        self.most = most;
    }

    /// Whether an execution had more tuples than were kept.
    pub(crate) fn had_more(&self) -> bool {
        self.more
    }

    /// Covers a requirement.
    #[inline]
    pub fn add(&mut self, tuple: Tuple) {
        let [a, b, c, d, e, f] = tuple;
        let mixed = (a ^ c.rotate_left(11) ^ e.rotate_left(22))
            .wrapping_mul(0x9e37_79b9)
            .wrapping_add((b ^ d.rotate_left(11) ^ f.rotate_left(22)).wrapping_mul(0x85eb_ca6b));
        let slot = mixed as usize >> 26;
        let recent = &mut self.recent[slot];
        if recent.1 == self.execution && recent.0 == tuple {
            return;
        }
        *recent = (tuple, self.execution);
        self.look_up(tuple);
    }

    #[inline(never)]
    fn look_up(&mut self, tuple: Tuple) {
        if self.now.len() >= self.most {
            self.more = true;
            return;
        }
        let last = self.last.entry(tuple).or_insert(0);
        if *last != self.execution {
            *last = self.execution;
            self.now.push(tuple);
        }
    }

    /// The number of a set of objects and threads, which may then be a part of a tuple. It is the
    /// same for the same set, whatever the order.
    pub fn set(&mut self, members: &[Member]) -> u32 {
        self.sets.number(members)
    }

    /// The members of a set.
    pub(crate) fn members(&self, set: u32) -> &[Member] {
        self.sets.members(set)
    }

    /// What was covered in this execution, in the order of first coming up.
    pub(crate) fn now(&self) -> &[Tuple] {
        &self.now
    }
}

/// A member of a set, such as a lockset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Member {
    /// An object, by its number in the execution.
    Object(u32),
    /// A thread, by its number in the execution.
    Thread(u32),
}

/// Sets by number.
#[derive(Default)]
pub(crate) struct Sets {
    sets: Vec<Box<[Member]>>,
    numbers: FxHashMap<Box<[Member]>, u32>,
}

impl Sets {
    pub(crate) fn number(&mut self, members: &[Member]) -> u32 {
        if members.is_sorted_by(|a, b| a < b) {
            return self.of_sorted(members);
        }
        let mut sorted = members.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        self.of_sorted(&sorted)
    }

    pub(crate) fn members(&self, number: u32) -> &[Member] {
        &self.sets[number as usize]
    }

    fn of_sorted(&mut self, members: &[Member]) -> u32 {
        if let Some(&number) = self.numbers.get(members) {
            return number;
        }
        let number = self.sets.len() as u32;
        self.sets.push(members.into());
        self.numbers.insert(members.into(), number);
        number
    }
}

//! Executions that have shown something new, to go on from.

use crate::Rng;
use crate::pairs::Pair;
use selvedge_model::ThreadId;

/// One of them.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The threads that were chosen, choice by choice.
    pub(crate) chosen: Box<[ThreadId]>,
    /// The pairs that it was the first to show.
    pub(crate) pairs: Box<[Pair]>,
    /// How often it was gone on from.
    tries: u32,
    known_to: KnownTo,
}

/// Where an execution was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// In this process.
    Here,
    /// In another one.
    Elsewhere,
}

/// Who knows of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KnownTo {
    Us,
    Others,
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Corpus {
    entries: Vec<Entry>,
    /// Where the next one goes when there is no more room.
    oldest: usize,
    /// How many choices are kept in all of them together.
    choices: usize,
}

/// No more entries than this.
const MOST_ENTRIES: usize = 1 << 10;
/// No more choices than this, in all entries together.
const MOST_CHOICES: usize = 1 << 20;
/// So many are looked at, and the one that was gone on from least often is taken.
const LOOKS: usize = 3;

impl Corpus {
    pub(crate) fn add(&mut self, chosen: &[ThreadId], pairs: &[Pair], origin: Origin) {
        if self.choices + chosen.len() > MOST_CHOICES && self.entries.len() < 2 {
            return;
        }
        let known_to = match origin {
            Origin::Here => KnownTo::Us,
            Origin::Elsewhere => KnownTo::Others,
        };
        let entry = Entry { chosen: chosen.into(), pairs: pairs.into(), tries: 0, known_to };
        self.choices += entry.chosen.len();
        if self.entries.len() < MOST_ENTRIES && self.choices <= MOST_CHOICES {
            return self.entries.push(entry);
        }
        self.oldest %= self.entries.len();
        let gone = std::mem::replace(&mut self.entries[self.oldest], entry);
        self.choices -= gone.chosen.len();
        self.oldest += 1;
    }

    /// Those that others do not know of, and do from now on. Only those that have shown a pair: nearly every execution
    /// of a long test has a combination of its own.
    pub(crate) fn untold(&mut self) -> impl Iterator<Item = &Entry> {
        self.entries.iter_mut().filter_map(|entry| {
            let before = std::mem::replace(&mut entry.known_to, KnownTo::Others);
            (before == KnownTo::Us && !entry.pairs.is_empty()).then_some(&*entry)
        })
    }

    /// One to go on from: rather one that nobody has gone on from.
    pub(crate) fn pick(&mut self, rng: &mut Rng) -> Option<&Entry> {
        let count = self.entries.len() as u64;
        if count == 0 {
            return None;
        }
        let looks = (0..LOOKS).map(|_| rng.below(count) as usize);
        let least = looks.min_by_key(|&at| self.entries[at].tries)?;
        let entry = &mut self.entries[least];
        entry.tries += 1;
        Some(entry)
    }
}

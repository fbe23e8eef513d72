//! Turns an execution into facts.
//!
//! Events and accesses to data behind locks are read from the record when the execution is over;
//! accesses to memory are noted while it runs, with the event that they come before. Plain memory is
//! cut into words of eight bytes: an access to a part of a word is one to the word, and a word that was
//! freed and allocated again is another variable. Of an access to a great many words, such as a copy,
//! the first [`MOST_WORDS`] count. Accesses beyond a limit are not noted, which is told.

use super::fact::{FIRST_WORD, Fact, Facts, SiteNumber};
use super::sites::Sites;
use rustc_hash::FxHashMap;
use selvedge_model::{
    Access, Event, MemoryChange, ObjectId, OperationKind, Record, Spot, ThreadId, Variable,
};

/// How many facts are shown at a time: few enough to stay close to the processor.
const STRETCH: usize = 256;

const WORD: usize = 8;

/// So many words of one access count.
const MOST_WORDS: usize = 64;

/// So many accesses to memory are noted if nobody says otherwise.
const MOST_ACCESSES: usize = 1 << 20;

/// For so many, memory is kept from one execution to the next.
const MOST_KEPT: usize = 1 << 16;

/// How much memory an access takes at most in a metric that keeps something of each variable.
pub(crate) const WEIGHT_IN_METRIC: usize = 64;

/// How much memory an access takes at most, with a variable of its own.
pub(crate) const WEIGHT: usize =
    size_of::<(usize, Fact)>() + 2 * size_of::<(usize, u32)>() + size_of::<u32>();

/// Notes accesses, and puts everything in order at the end.
pub(crate) struct Reader {
    accesses: Vec<(usize, Fact)>,
    /// No more accesses than this.
    most: usize,
    /// The event before which something was left out first.
    not_kept: Option<usize>,
    words: FxHashMap<usize, u32>,
    /// Where each word of memory was accessed first.
    first: Vec<u32>,
    facts: Facts,
    mutexes: Vec<(usize, ObjectId)>,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new(MOST_ACCESSES)
    }
}

impl Reader {
    /// Notes no more accesses to memory than so many.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            accesses: Vec::new(),
            most,
            not_kept: None,
            words: FxHashMap::default(),
            first: Vec::new(),
            facts: Facts::default(),
            mutexes: Vec::new(),
        }
    }

    /// From now on, notes no more accesses to memory than so many.
    pub(crate) fn limit(&mut self, most: usize) {
        self.most = most;
    }

    /// The event before which something was left out first, if anything was.
    pub(crate) fn not_kept(&self) -> Option<usize> {
        self.not_kept
    }

    pub(crate) fn begin(&mut self) {
        self.not_kept = None;
        self.accesses.clear();
        self.words.clear();
        self.first.clear();
        self.mutexes.clear();
    }

    /// Where each word of memory was accessed first.
    pub(crate) fn words(&self) -> &[u32] {
        &self.first
    }

    /// Whether there were accesses to memory in the execution.
    pub(crate) fn has_accesses(&self) -> bool {
        !self.accesses.is_empty()
    }

    /// Notes an access to memory before the event number `step`. Accesses to data behind locks are
    /// in the record.
    pub(crate) fn access(&mut self, access: &Access, step: usize, sites: &mut Sites) {
        let Variable::Memory { address, size } = access.variable else { return };
        if self.accesses.len() >= self.most {
            self.not_kept.get_or_insert(step);
            return;
        }
        let site = site_of(access, sites);
        let words = address / WORD..(address + size.max(1)).div_ceil(WORD);
        for word in words.take(MOST_WORDS) {
            let first = &mut self.first;
            let variable = *self.words.entry(word).or_insert_with(|| {
                first.push(site);
                FIRST_WORD + (first.len() - 1) as u32
            });
            self.accesses.push((step, Fact::of_access(access, variable, site)));
        }
    }

    /// What lies there from now on is something else.
    pub(crate) fn memory(&mut self, change: &MemoryChange) {
        if self.words.is_empty() {
            return;
        }
        let gone = change.address / WORD..(change.address + change.size).div_ceil(WORD);
        match gone.len() > self.words.len() {
            true => self.words.retain(|word, _| !gone.contains(word)),
            false => gone.for_each(|word| {
                self.words.remove(&word);
            }),
        }
    }

    /// The execution has been looked at; of what it needed beyond the ordinary nothing is kept.
    pub(crate) fn end(&mut self) {
        if self.accesses.len() > MOST_KEPT {
            self.accesses = Vec::new();
            self.words = FxHashMap::default();
            self.first = Vec::new();
        }
    }

    /// Shows the whole execution, a stretch at a time.
    pub(crate) fn read(
        &mut self,
        record: &Record<'_>,
        sites: &mut Sites,
        mut show: impl FnMut(&Facts),
    ) {
        let mut facts = std::mem::take(&mut self.facts);
        let mut data = record.accesses;
        let mut memory = self.accesses.as_slice();
        for (position, event) in record.events.iter().enumerate() {
            while let [(step, access), rest @ ..] = data
                && *step <= position
            {
                push_data(&mut facts, access, sites);
                data = rest;
            }
            while let [(step, fact), rest @ ..] = memory
                && *step <= position
            {
                facts.push(*fact);
                memory = rest;
            }
            let mut fact = Fact::of_event(event, sites.of_site(event.operation.site));
            if event.operation.kind == OperationKind::CondvarWait {
                if self.mutexes.is_empty() {
                    find_mutexes(record, &mut self.mutexes);
                }
                let found = self.mutexes.binary_search_by_key(&position, |&(wait, _)| wait);
                if let Ok(index) = found {
                    fact.set_mutex(self.mutexes[index].1.0);
                }
            }
            facts.push(fact);
            if facts.len() >= STRETCH {
                show(&facts);
                facts.clear();
            }
        }
        data.iter().for_each(|(_, access)| push_data(&mut facts, access, sites));
        memory.iter().for_each(|(_, fact)| facts.push(*fact));
        show(&facts);
        facts.clear();
        self.facts = facts;
    }
}

fn push_data(facts: &mut Facts, access: &Access, sites: &mut Sites) {
    if let Variable::Data(object) = access.variable {
        let site = site_of(access, sites);
        facts.push(Fact::of_access(access, object.0, site));
    }
}

#[inline]
fn site_of(access: &Access, sites: &mut Sites) -> SiteNumber {
    match access.spot {
        Spot::Line(site) => sites.of_site(site),
        spot @ Spot::Code(_) => sites.of_spot(spot),
    }
}

/// The mutex that each wait on a condition variable gives back: the one that the thread takes next,
/// or would have taken if the execution had gone on.
fn find_mutexes(record: &Record<'_>, mutexes: &mut Vec<(usize, ObjectId)>) {
    let pending = record.threads.iter().map(|thread| thread.pending.object);
    let mut next: Vec<ObjectId> = pending.collect();
    for (position, event) in record.events.iter().enumerate().rev() {
        let Event { thread: ThreadId(thread), operation, .. } = *event;
        // What comes after a wait in a trace from elsewhere may be anything, and act on nothing.
        if operation.kind == OperationKind::CondvarWait && next[thread as usize] != ObjectId::NONE {
            mutexes.push((position, next[thread as usize]));
        }
        next[thread as usize] = operation.object;
    }
    mutexes.reverse();
}

//! Requirements: which are thought to be possible, and which of them were covered.

use super::follow::Places;
use super::goal::Goal;
use super::names::NOTHING;
use crate::Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_model::{Guidance, GuidedMetric, Named, NamedObject, Part, Place, Requirement, Spot};

/// Where a thread is to be: which thread, at which place, for which time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stand {
    pub(crate) thread: u64,
    pub(crate) place: u32,
    pub(crate) visit: u32,
}

/// Two actions that make a pair possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Witness {
    pub(crate) first: Stand,
    pub(crate) second: Stand,
    /// The number of the trace in which they were seen.
    pub(crate) trace: u32,
}

/// A pair that is aimed at.
#[derive(Clone, Debug)]
struct Entry {
    pair: (u32, u32),
    object: u32,
    state: RequirementState,
    /// How often it was aimed at in vain.
    attempts: u32,
    witnesses: Vec<Witness>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RequirementState {
    Open,
    Covered,
}

/// More witnesses than this are not kept.
const MOST_WITNESSES: usize = 6;

/// A set of pairs, fast to look up.
#[derive(Debug, Default)]
struct Bits {
    rows: Vec<Vec<u64>>,
}

impl Bits {
    #[inline]
    fn has(&self, (x, y): (u32, u32)) -> bool {
        let row = self.rows.get(x as usize);
        let word = row.and_then(|row| row.get(y as usize / 64)).copied().unwrap_or(0);
        word >> (y % 64) & 1 == 1
    }

    fn word(&mut self, (x, y): (u32, u32)) -> &mut u64 {
        if self.rows.len() <= x as usize {
            self.rows.resize_with(x as usize + 1, Vec::new);
        }
        let row = &mut self.rows[x as usize];
        if row.len() <= y as usize / 64 {
            row.resize(y as usize / 64 + 1, 0);
        }
        &mut row[y as usize / 64]
    }

    fn insert(&mut self, pair: (u32, u32)) {
        *self.word(pair) |= 1 << (pair.1 % 64);
    }

    fn remove(&mut self, pair: (u32, u32)) {
        *self.word(pair) &= !(1 << (pair.1 % 64));
    }
}

/// All requirements that are known.
#[derive(Debug)]
pub(crate) struct Table {
    goal: Goal,
    /// By pair and object. Only ever looked up.
    numbers: FxHashMap<((u32, u32), u32), u32>,
    entries: Vec<Entry>,
    /// Those that may be open, by number; whoever goes through them drops those that are not.
    open: Vec<u32>,
    wanted: Bits,
    /// Of pairs with several objects, how many are open.
    open_objects: FxHashMap<(u32, u32), u32>,
    covered: Bits,
    /// In how many open requirements each place is.
    relevant: Vec<u32>,
    covered_count: u64,
    /// How many were covered that nobody had thought possible.
    surprises: u64,
    /// What coverage has said to be covered and is not among the entries.
    known: FxHashSet<Requirement>,
    /// The entries by their names, as soon as somebody asks by name.
    names: Option<FxHashMap<Requirement, u32>>,
    /// Objects as requirements name them, from 1.
    objects: Vec<NamedObject>,
    object_numbers: FxHashMap<NamedObject, u32>,
}

impl Table {
    pub(crate) fn new(goal: Goal) -> Self {
        Self {
            goal,
            numbers: FxHashMap::default(),
            entries: Vec::new(),
            open: Vec::new(),
            wanted: Bits::default(),
            open_objects: FxHashMap::default(),
            covered: Bits::default(),
            relevant: Vec::new(),
            covered_count: 0,
            surprises: 0,
            known: FxHashSet::default(),
            names: None,
            objects: Vec::new(),
            object_numbers: FxHashMap::default(),
        }
    }

    /// The number of an object as requirements name it.
    pub(crate) fn object(&mut self, object: NamedObject) -> u32 {
        let Self { objects, object_numbers, .. } = self;
        *object_numbers.entry(object.clone()).or_insert_with(|| {
            objects.push(object);
            objects.len() as u32
        })
    }

    /// Whether the pair is estimated and has not been covered.
    #[inline]
    pub(crate) fn is_wanted(&self, pair: (u32, u32)) -> bool {
        self.wanted.has(pair)
    }

    /// Whether the pair was covered, at whatever object.
    #[inline]
    pub(crate) fn is_covered(&self, pair: (u32, u32)) -> bool {
        self.covered.has(pair)
    }

    /// In how many open requirements the place is: the paper's `num_cov_req`.
    #[inline]
    pub(crate) fn relevant(&self, place: u32) -> u32 {
        self.relevant.get(place as usize).copied().unwrap_or(0)
    }

    /// How many requirements were covered.
    pub(crate) fn covered(&self) -> u64 {
        self.covered_count
    }

    /// How many requirements were covered that nobody had thought possible.
    pub(crate) fn surprises(&self) -> u64 {
        self.surprises
    }

    /// How many are open.
    pub(crate) fn open(&self) -> usize {
        self.entries.len() + self.known.len() - self.covered_count as usize
    }

    fn number(&mut self, pair: (u32, u32), object: u32, places: &Places) -> (u32, Known) {
        let next = self.entries.len() as u32;
        let number = *self.numbers.entry((pair, object)).or_insert(next);
        if number != next {
            return (number, Known::Before);
        }
        let (mut state, attempts) = (RequirementState::Open, 0);
        let name = self.names.is_some().then(|| self.name(pair, object, places));
        if let (Some(names), Some(name)) = (&mut self.names, name) {
            if self.known.remove(&name) {
                state = RequirementState::Covered;
                self.covered.insert(pair);
            }
            names.insert(name, number);
        }
        self.entries.push(Entry { pair, object, state, attempts, witnesses: Vec::new() });
        match state {
            RequirementState::Open => (number, Known::New),
            RequirementState::Covered => (number, Known::Before),
        }
    }

    fn name(&self, pair: (u32, u32), object: u32, places: &Places) -> Requirement {
        let object = self.objects.get((object as usize).wrapping_sub(1));
        requirement(self.goal, pair, object, places)
    }

    /// Coverage says that these are covered.
    pub(crate) fn learn(&mut self, covered: &[Requirement], places: &Places) {
        if self.names.is_none() {
            let all = self.entries.iter().zip(0..);
            let named = all.map(|(of, number)| (self.name(of.pair, of.object, places), number));
            self.names = Some(named.collect());
        }
        for requirement in covered {
            let number = self.names.as_ref().and_then(|names| names.get(requirement)).copied();
            match number {
                Some(number) => {
                    let Entry { pair, object, .. } = self.entries[number as usize];
                    self.cover_first(pair, object, places);
                }
                None => {
                    if self.known.insert(requirement.clone()) {
                        self.covered_count += 1;
                    }
                }
            }
        }
    }

    /// A requirement is thought to be possible.
    pub(crate) fn estimate(
        &mut self,
        pair: (u32, u32),
        object: u32,
        witness: Option<Witness>,
        places: &Places,
    ) {
        let (number, known) = self.number(pair, object, places);
        if known == Known::New {
            self.open.push(number);
            self.wanted.insert(pair);
            *self.open_objects.entry(pair).or_insert(0) += 1;
            self.count(pair, places, 1);
        }
        let entry = &mut self.entries[number as usize];
        if let Some(witness) = witness
            && entry.state == RequirementState::Open
            && !entry.witnesses.contains(&witness)
        {
            match entry.witnesses.len() < MOST_WITNESSES {
                true => entry.witnesses.push(witness),
                false => {
                    let replaced = entry.attempts as usize % MOST_WITNESSES;
                    entry.witnesses[replaced] = witness;
                }
            }
        }
    }

    /// A requirement was covered.
    #[inline]
    pub(crate) fn cover(&mut self, pair: (u32, u32), object: u32, places: &Places) {
        if object != 0 || !self.covered.has(pair) {
            self.cover_first(pair, object, places);
        }
    }

    #[inline(never)]
    fn cover_first(&mut self, pair: (u32, u32), object: u32, places: &Places) {
        let (number, known) = self.number(pair, object, places);
        let entry = &mut self.entries[number as usize];
        if entry.state == RequirementState::Covered {
            return;
        }
        entry.state = RequirementState::Covered;
        entry.witnesses = Vec::new();
        self.covered_count += 1;
        self.covered.insert(pair);
        if known == Known::New {
            self.surprises += 1;
        } else {
            self.count(pair, places, -1);
            let left = self.open_objects.entry(pair).or_insert(1);
            *left -= 1;
            if *left == 0 {
                self.wanted.remove(pair);
            }
        }
    }

    fn count(&mut self, (x, y): (u32, u32), places: &Places, change: i32) {
        let (before, place) = match self.goal.is_of_three() {
            true => places.seconds.places(y),
            false => (y, y),
        };
        let mut touch = |place: u32| {
            if place == NOTHING {
                return;
            }
            if self.relevant.len() <= place as usize {
                self.relevant.resize(place as usize + 1, 0);
            }
            let count = &mut self.relevant[place as usize];
            *count = count.saturating_add_signed(change);
        };
        touch(x);
        if place != x {
            touch(place);
        }
        if before != x && before != place {
            touch(before);
        }
    }

    /// One of the open requirements that can be aimed at, those first that were tried least.
    pub(crate) fn target(&mut self, rng: &mut Rng) -> Option<(u32, Witness)> {
        let entries = &self.entries;
        self.open.retain(|&number| entries[number as usize].state == RequirementState::Open);
        if self.open.is_empty() {
            return None;
        }
        let mut best: Option<u32> = None;
        for _ in 0..CANDIDATES {
            let number = self.open[rng.below(self.open.len() as u64) as usize];
            let entry = &entries[number as usize];
            let fewer = |best: u32| entry.attempts < entries[best as usize].attempts;
            if !entry.witnesses.is_empty() && best.is_none_or(fewer) {
                best = Some(number);
            }
        }
        let number = best?;
        let entry = &mut self.entries[number as usize];
        let witness = entry.witnesses[rng.below(entry.witnesses.len() as u64) as usize];
        Some((number, witness))
    }

    /// The requirement was aimed at once more.
    pub(crate) fn tried(&mut self, number: u32) {
        self.entries[number as usize].attempts += 1;
    }

    /// What is left to see, for others.
    pub(crate) fn guidance(&self, places: &Places) -> Guidance {
        let open = self.entries.iter().filter(|entry| entry.state == RequirementState::Open);
        let mut uncovered: Vec<Requirement> =
            open.map(|entry| self.name(entry.pair, entry.object, places)).collect();
        uncovered.sort_unstable();
        Guidance { metric: self.goal.metric().to_string(), covered: self.covered_count, uncovered }
    }
}

/// So many requirements are drawn, of which one is aimed at.
const CANDIDATES: usize = 4;

/// Whether a requirement was known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Before,
    New,
}

/// A requirement as its metric names it.
pub(crate) fn requirement(
    goal: Goal,
    (x, y): (u32, u32),
    object: Option<&NamedObject>,
    places: &Places,
) -> Requirement {
    let place = |number: u32| match places.names.spot(number) {
        Some(spot) => Named::Place(Place::from(spot)),
        None => Named::Nothing,
    };
    let object = || object.cloned().map_or(Named::Nothing, Named::Object);
    let parts = match goal.0 {
        GuidedMetric::SyncPair => vec![("", place(x)), ("then", place(y))],
        GuidedMetric::DefUse => {
            vec![("written at", place(x)), ("read at", place(y)), ("variable", object())]
        }
        GuidedMetric::ReadsFrom => vec![("read at", place(y)), ("written at", place(x))],
        GuidedMetric::HbPair => vec![("", place(x)), ("before", place(y)), ("by way of", object())],
        GuidedMetric::Avio => {
            let (before, then) = places.seconds.places(y);
            vec![("", place(before)), ("then", place(then)), ("in between", place(x))]
        }
    };
    let part = |(role, is): (&str, Named)| Part { role: role.to_owned(), is };
    Requirement { parts: parts.into_iter().map(part).collect() }
}

/// An object as requirements name it, unless objects are told apart.
pub(crate) fn named(info: &selvedge_model::ObjectInfo) -> NamedObject {
    let origin = Spot::Line(info.created.unwrap_or(info.first));
    NamedObject { kind: Some(info.kind), origin: Some(Place::from(origin)), number: None }
}

//! Data races of plain memory: two accesses that nothing orders, at least one of them a write.
//!
//! Source: Flanagan and Freund, *FastTrack: Efficient and Precise Dynamic Race Detection* (PLDI
//! 2009). The last write is an epoch; so is the last read for as long as reads are ordered, and a
//! list of one read for each thread from then on.
//!
//! Deviations: (1) Bytes are the variables; bytes that are always accessed together share their
//! state (`shadow.rs`). (2) Atomic accesses are remembered as well: they never race with each other,
//! but with plain ones, which C++ and Rust call a race, too. (3) A volatile access counts as an
//! atomic one. (4) To free memory is a write to all of it that was accessed; so is the
//! end of a thread, to its stack. (5) After a race the
//! analysis goes on as if the two accesses had been ordered. (6) The reads of a sequence lock are no
//! races (`sequence_lock.rs`).
//!
//! May miss: races in code that was not compiled with the memory layer; races of an execution that
//! was not run; races with accesses that were forgotten, of which it tells ([`Observer::not_kept`]);
//! races with one of more than `cell::MOST` accesses to the same bytes that are not ordered among
//! themselves, if all the others are ordered. Never reports accesses that are ordered, as long as whatever orders them is under
//! control.

mod cell;
mod sequence_lock;

use super::shadow::Shadow;
use cell::{Cell, Earlier, Stamp};
use rustc_hash::FxHashMap;
use selvedge_model::{
    Access, AccessKind, AccessMode, CodeAddress, Event, KeptFor, MemoryChange, Moment, NotKept,
    Observer, Race, RaceSide, Record, Site, Spot, ThreadId, Variable,
};
use std::ops::Range;

/// The race detector.
pub struct FastTrack {
    shadow: Shadow<Cell>,
    spots: Spots,
    /// What may be races, in their order: which are is known when the execution is over.
    suspects: Vec<Suspect>,
    /// The first race of the last execution.
    race: Option<Race>,
    /// For each thread, how many events there were at its first access at each of its times.
    steps: Vec<Vec<(u32, u32)>>,
    /// Instructions that may race with anything: the user has said so.
    allowed: Vec<CodeAddress>,
    /// How many events there had been when something was first forgotten.
    thinned: Option<u64>,
}

/// So many pairs of accesses that may race are remembered...
const MOST_SUSPECTS: usize = 256;
/// ... and so many with the same two instructions.
const MOST_OF_ONE: usize = 4;
/// For each thread so many times are remembered.
const MOST_TIMES: usize = 1 << 18;

/// Two accesses that nothing orders.
#[derive(Clone, Copy, Debug)]
struct Suspect {
    race: Race,
    /// How many events there were before each of the two.
    steps: [usize; 2],
}

/// What is remembered of accesses takes so much memory, in bytes, if nobody says otherwise.
const LIMIT: usize = 128 << 20;

impl Default for FastTrack {
    fn default() -> Self {
        Self::new(Vec::new(), LIMIT)
    }
}

impl FastTrack {
    /// A detector that says nothing about races of the given instructions, and takes no more memory
    /// than the limit, in bytes.
    pub fn new(allowed: Vec<CodeAddress>, limit: usize) -> Self {
        Self {
            shadow: Shadow::new(limit, Cell::weight),
            spots: Spots::default(),
            suspects: Vec::new(),
            race: None,
            steps: Vec::new(),
            allowed,
            thinned: None,
        }
    }

    fn found(&mut self, earlier: Earlier, second: RaceSide, bytes: Range<usize>, step: usize) {
        let Earlier { stamp, kind, mode } = earlier;
        let first = RaceSide {
            thread: ThreadId(stamp.thread),
            time: stamp.time,
            kind,
            mode,
            spot: self.spots.get(stamp.spot),
        };
        let is_allowed = self.is_allowed(first.spot) || self.is_allowed(second.spot);
        let spots = (first.spot, second.spot);
        let known = self
            .suspects
            .iter()
            .filter(|Suspect { race, .. }| (race.first.spot, race.second.spot) == spots);
        if !is_allowed && known.count() < MOST_OF_ONE && self.suspects.len() < MOST_SUSPECTS {
            let race = Race { first, second, address: bytes.start, size: bytes.len() };
            let steps = [self.step_of(first.thread, first.time), step];
            self.suspects.push(Suspect { race, steps });
        }
    }

    /// Notes that a thread has accessed something at this time, when there were so many events.
    #[inline]
    fn note_step(&mut self, thread: ThreadId, time: u32, step: usize) {
        if self.steps.len() <= thread.index() {
            self.steps.resize_with(thread.index() + 1, Vec::new);
        }
        let steps = &mut self.steps[thread.index()];
        if steps.len() < MOST_TIMES && steps.last().is_none_or(|&(last, _)| last != time) {
            steps.push((time, step as u32));
        }
    }

    /// How many events there were when a thread accessed something at this time.
    fn step_of(&self, thread: ThreadId, time: u32) -> usize {
        let steps = self.steps.get(thread.index()).map_or(&[][..], Vec::as_slice);
        let found = steps.binary_search_by_key(&time, |&(time, _)| time);
        found.map_or(usize::MAX, |index| steps[index].1 as usize)
    }

    fn is_allowed(&self, spot: Spot) -> bool {
        matches!(spot, Spot::Code(address) if self.allowed.contains(&address))
    }
}

/// Places as numbers: instructions as they are, lines behind them.
#[derive(Default)]
struct Spots {
    lines: Vec<Site>,
    index: FxHashMap<Site, u32>,
}

/// The first number that is a line.
const FIRST_LINE: u32 = 1 << 31;

impl Spots {
    #[inline]
    fn number(&mut self, spot: Spot) -> u32 {
        match spot {
            Spot::Code(CodeAddress(address)) => address as u32 & (FIRST_LINE - 1),
            Spot::Line(site) => {
                let next = FIRST_LINE + self.lines.len() as u32;
                *self.index.entry(site).or_insert_with(|| {
                    self.lines.push(site);
                    next
                })
            }
        }
    }

    fn get(&self, number: u32) -> Spot {
        match number.checked_sub(FIRST_LINE) {
            Some(index) => Spot::Line(self.lines[index as usize]),
            None => Spot::Code(CodeAddress(u64::from(number))),
        }
    }
}

impl Observer for FastTrack {
    fn begin(&mut self) {
        self.shadow.begin();
        self.suspects.clear();
        self.race = None;
        self.steps.iter_mut().for_each(Vec::clear);
        self.thinned = None;
    }

    fn wants_events(&self) -> bool {
        false
    }

    fn reads_data(&self) -> bool {
        false
    }

    fn event(&mut self, _event: &Event, _moment: &Moment<'_>) {}

    fn race(&self) -> Option<Race> {
        self.race
    }

    fn not_kept(&self) -> Vec<NotKept> {
        let not_kept = |after| NotKept { what: KeptFor::Races, after };
        self.thinned.map(not_kept).into_iter().collect()
    }

    fn end(&mut self, record: &Record<'_>) {
        self.shadow.end();
        let is_race = |suspect: &&Suspect| !sequence_lock::is_optimistic(suspect, record);
        self.race = self.suspects.iter().find(is_race).map(|suspect| suspect.race);
    }

    fn access(&mut self, access: &Access, moment: &Moment<'_>) {
        let Access { thread, kind, mode, variable, spot } = *access;
        let Variable::Memory { address, size } = variable else { return };
        let time = moment.clock.of(thread);
        let stamp = Stamp { thread: thread.0, time, spot: self.spots.number(spot) };
        self.note_step(thread, time, moment.step);
        let mut race = None;
        self.shadow.each(address..address + size, |cell| {
            if !cell.is_known(stamp, kind, mode) {
                race = race.or(cell.access(stamp, kind, mode, moment.clock));
            }
        });
        if self.thinned.is_none() && self.shadow.forgotten() > 0 {
            self.thinned = Some(moment.step as u64);
        }
        if let Some(earlier) = race {
            let second = RaceSide { thread, time, kind, mode, spot };
            self.found(earlier, second, address..address + size, moment.step);
        }
    }

    fn memory(&mut self, change: &MemoryChange, moment: &Moment<'_>) {
        let MemoryChange { thread, address, size, end } = *change;
        let Some(end) = end else { return self.shadow.take(address..address + size, |_| {}) };
        let (kind, mode, spot) = (AccessKind::Write, AccessMode::Plain, Spot::Code(end));
        let time = moment.clock.of(thread);
        let stamp = Stamp { thread: thread.0, time, spot: self.spots.number(spot) };
        let mut race = None;
        self.shadow.take(address..address + size, |cell| {
            race = race.or(cell.access(stamp, kind, mode, moment.clock));
        });
        if let Some(earlier) = race {
            let mode = AccessMode::Freeing;
            let second = RaceSide { thread, time, kind, mode, spot };
            self.found(earlier, second, address..address + size, moment.step);
        }
    }
}

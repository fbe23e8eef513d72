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
//! analysis goes on as if the two accesses had been ordered.
//!
//! May miss: races in code that was not compiled with the memory layer; races of an execution that
//! was not run; races with accesses that were forgotten, of which it tells ([`Observer::not_kept`]);
//! races with one of more than `cell::MOST` accesses to the same bytes that are not ordered among
//! themselves, if all the others are ordered. Never reports accesses that are ordered, as long as whatever orders them is under
//! control.

mod cell;

use super::shadow::Shadow;
use cell::{Cell, Earlier, Stamp};
use rustc_hash::FxHashMap;
use selvedge_model::{
    Access, AccessKind, AccessMode, CodeAddress, Event, KeptFor, MemoryChange, Moment, NotKept,
    Observer, Race, RaceSide, Record, Site, Spot, ThreadId, Variable,
};

/// The race detector.
pub struct FastTrack {
    shadow: Shadow<Cell>,
    spots: Spots,
    /// The first race of the execution.
    race: Option<Race>,
    /// Instructions that may race with anything: the user has said so.
    allowed: Vec<CodeAddress>,
    /// How many events there had been when something was first forgotten.
    thinned: Option<u64>,
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
            race: None,
            allowed,
            thinned: None,
        }
    }

    fn found(&mut self, earlier: Earlier, second: RaceSide, address: usize, size: usize) {
        let Earlier { stamp, kind, mode } = earlier;
        let first = RaceSide {
            thread: ThreadId(stamp.thread),
            time: stamp.time,
            kind,
            mode,
            spot: self.spots.get(stamp.spot),
        };
        if self.race.is_none() && !self.is_allowed(first.spot) && !self.is_allowed(second.spot) {
            self.race = Some(Race { first, second, address, size });
        }
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
        self.race = None;
        self.thinned = None;
    }

    fn wants_events(&self) -> bool {
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

    fn end(&mut self, _record: &Record<'_>) {
        self.shadow.end();
    }

    fn access(&mut self, access: &Access, moment: &Moment<'_>) {
        let Access { thread, kind, mode, variable, spot } = *access;
        let Variable::Memory { address, size } = variable else { return };
        let time = moment.clock.of(thread);
        let stamp = Stamp { thread: thread.0, time, spot: self.spots.number(spot) };
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
            self.found(earlier, RaceSide { thread, time, kind, mode, spot }, address, size);
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
            self.found(earlier, RaceSide { thread, time, kind, mode, spot }, address, size);
        }
    }
}

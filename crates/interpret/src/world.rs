//! Memory that executions do not take along when they end.
//!
//! What is allocated under control is gone with the execution, and statics are put back. Results, times and
//! the account of values are needed afterwards, so they are written to a block that is allocated before the
//! first execution, and nothing is allocated while it is written. All threads of an execution are fibers of one
//! operating-system thread, and none gives way while it holds the lock.

use selvedge_harness::{Called, GeneratedTest, Span};
use selvedge_model::ThreadId;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// So many calls a test has at most.
pub(crate) const SLOTS: usize = 64;
/// So many threads a test has at most, the main thread included.
pub(crate) const THREADS: usize = 8;
/// So many bytes of a result are kept.
const TEXT: usize = 160;
/// So many values are accounted for in an execution.
const VALUES: usize = 4096;
/// So many steps are kept in the order in which they were made.
const STEPS: usize = 512;

/// What is known of a call.
#[derive(Clone, Copy)]
struct Slot {
    text: [u8; TEXT],
    length: u8,
    /// Of the whole text, which may be longer than what is kept.
    hash: u64,
    span: Span,
    state: SlotState,
}

/// What has become of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotState {
    Waiting,
    Returned,
    Panicked,
}

const EMPTY: Slot = Slot {
    text: [0; TEXT],
    length: 0,
    hash: 0,
    span: Span { begin: 0, end: 0 },
    state: SlotState::Waiting,
};

/// Whether the thread that runs is between two calls, or where a call lets others in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Boundary,
    Inside,
}

/// How far the test has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// The constructor and the prefix.
    Before,
    Threads,
    After,
    /// Everything was dropped.
    Over,
}

/// A value of the account.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    Unborn,
    Alive,
    Dropped,
}

/// The account of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Drops {
    pub(crate) alive: u32,
    pub(crate) twice: u32,
    pub(crate) after: u32,
}

pub(crate) struct State {
    pub(crate) test: GeneratedTest,
    /// A bit for each slot whose call is left out.
    pub(crate) left_out: u64,
    slots: Box<[Slot; SLOTS]>,
    clock: u32,
    lives: Box<[Life; VALUES]>,
    next_value: u32,
    pub(crate) drops: Drops,
    pub(crate) at: At,
    pub(crate) phase: Phase,
    /// Which thread of the engine runs each thread of the test.
    pub(crate) threads: [Option<ThreadId>; THREADS],
    /// Whether the phases of the test are marked in its record.
    pub(crate) marks: Marks,
    /// A bit for each slot whose call polls until it is ready, although it is one that polls once.
    pub(crate) patient: u64,
    /// When threads came to boundaries and went on from them.
    pub(crate) passages: Passages,
}

/// Whether the phases of a test are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    Yes,
    No,
}

/// A thread comes to a boundary, or goes on from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passage {
    Comes(u8),
    GoesOn(u8),
}

/// What threads did at boundaries, in order, as far as there is room.
pub(crate) struct Passages {
    all: [Passage; STEPS],
    length: usize,
}

impl Passages {
    const EMPTY: Self = Self { all: [Passage::Comes(0); STEPS], length: 0 };

    fn push(&mut self, passage: Passage) {
        if self.length < STEPS {
            self.all[self.length] = passage;
            self.length += 1;
        }
    }

    pub(crate) fn all(&self) -> &[Passage] {
        &self.all[..self.length]
    }
}

/// Boxed, since what lies in a static itself is put back after each execution.
static WORLD: OnceLock<Box<Mutex<State>>> = OnceLock::new();

/// Makes the block. To be called before the first execution.
pub(crate) fn create(test: GeneratedTest) {
    // Whoever comes second has nothing to do.
    let _ = WORLD.set(Box::new(Mutex::new(State {
        test,
        left_out: 0,
        slots: Box::new([EMPTY; SLOTS]),
        clock: 0,
        lives: Box::new([Life::Unborn; VALUES]),
        next_value: 0,
        drops: Drops::default(),
        at: At::Inside,
        phase: Phase::Before,
        threads: [None; THREADS],
        marks: Marks::No,
        patient: 0,
        passages: Passages::EMPTY,
    })));
}

/// The block. Must not be held while a thread may give way.
pub(crate) fn world() -> MutexGuard<'static, State> {
    let world = WORLD.get().expect("`main` of a harness has made it");
    world.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The arguments of a call, copied out of the test.
#[derive(Clone, Copy)]
pub(crate) struct Arguments {
    values: [u64; 12],
    length: usize,
}

impl Arguments {
    pub(crate) fn of(called: &Called) -> Self {
        let mut values = [0; 12];
        let length = called.arguments.len().min(values.len());
        values[..length].copy_from_slice(&called.arguments[..length]);
        Self { values, length }
    }

    pub(crate) fn get(&self, index: usize) -> u64 {
        self.values[..self.length].get(index).copied().unwrap_or_default()
    }
}

impl State {
    /// Makes ready for an execution.
    pub(crate) fn reset(&mut self) {
        for slot in &mut self.slots[..self.test.len().min(SLOTS)] {
            (slot.length, slot.hash, slot.span) = (0, 0, Span::default());
            slot.state = SlotState::Waiting;
        }
        let used = (self.next_value as usize).min(VALUES);
        self.lives[..used].fill(Life::Unborn);
        (self.clock, self.next_value, self.drops) = (0, 0, Drops::default());
        (self.at, self.phase) = (At::Inside, Phase::Before);
        self.threads = [None; THREADS];
        self.passages.length = 0;
    }

    fn tick(&mut self) -> u32 {
        self.clock += 1;
        self.clock
    }

    pub(crate) fn begins(&mut self, slot: usize) {
        self.slots[slot].span.begin = self.tick();
    }

    pub(crate) fn ends(&mut self, slot: usize, state: SlotState) {
        self.slots[slot].span.end = self.tick();
        self.slots[slot].state = state;
    }

    /// Keeps what a call has returned.
    pub(crate) fn keep(&mut self, slot: usize, text: &str) {
        let slot = &mut self.slots[slot];
        let mut length = text.len().min(TEXT);
        while !text.is_char_boundary(length) {
            length -= 1;
        }
        slot.text[..length].copy_from_slice(&text.as_bytes()[..length]);
        slot.length = length as u8;
        slot.hash = hash(text);
    }

    /// What a call has returned, if it has, with the hash of all of it.
    pub(crate) fn result(&self, slot: usize) -> Option<(SlotState, &str, u64)> {
        let slot = &self.slots[slot];
        let text = std::str::from_utf8(&slot.text[..slot.length as usize]).unwrap_or_default();
        (slot.state != SlotState::Waiting).then_some((slot.state, text, slot.hash))
    }

    pub(crate) fn span(&self, slot: usize) -> Span {
        self.slots[slot].span
    }

    /// A value comes to life; its number.
    pub(crate) fn born(&mut self) -> u32 {
        let number = self.next_value;
        self.next_value += 1;
        if let Some(life) = self.lives.get_mut(number as usize) {
            *life = Life::Alive;
            self.drops.alive += 1;
        }
        number
    }

    /// A value is dropped.
    pub(crate) fn died(&mut self, number: u32) {
        match self.lives.get_mut(number as usize) {
            Some(life @ Life::Alive) => {
                *life = Life::Dropped;
                self.drops.alive -= 1;
            }
            Some(Life::Unborn | Life::Dropped) => self.drops.twice += 1,
            None => {}
        }
    }

    /// A value is looked at.
    pub(crate) fn used(&mut self, number: u32) {
        match self.lives.get(number as usize) {
            Some(Life::Unborn | Life::Dropped) => self.drops.after += 1,
            Some(Life::Alive) | None => {}
        }
    }

    pub(crate) fn started(&mut self, thread: usize) {
        self.passages.push(Passage::GoesOn(thread as u8));
    }

    pub(crate) fn stopped(&mut self, thread: usize) {
        self.passages.push(Passage::Comes(thread as u8));
    }
}

/// FNV-1a: the same in every process.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

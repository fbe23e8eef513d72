//! What the detectors of races say of made-up executions, beside each other.

use super::fast_track::FastTrack;
use super::tests::{Trace, event, plain};
use selvedge_model::{
    Access, AccessKind, AccessMode, Clock, DetectorName, Effect, Event, MemoryChange, Moment,
    ObjectId, Observer, OperationKind, Order, Place, Record, ThreadId,
};

use AccessKind::{Read, Write};
use DetectorName::{Eraser, Goldilocks, RaceTrack};
use OperationKind as Kind;

/// A piece of an execution.
#[derive(Clone, Copy)]
enum Piece {
    Event(Event),
    Access(Access),
    Freed(usize),
}

fn by(thread: u32, kind: OperationKind, object: u32) -> Piece {
    Piece::Event(event(thread, kind, ObjectId(object)))
}

fn of_thread(thread: u32, kind: OperationKind, other: u32) -> Piece {
    let effect = Effect::Thread(ThreadId(other));
    Piece::Event(Event { effect, ..event(thread, kind, ObjectId(other)) })
}

fn at(thread: u32, kind: AccessKind, address: usize, code: u64) -> Piece {
    Piece::Access(plain(thread, kind, address, code))
}

fn atomic_at(thread: u32, kind: AccessKind, address: usize, code: u64) -> Piece {
    Piece::Access(Access { mode: AccessMode::Atomic, ..plain(thread, kind, address, code) })
}

/// Writes with a lock in hand.
fn locked(thread: u32, lock: u32, code: u64) -> [Piece; 3] {
    let write = at(thread, Write, 64, code);
    [by(thread, Kind::MutexLock, lock), write, by(thread, Kind::MutexUnlock, lock)]
}

/// The instructions of each pair that a detector tells of.
fn pairs(detector: DetectorName, pieces: &[Piece]) -> Vec<(u64, u64)> {
    let mut trace = Trace::new(detector, 5, 8);
    for piece in pieces {
        match *piece {
            Piece::Event(event) => trace.happened(event),
            Piece::Access(access) => trace.access(&access),
            Piece::Freed(address) => {
                let thread = ThreadId(0);
                trace.memory(&MemoryChange { thread, address, size: 4, end: None });
            }
        }
    }
    let code = |place: &Place| match place {
        Place::Code(address) => address.0,
        Place::Line(source) => panic!("{source} is no instruction"),
    };
    let told = trace.end();
    let pair = |witness: &[selvedge_model::Role]| (code(&witness[0].at), code(&witness[1].at));
    told.iter().map(|suspicion| pair(&suspicion.warning.witness)).collect()
}

#[track_caller]
fn say(pieces: &[Piece], expected: [(DetectorName, &[(u64, u64)]); 3]) {
    for (detector, told) in expected {
        assert_eq!(pairs(detector, pieces), told, "{detector}");
    }
}

#[test]
fn a_counter_without_a_lock() {
    let pieces = [
        at(1, Read, 64, 1),
        at(1, Write, 64, 2),
        at(2, Read, 64, 3),
        at(2, Write, 64, 4),
        at(1, Read, 64, 1),
        at(1, Write, 64, 2),
    ];
    // Eraser takes the second thread for the new owner, and speaks up when the first comes back.
    say(
        &pieces,
        [
            (Eraser, &[(4, 2)]),
            (Goldilocks, &[(2, 3), (2, 4), (4, 1)]),
            (RaceTrack, &[(2, 3), (2, 4), (4, 1)]),
        ],
    );
}

#[test]
fn a_counter_behind_its_lock() {
    let pieces = [locked(1, 1, 1), locked(2, 1, 2), locked(3, 1, 3), locked(1, 1, 1)].concat();
    say(&pieces, [(Eraser, &[]), (Goldilocks, &[]), (RaceTrack, &[])]);
}

#[test]
fn two_locks_that_happen_to_order() {
    let pieces = [locked(1, 1, 1), locked(2, 2, 2), locked(3, 2, 3), locked(1, 1, 4)].concat();
    let eraser = pairs(Eraser, &pieces);
    assert_eq!(eraser, [(3, 4)], "no lock is common to all");
    let touched = [
        locked(1, 1, 1).as_slice(),
        &[by(2, Kind::MutexLock, 1), by(2, Kind::MutexUnlock, 1)],
        &locked(2, 2, 2),
    ]
    .concat();
    assert_eq!(pairs(Goldilocks, &touched), [], "the lock has ordered them here");
    assert_eq!(pairs(RaceTrack, &touched), [(1, 2)], "and need not");
}

#[test]
fn what_is_handed_over_needs_no_lock() {
    let pieces = [
        at(0, Write, 64, 1),
        of_thread(0, Kind::Spawn, 1),
        at(1, Read, 64, 2),
        at(1, Write, 64, 3),
        at(1, Write, 64, 3),
    ];
    say(&pieces, [(Eraser, &[]), (Goldilocks, &[]), (RaceTrack, &[])]);
}

/// A known weakness of Eraser: it knows of locks only.
#[test]
fn sharing_of_three_threads_that_joins_order() {
    let pieces = [
        of_thread(0, Kind::Spawn, 1),
        at(1, Write, 64, 1),
        by(1, Kind::ThreadEnd, 1),
        of_thread(0, Kind::Join, 1),
        at(0, Write, 64, 2),
        of_thread(0, Kind::Spawn, 2),
        at(2, Write, 64, 3),
        by(2, Kind::ThreadEnd, 2),
        of_thread(0, Kind::Join, 2),
        at(0, Read, 64, 4),
    ];
    say(&pieces, [(Eraser, &[(2, 3)]), (Goldilocks, &[]), (RaceTrack, &[])]);
}

#[test]
fn reading_together_needs_nothing() {
    let pieces = [
        at(0, Write, 64, 1),
        of_thread(0, Kind::Spawn, 1),
        of_thread(0, Kind::Spawn, 2),
        at(1, Read, 64, 2),
        at(2, Read, 64, 3),
        at(0, Read, 64, 4),
    ];
    say(&pieces, [(Eraser, &[]), (Goldilocks, &[]), (RaceTrack, &[])]);
}

#[test]
fn atomic_accesses_race_with_plain_ones_only() {
    let atomics = [
        atomic_at(1, Write, 64, 1),
        atomic_at(2, Write, 64, 2),
        atomic_at(3, Write, 64, 3),
        atomic_at(1, Read, 64, 4),
    ];
    say(&atomics, [(Eraser, &[]), (Goldilocks, &[]), (RaceTrack, &[])]);
    let mixed = [atomic_at(1, Write, 64, 1), at(2, Read, 64, 2), atomic_at(3, Write, 64, 3)];
    let eraser = [mixed.as_slice(), &[at(2, Read, 64, 4)]].concat();
    assert_eq!(pairs(Eraser, &eraser), [(3, 4)]);
    assert_eq!(pairs(Goldilocks, &mixed), [(1, 2), (2, 3)]);
    assert_eq!(pairs(RaceTrack, &mixed), [(1, 2), (2, 3)]);
}

#[test]
fn a_reference_count_orders_for_goldilocks() {
    let pieces = [
        at(1, Write, 64, 1),
        atomic_at(1, Write, 128, 2),
        atomic_at(2, Write, 128, 3),
        at(2, Write, 64, 4),
    ];
    assert_eq!(pairs(Goldilocks, &pieces), []);
}

#[test]
fn neighbours_and_memory_that_was_freed_are_other_variables() {
    let pieces = [
        at(1, Write, 64, 1),
        at(2, Write, 68, 2),
        at(3, Write, 72, 3),
        Piece::Freed(64),
        at(2, Write, 64, 4),
    ];
    say(&pieces, [(Eraser, &[]), (Goldilocks, &[]), (RaceTrack, &[])]);
}

#[test]
fn readers_of_a_lock_do_not_protect_their_writes() {
    let section = |thread, kind, code| {
        let (lock, unlock) = (Kind::RwRead, Kind::RwReadUnlock);
        [by(thread, lock, 1), at(thread, kind, 64, code), by(thread, unlock, 1)]
    };
    let reads = [section(1, Read, 1), section(2, Read, 2), section(3, Read, 3)].concat();
    say(&reads, [(Eraser, &[]), (Goldilocks, &[]), (RaceTrack, &[])]);
    let writes = [section(1, Write, 1), section(2, Write, 2), section(3, Write, 3)].concat();
    say(
        &writes,
        [(Eraser, &[(2, 3)]), (Goldilocks, &[(1, 2), (2, 3)]), (RaceTrack, &[(1, 2), (2, 3)])],
    );
}

/// The variables of the random executions below.
const ADDRESSES: [usize; 3] = [64, 72, 76];
const THREADS: u32 = 4;

/// Numbers that look random, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((self.0 >> 33) % u64::from(end)) as u32
    }
}

/// Who holds what, so that random executions are possible ones.
#[derive(Default)]
struct World {
    mutex: Option<u32>,
    writer: Option<u32>,
    readers: Vec<u32>,
    messages: u32,
}

const MUTEX: u32 = 1;
const RWLOCK: u32 = 2;
const CHANNEL: u32 = 3;
const ATOMIC: u32 = 4;

impl World {
    /// What the thread does next, if that is possible.
    fn next(&mut self, thread: u32, numbers: &mut Numbers) -> Option<Piece> {
        let kind = if numbers.below(2) == 0 { Read } else { Write };
        let address = ADDRESSES[numbers.below(3) as usize];
        let free = self.writer.is_none();
        match numbers.below(10) {
            0..=3 => Some(at(thread, kind, address, 1)),
            4 => match self.mutex {
                None => {
                    self.mutex = Some(thread);
                    Some(by(thread, Kind::MutexLock, MUTEX))
                }
                Some(owner) => {
                    self.mutex = None;
                    Some(by(owner, Kind::MutexUnlock, MUTEX))
                }
            },
            5 if free && self.readers.is_empty() && kind == Write => {
                self.writer = Some(thread);
                Some(by(thread, Kind::RwWrite, RWLOCK))
            }
            5 if free && !self.readers.contains(&thread) => {
                self.readers.push(thread);
                Some(by(thread, Kind::RwRead, RWLOCK))
            }
            6 => match self.writer.take() {
                Some(writer) => Some(by(writer, Kind::RwWriteUnlock, RWLOCK)),
                None => Some(by(self.readers.pop()?, Kind::RwReadUnlock, RWLOCK)),
            },
            7 if kind == Write => {
                self.messages += 1;
                Some(by(thread, Kind::Send, CHANNEL))
            }
            7 => {
                self.messages = self.messages.checked_sub(1)?;
                Some(by(thread, Kind::Receive, CHANNEL))
            }
            _ => {
                let orders = [Order::Relaxed, Order::Acquire, Order::Release, Order::Both];
                let kinds = [Kind::AtomicLoad, Kind::AtomicStore, Kind::AtomicRmw];
                let kind = kinds[numbers.below(3) as usize];
                let order = match kind {
                    Kind::AtomicLoad => orders[numbers.below(2) as usize],
                    Kind::AtomicStore => orders[2 * numbers.below(2) as usize],
                    _ => orders[numbers.below(4) as usize],
                };
                Some(Piece::Event(Event { order, ..event(thread, kind, ObjectId(ATOMIC)) }))
            }
        }
    }
}

/// An execution: threads are spawned, do something, and are joined.
fn random(seed: u64) -> Vec<Piece> {
    let mut numbers = Numbers(seed);
    let mut world = World::default();
    let mut pieces: Vec<_> = (1..THREADS).map(|new| of_thread(0, Kind::Spawn, new)).collect();
    for _ in 0..5 + numbers.below(25) {
        let thread = numbers.below(THREADS);
        pieces.extend(world.next(thread, &mut numbers));
    }
    for ended in 1..THREADS {
        pieces.push(by(ended, Kind::ThreadEnd, ended));
        pieces.push(of_thread(0, Kind::Join, ended));
        pieces.push(at(0, Read, ADDRESSES[numbers.below(3) as usize], 2));
    }
    pieces
}

/// Happens-before, as it is defined.
struct HappensBefore {
    threads: Vec<Clock>,
    mutex: Clock,
    writers: Clock,
    readers: Clock,
    messages: std::collections::VecDeque<Clock>,
    atomic: Clock,
}

impl HappensBefore {
    fn new() -> Self {
        let mut threads = vec![Clock::new(); THREADS as usize];
        threads[0].tick(ThreadId(0));
        Self {
            threads,
            mutex: Clock::new(),
            writers: Clock::new(),
            readers: Clock::new(),
            messages: std::collections::VecDeque::new(),
            atomic: Clock::new(),
        }
    }

    fn apply(&mut self, event: &Event) {
        let me = event.thread.index();
        let mine = self.threads[me].clone();
        let order = event.order;
        match (event.operation.kind, event.effect) {
            (Kind::Spawn, Effect::Thread(child)) => {
                self.threads[child.index()] = mine;
                self.threads[child.index()].tick(child);
            }
            (Kind::Join, Effect::Thread(child)) => {
                let theirs = self.threads[child.index()].clone();
                self.threads[me].join(&theirs);
            }
            (Kind::MutexLock, _) => self.threads[me].join(&self.mutex),
            (Kind::MutexUnlock, _) => self.mutex = mine,
            (Kind::RwRead, _) => self.threads[me].join(&self.writers),
            (Kind::RwWrite, _) => {
                self.threads[me].join(&self.writers);
                self.threads[me].join(&self.readers);
            }
            (Kind::RwReadUnlock, _) => self.readers.join(&mine),
            (Kind::RwWriteUnlock, _) => self.writers = mine,
            (Kind::Send, _) => self.messages.push_back(mine),
            (Kind::Receive, _) => {
                let message = self.messages.pop_front().expect("somebody has sent");
                self.threads[me].join(&message);
            }
            (Kind::AtomicStore, _) if order.releases() => self.atomic = mine,
            (Kind::AtomicStore, _) => self.atomic = Clock::new(),
            (Kind::AtomicLoad | Kind::AtomicRmw, _) => {
                if order.acquires() {
                    self.threads[me].join(&self.atomic);
                }
                if event.operation.kind == Kind::AtomicRmw && order.releases() {
                    self.atomic.join(&self.threads[me]);
                }
            }
            _ => {}
        }
        self.threads[me].tick(event.thread);
    }
}

/// Whether there is a race on a variable, by happens-before.
fn races_by_clocks(pieces: &[Piece], address: usize) -> bool {
    let mut order = HappensBefore::new();
    let mut fast_track = FastTrack::default();
    fast_track.begin();
    for piece in pieces {
        match piece {
            Piece::Event(event) => order.apply(event),
            Piece::Access(access) if is_at(access, address) => {
                let clock = &order.threads[access.thread.index()];
                let moment = Moment { clock, threads: &[], objects: &[], step: 0 };
                fast_track.access(access, &moment);
            }
            Piece::Access(_) | Piece::Freed(_) => {}
        }
    }
    fast_track.end(&Record { events: &[], accesses: &[], threads: &[], objects: &[] });
    fast_track.race().is_some()
}

fn is_at(access: &Access, address: usize) -> bool {
    access.variable == selvedge_model::Variable::Memory { address, size: 4 }
}

#[test]
fn goldilocks_finds_what_happens_before_finds() {
    let (mut racy, mut ordered) = (0, 0);
    for seed in 0..2_000 {
        let pieces = random(seed);
        for address in ADDRESSES {
            let only = |piece: &&Piece| match piece {
                Piece::Access(access) => is_at(access, address),
                Piece::Event(_) | Piece::Freed(_) => true,
            };
            let of_one: Vec<_> = pieces.iter().filter(only).copied().collect();
            let expected = races_by_clocks(&pieces, address);
            assert_eq!(!pairs(Goldilocks, &of_one).is_empty(), expected, "{seed} {address}");
            *if expected { &mut racy } else { &mut ordered } += 1;
        }
    }
    assert!(racy > 500 && ordered > 500, "{racy} {ordered}");
}

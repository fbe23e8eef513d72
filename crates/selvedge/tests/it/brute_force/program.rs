//! Random programs of a few threads with a few operations each.

/// A program: what the test's own thread does when it has started the others, and what those do.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// The first is the test's own thread. Only the last one receives from the channel.
    pub(super) threads: Vec<Vec<Op>>,
}

/// What a thread does. What it learns from that, it notes.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Load(usize),
    Store(usize, u8),
    Add(usize),
    Swap(usize, u8),
    /// Replaces the first value by the second one.
    Exchange(usize, u8, u8),
    /// With the mutex in hand; adds to its value first.
    Lock(usize, Vec<Op>),
    TryLock(usize, Vec<Op>),
    /// With the reader-writer lock in hand.
    Read(Vec<Op>),
    TryRead(Vec<Op>),
    /// Adds to its value first.
    Write(Vec<Op>),
    TryWrite(Vec<Op>),
    /// With the first mutex: waits once.
    Wait,
    NotifyOne,
    NotifyAll,
    /// Once only.
    Once(Vec<Op>),
    Barrier,
    Send(u8),
    TrySend(u8),
    Receive,
    TryReceive,
    Park,
    /// Hands the test's own thread its token.
    UnparkMain,
    Yield,
    /// Looks so many times for the value, and yields in between.
    Spin(usize, u8, u8),
    /// Asks whether the last of the other threads has ended; the test's own thread only.
    IsFinished,
}

/// A stream of numbers that is the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        // SplitMix64 (Steele, Lea, Flood 2014).
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// Which families of operations a program uses, so that they meet often enough.
struct Family {
    locks: bool,
    waits: bool,
    channel: bool,
    once: bool,
}

impl Program {
    /// The program with this number.
    pub(super) fn random(number: u64) -> Self {
        let mut numbers = Numbers(number.wrapping_mul(0x5851_f42d_4c95_7f2d));
        let mut coin = || numbers.below(2) == 0;
        let family = Family { locks: coin(), waits: coin(), channel: coin(), once: coin() };
        let threads = 2 + usize::from(numbers.below(3) == 0);
        // Three threads with few operations have as many schedules as two with more.
        let most = if threads == 2 { 4 } else { 2 };
        let threads = (0..threads).map(|thread| {
            let place = Place { thread, last: thread + 1 == threads, depth: 0 };
            let length = 1 + numbers.below(most);
            (0..length).map(|_| op(&mut numbers, &family, place)).collect()
        });
        Self { threads: threads.collect() }
    }
}

/// Where an operation is.
#[derive(Clone, Copy)]
struct Place {
    thread: usize,
    /// Whether that is the last thread.
    last: bool,
    depth: usize,
}

fn inner(numbers: &mut Numbers, family: &Family, place: Place) -> Vec<Op> {
    let place = Place { depth: place.depth + 1, ..place };
    let length = if place.depth > 1 { 0 } else { numbers.below(3) };
    (0..length).map(|_| op(numbers, family, place)).collect()
}

fn op(numbers: &mut Numbers, family: &Family, place: Place) -> Op {
    loop {
        let atomic = numbers.below(2);
        let value = numbers.below(3) as u8;
        let mutex = numbers.below(2);
        return match numbers.below(25) {
            0 | 1 => Op::Load(atomic),
            2 | 3 => Op::Store(atomic, value),
            4 => Op::Add(atomic),
            5 => Op::Swap(atomic, value),
            6 => Op::Exchange(atomic, value, numbers.below(3) as u8),
            7 => Op::Yield,
            8 => Op::Spin(atomic, value, 1 + numbers.below(2) as u8),
            9 if family.locks => Op::Lock(mutex, inner(numbers, family, place)),
            10 if family.locks => Op::TryLock(mutex, inner(numbers, family, place)),
            11 if family.locks => Op::Read(inner(numbers, family, place)),
            12 if family.locks => Op::TryRead(inner(numbers, family, place)),
            13 if family.locks => Op::Write(inner(numbers, family, place)),
            14 if family.locks => Op::TryWrite(inner(numbers, family, place)),
            15 if family.waits && place.depth == 0 => Op::Wait,
            16 if family.waits => Op::NotifyOne,
            17 if family.waits => Op::NotifyAll,
            18 if family.once && place.depth == 0 => Op::Once(inner(numbers, family, place)),
            19 if family.once => Op::Barrier,
            20 if family.channel && place.last => Op::Receive,
            21 if family.channel && place.last => Op::TryReceive,
            22 if family.channel => match numbers.below(2) {
                0 => Op::Send(value),
                _ => Op::TrySend(value),
            },
            23 if family.waits && place.thread == 0 => Op::Park,
            23 if family.waits => Op::UnparkMain,
            24 if place.thread == 0 => Op::IsFinished,
            _ => continue,
        };
    }
}

//! Litmus tests: a few operations on a few atomics by a few threads.
//!
//! They are written in one line each. Threads are separated by `|`, operations by blanks:
//!
//! | text | means |
//! |---|---|
//! | `x=1.rel` | store 1 |
//! | `x?.acq` | load |
//! | `x+1.rlx` | fetch_add(1) |
//! | `x!1.ar` | swap(1) |
//! | `x:0>1.ar.rlx` | compare_exchange(0, 1), with the orderings of success and failure |
//! | `F.sc` | fence |

use std::sync::atomic::Ordering;

/// One of the atomics.
pub(crate) type Location = usize;

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Load(Location, Ordering),
    Store(Location, u32, Ordering),
    Add(Location, u32, Ordering),
    Swap(Location, u32, Ordering),
    Exchange { at: Location, from: u32, to: u32, success: Ordering, failure: Ordering },
    Fence(Ordering),
}

/// What each thread does, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) threads: Vec<Vec<Op>>,
    /// How many atomics there are. All are 0 at first.
    pub(crate) locations: usize,
}

impl Program {
    /// Reads a program. The atomics have the numbers in which their names first occur.
    pub(crate) fn read(text: &str) -> Self {
        let mut names = Vec::new();
        let threads = text
            .split('|')
            .map(|thread| thread.split_whitespace().map(|op| Op::read(op, &mut names)).collect())
            .collect();
        Self { threads, locations: names.len() }
    }

    /// One of the small programs that there are, by its number.
    pub(crate) fn random(number: u64) -> Self {
        let mut dice = Dice(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let locations = 1 + dice.below(3);
        let mut operations = 4 + dice.below(4);
        let mut threads = vec![Vec::new(); 2 + dice.below(2)];
        while operations > 0 {
            let thread = dice.below(threads.len());
            threads[thread].push(Op::random(&mut dice, locations));
            operations -= 1;
        }
        Self { threads, locations }
    }
}

impl Op {
    fn read(text: &str, names: &mut Vec<char>) -> Self {
        let mut parts = text.split('.');
        let what = parts.next().expect("what is done");
        let mut order = || ordering(parts.next().expect("an ordering"));
        if what == "F" {
            return Self::Fence(order());
        }
        let mut letters = what.chars();
        let (name, verb) = (letters.next().expect("an atomic"), letters.next().expect("a verb"));
        let at = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        let value = letters.as_str();
        let number = |text: &str| text.parse().expect("a number");
        match verb {
            '?' => Self::Load(at, order()),
            '=' => Self::Store(at, number(value), order()),
            '+' => Self::Add(at, number(value), order()),
            '!' => Self::Swap(at, number(value), order()),
            ':' => {
                let (from, to) = value.split_once('>').expect("what is replaced by what");
                let (from, to) = (number(from), number(to));
                Self::Exchange { at, from, to, success: order(), failure: order() }
            }
            _ => panic!("nothing is done by {text}"),
        }
    }

    fn random(dice: &mut Dice, locations: usize) -> Self {
        use Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
        let at = dice.below(locations);
        let value = 1 + dice.below(2) as u32;
        match dice.below(16) {
            0..=5 => Self::Load(at, dice.one_of([Relaxed, Relaxed, Acquire, SeqCst])),
            6..=10 => Self::Store(at, value, dice.one_of([Relaxed, Relaxed, Release, SeqCst])),
            11 => Self::Add(at, value, dice.one_of([Relaxed, Acquire, Release, AcqRel, SeqCst])),
            12 => Self::Swap(at, value, dice.one_of([Relaxed, Acquire, Release, AcqRel, SeqCst])),
            13 => Self::Exchange {
                at,
                from: dice.below(3) as u32,
                to: value,
                success: dice.one_of([Relaxed, Acquire, Release, AcqRel, SeqCst]),
                failure: dice.one_of([Relaxed, Acquire, SeqCst]),
            },
            _ => Self::Fence(dice.one_of([Acquire, Release, AcqRel, SeqCst, SeqCst])),
        }
    }
}

fn ordering(text: &str) -> Ordering {
    match text {
        "rlx" => Ordering::Relaxed,
        "acq" => Ordering::Acquire,
        "rel" => Ordering::Release,
        "ar" => Ordering::AcqRel,
        "sc" => Ordering::SeqCst,
        _ => panic!("{text} is no ordering"),
    }
}

/// Numbers that are the same in every run. (G. Marsaglia, *Xorshift RNGs*, 2003.)
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    fn one_of<const N: usize>(&mut self, of: [Ordering; N]) -> Ordering {
        of[self.below(N)]
    }
}

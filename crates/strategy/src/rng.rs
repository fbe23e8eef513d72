//! Randomness that is the same everywhere and for ever.
//!
//! The generator is named and its stream documented; ranges are our own, because those of general
//! libraries may change from release to release. A golden test holds both.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use selvedge_model::{Pick, Rate, ThreadId, ThreadSet};
use serde::{Deserialize, Serialize};

/// The source of all random decisions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Rng {
    generator: Xoshiro256PlusPlus,
    /// Bits that were drawn and not used yet, and how many.
    coins: (u64, u32),
}

/// A continuation after a write to an atomic is looked at once in so many times; a power of two.
const CONTINUATION: u64 = 8;
/// A rare fault happens once in so many times.
const RARE: u64 = 24;
/// An old value of an atomic is seen once in so many times that there is one.
const OLD_VALUE: u64 = 4;
/// A store comes below a newer value once in so many times that it can.
const LOWER_PLACE: u64 = 8;

impl Rng {
    /// A generator with the given seed.
    pub fn new(seed: u64) -> Self {
        Self { generator: Xoshiro256PlusPlus::seed_from_u64(seed), coins: (0, 0) }
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// One random bit. Most choices are between two threads, and one draw serves for 64 of them.
    #[inline]
    pub fn coin(&mut self) -> bool {
        let (bits, left) = self.coins;
        let (bits, left) = if left == 0 { (self.bits(), 64) } else { (bits, left) };
        self.coins = (bits >> 1, left - 1);
        bits & 1 == 1
    }

    /// One of the threads of a set that is not empty, each as likely as the others.
    #[inline]
    pub fn pick(&mut self, threads: &ThreadSet) -> ThreadId {
        match threads.pair() {
            Some((low, high)) => {
                // A table, because a branch would be mispredicted every other time.
                [low, high][usize::from(self.coin())]
            }
            None => self.pick_of_many(threads),
        }
    }

    #[inline(never)]
    fn pick_of_many(&mut self, threads: &ThreadSet) -> ThreadId {
        // With many threads a lucky guess is cheaper than counting, and just as fair.
        if threads.bound() > 64 {
            for _ in 0..4 {
                let guess = ThreadId(self.below(u64::from(threads.bound())) as u32);
                if threads.contains(guess) {
                    return guess;
                }
            }
        }
        threads.nth(self.below(threads.len() as u64) as usize)
    }

    /// A number below `bound`, which must not be 0. The bias is below one in 2^32 for bounds
    /// below 2^32.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// Whether something happens that happens `numerator` times out of `denominator`.
    #[inline]
    pub fn chance(&mut self, numerator: u64, denominator: u64) -> bool {
        self.below(denominator) < numerator
    }

    /// One of the threads, each as likely as its weight says; nobody if nobody has any weight.
    pub fn weighted(&mut self, weights: &[(ThreadId, f64)]) -> Option<ThreadId> {
        let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
        if total <= 0.0 {
            return None;
        }
        // 53 random bits make a fraction that is the same on every machine.
        let fraction = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut left = fraction * total;
        for &(thread, weight) in weights {
            if left < weight {
                return Some(thread);
            }
            left -= weight;
        }
        weights.iter().rev().find(|(_, weight)| *weight > 0.0).map(|&(thread, _)| thread)
    }

    /// How many continuations after writes to atomics go by until one is looked at, if each of them is
    /// with a chance of one in eight.
    pub fn continuations(&mut self) -> u32 {
        let mut passed = 0;
        loop {
            let mut bits = self.bits();
            for _ in 0..64 / CONTINUATION.trailing_zeros() {
                if bits.is_multiple_of(CONTINUATION) {
                    return passed;
                }
                bits /= CONTINUATION;
                passed += 1;
            }
        }
    }

    /// One of so many, of which the first is that of the undisturbed course. The newest value of an atomic is the most
    /// likely, because it is on a real machine, and because few bugs need more than a few old ones.
    pub fn one_of(&mut self, pick: Pick<'_>, of: usize) -> usize {
        let is_first = match pick {
            Pick::Waiter | Pick::RandomBytes => return self.below(of as u64) as usize,
            Pick::Delay(rate) => of < 2 || !self.fault(rate),
            Pick::Value(_) => !self.chance(1, OLD_VALUE),
            Pick::Place(_) => !self.chance(1, LOWER_PLACE),
        };
        if is_first { 0 } else { 1 + self.below(of as u64 - 1) as usize }
    }

    /// Whether a fault happens, at the given rate.
    pub fn fault(&mut self, rate: Rate) -> bool {
        match rate {
            Rate::Off => false,
            Rate::Rare => self.chance(1, RARE),
            Rate::Eager => self.chance(1, 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_never_changes() {
        let mut rng = Rng::new(1);
        let bits: Vec<u64> = (0..3).map(|_| rng.bits()).collect();
        assert_eq!(bits, [14971601782005023387, 13781649495232077965, 1847458086238483744]);
        let below: Vec<u64> = (0..12).map(|_| rng.below(10)).collect();
        assert_eq!(below, [7, 1, 5, 9, 5, 0, 1, 9, 3, 0, 3, 0]);
    }

    #[test]
    fn one_continuation_in_eight_is_looked_at() {
        let mut rng = Rng::new(5);
        let passed: u32 = (0..8000).map(|_| rng.continuations()).sum();
        // Seven in the mean.
        assert!((54_000..58_000).contains(&passed), "{passed}");
    }

    #[test]
    fn every_number_below_a_bound_is_met() {
        let mut rng = Rng::new(7);
        let mut met = [0; 5];
        for _ in 0..1000 {
            met[rng.below(5) as usize] += 1;
        }
        assert!(met.iter().all(|&n| n > 150), "{met:?}");
    }
}

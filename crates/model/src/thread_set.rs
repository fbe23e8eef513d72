//! A set of threads as bits: the engine updates and asks it at every step.

use crate::ThreadId;

/// A set of threads, iterated in the order of their numbers.
///
/// Up to 64 threads take one word and no allocation.
#[derive(Clone, Debug, Default)]
pub struct ThreadSet {
    first: u64,
    rest: Vec<u64>,
}

impl ThreadSet {
    /// The empty set.
    pub const fn new() -> Self {
        Self { first: 0, rest: Vec::new() }
    }

    /// How many threads are in the set.
    #[inline]
    pub fn len(&self) -> usize {
        let far: usize = self.rest.iter().map(|&word| count(word) as usize).sum();
        count(self.first) as usize + far
    }

    /// No thread with this number or a higher one is in the set.
    #[inline]
    pub fn bound(&self) -> u32 {
        64 + 64 * self.rest.len() as u32
    }

    /// Whether nobody is in the set.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.first == 0 && (self.rest.is_empty() || self.rest.iter().all(|&word| word == 0))
    }

    /// Whether there is a choice: at least two threads.
    #[inline(always)]
    pub fn has_several(&self) -> bool {
        self.first & self.first.wrapping_sub(1) != 0
            || (!self.rest.is_empty() && self.iter().nth(1).is_some())
    }

    /// Whether the thread is in the set.
    #[inline(always)]
    pub fn contains(&self, thread: ThreadId) -> bool {
        if thread.0 < 64 {
            return self.first >> thread.0 & 1 != 0;
        }
        let (word, bit) = far(thread);
        self.rest.get(word).is_some_and(|w| w & bit != 0)
    }

    /// Adds a thread.
    #[inline(always)]
    pub fn insert(&mut self, thread: ThreadId) {
        if thread.0 < 64 {
            self.first |= 1 << thread.0;
        } else {
            self.insert_far(thread);
        }
    }

    #[cold]
    fn insert_far(&mut self, thread: ThreadId) {
        let (word, bit) = far(thread);
        if self.rest.len() <= word {
            self.rest.resize(word + 1, 0);
        }
        self.rest[word] |= bit;
    }

    /// Takes a thread out.
    #[inline(always)]
    pub fn remove(&mut self, thread: ThreadId) {
        if thread.0 < 64 {
            self.first &= !(1 << thread.0);
        } else {
            let (word, bit) = far(thread);
            if let Some(word) = self.rest.get_mut(word) {
                *word &= !bit;
            }
        }
    }

    /// Adds every thread of the other set.
    #[inline(always)]
    pub fn insert_all(&mut self, other: &Self) {
        self.first |= other.first;
        if !other.rest.is_empty() {
            if self.rest.len() < other.rest.len() {
                self.rest.resize(other.rest.len(), 0);
            }
            self.rest.iter_mut().zip(&other.rest).for_each(|(mine, theirs)| *mine |= theirs);
        }
    }

    /// Takes every thread of the other set out.
    #[inline(always)]
    pub fn remove_all(&mut self, other: &Self) {
        self.first &= !other.first;
        if !other.rest.is_empty() {
            self.rest.iter_mut().zip(&other.rest).for_each(|(mine, theirs)| *mine &= !theirs);
        }
    }

    /// Empties the set and keeps its memory.
    pub fn clear(&mut self) {
        self.first = 0;
        self.rest.clear();
    }

    /// The thread with the lowest number.
    #[inline]
    pub fn first(&self) -> Option<ThreadId> {
        if self.first != 0 {
            return Some(ThreadId(self.first.trailing_zeros()));
        }
        self.iter().next()
    }

    /// The two threads of a set of two, if all are among the first 64.
    #[inline(always)]
    pub fn pair(&self) -> Option<(ThreadId, ThreadId)> {
        let high = self.first & self.first.wrapping_sub(1);
        if high == 0 || high & (high - 1) != 0 || !self.rest.is_empty() {
            return None;
        }
        Some((ThreadId(self.first.trailing_zeros()), ThreadId(high.trailing_zeros())))
    }

    /// The thread with exactly `n` members below it.
    ///
    /// # Panics
    ///
    /// Panics if the set has no more than `n` members.
    #[inline]
    pub fn nth(&self, n: usize) -> ThreadId {
        let mut left = n as u32;
        let mut base = 0;
        for word in self.words() {
            if left < 8 {
                // The usual case of few threads: walk the set bits.
                let mut word = word;
                while word != 0 {
                    if left == 0 {
                        return ThreadId(base + word.trailing_zeros());
                    }
                    left -= 1;
                    word &= word - 1;
                }
            } else {
                let ones = count(word);
                if left < ones {
                    return ThreadId(base + select(word, left));
                }
                left -= ones;
            }
            base += 64;
        }
        panic!("a set of {} threads has no number {n}", self.len())
    }

    /// The threads in ascending order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = ThreadId> + '_ {
        Threads { word: self.first, base: 0, rest: self.rest.iter() }
    }

    #[inline(always)]
    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        std::iter::once(self.first).chain(self.rest.iter().copied())
    }
}

/// The threads of a set that are left to go through.
struct Threads<'a> {
    /// Those of the current word.
    word: u64,
    /// The number of its first thread.
    base: u32,
    rest: std::slice::Iter<'a, u64>,
}

impl Iterator for Threads<'_> {
    type Item = ThreadId;

    #[inline]
    fn next(&mut self) -> Option<ThreadId> {
        while self.word == 0 {
            self.word = *self.rest.next()?;
            self.base += 64;
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(ThreadId(self.base + bit))
    }
}

impl FromIterator<ThreadId> for ThreadSet {
    fn from_iter<I: IntoIterator<Item = ThreadId>>(threads: I) -> Self {
        let mut set = Self::new();
        threads.into_iter().for_each(|thread| set.insert(thread));
        set
    }
}

/// Where a thread beyond the first word lies.
#[inline]
fn far(thread: ThreadId) -> (usize, u64) {
    (thread.index() / 64 - 1, 1 << (thread.index() % 64))
}

/// The number of set bits. Most sets have one or two members, for which this beats the general
/// way that a processor without a special instruction needs.
#[inline(always)]
fn count(word: u64) -> u32 {
    let without_one = word & word.wrapping_sub(1);
    if without_one & without_one.wrapping_sub(1) == 0 {
        return u32::from(word != 0) + u32::from(without_one != 0);
    }
    word.count_ones()
}

/// The position of the set bit of `word` that has `rank` set bits below it, which must exist.
///
/// All bytes are counted at once, as in Vigna, *Broadword implementation of rank/select queries*
/// (WEA 2008).
fn select(word: u64, rank: u32) -> u32 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let pairs = word - ((word >> 1) & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    // Byte i holds the number of set bits in bytes 0 to i.
    let sums = bytes.wrapping_mul(LOW);
    let reached = ((sums | HIGH) - u64::from(rank + 1) * LOW) & HIGH;
    let shift = reached.trailing_zeros() & !7;
    let before = ((sums << 8) >> shift) as u32 & 0xff;
    let mut byte = (word >> shift) & 0xff;
    for _ in before..rank {
        byte &= byte - 1;
    }
    shift + byte.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(threads: &[u32]) -> ThreadSet {
        threads.iter().copied().map(ThreadId).collect()
    }

    #[test]
    fn nth_agrees_with_iteration_across_words() {
        let members: Vec<u32> = (0..400).filter(|n| n % 3 == 0 || n % 7 == 2).collect();
        let set = set(&members);
        assert_eq!(set.len(), members.len());
        for (n, thread) in set.iter().enumerate() {
            assert_eq!(set.nth(n), thread);
            assert_eq!(thread.0, members[n]);
        }
    }

    #[test]
    fn union_and_difference_keep_count() {
        let mut a = set(&[1, 2, 70]);
        let b = set(&[2, 3, 200]);
        a.insert_all(&b);
        assert_eq!(a.iter().map(|t| t.0).collect::<Vec<_>>(), [1, 2, 3, 70, 200]);
        assert_eq!(a.len(), 5);
        a.remove_all(&b);
        assert_eq!(a.iter().map(|t| t.0).collect::<Vec<_>>(), [1, 70]);
        assert_eq!(a.len(), 2);
        a.insert(ThreadId(1));
        a.remove(ThreadId(999));
        assert_eq!(a.len(), 2);
        assert!(a.contains(ThreadId(70)) && !a.contains(ThreadId(200)));
        assert_eq!(a.first(), Some(ThreadId(1)));
    }

    #[test]
    fn several_means_at_least_two_wherever_they_are() {
        assert!(!set(&[]).has_several() && set(&[]).is_empty());
        assert!(!set(&[3]).has_several() && !set(&[3]).is_empty());
        assert!(!set(&[100]).has_several() && !set(&[100]).is_empty());
        assert!(set(&[3, 4]).has_several());
        assert!(set(&[3, 100]).has_several());
        assert!(set(&[100, 200]).has_several());
        assert_eq!(set(&[3, 9]).pair(), Some((ThreadId(3), ThreadId(9))));
        assert_eq!(set(&[3]).pair(), None);
        assert_eq!(set(&[3, 4, 5]).pair(), None);
        assert_eq!(set(&[3, 100]).pair(), None);
    }
}

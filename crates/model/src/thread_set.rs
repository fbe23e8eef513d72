//! A set of threads as bits: the engine updates and asks it at every step.

use crate::ThreadId;

/// A set of threads, iterated in the order of their numbers.
///
/// Up to 64 threads take one word and no allocation.
#[derive(Clone, Debug, Default)]
pub struct ThreadSet {
    first: u64,
    rest: Vec<u64>,
    len: u32,
}

impl ThreadSet {
    /// The empty set.
    pub const fn new() -> Self {
        Self { first: 0, rest: Vec::new(), len: 0 }
    }

    /// How many threads are in the set.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether nobody is in the set.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the thread is in the set.
    #[inline]
    pub fn contains(&self, thread: ThreadId) -> bool {
        let (word, bit) = split(thread);
        match word {
            0 => self.first & bit != 0,
            _ => self.rest.get(word - 1).is_some_and(|w| w & bit != 0),
        }
    }

    /// Adds a thread.
    #[inline]
    pub fn insert(&mut self, thread: ThreadId) {
        let (word, bit) = split(thread);
        let word = match word {
            0 => &mut self.first,
            _ => {
                if self.rest.len() < word {
                    self.rest.resize(word, 0);
                }
                &mut self.rest[word - 1]
            }
        };
        self.len += u32::from(*word & bit == 0);
        *word |= bit;
    }

    /// Takes a thread out.
    #[inline]
    pub fn remove(&mut self, thread: ThreadId) {
        let (word, bit) = split(thread);
        let word = match word {
            0 => &mut self.first,
            _ => match self.rest.get_mut(word - 1) {
                Some(word) => word,
                None => return,
            },
        };
        self.len -= u32::from(*word & bit != 0);
        *word &= !bit;
    }

    /// Adds every thread of the other set.
    #[inline]
    pub fn insert_all(&mut self, other: &Self) {
        if other.is_empty() {
            return;
        }
        self.len += (other.first & !self.first).count_ones();
        self.first |= other.first;
        if self.rest.len() < other.rest.len() {
            self.rest.resize(other.rest.len(), 0);
        }
        for (mine, theirs) in self.rest.iter_mut().zip(&other.rest) {
            self.len += (theirs & !*mine).count_ones();
            *mine |= theirs;
        }
    }

    /// Takes every thread of the other set out.
    #[inline]
    pub fn remove_all(&mut self, other: &Self) {
        if other.is_empty() {
            return;
        }
        self.len -= (other.first & self.first).count_ones();
        self.first &= !other.first;
        for (mine, theirs) in self.rest.iter_mut().zip(&other.rest) {
            self.len -= (theirs & *mine).count_ones();
            *mine &= !theirs;
        }
    }

    /// Empties the set and keeps its memory.
    pub fn clear(&mut self) {
        self.first = 0;
        self.rest.clear();
        self.len = 0;
    }

    /// The thread with the lowest number.
    #[inline]
    pub fn first(&self) -> Option<ThreadId> {
        if self.first != 0 {
            return Some(ThreadId(self.first.trailing_zeros()));
        }
        self.iter().next()
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
        for word in std::iter::once(self.first).chain(self.rest.iter().copied()) {
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
                let ones = word.count_ones();
                if left < ones {
                    return ThreadId(base + select(word, left));
                }
                left -= ones;
            }
            base += 64;
        }
        panic!("a set of {} threads has no number {n}", self.len)
    }

    /// The threads in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = ThreadId> + '_ {
        std::iter::once(self.first).chain(self.rest.iter().copied()).enumerate().flat_map(
            |(index, mut word)| {
                std::iter::from_fn(move || {
                    (word != 0).then(|| {
                        let bit = word.trailing_zeros();
                        word &= word - 1;
                        ThreadId(index as u32 * 64 + bit)
                    })
                })
            },
        )
    }
}

impl FromIterator<ThreadId> for ThreadSet {
    fn from_iter<I: IntoIterator<Item = ThreadId>>(threads: I) -> Self {
        let mut set = Self::new();
        threads.into_iter().for_each(|thread| set.insert(thread));
        set
    }
}

#[inline]
fn split(thread: ThreadId) -> (usize, u64) {
    (thread.index() / 64, 1 << (thread.index() % 64))
}

/// The position of the set bit of `word` that has `rank` set bits below it.
fn select(mut word: u64, mut rank: u32) -> u32 {
    let mut position = 0;
    let mut width = 32;
    while width > 0 {
        let low = (word & ((1 << width) - 1)).count_ones();
        if rank >= low {
            rank -= low;
            word >>= width;
            position += width;
        }
        width /= 2;
    }
    position
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
}

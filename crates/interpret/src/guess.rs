//! Orders that may well explain an execution, guessed from when its calls ran.
//!
//! What a thread does between two boundaries seems to happen at some moment in between. If the type is right, some choice of
//! these moments is an order with the same outcome, and there are far fewer of these than there are orders.

use crate::world::Passage;
use selvedge_strategy::Rng;

/// Guesses beyond the first two.
const RANDOM: u32 = 40;

/// What a thread did between two boundaries: the positions in what all did.
struct Stretch {
    thread: u8,
    from: usize,
    to: usize,
}

/// Makes guesses.
pub(crate) struct Guesses {
    stretches: Vec<Stretch>,
    rng: Rng,
    made: u32,
}

impl Guesses {
    pub(crate) fn new(passages: &[Passage]) -> Self {
        let mut stretches: Vec<Stretch> = Vec::new();
        for (at, passage) in passages.iter().enumerate() {
            match *passage {
                Passage::GoesOn(thread) => {
                    stretches.push(Stretch { thread, from: at, to: passages.len() });
                }
                Passage::Comes(thread) => {
                    let open = stretches.iter_mut().rev().find(|one| one.thread == thread);
                    if let Some(open) = open {
                        open.to = at;
                    }
                }
            }
        }
        Self { stretches, rng: Rng::new(passages.len() as u64), made: 0 }
    }
}

impl Iterator for Guesses {
    type Item = Vec<u8>;

    /// The threads in the order in which they go on: by their beginnings, by their ends, and then by moments at random.
    fn next(&mut self) -> Option<Vec<u8>> {
        let made = self.made;
        self.made += 1;
        if made >= 2 + RANDOM || self.stretches.is_empty() {
            return None;
        }
        let rng = &mut self.rng;
        let mut moments: Vec<_> = self
            .stretches
            .iter()
            .map(|one| {
                let moment = match made {
                    0 => one.from,
                    1 => one.to,
                    _ => one.from + rng.below((one.to - one.from + 1) as u64) as usize,
                };
                (moment, one.from, one.thread)
            })
            .collect();
        moments.sort_unstable();
        Some(moments.into_iter().map(|(_, _, thread)| thread).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Guesses;
    use crate::world::Passage::{Comes, GoesOn};

    #[test]
    fn guesses_keep_the_order_of_what_did_not_overlap() {
        // The second stretch of thread 0 begins after thread 1 is done.
        let passages = [GoesOn(0), GoesOn(1), Comes(0), Comes(1), GoesOn(0), Comes(0)];
        let guesses: Vec<_> = Guesses::new(&passages).collect();
        assert_eq!(guesses[0], [0, 1, 0]);
        assert!(guesses.contains(&vec![1, 0, 0]));
        assert!(guesses.iter().all(|guess| guess[2] == 0));
    }
}

//! Orders of calls: executions in which threads change only between calls.
//!
//! A thread goes on until it comes to a boundary (the beginning of a call, or a place inside one where user code
//! runs), until it can not go on, or until it ends. Who goes next is then a choice among all that can run: those
//! that stand before a call, those that had to wait inside of one, and those that the type has started itself. So is
//! which waiter is woken. All combinations of choices, one after the other, are all orders.

use crate::world::{At, Phase, world};
use selvedge_model::{Fault, Pick, Progress, Rate, Strategy, ThreadId, View};

/// A choice that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Choice {
    taken: usize,
    of: usize,
}

/// Whether there are orders that were not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    Some,
    Nothing,
}

/// All orders of one test, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    choices: Vec<Choice>,
    depth: usize,
}

impl Tree {
    /// Makes ready for the next order.
    pub(crate) fn advance(&mut self) -> Left {
        self.choices.truncate(self.depth);
        self.depth = 0;
        while let Some(last) = self.choices.last_mut() {
            if last.taken + 1 < last.of {
                last.taken += 1;
                return Left::Some;
            }
            self.choices.pop();
        }
        Left::Nothing
    }

    fn choose(&mut self, of: usize) -> usize {
        if self.depth == self.choices.len() {
            self.choices.push(Choice { taken: 0, of });
        }
        let taken = self.choices[self.depth].taken;
        self.depth += 1;
        taken.min(of - 1)
    }
}

/// Who makes the choices.
pub(crate) enum Chooser<'a> {
    /// All of them, in turn.
    Tree(&'a mut Tree),
    /// An order that is given by the threads whose turn it is.
    Follow(&'a [u8]),
}

/// The strategy of such executions.
pub(crate) struct Coarse<'a> {
    chooser: Chooser<'a>,
    /// How much of what is followed was done.
    done: usize,
}

impl<'a> Coarse<'a> {
    pub(crate) fn new(chooser: Chooser<'a>) -> Self {
        Self { chooser, done: 0 }
    }

    fn choose(&mut self, candidates: &[ThreadId]) -> ThreadId {
        if let [only] = candidates {
            return *only;
        }
        match &mut self.chooser {
            Chooser::Tree(tree) => candidates[tree.choose(candidates.len())],
            Chooser::Follow(order) => {
                let threads = world().threads;
                while let Some(&due) = order.get(self.done) {
                    self.done += 1;
                    let due = threads[due as usize];
                    // A thread that has not begun is not known yet.
                    let is_due = |one: &&ThreadId| match due {
                        Some(due) => **one == due,
                        None => !threads.contains(&Some(**one)),
                    };
                    if let Some(found) = candidates.iter().find(is_due) {
                        return *found;
                    }
                }
                candidates[0]
            }
        }
    }
}

impl Strategy for Coarse<'_> {
    fn name(&self) -> String {
        "orders of calls".to_owned()
    }

    fn begin(&mut self) -> Progress {
        Progress::Continue
    }

    fn wants_first_stops(&self) -> bool {
        true
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        const MAIN: ThreadId = ThreadId(0);
        if view.enabled.contains(MAIN) {
            return MAIN;
        }
        let mut state = world();
        let at = std::mem::replace(&mut state.at, At::Inside);
        let phase = state.phase;
        drop(state);
        if at == At::Inside && view.could_continue() || phase != Phase::Threads {
            return view.undisturbed();
        }
        let mut candidates = [MAIN; 16];
        let mut length = 0;
        // Whoever ran last comes first.
        let current = view.could_continue().then_some(view.current);
        let others = view.enabled.iter().filter(|one| Some(*one) != current);
        for candidate in current.into_iter().chain(others).take(candidates.len()) {
            candidates[length] = candidate;
            length += 1;
        }
        self.choose(&candidates[..length])
    }

    fn pick(&mut self, _: &View<'_>, pick: Pick<'_>, of: usize) -> usize {
        match (pick, &mut self.chooser) {
            (Pick::Waiter, Chooser::Tree(tree)) if of > 1 => tree.choose(of),
            // The newest value, no delay, and always the same random bytes.
            (
                Pick::Waiter | Pick::RandomBytes | Pick::Value(_) | Pick::Place(_) | Pick::Delay(_),
                Chooser::Tree(_) | Chooser::Follow(_),
            ) => 0,
        }
    }

    fn fault(&mut self, _: &View<'_>, _: Fault, _: Rate) -> bool {
        false
    }

    fn export(&self) -> Vec<u8> {
        Vec::new()
    }

    fn import(&mut self, _: &[u8]) {}
}

#[cfg(test)]
mod tests {
    use super::{Left, Tree};

    /// The choices of each order, where there are two choices of these many.
    fn all(of: [usize; 2]) -> Vec<[usize; 2]> {
        let mut tree = Tree::default();
        let mut seen = Vec::new();
        loop {
            seen.push(of.map(|of| tree.choose(of)));
            if tree.advance() == Left::Nothing {
                return seen;
            }
        }
    }

    #[test]
    fn every_combination_of_choices_comes_once() {
        assert_eq!(all([2, 3]), [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
    }

    #[test]
    fn an_order_with_fewer_choices_is_followed_by_the_next_one() {
        let mut tree = Tree::default();
        assert_eq!([tree.choose(2), tree.choose(2)], [0, 0]);
        assert_eq!(tree.advance(), Left::Some);
        assert_eq!([tree.choose(2), tree.choose(2)], [0, 1]);
        assert_eq!(tree.advance(), Left::Some);
        assert_eq!(tree.choose(2), 1);
        assert_eq!(tree.advance(), Left::Nothing);
    }
}

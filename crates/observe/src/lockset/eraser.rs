//! Eraser's automaton: does some lock protect every access to a variable?
//!
//! Source: S. Savage et al., *Eraser* (1997), with the states of Z. Letko, *Analysis and Testing of
//! Concurrent Programs* (2012), chapter 3.
//!
//! Deviations: (1) the candidate set is refined from the state *shared* on; before, every lock is
//! a candidate. (2) Of reader-writer locks, one that is held for reading protects reads only, as in
//! the original's section 2.3. (3) The state *race* stays.
//!
//! May miss: a race of the first two owners (*exclusive'* lets one hand-over pass). Falsely reports:
//! whatever is ordered by anything but locks.

use selvedge_model::Hold;

/// What is known of how a variable is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EraserState {
    /// Not used at all.
    #[default]
    Virgin,
    /// By one thread.
    Exclusive,
    /// By a second thread, to which the first seems to have handed it over.
    ExclusiveAgain,
    /// Read by several threads.
    Shared,
    /// Written by several threads.
    Modified,
    /// Written by several threads, and no lock was held at every access.
    Race,
}

impl EraserState {
    /// The names, in the order of the states.
    pub const NAMES: &'static [&'static str] =
        &["virgin", "exclusive", "exclusive'", "shared", "modified", "race"];
}

/// A variable as Eraser sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    /// Its state.
    pub state: EraserState,
    /// The only user, in the exclusive states.
    owner: u32,
    /// The locks that were held at every access since it is shared, sorted. Nothing before.
    candidates: Option<Vec<u32>>,
}

/// Whether an access reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only reads.
    Read,
    /// Writes.
    Write,
}

impl Variable {
    /// The locks that may protect the variable: nothing as long as every lock may.
    pub fn candidates(&self) -> &[u32] {
        self.candidates.as_deref().unwrap_or(&[])
    }

    /// A thread accesses the variable with these locks in hand.
    pub fn access(
        &mut self,
        thread: u32,
        access: Access,
        held: impl IntoIterator<Item = (u32, Hold)>,
    ) {
        let same = self.owner == thread;
        self.state = match (self.state, access) {
            (EraserState::Virgin, _) => EraserState::Exclusive,
            (EraserState::Exclusive, _) if same => EraserState::Exclusive,
            (EraserState::Exclusive, _) => EraserState::ExclusiveAgain,
            (EraserState::ExclusiveAgain, _) if same => EraserState::ExclusiveAgain,
            (EraserState::ExclusiveAgain | EraserState::Shared, Access::Read) => {
                EraserState::Shared
            }
            (EraserState::ExclusiveAgain | EraserState::Shared | EraserState::Modified, _) => {
                EraserState::Modified
            }
            (EraserState::Race, _) => EraserState::Race,
        };
        match self.state {
            EraserState::Virgin | EraserState::Exclusive | EraserState::ExclusiveAgain => {
                self.owner = thread
            }
            EraserState::Shared | EraserState::Modified => {
                self.refine(access, held);
                if self.state == EraserState::Modified && self.candidates().is_empty() {
                    self.state = EraserState::Race;
                }
            }
            EraserState::Race => {}
        }
    }

    /// Leaves only those candidates that protect this access.
    fn refine(&mut self, access: Access, held: impl IntoIterator<Item = (u32, Hold)>) {
        let locks = protecting(access, held);
        match &mut self.candidates {
            None => self.candidates = Some(locks),
            Some(candidates) => retain_common(candidates, &locks),
        }
    }
}

/// Those of the locks in hand that protect an access, sorted.
pub fn protecting(access: Access, held: impl IntoIterator<Item = (u32, Hold)>) -> Vec<u32> {
    let protects = |hold| access == Access::Read || hold != Hold::Shared;
    let protecting = held.into_iter().filter(|&(_, hold)| protects(hold));
    let mut locks: Vec<u32> = protecting.map(|(lock, _)| lock).collect();
    locks.sort_unstable();
    locks.dedup();
    locks
}

/// Leaves only those candidates that are among the locks, which are sorted.
pub fn retain_common(candidates: &mut Vec<u32>, locks: &[u32]) {
    candidates.retain(|lock| locks.binary_search(lock).is_ok());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(locks: &[u32]) -> impl Iterator<Item = (u32, Hold)> {
        locks.iter().map(|&lock| (lock, Hold::Exclusive))
    }

    #[test]
    fn a_lock_that_is_always_held_keeps_a_variable_from_racing() {
        let mut variable = Variable::default();
        for thread in [0, 1, 2, 0] {
            variable.access(thread, Access::Write, with(&[7, thread]));
        }
        assert_eq!((variable.state, variable.candidates()), (EraserState::Modified, &[7][..]));
        variable.access(1, Access::Write, with(&[3]));
        assert_eq!(variable.state, EraserState::Race);
    }

    #[test]
    fn one_hand_over_needs_no_lock() {
        let mut variable = Variable::default();
        variable.access(0, Access::Write, []);
        variable.access(1, Access::Write, []);
        assert_eq!(variable.state, EraserState::ExclusiveAgain);
        variable.access(0, Access::Read, []);
        assert_eq!(variable.state, EraserState::Shared);
        variable.access(0, Access::Write, []);
        assert_eq!(variable.state, EraserState::Race);
    }

    #[test]
    fn a_lock_held_for_reading_protects_no_write() {
        let reading = [(1, Hold::Shared)];
        let mut variable = Variable::default();
        for thread in [0, 1, 2] {
            variable.access(thread, Access::Read, reading);
        }
        assert_eq!((variable.state, variable.candidates()), (EraserState::Shared, &[1][..]));
        variable.access(0, Access::Write, reading);
        assert_eq!(variable.state, EraserState::Race);
    }
}

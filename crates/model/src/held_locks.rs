//! Which locks each thread holds.

use crate::{Act, Event, Hold, ObjectId, OperationKind, Site, ThreadId};

/// A lock in a thread's hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldLock<S> {
    /// Which one.
    pub object: ObjectId,
    /// How.
    pub hold: Hold,
    /// The operation that took it.
    pub kind: OperationKind,
    /// Where.
    pub site: S,
}

/// The locks that each thread holds, in the order in which it took them. Who initialises something
/// holds it, too. Places are as whoever asks knows them.
#[derive(Clone, Debug)]
pub struct HeldLocks<S> {
    threads: Vec<Vec<HeldLock<S>>>,
}

impl<S> Default for HeldLocks<S> {
    fn default() -> Self {
        Self { threads: Vec::new() }
    }
}

impl<S: Copy + PartialEq> HeldLocks<S> {
    /// Nobody holds anything.
    pub fn clear(&mut self) {
        self.threads.iter_mut().for_each(Vec::clear);
    }

    /// It is not known any more what the thread holds.
    pub fn forget(&mut self, thread: ThreadId) {
        self.hand(thread).clear();
    }

    /// The locks in the hand of a thread.
    #[inline]
    pub fn by(&self, thread: ThreadId) -> &[HeldLock<S>] {
        self.threads.get(thread.index()).map_or(&[], Vec::as_slice)
    }

    /// Takes into account what a thread did. Of several that it may have given back, it is the one
    /// that was taken at the same place: a guard is dropped under the site of its creation.
    #[inline]
    pub fn apply(&mut self, act: &Act, kind: OperationKind, site: S) {
        if let Some((object, hold)) = act.gives_back() {
            let hand = self.hand(act.thread);
            let is_it = |held: &HeldLock<S>| (held.object, held.hold) == (object, hold);
            let position = hand.iter().rposition(|held| is_it(held) && held.site == site);
            if let Some(position) = position.or_else(|| hand.iter().rposition(is_it)) {
                hand.remove(position);
            }
        }
        if let Some((object, hold)) = act.takes() {
            self.hand(act.thread).push(HeldLock { object, hold, kind, site });
        }
    }

    fn hand(&mut self, thread: ThreadId) -> &mut Vec<HeldLock<S>> {
        if self.threads.len() <= thread.index() {
            self.threads.resize_with(thread.index() + 1, Vec::new);
        }
        &mut self.threads[thread.index()]
    }
}

impl HeldLocks<Site> {
    /// Takes an event into account.
    #[inline]
    pub fn event(&mut self, event: &Event) {
        self.apply(&Act::from(event), event.operation.kind, event.operation.site);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Age, Order, Outcome};
    use OperationKind as Kind;

    fn act(kind: Kind, outcome: Outcome, object: u32, second: u32) -> Act {
        Act {
            thread: ThreadId(1),
            object: ObjectId(object),
            second: ObjectId(second),
            other: Act::NOBODY,
            order: Order::Implied,
            age: Age::ONLY,
            meaning: kind.meaning(outcome),
        }
    }

    fn held(acts: &[(Kind, Outcome, u32, u32)]) -> Vec<(u32, Hold)> {
        let mut locks = HeldLocks::default();
        for &(kind, outcome, object, second) in acts {
            locks.apply(&act(kind, outcome, object, second), kind, 0);
        }
        locks.by(ThreadId(1)).iter().map(|held| (held.object.0, held.hold)).collect()
    }

    #[test]
    fn a_wait_gives_its_mutex_back_and_takes_it_again_however_it_ends() {
        let (lock, wait) = ((Kind::MutexLock, Outcome::Done, 1, 9), Kind::CondvarWait);
        assert_eq!(held(&[lock, (wait, Outcome::Done, 2, 1)]), []);
        for outcome in Outcome::ALL {
            let story = [lock, (wait, Outcome::Done, 2, 1), (Kind::CondvarWake, outcome, 1, 2)];
            assert_eq!(held(&story), [(1, Hold::Exclusive)]);
        }
    }

    #[test]
    fn who_was_refused_or_came_too_late_holds_nothing() {
        for kind in [Kind::MutexTryLock, Kind::RwTryRead, Kind::RwTryWrite, Kind::OnceCall] {
            assert_eq!(held(&[(kind, Outcome::Refused, 1, 9)]), [], "{kind}");
        }
        assert_eq!(held(&[(Kind::MutexLock, Outcome::TimedOut, 1, 9)]), []);
    }

    #[test]
    fn a_downgrade_leaves_a_read_lock() {
        let write = (Kind::RwWrite, Outcome::Done, 1, 9);
        let downgrade = (Kind::RwDowngrade, Outcome::Done, 1, 9);
        assert_eq!(held(&[write, downgrade]), [(1, Hold::Shared)]);
        assert_eq!(held(&[write, downgrade, (Kind::RwReadUnlock, Outcome::Done, 1, 9)]), []);
    }

    #[test]
    fn a_guard_gives_back_what_was_taken_where_it_was_made() {
        let mut locks = HeldLocks::default();
        let (read, unlock) = (Kind::RwRead, Kind::RwReadUnlock);
        for (kind, site) in [(read, 10), (read, 20), (unlock, 10)] {
            locks.apply(&act(kind, Outcome::Done, 1, 9), kind, site);
        }
        let left: Vec<_> = locks.by(ThreadId(1)).iter().map(|held| held.site).collect();
        assert_eq!(left, [20]);
    }

    #[test]
    fn an_initialisation_that_fails_is_left_all_the_same() {
        let call = (Kind::OnceCall, Outcome::Done, 1, 9);
        assert_eq!(held(&[call]), [(1, Hold::Initialising)]);
        assert_eq!(held(&[call, (Kind::OnceDone, Outcome::Refused, 1, 9)]), []);
    }
}

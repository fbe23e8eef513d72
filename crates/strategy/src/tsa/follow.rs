//! Who was last at each object, while an execution goes on or is gone through afterwards.

use super::goal::{Goal, Role};
use super::names::{NOTHING, Names, Seconds};
use rustc_hash::FxHashMap;
use selvedge_model::{Hold, Link, LockAction, Meaning, ThreadId};
use std::collections::VecDeque;

/// Places of a campaign, by number.
#[derive(Debug)]
pub(crate) struct Places {
    pub(crate) names: Names,
    pub(crate) seconds: Seconds,
}

impl Places {
    pub(crate) fn new() -> Self {
        Self { names: Names::new(), seconds: Seconds::default() }
    }
}

/// An action as it stands for in pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deed {
    pub(crate) thread: ThreadId,
    pub(crate) object: u32,
    /// What the operation means, or would mean.
    pub(crate) meaning: &'static Meaning,
    pub(crate) role: Role,
    /// The place of the operation.
    pub(crate) stop: u32,
    /// Where it closes a pair.
    pub(crate) closes_at: u32,
    /// What it leaves.
    pub(crate) sets_to: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Last {
    place: u32,
    thread: u32,
}

/// What was last at each object of the execution.
#[derive(Debug, Default)]
pub(crate) struct Follow {
    last: Vec<Last>,
    queues: FxHashMap<u32, VecDeque<Last>>,
    /// Who has read each reader-writer lock last, since it was last written.
    readers: FxHashMap<u32, Last>,
    /// Where each thread was last at each object; only if that matters.
    own: FxHashMap<(u32, u32), u32>,
}

impl Follow {
    pub(crate) fn clear(&mut self) {
        self.last.clear();
        self.queues.clear();
        self.readers.clear();
        self.own.clear();
    }

    #[inline]
    fn last(&self, goal: Goal, deed: &Deed) -> Last {
        if let Some(reader) = self.reader(goal, deed) {
            return reader;
        }
        match goal.is_queued(deed.meaning) {
            false => self.last.get(deed.object as usize).copied().unwrap_or_default(),
            true => {
                let queue = self.queues.get(&deed.object);
                queue.and_then(|queue| queue.front().copied()).unwrap_or_default()
            }
        }
    }

    /// The reader that a writer comes after.
    #[inline]
    fn reader(&self, goal: Goal, deed: &Deed) -> Option<Last> {
        let writes = deed.meaning.lock == LockAction::Takes(Hold::Exclusive);
        match writes && goal.tells_readers_apart() {
            true => self.readers.get(&deed.object).copied(),
            false => None,
        }
    }

    /// A message that nobody received was taken back by its sender.
    pub(crate) fn take_back(&mut self, thread: ThreadId, object: u32) {
        if let Some(queue) = self.queues.get_mut(&object)
            && let Some(position) = queue.iter().rposition(|sent| sent.thread == thread.0)
        {
            queue.remove(position);
        }
    }

    /// The place at which the object was used last, if that may be the first of a pair.
    #[inline]
    pub(crate) fn before(&self, goal: Goal, deed: &Deed) -> Option<u32> {
        let last = self.last(goal, deed);
        let foreign = !goal.is_foreign() || last.thread != deed.thread.0;
        match last.place {
            NOTHING => goal.begins_with_nothing().then_some(NOTHING),
            place => foreign.then_some(place),
        }
    }

    /// The number of the closing action.
    #[inline]
    pub(crate) fn second(&self, goal: Goal, deed: &Deed, seconds: &Seconds) -> Option<u32> {
        match goal.is_of_three() {
            false => Some(deed.closes_at),
            true => {
                let before = self.own.get(&(deed.thread.0, deed.object)).copied()?;
                seconds.get(before, deed.closes_at)
            }
        }
    }

    /// The action is carried out; the pair that it closes, if any.
    #[inline]
    pub(crate) fn apply(
        &mut self,
        goal: Goal,
        deed: &Deed,
        seconds: &mut Seconds,
    ) -> Option<(u32, u32)> {
        let mut closed = None;
        if deed.role.closes
            && let Some(before) = self.before(goal, deed)
        {
            let second = match goal.is_of_three() {
                false => Some(deed.closes_at),
                true => {
                    let own = self.own.get(&(deed.thread.0, deed.object)).copied();
                    own.map(|own| seconds.of(own, deed.closes_at))
                }
            };
            closed = second.map(|second| (before, second));
        }
        if goal.is_of_three() {
            self.own.insert((deed.thread.0, deed.object), deed.sets_to);
        }
        self.leave(goal, deed);
        closed
    }

    #[inline]
    fn leave(&mut self, goal: Goal, deed: &Deed) {
        let now = Last { place: deed.sets_to, thread: deed.thread.0 };
        if goal.tells_readers_apart() {
            match deed.meaning.lock {
                LockAction::GivesBack(Hold::Shared) => {
                    self.readers.insert(deed.object, now);
                    return;
                }
                LockAction::Takes(Hold::Exclusive) => {
                    self.readers.remove(&deed.object);
                }
                _ => {}
            }
        }
        if goal.is_queued(deed.meaning) {
            let queue = self.queues.entry(deed.object).or_default();
            match deed.meaning.link {
                Link::Sends => queue.push_back(now),
                _ => {
                    queue.pop_front();
                }
            }
        } else if deed.role.sets {
            let index = deed.object as usize;
            if self.last.len() <= index {
                self.last.resize(index + 1, Last::default());
            }
            self.last[index] = now;
        }
    }
}

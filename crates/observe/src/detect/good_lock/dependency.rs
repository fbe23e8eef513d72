//! Waits of threads that hold something.

use rustc_hash::FxHashMap;
use selvedge_model::{
    Clock, HeldLock, Hold, Instant, ObjectId, Operation, OperationKind, Site, ThreadId, WaitFor,
};
use std::collections::BTreeMap;

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    /// A lock.
    Lock(ObjectId, Hold),
    /// Something that another thread does.
    Event(Instant),
}

/// A thread waits for something, or would have if others had come first.
#[derive(Clone, Debug)]
pub(super) struct Dependency {
    pub(super) at: Instant,
    /// What the thread had seen for certain when it began to wait.
    pub(super) seen: Clock,
    pub(super) operation: Operation,
    pub(super) wants: Wants,
    pub(super) held: Vec<HeldLock<Site>>,
}

impl Dependency {
    /// Whether both threads can be at their waits at the same time, as far as is known.
    pub(super) fn can_meet(&self, other: &Self) -> bool {
        self.at.thread != other.at.thread
            && !self.at.is_seen_by(&other.seen)
            && !other.at.is_seen_by(&self.seen)
            && self.gate(other).is_none()
    }

    /// A lock that keeps the other thread from being at its wait while this one is.
    fn gate(&self, other: &Self) -> Option<ObjectId> {
        let both = |lock: &&HeldLock<Site>| {
            let excludes = |theirs: &HeldLock<Site>| {
                theirs.object == lock.object && lock.hold.excludes(theirs.hold)
            };
            other.held.iter().any(excludes)
        };
        self.held.iter().find(both).map(|lock| lock.object)
    }
}

/// Of dependencies that differ by their time only, so many are kept.
const INSTANCES: usize = 8;
/// And so many altogether.
const MOST: usize = 5_000;

/// What makes two dependencies differ by more than their time.
type Key = (ThreadId, OperationKind, u32, u32, ObjectId, Vec<ObjectId>);

/// The dependencies of an execution.
#[derive(Debug, Default)]
pub(super) struct Dependencies {
    all: Vec<Dependency>,
    /// Where those with the same key are; only looked up.
    index: FxHashMap<Key, Vec<usize>>,
}

impl Dependencies {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.index.clear();
    }

    pub(super) fn all(&self) -> &[Dependency] {
        &self.all
    }

    /// Adds one. Of many in a loop, the first ones and the last one are kept.
    pub(super) fn add(&mut self, dependency: Dependency) {
        let Operation { kind, object, site, .. } = dependency.operation;
        let held = dependency.held.iter().map(|lock| lock.object).collect();
        let (line, column) = (site.line(), site.column());
        let places =
            self.index.entry((dependency.at.thread, kind, line, column, object, held)).or_default();
        match places.last() {
            Some(&last) if places.len() == INSTANCES => self.all[last] = dependency,
            _ if self.all.len() == MOST => {}
            _ => {
                places.push(self.all.len());
                self.all.push(dependency);
            }
        }
    }

    /// Leaves out waits for what several threads could have brought about.
    pub(super) fn drop_uncertain(&mut self, providers: &Providers) {
        self.all.retain(|dependency| match dependency.wants {
            Wants::Lock(..) => true,
            Wants::Event(_) => providers.is_only_one(dependency),
        });
    }
}

/// Who brings about what others wait for.
#[derive(Debug, Default)]
pub(super) struct Providers {
    of: BTreeMap<ObjectId, Vec<ThreadId>>,
}

impl Providers {
    pub(super) fn clear(&mut self) {
        self.of.clear();
    }

    pub(super) fn add(&mut self, object: ObjectId, thread: ThreadId) {
        let threads = self.of.entry(object).or_default();
        if !threads.contains(&thread) {
            threads.push(thread);
        }
    }

    /// Whether nobody else than the thread that did it does what is waited for.
    fn is_only_one(&self, dependency: &Dependency) -> bool {
        let Dependency { at, operation, .. } = dependency;
        let object = match operation.kind.wait() {
            WaitFor::Message | WaitFor::Token => operation.object,
            WaitFor::Notification => operation.second,
            // A thread ends once, a message is taken once, an initialisation is done once.
            _ => return true,
        };
        let others = self.of.get(&object).map_or(&[][..], Vec::as_slice);
        others.iter().filter(|&&thread| thread != at.thread).count() == 1
    }
}

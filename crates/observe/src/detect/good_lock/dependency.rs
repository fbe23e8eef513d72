//! Waits of threads that hold something.

use super::super::held::{HeldLock, Mode};
use super::super::must_order::Instant;
use super::comes_before;
use rustc_hash::FxHashMap;
use selvedge_model::{Clock, ObjectId, Operation, OperationKind, ThreadId};
use std::collections::BTreeMap;

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    /// A lock.
    Lock(ObjectId, Mode),
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
    pub(super) held: Vec<HeldLock>,
}

impl Dependency {
    /// Whether both threads can be at their waits at the same time, as far as is known.
    pub(super) fn can_meet(&self, other: &Self) -> bool {
        self.at.thread != other.at.thread
            && !comes_before(self.at, &other.seen)
            && !comes_before(other.at, &self.seen)
            && self.gate(other).is_none()
    }

    /// A lock that keeps the other thread from being at its wait while this one is.
    fn gate(&self, other: &Self) -> Option<ObjectId> {
        let both = |lock: &&HeldLock| {
            let excludes =
                |theirs: &HeldLock| theirs.object == lock.object && lock.mode.excludes(theirs.mode);
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
        let Operation { kind, object, site } = dependency.operation;
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
    /// The condition variable that a thread waits for.
    waits: BTreeMap<ThreadId, ObjectId>,
    /// The condition variables of the waits that have ended.
    woken: FxHashMap<(ThreadId, u32), ObjectId>,
}

impl Providers {
    pub(super) fn clear(&mut self) {
        self.of.clear();
        self.waits.clear();
        self.woken.clear();
    }

    pub(super) fn add(&mut self, object: ObjectId, thread: ThreadId) {
        let threads = self.of.entry(object).or_default();
        if !threads.contains(&thread) {
            threads.push(thread);
        }
    }

    pub(super) fn waits(&mut self, thread: ThreadId, condvar: ObjectId) {
        self.waits.insert(thread, condvar);
    }

    pub(super) fn wakes(&mut self, at: Instant) {
        if let Some(&condvar) = self.waits.get(&at.thread) {
            self.woken.insert((at.thread, at.time), condvar);
        }
    }

    /// Whether nobody else than the thread that did it does what is waited for.
    fn is_only_one(&self, dependency: &Dependency) -> bool {
        let Dependency { at, operation, .. } = dependency;
        let object = match operation.kind {
            OperationKind::Receive | OperationKind::Park => operation.object,
            OperationKind::CondvarWake => match self.woken.get(&(at.thread, at.time)) {
                Some(&condvar) => condvar,
                None => return false,
            },
            // A thread ends once, a message is taken once, an initialisation is done once.
            _ => return true,
        };
        let others = self.of.get(&object).map_or(&[][..], Vec::as_slice);
        others.iter().filter(|&&thread| thread != at.thread).count() == 1
    }
}

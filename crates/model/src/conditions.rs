//! Under which conditions a test ran: what people should know to judge its result.

use crate::{Fault, Source, ThreadReport};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A thread that is not under control although a controlled one has started it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutsideThread {
    /// Who started it.
    pub by: ThreadReport,
    /// The last operation of that thread before it did, if there was any.
    pub after: Option<Source>,
}

/// Why each execution ran in a process of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Forked {
    /// The setting asks for it.
    Asked,
    /// The program's allocator keeps state in statics, and serves us as well as the test.
    Allocator,
    /// The test changes static data of libraries, which is not put back.
    Libraries,
    /// The test changes its process in a way that can not be undone.
    Process,
    /// Without it executions found what earlier ones had left behind.
    LeftBehind,
    /// Without it the process died.
    Died,
}

/// Something that could have happened and was not tried, however many executions there were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LeftOut {
    /// Executions with more preemptions than this.
    Preemptions(u32),
    /// Executions in which this happens more often than so many times.
    Faults {
        /// What happens.
        fault: Fault,
        /// How often, at most.
        most: u32,
    },
    /// What executions do after so many steps that they are not explored any more.
    LongExecutions,
    /// What threads do that go round and round for more turns than they were let.
    LongSpins,
}

/// An execution that failed, although not because of its schedule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedExecution {
    /// Which one.
    pub execution: u64,
    /// The kind of problem.
    pub problem: String,
}

/// What is kept of an execution while it runs, apart from the test's own data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum KeptFor {
    /// Who accessed memory last, and what orders accesses: what data races are found by.
    Races,
    /// What coverage is computed from.
    Coverage,
    /// What detectors look at to warn.
    Warnings,
}

/// Something that would have taken too much memory, or time, to keep in full. What was left out can
/// hide a problem and never makes one up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NotKept {
    /// What.
    pub what: KeptFor,
    /// From which step on.
    pub after: u64,
}

/// The conditions of one execution, or of several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// Threads that were not under control; of several executions, those of the one with the most.
    pub outside_threads: Vec<OutsideThread>,
    /// How many bytes of static data an execution changed and were put back, at most; nothing if
    /// statics are left as they are.
    pub statics_put_back: Option<usize>,
    /// Whether each execution ran in a process of its own, and why.
    pub forked: Option<Forked>,
    /// What was not tried although it was possible. Only a search of all schedules keeps account of
    /// it: the others leave out more than can be told.
    #[serde(default)]
    pub left_out: BTreeSet<LeftOut>,
    /// The first execution that failed because of what earlier ones had left behind, even though each
    /// had a process of its own: a schedule that had passed did not pass any more.
    #[serde(default)]
    pub left_behind: Option<FailedExecution>,
    /// An execution that failed in a way that never came again, neither with its schedule nor when the
    /// test was explored once more while nobody else ran.
    #[serde(default)]
    pub never_again: Option<FailedExecution>,
    /// The only execution failed, and the test passes when it is run without control. It has one thread and
    /// nothing was decided, so that control should make no difference.
    #[serde(default)]
    pub only_under_control: Option<FailedExecution>,
    /// How many executions were cut off, because the test is long.
    #[serde(default)]
    pub cut_off: u64,
    /// What was not kept in full; of several executions, the earliest step of each.
    #[serde(default)]
    pub not_kept: Vec<NotKept>,
}

impl Conditions {
    /// Takes another execution in.
    pub fn add(&mut self, other: Self) {
        if other.outside_threads.len() > self.outside_threads.len() {
            self.outside_threads = other.outside_threads;
        }
        self.statics_put_back = self.statics_put_back.max(other.statics_put_back);
        self.forked = self.forked.or(other.forked);
        self.left_out.extend(other.left_out);
        self.left_behind = self.left_behind.take().or(other.left_behind);
        self.never_again = self.never_again.take().or(other.never_again);
        self.only_under_control = self.only_under_control.take().or(other.only_under_control);
        self.cut_off += other.cut_off;
        for not_kept in other.not_kept {
            match self.not_kept.iter_mut().find(|known| known.what == not_kept.what) {
                Some(known) => known.after = known.after.min(not_kept.after),
                None => self.not_kept.push(not_kept),
            }
        }
        self.not_kept.sort();
    }

    /// Whether people should hear of them also if the test has but one schedule: something of it was
    /// not tried or not looked at.
    pub fn leave_something_open(&self) -> bool {
        let races = |not_kept: &NotKept| not_kept.what == KeptFor::Races;
        !self.are_complete()
            || self.left_behind.is_some()
            || self.never_again.is_some()
            || self.only_under_control.is_some()
            || self.not_kept.iter().any(races)
    }

    /// Whether a search that has come to its end has tried all that was possible.
    pub fn are_complete(&self) -> bool {
        self.left_out.is_empty() && self.outside_threads.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{Conditions, KeptFor, NotKept, OutsideThread};
    use crate::{ThreadPath, ThreadReport};

    #[test]
    fn a_thread_outside_of_control_leaves_something_open() {
        assert!(!Conditions::default().leave_something_open());
        let by = ThreadReport { path: ThreadPath::main(), name: None, spawned: None };
        let outside = Conditions {
            outside_threads: vec![OutsideThread { by, after: None }],
            ..Conditions::default()
        };
        assert!(outside.leave_something_open());
    }

    #[test]
    fn of_several_executions_the_most_counts() {
        let of = |bytes| Conditions { statics_put_back: bytes, ..Conditions::default() };
        let mut all = of(None);
        all.add(of(Some(8)));
        all.add(of(Some(0)));
        assert_eq!(all, of(Some(8)));
    }

    #[test]
    fn what_was_not_kept_is_told_from_its_earliest_step_on() {
        let of = |what, after| Conditions {
            not_kept: vec![NotKept { what, after }],
            ..Conditions::default()
        };
        let mut all = of(KeptFor::Coverage, 9);
        all.add(of(KeptFor::Races, 7));
        all.add(of(KeptFor::Coverage, 3));
        all.add(of(KeptFor::Coverage, 5));
        let steps: Vec<_> = all.not_kept.iter().map(|left| (left.what, left.after)).collect();
        assert_eq!(steps, [(KeptFor::Races, 7), (KeptFor::Coverage, 3)]);
    }
}

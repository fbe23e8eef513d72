//! Under which conditions a test ran: what people should know to judge its result.

use crate::{Source, ThreadReport};
use serde::{Deserialize, Serialize};

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
    /// Without it the process died.
    Died,
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
    /// How often a thread that went round and round was set aside although it could have gone on:
    /// what it would have done after more turns was left out.
    #[serde(default)]
    pub cut_spins: u64,
}

impl Conditions {
    /// Takes another execution in.
    pub fn add(&mut self, other: Self) {
        if other.outside_threads.len() > self.outside_threads.len() {
            self.outside_threads = other.outside_threads;
        }
        self.statics_put_back = self.statics_put_back.max(other.statics_put_back);
        self.forked = self.forked.or(other.forked);
        self.cut_spins += other.cut_spins;
    }
}

#[cfg(test)]
mod tests {
    use super::Conditions;

    #[test]
    fn of_several_executions_the_most_counts() {
        let of = |bytes| Conditions { statics_put_back: bytes, ..Conditions::default() };
        let mut all = of(None);
        all.add(of(Some(8)));
        all.add(of(Some(0)));
        assert_eq!(all, of(Some(8)));
    }
}

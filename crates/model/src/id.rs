//! Identities. Dense numbers within one execution, paths across executions.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A thread of one execution, numbered in the order in which threads were spawned.
///
/// The number depends on the schedule; across executions a thread is known by its [`ThreadPath`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ThreadId(pub u32);

impl ThreadId {
    /// The thread that runs the test function itself.
    pub const MAIN: Self = Self(0);

    /// The position of this thread in tables that are indexed by thread.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "thread {}", self.0)
    }
}

/// An object (mutex, atomic, channel…) of one execution, numbered in the order of first use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// The object of operations that concern no object, such as a yield.
    pub const NONE: Self = Self(u32::MAX);

    /// The position of this object in tables that are indexed by object.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NONE => f.write_str("no object"),
            Self(n) => write!(f, "object {n}"),
        }
    }
}

/// The identity of a thread in every execution: which child of which thread it is.
///
/// The test's own thread is `0`, its first spawned thread `1`, the second `2`, the first thread
/// that `2` spawns is `2.1`. Unlike a [`ThreadId`] this does not depend on the schedule, as long
/// as each thread spawns its children in the same order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ThreadPath(Vec<u32>);

impl ThreadPath {
    /// The path of the test's own thread.
    pub const fn main() -> Self {
        Self(Vec::new())
    }

    /// The path of the `ordinal`-th thread (from 1) that this thread spawns.
    pub fn child(&self, ordinal: u32) -> Self {
        let mut path = self.0.clone();
        path.push(ordinal);
        Self(path)
    }
}

impl ThreadPath {
    /// A number made of the path, the same in every execution; 0 for the test's own thread.
    pub fn key(&self) -> u64 {
        self.0.iter().fold(0, |parent, &ordinal| Self::child_key(parent, ordinal))
    }

    /// The key of the `ordinal`-th child of the thread with the key `parent`.
    pub const fn child_key(parent: u64, ordinal: u32) -> u64 {
        (parent ^ ordinal as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
    }
}

impl fmt::Display for ThreadPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.0.split_first() else { return f.write_str("0") };
        write!(f, "{first}")?;
        rest.iter().try_for_each(|n| write!(f, ".{n}"))
    }
}

impl fmt::Debug for ThreadPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "thread {self}")
    }
}

/// The text is no thread path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no thread: threads are written as 0 (the test itself), 1, 2, 2.1 …")]
pub struct ThreadPathError(String);

impl FromStr for ThreadPath {
    type Err = ThreadPathError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "0" {
            return Ok(Self::main());
        }
        text.split('.')
            .map(|part| part.parse::<u32>().ok().filter(|&n| n > 0))
            .collect::<Option<Vec<_>>>()
            .map(Self)
            .ok_or_else(|| ThreadPathError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_back_as_it_was_printed() {
        let grandchild = ThreadPath::main().child(2).child(1);
        assert_eq!(grandchild.to_string(), "2.1");
        assert_eq!("2.1".parse(), Ok(grandchild));
        assert_eq!("0".parse(), Ok(ThreadPath::main()));
    }

    #[test]
    fn paths_that_name_no_thread_are_refused() {
        for text in ["", "1.0", "a", "1..2", "-1", "0.1"] {
            assert!(text.parse::<ThreadPath>().is_err(), "{text:?} was taken");
        }
    }
}

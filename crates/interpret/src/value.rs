//! The value that generic types are filled with.

use crate::world::world;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A value with an identity, by which it is compared, ordered and hashed. Every instance is accounted for, so
/// that it is seen if one is lost, dropped twice or used after it was dropped. Printed, it is the number of its
/// identity, so that a plain number can take its place.
pub struct V {
    identity: u64,
    instance: u32,
}

impl V {
    /// A new instance.
    pub fn new(identity: u64) -> Self {
        Self { identity, instance: world().born() }
    }

    fn identity(&self) -> u64 {
        world().used(self.instance);
        self.identity
    }
}

impl Clone for V {
    fn clone(&self) -> Self {
        Self::new(self.identity())
    }
}

impl Default for V {
    fn default() -> Self {
        Self::new(0)
    }
}

impl Drop for V {
    fn drop(&mut self) {
        world().died(self.instance);
    }
}

impl fmt::Debug for V {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.identity(), f)
    }
}

impl fmt::Display for V {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.identity(), f)
    }
}

impl PartialEq for V {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for V {}

impl PartialOrd for V {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for V {
    fn cmp(&self, other: &Self) -> Ordering {
        self.identity().cmp(&other.identity())
    }
}

impl Hash for V {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl From<u64> for V {
    fn from(identity: u64) -> Self {
        Self::new(identity)
    }
}

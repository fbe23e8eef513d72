//! What a detector knows of each variable: data behind locks, and bytes of memory.

use super::shadow::Shadow;
use rustc_hash::FxHashMap;
use selvedge_model::{MemoryChange, ObjectId, Variable};

/// Something for each variable of an execution. Bytes of memory that were always accessed together
/// are one variable, and memory that was freed and allocated again is another one.
pub(super) struct Variables<T> {
    memory: Shadow<T>,
    data: FxHashMap<ObjectId, T>,
}

impl<T> Variables<T> {
    /// What is known of bytes of memory takes about so many bytes at most.
    pub(super) fn new(limit: usize) -> Self {
        Self { memory: Shadow::new(limit, |_| 0), data: FxHashMap::default() }
    }
}

impl<T: Clone + Default> Variables<T> {
    /// A new execution begins.
    pub(super) fn begin(&mut self) {
        self.memory.begin();
        self.data.clear();
    }

    /// Calls `f` for each variable that an access concerns.
    pub(super) fn each(&mut self, variable: Variable, mut f: impl FnMut(&mut T)) {
        match variable {
            Variable::Data(object) => f(self.data.entry(object).or_default()),
            Variable::Memory { address, size } => self.memory.each(address..address + size, f),
        }
    }

    /// What lies there from now on is something else.
    pub(super) fn forget(&mut self, change: &MemoryChange) {
        self.memory.take(change.address..change.address + change.size, |_| {});
    }
}

//! How the objects of an execution are known: by their numbers, and those without a handle by their
//! addresses.

use crate::atomics::Atomics;
use crate::object::Epochs;
use crate::objects::foreign::ForeignObjects;
use crate::sharing::{Knowledge, Usage};
use rustc_hash::FxHashMap;
use selvedge_model::{ObjectId, ObjectInfo};

/// What is known of objects besides their states.
pub(crate) struct Registry {
    /// What others may know of each object.
    pub(crate) info: Vec<ObjectInfo>,
    /// The numbers of the atomics, by their addresses.
    pub(crate) atomics: Atomics,
    /// The numbers of the futexes, by their addresses.
    pub(crate) futexes: FxHashMap<usize, ObjectId>,
    /// Objects of other libraries, by their addresses.
    pub(crate) foreign: ForeignObjects,
    /// The number of the execution.
    pub(crate) epoch: u32,
    pub(crate) epochs: Epochs,
    /// What earlier executions have taught.
    pub(crate) sharing: Knowledge,
}

impl Registry {
    /// Nothing is known yet, and what will be is used in this way.
    pub(crate) fn new(usage: Usage) -> Self {
        let mut sharing = Knowledge::default();
        sharing.set_usage(usage);
        Self {
            info: Vec::new(),
            atomics: Atomics::new(),
            futexes: FxHashMap::default(),
            foreign: ForeignObjects::default(),
            epoch: 0,
            epochs: Epochs::new(),
            sharing,
        }
    }

    /// Forgets the last execution, but not what it has taught, and begins the next one.
    pub(crate) fn reset(&mut self) {
        self.info.clear();
        self.epoch = self.epochs.begin();
        self.atomics.begin(self.epoch);
        self.futexes.clear();
        self.foreign.reset();
    }
}

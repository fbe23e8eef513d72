//! What is recorded of a run on ordinary threads: which lock was taken where, one after the other.

use real::collections::{BTreeMap, BTreeSet};
use real::mem;
use real::sync::{Mutex, PoisonError};
use selvedge_engine::{Numbering, Object, OutsideUse};
use selvedge_model::{ObjectId, Site};

/// What a run has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The synchronisation pairs that it has covered, as the metric `sp` defines them: a lock was
    /// taken at the one place, and the next time that anybody took it was at the other.
    pub pairs: BTreeSet<(Site, Site)>,
}

/// Records a run.
pub(super) struct Recorder {
    numbering: Numbering,
    so_far: Mutex<SoFar>,
}

#[derive(Default)]
struct SoFar {
    /// Where each lock was taken last.
    last: BTreeMap<ObjectId, Site>,
    recorded: Recorded,
}

impl Default for Recorder {
    fn default() -> Self {
        Self { numbering: Numbering::new(), so_far: Mutex::default() }
    }
}

impl Recorder {
    /// A lock was just taken, and is held: nobody else takes it before this returns, unless both
    /// take it for reading.
    pub(super) fn lock_taken(&self, lock: &Object, in_use: &OutsideUse<'_>, site: Site) {
        let lock = self.numbering.of(lock, in_use);
        let mut so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = so_far.last.insert(lock, site) {
            so_far.recorded.pairs.insert((last, site));
        }
    }

    /// What was recorded so far.
    pub(super) fn recorded(&self) -> Recorded {
        let mut so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        mem::take(&mut so_far.recorded)
    }
}

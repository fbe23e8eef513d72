//! Numbers for objects that ordinary threads use together.
//!
//! An object knows the last execution that met it, and its number there (see `object.rs`). What runs
//! on ordinary threads and is watched takes the number of an execution of its own, so that objects
//! are told apart in the same way: by what they are and not by where they lie, since memory is given
//! away again while a test runs.

use crate::object::{Object, OutsideUse, epoch_of_its_own};
use selvedge_model::ObjectId;
use std::sync::atomic::{AtomicU32, Ordering};

/// Numbers the objects of one run on ordinary threads in the order of their first use.
///
/// An object that two runs use at the same time, such as a static one, gets a new number whenever
/// the other has used it in between.
#[derive(Debug)]
pub struct Numbering {
    epoch: u32,
    next: AtomicU32,
}

impl Numbering {
    /// For a run that begins.
    #[expect(clippy::new_without_default, reason = "each one takes a number of the process")]
    pub fn new() -> Self {
        Self { epoch: epoch_of_its_own(), next: AtomicU32::new(0) }
    }

    /// The number of an object that an ordinary thread is using.
    pub fn of(&self, object: &Object, _in_use: &OutsideUse<'_>) -> ObjectId {
        let mut claim = object.claim.load(Ordering::Relaxed);
        loop {
            if (claim >> 32) as u32 == self.epoch {
                return ObjectId(claim as u32);
            }
            let id = self.next.fetch_add(1, Ordering::Relaxed);
            let ours = (u64::from(self.epoch) << 32) | u64::from(id);
            // Another thread of this run may have been faster; then its number counts.
            match object.claim.compare_exchange(claim, ours, Ordering::SeqCst, Ordering::Relaxed) {
                Ok(_) => return ObjectId(id),
                Err(now) => claim = now,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_model::Site;

    #[test]
    fn an_object_keeps_its_number_for_a_run_and_gets_another_in_the_next() {
        let objects = [Object::new(Site::caller()), Object::new(Site::caller())];
        let [first, second] = objects.each_ref().map(Object::use_outside);
        let run = Numbering::new();
        assert_eq!(run.of(&objects[1], &second), ObjectId(0));
        assert_eq!(run.of(&objects[0], &first), ObjectId(1));
        assert_eq!(run.of(&objects[1], &second), ObjectId(0));
        let next = Numbering::new();
        assert_eq!(next.of(&objects[0], &first), ObjectId(0));
    }
}

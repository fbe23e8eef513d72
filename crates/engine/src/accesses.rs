//! Accesses to the data behind locks, for those who watch.
//!
//! An access is no step and changes nothing. It is noted for the record, and told at once to those
//! who are told of events. Those after the last recorded event of a long execution are not. Guards
//! remember from the moment of locking whether anybody wants to know, so that nobody else pays.
//!
//! Between two events no other thread comes in between, so an access that was made since the last
//! event already is not noted again: a loop over the data behind a lock is but a few accesses. What
//! is noted is limited all the same, and what comes later is told as left out.

use crate::context::Controlled;
use crate::execution::Execution;
use crate::object::Object;
use crate::step::Listeners;
use selvedge_model::{Access, AccessKind, AccessMode, KeptFor, NotKept, Site, Spot, Variable};

/// No more accesses than this are noted.
const MOST: usize = 1 << 20;
/// So many of the last ones are looked at for one that is repeated.
const REPEATED: usize = 8;

/// Whether accesses to data are told to somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// Somebody wants to know.
    Yes,
    /// Nobody does.
    No,
}

impl Controlled {
    /// The running thread accesses what the lock protects, which it holds.
    #[inline(never)]
    pub fn data_access(self, lock: &Object, kind: AccessKind, site: Site) {
        let execution = &mut *self.execution();
        if execution.length.quiet != 0 || execution.is_beyond() {
            return;
        }
        let id = lock.id(execution, || unreachable!("a lock that is held is known"), site);
        let (variable, spot) = (Variable::Data(id), Spot::Line(site));
        let (thread, mode) = (execution.current, AccessMode::Plain);
        let access = Access { thread, kind, mode, variable, spot };
        let noted = (execution.events.len(), access);
        let of_this_step =
            execution.account.accesses.iter().rev().take_while(|&&(step, _)| step == noted.0);
        if of_this_step.take(REPEATED).any(|earlier| *earlier == noted) {
            return;
        }
        if execution.account.accesses.len() >= MOST {
            return execution.leaves_out(KeptFor::Coverage);
        }
        execution.account.accesses.push(noted);
        if execution.partners.listeners != Listeners::None {
            execution.tell_access(&access);
        }
    }
}

impl Execution {
    /// Something is not kept any more from now on.
    #[cold]
    pub(crate) fn leaves_out(&mut self, what: KeptFor) {
        if self.account.not_kept.iter().all(|not_kept| not_kept.what != what) {
            self.account.not_kept.push(NotKept { what, after: self.steps() });
        }
    }
}

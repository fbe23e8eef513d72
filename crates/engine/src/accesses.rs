//! Accesses to the data behind locks, for those who watch.
//!
//! An access is no step: it is told at the moment at which it happens and changes nothing. Guards
//! remember from the moment of locking whether anybody wants to know, so that nobody else pays.

use crate::context::Controlled;
use crate::object::Object;
use selvedge_model::{Access, AccessKind, Site, Spot, Toggle, Variable};

/// Whether accesses to data are told to somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// Somebody wants to know.
    Yes,
    /// Nobody does.
    No,
}

impl Controlled {
    /// Whether somebody wants to know of accesses to data.
    #[inline]
    pub fn telling(self) -> Telling {
        match self.execution().settings.accesses {
            Toggle::On => Telling::Yes,
            Toggle::Off => Telling::No,
        }
    }

    /// The running thread accesses what the lock protects, which it holds.
    #[cold]
    #[inline(never)]
    pub fn data_access(self, lock: &Object, kind: AccessKind, site: Site) {
        let execution = &mut *self.execution();
        let Some(observer) = execution.observer else { return };
        if execution.quiet != 0 {
            return;
        }
        let id = lock.id(execution, || unreachable!("a lock that is held is known"), site);
        let access = Access {
            thread: execution.current,
            kind,
            variable: Variable::Data(id),
            spot: Spot::Line(site),
        };
        let (place, moment) = (execution.place, execution.moment());
        // SAFETY: `run` keeps the observer borrowed for as long as the execution runs, nothing else
        // reaches it meanwhile, and threads run on the thread of `run`, whose place this is.
        unsafe { place.outside(|| (*observer).access(&access, &moment)) };
    }
}

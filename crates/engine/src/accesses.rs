//! Accesses to the data behind locks, for those who watch.
//!
//! An access is no step and changes nothing. It is noted for the record, and told at once to those
//! who are told of events. Those after the last recorded event of a long execution are not. Guards
//! remember from the moment of locking whether anybody wants to know, so that nobody else pays.

use crate::context::Controlled;
use crate::object::Object;
use crate::step::Listeners;
use selvedge_model::{Access, AccessKind, AccessMode, Site, Spot, Toggle, Variable};

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
    #[inline(never)]
    pub fn data_access(self, lock: &Object, kind: AccessKind, site: Site) {
        let execution = &mut *self.execution();
        if execution.quiet != 0 || execution.is_beyond() {
            return;
        }
        let id = lock.id(execution, || unreachable!("a lock that is held is known"), site);
        let (variable, spot) = (Variable::Data(id), Spot::Line(site));
        let (thread, mode) = (execution.current, AccessMode::Plain);
        let access = Access { thread, kind, mode, variable, spot };
        execution.accesses.push((execution.events.len(), access));
        if execution.listeners != Listeners::None {
            execution.tell_access(&access);
        }
    }
}

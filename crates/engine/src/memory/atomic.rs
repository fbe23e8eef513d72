//! Atomic accesses of code that is not under control.

use super::{Touch, touch};
use crate::context::{Code, Controlled};
use crate::execution::Execution;
use crate::heap::Caller;
use selvedge_model::{AccessKind, AccessMode, Element, Toggle, ValueUse, atomic_edges};
use std::sync::atomic::Ordering;

/// What an atomic access did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicTouch {
    /// It read.
    Load,
    /// It wrote.
    Store,
    /// It read and wrote.
    Rmw,
}

/// The program has made an atomic access.
pub fn atomic(what: AtomicTouch, ordering: Ordering, address: usize, size: usize, caller: Caller) {
    let Some(controlled) = Controlled::running() else { return };
    if controlled.code() != Code::Test {
        return;
    }
    let kind = match what {
        AtomicTouch::Load => AccessKind::Read,
        AtomicTouch::Store | AtomicTouch::Rmw => AccessKind::Write,
    };
    touch(Touch { kind, mode: AccessMode::Atomic, address, size }, caller);
    let execution = &mut *controlled.execution();
    if execution.order.races == Toggle::On {
        execution.order_by_atomic(what, ordering, address);
    }
}

/// The program has come to a fence.
pub fn fence(ordering: Ordering) {
    let Some(controlled) = Controlled::running() else { return };
    if controlled.code() == Code::Test {
        controlled.expect_room();
        let execution = &mut *controlled.execution();
        execution.fence_clock(ordering);
        execution.next_epoch();
    }
}

impl Execution {
    fn order_by_atomic(&mut self, what: AtomicTouch, ordering: Ordering, address: usize) {
        self.limit_clocks();
        if self.order.races == Toggle::Off {
            return;
        }
        let value = match what {
            AtomicTouch::Load => ValueUse::Reads,
            AtomicTouch::Store => ValueUse::Writes,
            AtomicTouch::Rmw => ValueUse::Updates,
        };
        atomic_edges(Element::Word(address), value, ordering.into(), |edge| self.edge(edge));
        if what != AtomicTouch::Load {
            self.next_epoch();
        }
    }
}

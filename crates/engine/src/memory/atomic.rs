//! Atomic accesses of code that is not under control.

use super::{Touch, touch};
use crate::context::{Code, Controlled};
use crate::execution::Execution;
use crate::happens_before::Write;
use crate::heap::Caller;
use selvedge_model::{AccessKind, AccessMode, Toggle};
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
        let me = self.current;
        if self.memory.clocks.len() == self.memory.clocks.capacity() {
            self.limit_clocks();
            if self.order.races == Toggle::Off {
                return;
            }
        }
        let clock = self.memory.clocks.entry(address).or_default();
        let thread = &mut self.order.clocks[me.index()];
        if what != AtomicTouch::Store {
            clock.read_by(thread, ordering);
        }
        match what {
            AtomicTouch::Load => {}
            AtomicTouch::Store => clock.written_by(thread, me, ordering, Write::Store),
            AtomicTouch::Rmw => clock.written_by(thread, me, ordering, Write::ReadModifyWrite),
        }
        if what != AtomicTouch::Load {
            self.next_epoch();
        }
    }
}

//! Stacks, which are mostly private.
//!
//! The compiler leaves out accesses to variables of which no reference escapes. Of those that are
//! left, most are still to a stack that no other thread ever comes to. Once one has come to it, as
//! scoped threads do, its owner's accesses count as well, in this execution from then on and in
//! later ones from the beginning.
//!
//! With its thread a stack ends. That is a write to all of it, as freeing is; and who comes there
//! later, before another thread begins on the same memory, accesses what is gone.

use super::NOWHERE;
use crate::execution::Execution;
use crate::fiber::Fiber;
use crate::thread::Thread;
use selvedge_model::{CodeAddress, ThreadId, Toggle};
use std::ops::Range;

/// Where stacks end: at no instruction of the program's.
pub(super) const NO_CODE: CodeAddress = CodeAddress(0);

/// Whether accesses to a stack are of interest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum StackUse {
    /// As far as is known, only its thread comes there.
    #[default]
    Private,
    /// Other threads come there.
    Shared,
}

impl Execution {
    /// Whether an address lies on a stack to which several threads come.
    #[inline]
    pub(super) fn is_shared_stack(&mut self, address: usize, size: usize) -> bool {
        let Thread { fiber: Some(fiber), stack_use, .. } = &mut self.threads[self.current.index()]
        else {
            return false;
        };
        if fiber.stack().contains(&address) {
            if *stack_use == StackUse::Shared {
                fiber.note_recorded(address, size);
            }
            return *stack_use == StackUse::Shared;
        }
        self.memory.stacks.contains(&address) && self.visit_stack(address, size)
    }

    /// The running thread accesses the stack of another one, if it is that of one.
    #[inline(never)]
    fn visit_stack(&mut self, address: usize, size: usize) -> bool {
        let owner = self.threads.iter().position(|thread| {
            thread.fiber.as_ref().is_some_and(|fiber| fiber.stack().contains(&address))
        });
        let Some(owner) = owner else { return false };
        if let Some(fiber) = &mut self.threads[owner].fiber {
            fiber.note_recorded(address, size);
        }
        if self.threads[owner].stack_use == StackUse::Private {
            self.threads[owner].stack_use = StackUse::Shared;
            self.memory.shared_stacks.insert(self.info[owner].key);
        }
        true
    }

    /// Whose stack the address lies on, if its thread has ended and no other has begun there.
    #[inline]
    pub(super) fn ended_owner(&self, address: usize) -> Option<ThreadId> {
        let own = self.threads[self.current.index()].fiber.as_ref();
        let is_own = own.is_some_and(|fiber| fiber.stack().contains(&address));
        if is_own || !self.memory.stacks.contains(&address) {
            return None;
        }
        let mut ended = self.memory.ended_stacks.iter();
        ended.find(|(stack, _)| stack.contains(&address)).map(|&(_, owner)| owner)
    }

    /// The running thread ends, and its stack with it.
    pub(crate) fn end_stack(&mut self) {
        let thread = self.current;
        let Some(fiber) = &mut self.threads[thread.index()].fiber else { return };
        let stack = fiber.stack();
        let recorded = std::mem::replace(&mut fiber.recorded, NOWHERE);
        if self.order.races == Toggle::On {
            self.memory.ended_stacks.push((stack, thread));
            self.tell_memory(recorded, Some(NO_CODE));
        }
    }

    /// A thread begins on a stack on which another may have been before.
    pub(crate) fn begin_stack(&mut self, thread: ThreadId) {
        if self.order.races == Toggle::Off {
            return;
        }
        let is_shared = self.registry.sharing.stops_always()
            || self.memory.shared_stacks.contains(&self.info[thread.index()].key);
        let state = &mut self.threads[thread.index()];
        state.stack_use = if is_shared { StackUse::Shared } else { StackUse::Private };
        let Some(fiber) = &mut state.fiber else { return };
        let stack = fiber.stack();
        let left = std::mem::replace(&mut fiber.recorded, NOWHERE);
        self.memory.ended_stacks.retain(|(ended, _)| ended.start != stack.start);
        let stacks = &mut self.memory.stacks;
        *stacks = stacks.start.min(stack.start)..stacks.end.max(stack.end);
        self.tell_memory(left, None);
    }
}

impl Fiber {
    /// Where its stack lies.
    #[inline]
    pub(crate) fn stack(&self) -> Range<usize> {
        self.stack_limit..self.stack_base
    }

    /// Observers have been told of an access here.
    #[inline]
    fn note_recorded(&mut self, address: usize, size: usize) {
        let Range { start, end } = self.recorded;
        self.recorded = start.min(address)..end.max(address + size).min(self.stack_base);
    }
}

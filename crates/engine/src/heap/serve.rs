//! What the process's allocator asks.
//!
//! Called for each allocation of the process, on any thread, also before `main` and in the middle
//! of an engine function: so nothing here allocates, and the state of the execution is touched
//! only when the code of the test runs.

use super::arena::{Exhausted, Request, size_in_slot};
use super::block::{FRAMES, Note};
use super::frames::{Caller, walk};
use super::oracle::MemoryFault;
use super::{ARENA, arena::NotFreed, span};
use crate::context::Controlled;
use crate::statics::Statics;
use selvedge_model::{ThreadId, Toggle};

/// What became of a pointer that was to be freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freed {
    /// It has been dealt with.
    Here,
    /// It is one of the C library's.
    Elsewhere,
}

/// Memory for the code of the test, or nothing if the caller is not served here and the C library
/// is to be asked.
#[inline]
pub fn allocate(request: Request, caller: Caller) -> Option<*mut u8> {
    let controlled = Controlled::running()?;
    if !controlled.is_test_code() {
        return None;
    }
    controlled.allocate(request, caller)
}

/// Frees memory, or says that it is not from here.
#[inline]
pub fn free(pointer: *mut u8, caller: Caller) -> Freed {
    let address = pointer as usize;
    if span::contains(address) {
        if let Some(controlled) = Controlled::running() {
            controlled.free(address, caller);
        }
        // After its execution, memory is not freed one by one.
        return Freed::Here;
    }
    match Controlled::running() {
        Some(controlled) if controlled.is_test_code() => controlled.free_foreign(address, caller),
        _ => Freed::Elsewhere,
    }
}

/// Whether memory that the C library has allocated must stay as it is although the caller frees
/// it: a static that is put back may refer to it.
#[inline]
pub fn keep(caller: Caller) -> bool {
    match Controlled::running() {
        Some(controlled) if controlled.is_test_code() => controlled.keeps_foreign(caller),
        _ => false,
    }
}

/// The size of memory from here; 0 if it is from here but no block begins there. Nothing if it is
/// not from here.
pub fn size_of(pointer: *mut u8) -> Option<usize> {
    let slot = span::slot_of(pointer as usize)?;
    Some(size_in_slot(slot, pointer as usize))
}

/// Makes memory from here a little smaller where it is; says whether it did.
pub fn shrink(pointer: *mut u8, size: usize) -> bool {
    if !span::contains(pointer as usize) || Controlled::running().is_none() {
        return false;
    }
    let arena = ARENA.get();
    // SAFETY: The arena is alive for as long as its thread says so, and the reference is gone at
    // once.
    unsafe { arena.as_mut() }.is_some_and(|arena| arena.shrink(pointer as usize, size))
}

impl Controlled {
    #[inline]
    fn allocate(self, request: Request, caller: Caller) -> Option<*mut u8> {
        let execution = &mut *self.execution();
        let stack = execution.stack();
        let (thread, step) = execution.now();
        let limit = execution.heap.settings.memory;
        execution.time.works();
        let arena = execution.heap.arena()?;
        if !arena.program.code.contains(&caller.return_address) {
            return None;
        }
        let frames = walk(caller, arena.program.base, &arena.program.code, &stack);
        let note = Note { thread, step, frames };
        let live = match arena.exceeds(limit, request.size) {
            Some(live) => live,
            None => match arena.allocate(request, note) {
                Ok(block) => return Some(block as *mut u8),
                // Nobody could use all of it. The C library refuses it, or promises what was never to be touched.
                Err(Exhausted) if request.size > limit => return None,
                Err(Exhausted) => arena.live.saturating_add(request.size),
            },
        };
        self.fails(MemoryFault::Limit { live, limit, note })
    }

    fn free(self, address: usize, caller: Caller) {
        let arena = ARENA.get();
        // SAFETY: As in `shrink`; no other reference to the arena is alive while the allocator runs.
        let Some(arena) = (unsafe { arena.as_mut() }) else { return };
        if !arena.extent().contains(&address) {
            // Memory of another thread's executions.
            return;
        }
        if !self.is_test_code() {
            // The engine lets go of something of the test's. Nobody is to blame if that is wrong,
            // and the state of the execution is not to be touched.
            let _ = arena.free(address, Note::NOBODY, usize::MAX);
            return;
        }
        let execution = &mut *self.execution();
        let note = execution.note(caller);
        let limit = execution.heap.settings.memory;
        if let Some(live) = arena.exceeds(limit, 0) {
            self.fails(MemoryFault::Limit { live, limit, note });
        }
        execution.tell_freed(address, caller);
        let fault = match arena.free(address, note, execution.heap.settings.quarantine) {
            Ok(None) => return,
            Ok(Some(written)) => MemoryFault::WrittenAfterFree { block: written.0 },
            Err(NotFreed::Again(block)) => MemoryFault::DoubleFree { block, again: note },
            Err(NotFreed::NoBlock(block)) => MemoryFault::InvalidFree { block, note },
        };
        self.fails(fault)
    }

    /// The test's code frees what is not from here: memory of the C library's, or no memory at all.
    fn free_foreign(self, address: usize, caller: Caller) -> Freed {
        let execution = &mut *self.execution();
        let (thread, step) = execution.now();
        let fiber = execution.threads[execution.current.index()].fiber.as_ref();
        let stack = fiber.map_or(0..0, |fiber| fiber.stack_limit..fiber.stack_base);
        let used = execution.stack();
        if let Some(arena) = execution.heap.arena()
            && (stack.contains(&address)
                || arena.program.writable.iter().any(|range| range.contains(&address)))
        {
            let frames = walk(caller, arena.program.base, &arena.program.code, &used);
            let note = Note { thread, step, frames };
            self.fails(MemoryFault::InvalidFree { block: None, note });
        }
        if self.keeps_foreign(caller) { Freed::Here } else { Freed::Elsewhere }
    }

    fn keeps_foreign(self, caller: Caller) -> bool {
        let execution = &mut *self.execution();
        execution.settings.statics == Statics::PutBack
            && execution
                .heap
                .arena()
                .is_none_or(|arena| arena.program.code.contains(&caller.return_address))
    }
}

impl crate::execution::Execution {
    /// That the running thread does something now, called from there.
    pub(crate) fn note(&mut self, caller: Caller) -> Note {
        let (thread, step) = self.now();
        let stack = self.stack();
        let frames = match self.heap.arena() {
            Some(arena) => walk(caller, arena.program.base, &arena.program.code, &stack),
            None => [0; FRAMES],
        };
        Note { thread, step, frames }
    }

    /// That the running thread was interrupted there, with this stack pointer.
    pub(crate) fn note_interrupted(&mut self, caller: Caller, stack_pointer: usize) -> Note {
        let (thread, step) = self.now();
        let fiber = self.threads[self.current.index()].fiber.as_ref().map(|fiber| fiber.stack());
        // A frame lies on the thread's own stack, or nothing is known of it.
        let stack = fiber.filter(|stack| stack.contains(&stack_pointer));
        let stack = stack.map_or(0..0, |stack| stack_pointer..stack.end);
        let frames = match self.heap.arena() {
            Some(arena) => walk(caller, arena.program.base, &arena.program.code, &stack),
            None => [0; FRAMES],
        };
        Note { thread, step, frames }
    }

    /// Tells observers that a block ends.
    fn tell_freed(&mut self, address: usize, caller: Caller) {
        if self.order.races == Toggle::On
            && let Some(block) = self.heap.record(address)
            && block.freed.is_none()
        {
            let spot = self.heap.code_address(caller.return_address);
            self.note_callers(spot, caller);
            self.tell_memory(address..address + block.size, Some(spot));
            self.forget_atomics(address..address + block.size);
        }
    }

    /// The part of the running thread's stack that is in use.
    #[inline]
    pub(crate) fn stack(&self) -> std::ops::Range<usize> {
        let here = 0_u8;
        let base = match &self.threads[self.current.index()].fiber {
            Some(fiber) => fiber.stack_base,
            None => 0,
        };
        (&raw const here) as usize..base
    }

    /// Who runs and how many events there have been.
    #[inline]
    fn now(&self) -> (u32, u32) {
        let ThreadId(thread) = self.current;
        (thread, u32::try_from(self.events.len()).unwrap_or(u32::MAX))
    }
}

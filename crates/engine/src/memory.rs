//! Plain accesses to memory, as the memory layer (`mirror/memory`) meets them.
//!
//! An access is no step: whether two of them race does not depend on which comes first, so there
//! is nothing to decide. Observers are told of it with what the thread has seen so far. Here is
//! what they need not be told: accesses of code that is not the test's, accesses before another
//! thread has been started, accesses of a thread to its own stack for as long as no other thread has
//! ever come there, and accesses to memory that is not the test's.
//!
//! Atomic accesses that reach the memory layer are those of real, inlined code of std: reference
//! counts above all. They order things, and nothing is decided about them either.

mod atomic;
mod callers;
mod recent;
mod stacks;
mod weak;

pub use atomic::{AtomicTouch, atomic, fence};
pub(crate) use stacks::StackUse;

use callers::Wanted;
use recent::Recent;

use crate::context::{Code, Controlled};
use crate::execution::Execution;
use crate::heap::{Caller, MemoryFault};
use crate::keep;
use crate::loaded::{self, Loaded};
use rustc_hash::FxHashSet;
use selvedge_model::{
    Access, AccessKind, AccessMode, CodeAddress, KeptFor, MemoryChange, Moment, Observer, Spot,
    ThreadId, Toggle, Variable,
};
use std::ops::Range;

/// An access that the program is about to make.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// In which way.
    pub kind: AccessKind,
    /// In which way as to others.
    pub mode: AccessMode,
    /// The first byte.
    pub address: usize,
    /// How many bytes.
    pub size: usize,
}

/// A range that grows with what is put into it.
pub(crate) const NOWHERE: Range<usize> = Range { start: usize::MAX, end: 0 };

/// What the engine keeps for the memory layer.
#[derive(Default)]
pub(crate) struct Memory {
    /// The threads (by their keys) whose stacks others have come to, in this execution or before.
    shared_stacks: FxHashSet<u64>,
    /// Where stacks lie.
    stacks: Range<usize>,
    /// The stacks of threads that have ended, and whose they were.
    ended_stacks: Vec<(Range<usize>, ThreadId)>,
    /// Where statics of the program lie, except ours.
    statics: Vec<Range<usize>>,
    recent: Recent,
    /// The accesses whose callers are to be noted.
    wanted: Vec<Wanted>,
}

impl Memory {
    pub(crate) fn reset(&mut self) {
        self.recent.forget();
        self.stacks = NOWHERE;
        self.ended_stacks.clear();
        if self.statics.is_empty() {
            self.statics = loaded::without(&Loaded::program().writable, &keep::range());
        }
        self.wanted.iter_mut().for_each(|wanted| wanted.frames.clear());
    }
}

/// The program is about to access memory.
#[inline]
pub fn touch(touch: Touch, caller: Caller) {
    let Some(controlled) = Controlled::running() else { return };
    if controlled.code() == Code::Test {
        controlled.expect_room();
        controlled.touch(touch, caller);
    }
}

impl Controlled {
    #[inline]
    fn touch(self, touch: Touch, caller: Caller) {
        let execution = &mut *self.execution();
        if execution.order.races == Toggle::Off || touch.size == 0 {
            return;
        }
        if execution.comes_before_all_others() {
            self.refuse_freed(execution, &touch, caller);
            return;
        }
        if execution.is_repeated(&touch) {
            return;
        }
        if execution.is_of_interest(touch.address, touch.size) {
            self.touch_shared(execution, touch, caller);
        } else if let Some(owner) = execution.ended_owner(touch.address) {
            let note = execution.note(caller);
            self.fails(MemoryFault::AccessedStack { kind: touch.kind, note, owner });
        }
    }

    fn touch_shared(self, execution: &mut Execution, touch: Touch, caller: Caller) {
        self.refuse_freed(execution, &touch, caller);
        let Touch { kind, mode, address, size } = touch;
        let spot = execution.heap.code_address(caller.return_address);
        execution.note_callers(spot, caller);
        let variable = Variable::Memory { address, size };
        let thread = execution.current;
        let access = Access { thread, kind, mode, variable, spot: Spot::Code(spot) };
        execution.tell_access(&access);
    }

    /// Ends the execution if memory is accessed that has been freed.
    #[inline]
    fn refuse_freed(self, execution: &mut Execution, touch: &Touch, caller: Caller) {
        if execution.heap.is_freed(touch.address) {
            let note = execution.note(caller);
            if let Some(block) = execution.heap.record(touch.address) {
                let kind = touch.kind;
                self.fails(MemoryFault::AccessedAfterFree { kind, note, block });
            }
        }
    }
}

/// So far into a block are counts of shared ownership looked for.
const COUNTS: usize = 64;
/// With more threads than this, clocks cost more than all the rest of an execution.
const MOST_THREADS: u32 = 1_000;

impl Execution {
    /// Stops to look for data races when an execution has a great many threads. What was seen before
    /// stays.
    pub(crate) fn limit_watching(&mut self, new: ThreadId) {
        if new.0 >= MOST_THREADS {
            self.forget_order();
        }
    }

    /// Stops to look for data races when the clocks of all objects take too much memory.
    pub(crate) fn limit_clocks(&mut self) {
        if self.order.weight() > self.settings.limits.clock_memory {
            self.forget_order();
        }
    }

    fn forget_order(&mut self) {
        if self.order.races == Toggle::On {
            self.leaves_out(KeptFor::Races);
            self.order.turn_off();
        }
    }

    /// A block ends, and with it the atomics in it that others than the engine know: those of shared
    /// ownership stand at its beginning.
    pub(crate) fn forget_atomics(&mut self, block: Range<usize>) {
        if self.order.is_on() {
            let end = block.end.min(block.start + COUNTS);
            for address in (block.start..end).step_by(size_of::<usize>()) {
                self.order.forget_word(address);
            }
        }
    }

    /// Whether no other thread has been started yet: whatever happens now is ordered before all that
    /// others will do, so it races with nothing. Who wants all accesses gets these as well.
    #[inline]
    fn comes_before_all_others(&self) -> bool {
        self.threads.len() == 1 && self.settings.every_access == Toggle::Off
    }

    /// Whether memory is the test's and somebody else may come there: memory that the test has
    /// allocated, statics, and stacks if they are shared. All else is the engine's, the C library's,
    /// or was there before the test.
    #[inline]
    pub(crate) fn is_of_interest(&mut self, address: usize, size: usize) -> bool {
        self.heap.contains(address)
            || self.is_shared_stack(address, size)
            || self.memory.statics.iter().any(|range| range.contains(&address))
    }

    /// Tells the observer of an access.
    #[inline]
    pub(crate) fn tell_access(&mut self, access: &Access) {
        self.tell_observer(|observer, moment| observer.access(access, moment));
    }

    /// Memory ends, or its end is over and something new may be there.
    pub(crate) fn tell_memory(&mut self, bytes: Range<usize>, end: Option<CodeAddress>) {
        if self.order.races == Toggle::Off || bytes.is_empty() {
            return;
        }
        self.memory.recent.forget();
        let thread = self.current;
        let change = MemoryChange { thread, address: bytes.start, size: bytes.len(), end };
        self.tell_observer(|observer, moment| observer.memory(&change, moment));
    }

    fn tell_observer(&mut self, tell: impl FnOnce(&mut dyn Observer, &Moment<'_>)) {
        let Some(observer) = self.partners.observer else { return };
        let moment = self.moment();
        // SAFETY: `run` keeps the observer borrowed for as long as the execution runs, and nothing else
        // reaches it meanwhile. The running code is the engine's, so what the observer does is not
        // taken for something of the test's.
        tell(unsafe { &mut *observer }, &moment);
    }
}

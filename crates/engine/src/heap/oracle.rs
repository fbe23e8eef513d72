//! What can be wrong with the use of memory, and how an execution ends for it.

use super::block::{BlockRecord, Note};
use super::{leaks, poison};
use crate::context::Controlled;
use crate::ending::Ending;
use crate::execution::Execution;
use selvedge_model::{AccessKind, ObjectId, Site, ThreadId, Toggle};

/// At the end of an execution no more than this many bytes of freed memory are looked at.
const LOOKED_AT: usize = 64 << 20;

/// What was done wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryFault {
    /// An operation was about to be carried out on an object in freed memory.
    UsedAfterFree {
        /// The thread.
        thread: ThreadId,
        /// Where the operation stands.
        site: Site,
        /// The memory.
        block: BlockRecord,
    },
    /// Freed memory was accessed.
    AccessedAfterFree {
        /// In which way.
        kind: AccessKind,
        /// By whom.
        note: Note,
        /// The memory.
        block: BlockRecord,
    },
    /// The stack of a thread was accessed that has ended.
    AccessedStack {
        /// In which way.
        kind: AccessKind,
        /// By whom.
        note: Note,
        /// Whose stack it was.
        owner: ThreadId,
    },
    /// Freed memory was written to.
    WrittenAfterFree {
        /// The memory.
        block: BlockRecord,
    },
    /// Freed memory was freed again.
    DoubleFree {
        /// The memory.
        block: BlockRecord,
        /// Who freed it again.
        again: Note,
    },
    /// Something was freed that is no block of memory.
    InvalidFree {
        /// The block in which it lies.
        block: Option<BlockRecord>,
        /// Who freed it.
        note: Note,
    },
    /// Memory was left over that nobody can free any more.
    Leaked {
        /// Some of the blocks, those that were allocated first.
        blocks: Vec<BlockRecord>,
        /// How many there are.
        count: usize,
        /// How large they are together.
        bytes: usize,
    },
    /// More memory was asked for than there is.
    Limit {
        /// How many bytes were allocated, with what was asked for.
        live: usize,
        /// How many are allowed.
        limit: usize,
        /// Who asked for it.
        note: Note,
    },
}

impl Controlled {
    /// Ends the execution because the running thread has done something wrong; never comes back.
    #[cold]
    pub(crate) fn fails(self, fault: MemoryFault) -> ! {
        let execution = &mut *self.execution();
        let me = execution.current;
        execution.end(Ending::Memory { fault: Box::new(fault) });
        loop {
            // The execution has ended, so nobody is resumed any more.
            self.give_way(me);
        }
    }

    /// The running thread, which others have come before, is about to carry out an operation on
    /// the object. Does not come back if the object is gone by now.
    #[inline(never)]
    pub(crate) fn expect_alive(self, object: ObjectId, site: Site) {
        let execution = &mut *self.execution();
        let Some(entry) = execution.objects.get(object.index()) else { return };
        let address = entry.address;
        if execution.heap.is_freed(address) {
            execution.use_after_free(address, site);
            self.give_way(execution.current);
        }
    }
}

impl Execution {
    /// The running thread is about to carry out an operation on an object in freed memory. Ends the
    /// execution; the thread is stopped for good before it carries the operation out.
    #[cold]
    #[inline(never)]
    pub(crate) fn use_after_free(&mut self, address: usize, site: Site) {
        let thread = self.current;
        if let Some(block) = self.heap.arena().and_then(|arena| arena.record(address)) {
            let fault = Box::new(MemoryFault::UsedAfterFree { thread, site, block });
            self.end(Ending::Memory { fault });
        }
    }

    /// The execution has passed: was everything all right with its memory?
    pub(crate) fn inspect_heap(&mut self) {
        let leaks = self.heap.settings.leaks;
        let roots = self.local_values();
        let Some(arena) = self.heap.arena() else { return };
        let fault = match arena.find_written(LOOKED_AT) {
            Some(written) => Some(MemoryFault::WrittenAfterFree { block: written.0 }),
            None if leaks == Toggle::On => leaks::find(arena, &roots),
            None => None,
        };
        if let Some(fault) = fault {
            self.ending = Some(Ending::Memory { fault: Box::new(fault) });
        }
    }

    /// Whether a refused access was one through a pointer that was read from freed memory.
    pub(crate) fn is_poison(&self, address: usize) -> bool {
        self.heap.is_on() && poison::is_near(address)
    }
}

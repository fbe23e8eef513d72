//! The memory of an execution, and the oracle that watches it.
//!
//! What the code of the test allocates on a controlled thread comes from an arena that belongs to
//! the execution: addresses are the same in every execution, nothing that an execution leaves
//! behind is there for the next one, and what is done wrong with memory is noticed. The engine's
//! own memory stays in the heap of the C library. This is so only where the process's allocator
//! asks us, that is where `selvedge-libc` is linked.
//!
//! Source: quarantine and poison as in Valgrind's Memcheck (Nethercote and Seward, 2007) and
//! AddressSanitizer (Serebryany et al., 2012). Deviations:
//!
//! 1. Plain accesses are not instrumented. Found are operations of mirrors on freed objects, at
//!    once; pointers that were read from freed memory, when the access through them is refused;
//!    and writes to freed memory, when the block leaves the quarantine or the execution ends.
//! 2. There are no red zones: an overflow into the next block is not seen.
//! 3. Only calls from the program's own code are served. What libraries allocate for themselves
//!    (buffers of streams, thread control blocks) outlives the execution.
//!
//! 4. What is allocated by another allocator than `malloc` (a global allocator of the program's own)
//!    is not seen.
//!
//! Real thread-locals (of code that is not compiled against the mirrors) belong to the
//! operating-system thread and not to the execution: what they keep of its memory is dangling
//! afterwards. The output that the standard test harness captures is one of them.
//!
//! May miss: reads of freed memory that have no consequence; whatever is done to memory that was
//! used again after its quarantine. May falsely report: nothing in safe code; a program that
//! writes to freed memory from a thread that is not under control is reported as its own fault.

mod arena;
mod bits;
mod block;
mod frames;
mod large;
mod leaks;
mod oracle;
mod poison;
mod serve;
mod span;
mod with_caller;

pub use arena::{Content, Request};
pub use block::{BlockRecord, Note};
pub use frames::Caller;
pub(crate) use frames::walk;
pub use oracle::MemoryFault;
pub use serve::{Freed, allocate, free, keep, shrink, size_of};

use crate::context::Controlled;
use arena::Arena;
use selvedge_model::{CodeAddress, Config, Toggle};
use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where the test's code gets its memory from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeapUse {
    /// From the heap of the C library.
    #[default]
    System,
    /// From an arena that belongs to the execution. A test that keeps memory in statics needs
    /// [`Statics::PutBack`](crate::Statics::PutBack) as well: what a static refers to is gone when
    /// the next execution begins.
    Arena(ArenaSettings),
}

/// How an arena is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArenaSettings {
    /// Freed memory is not used again before this many bytes have been freed after it.
    pub quarantine: usize,
    /// An execution that uses more bytes than this at a time is ended.
    pub memory: usize,
    /// Whether memory that nobody can free any more is a finding.
    pub leaks: Toggle,
}

impl ArenaSettings {
    /// The settings that a configuration asks for.
    pub fn new(config: &Config) -> Self {
        Self { quarantine: config.quarantine, memory: config.memory, leaks: config.leaks }
    }
}

thread_local! {
    /// The arena of this operating-system thread, while an engine on it uses one. All engines of a
    /// thread share it, so that a schedule is run again with the same addresses.
    static ARENA: Cell<*mut Arena> = const { Cell::new(ptr::null_mut()) };
}

crate::kept! {
    /// Whether the process's allocator asks us.
    static ASKED: AtomicBool = AtomicBool::new(false);
}

crate::kept! {
    /// Whether there is an engine in this process.
    static EXPLORES: AtomicBool = AtomicBool::new(false);
}

/// How many bytes of memory the executions of this process have touched: what their tests have
/// allocated, and what has been freed and is kept from being used again.
pub fn touched() -> usize {
    span::touched()
}

/// The process's allocator says that it asks us. Before, no execution has an arena or puts statics
/// back: memory that is freed would be gone although statics refer to it.
pub fn asks() {
    ASKED.store(true, Ordering::Relaxed);
}

/// Whether what the caller allocates is not the test's: it is the engine's, or that of a thread beside it, in a
/// process that explores.
pub fn is_for_engine() -> bool {
    EXPLORES.load(Ordering::Relaxed)
        && !Controlled::running().is_some_and(Controlled::allocates_for_test)
}

/// This process explores from now on: what it allocates beside the code of tests is ours.
pub fn explores() {
    EXPLORES.store(true, Ordering::Relaxed);
}

/// Whether the process's allocator asks us.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// An engine's use of its thread's arena.
pub(crate) struct Heap {
    /// Nothing if the test uses the heap of the C library.
    arena: Option<ptr::NonNull<Arena>>,
    settings: ArenaSettings,
    /// Where blocks can lie; nowhere if there is no arena.
    first: usize,
}

/// Further away from every address than an arena is long.
const NOWHERE: usize = usize::MAX / 2 + 1;

impl Heap {
    /// Makes the arena that the settings ask for, or joins in its use. If there is no room for one,
    /// the heap of the C library is used.
    pub(crate) fn new(usage: HeapUse) -> Self {
        let HeapUse::Arena(settings) = usage else { return Self::system() };
        if !is_asked() {
            return Self::system();
        }
        let mut arena = ARENA.get();
        if arena.is_null() {
            let Some(new) = Arena::new() else { return Self::system() };
            arena = Box::into_raw(Box::new(new));
            ARENA.set(arena);
        }
        // SAFETY: The arena lives for as long as it has users; only this thread knows it.
        let first = unsafe {
            (*arena).users += 1;
            (*arena).extent().start
        };
        Self { arena: ptr::NonNull::new(arena), settings, first }
    }

    fn system() -> Self {
        let settings = ArenaSettings { quarantine: 0, memory: 0, leaks: Toggle::Off };
        Self { arena: None, settings, first: NOWHERE }
    }

    /// Whether the test's code has an arena.
    #[inline(always)]
    pub(crate) fn is_on(&self) -> bool {
        self.arena.is_some()
    }

    /// A new execution begins: nothing of an earlier one is left.
    pub(crate) fn begin(&mut self) {
        if let Some(arena) = self.arena() {
            arena.empty();
        }
    }

    /// The arena. No reference to it is alive for longer than an engine function that does not
    /// allocate from it.
    #[inline(always)]
    fn arena(&mut self) -> Option<&mut Arena> {
        // SAFETY: This is one of the arena's users, so it is alive. Others of the same thread do not
        // run meanwhile, and the allocator reaches the arena by way of this function only.
        self.arena.map(|mut arena| unsafe { arena.as_mut() })
    }

    /// What is known about the block that the address lies in.
    pub(crate) fn record(&self, address: usize) -> Option<BlockRecord> {
        // SAFETY: As in `arena`; the reference is gone at once.
        let arena = self.arena.map(|arena| unsafe { arena.as_ref() })?;
        arena.extent().contains(&address).then(|| arena.record(address))?
    }

    /// An address of code, as findings name it; nowhere if it is not the program's.
    #[inline]
    pub(crate) fn code_address(&self, address: usize) -> CodeAddress {
        // SAFETY: As in `arena`; the reference is gone at once.
        match self.arena.map(|arena| unsafe { arena.as_ref() }) {
            Some(arena) => CodeAddress(address.wrapping_sub(arena.program.base) as u64),
            None => CodeAddress(0),
        }
    }

    /// Whether the address lies in memory of the execution.
    #[inline(always)]
    pub(crate) fn contains(&self, address: usize) -> bool {
        address.wrapping_sub(self.first) < span::SLOT
    }

    /// Whether the address lies in memory of the execution that has been freed.
    #[inline(always)]
    pub(crate) fn is_freed(&self, address: usize) -> bool {
        self.contains(address) && self.is_freed_here(address)
    }

    #[inline(never)]
    fn is_freed_here(&self, address: usize) -> bool {
        // SAFETY: As in `arena`; the reference is gone at once.
        self.arena.is_some_and(|arena| unsafe { arena.as_ref() }.is_freed(address))
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        let Some(arena) = self.arena.take() else { return };
        let arena = arena.as_ptr();
        // SAFETY: As in `new`; with its last user the arena goes, and nobody refers to it any more.
        unsafe {
            (*arena).users -= 1;
            if (*arena).users == 0 {
                ARENA.set(ptr::null_mut());
                drop(Box::from_raw(arena));
            }
        }
    }
}

//! The calls that led to what threads did, for the last word on a finding.
//!
//! An operation knows the line that asked for it. If that line is a library's, the reader wants the line of
//! the test's own that called the library, and which function of the library that was. To note the calls of
//! every operation costs more than the operation, so it is done only when the schedule of a finding is run for
//! the last time.
//!
//! Calls are found by frame pointers (see [`crate::heap`]): where code was compiled without them, stacks
//! are short or not there at all.

use crate::engine::Engine;
use crate::execution::Execution;
use crate::heap::{Caller, walk};
use crate::loaded::Loaded;
use rustc_hash::FxHashMap;
use selvedge_model::{CallStack, CallStacks, CodeAddress, StackNumber, ThreadId, Toggle};

/// How many calls are noted of each stack.
const DEPTH: usize = 96;

/// The addresses of calls, innermost first, relative to where the program is loaded.
type Frames = Box<[u32]>;

/// What is known of calls.
pub(crate) struct Stacks {
    /// Whether anybody wants to know.
    wanted: Toggle,
    program: Option<Loaded>,
    /// Each stack once.
    known: Vec<Frames>,
    numbers: FxHashMap<Frames, StackNumber>,
    /// The stack of each event.
    events: Vec<Option<StackNumber>>,
    /// Where each thread announced its pending operation.
    pending: Vec<Option<StackNumber>>,
}

impl Default for Stacks {
    fn default() -> Self {
        Self {
            wanted: Toggle::Off,
            program: None,
            known: Vec::new(),
            numbers: FxHashMap::default(),
            events: Vec::new(),
            pending: Vec::new(),
        }
    }
}

impl Stacks {
    /// Whether anybody wants to know.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.wanted == Toggle::On
    }

    /// Forgets the last execution.
    pub(crate) fn reset(&mut self) {
        self.known.clear();
        self.numbers.clear();
        self.events.clear();
        self.pending.clear();
    }

    fn number(&mut self, frames: &[u32]) -> Option<StackNumber> {
        if frames.is_empty() {
            return None;
        }
        if let Some(number) = self.numbers.get(frames) {
            return Some(*number);
        }
        let number = StackNumber(self.known.len() as u32);
        self.known.push(frames.into());
        self.numbers.insert(frames.into(), number);
        Some(number)
    }
}

impl Engine {
    /// Notes the calls that lead to each operation, from the next execution on.
    pub fn want_stacks(&mut self) {
        self.execution.stacks.wanted = Toggle::On;
    }
}

impl Execution {
    /// Notes the calls that led to the last event.
    #[cold]
    #[inline(never)]
    pub(crate) fn note_event_stack(&mut self) {
        let stack = self.running_stack();
        let events = self.events.len();
        self.stacks.events.resize(events.saturating_sub(1), None);
        self.stacks.events.push(stack);
    }

    /// Notes the calls that led to what the running thread wants to do.
    #[cold]
    #[inline(never)]
    pub(crate) fn note_pending_stack(&mut self) {
        let stack = self.running_stack();
        let ThreadId(thread) = self.current;
        let index = thread as usize;
        if self.stacks.pending.len() <= index {
            self.stacks.pending.resize(index + 1, None);
        }
        self.stacks.pending[index] = stack;
    }

    /// The stack of the running thread, if it can be followed.
    #[inline(never)]
    pub(crate) fn running_stack(&mut self) -> Option<StackNumber> {
        let frame = frame_pointer()?;
        let stack = self.stack();
        let program = self.stacks.program.get_or_insert_with(Loaded::program);
        let caller = Caller { return_address: 0, frame };
        let frames: [u32; DEPTH] = walk(caller, program.base, &program.code, &stack);
        let depth = frames.iter().take_while(|&&frame| frame != 0).count();
        self.stacks.number(&frames[..depth])
    }

    /// The calls that led to the recorded events from `first` on, to where threads stand and to panics.
    pub(crate) fn call_stacks(&self, first: usize) -> CallStacks {
        let Stacks { known, events, pending, .. } = &self.stacks;
        let address = |&frame: &u32| CodeAddress(u64::from(frame));
        let stack = |frames: &Frames| CallStack {
            frames: frames.iter().map(address).collect(),
            ..CallStack::default()
        };
        let recorded = self.recorded();
        CallStacks {
            known: known.iter().map(stack).collect(),
            steps: (first..recorded).map(|index| events.get(index).copied().flatten()).collect(),
            threads: pending.clone(),
            panics: self.account.panics.notes.iter().map(|note| note.stack).collect(),
            ..CallStacks::default()
        }
    }
}

/// The frame pointer of the caller, where code is compiled with frame pointers: that of the kit is.
#[inline(always)]
fn frame_pointer() -> Option<usize> {
    #[cfg(all(selvedge_kit, target_arch = "x86_64"))]
    {
        let frame: usize;
        // SAFETY: A register is copied.
        unsafe {
            std::arch::asm!("mov {}, rbp", out(reg) frame, options(nomem, nostack, preserves_flags));
        }
        Some(frame)
    }
    #[cfg(all(selvedge_kit, target_arch = "aarch64"))]
    {
        let frame: usize;
        // SAFETY: A register is copied.
        unsafe {
            std::arch::asm!("mov {}, x29", out(reg) frame, options(nomem, nostack, preserves_flags));
        }
        Some(frame)
    }
    #[cfg(not(all(selvedge_kit, any(target_arch = "x86_64", target_arch = "aarch64"))))]
    None
}

//! The engine's side of a thread.

use crate::fiber::{Fiber, FiberExit};
use crate::local::Locals;
use crate::memory::StackUse;
use crate::random::RandomBytes;
use crate::signals::ThreadSignals;
use selvedge_model::{ObjectId, Site, ThreadSet};
use std::sync::Arc;

/// What `park` waits for and `unpark` hands over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Absent,
    Present,
}

/// A timed or spurious way out of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WayOut {
    /// Only what the thread waits for.
    None,
    /// The deadline, not reached yet.
    Deadline(u64),
    /// The deadline, which has been reached or may be taken as reached at any time.
    Expired(u64),
    /// For no reason at all.
    Spurious,
}

/// Where and when a thread has yielded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct YieldedAt {
    pub(crate) site: Site,
    /// How many events there had been.
    pub(crate) events: usize,
    /// How many events there had been when something last changed.
    pub(crate) change: usize,
}

/// A thread of an execution.
pub(crate) struct Thread {
    /// How the thread hands control back when it runs.
    pub(crate) exit: FiberExit,
    pub(crate) fiber: Option<Box<Fiber>>,
    pub(crate) stack_size: usize,
    /// The thread as an object of `join` and `unpark`.
    pub(crate) object: ObjectId,
    pub(crate) name: Option<Arc<str>>,
    /// What it has called itself since, for written schedules and explanations.
    pub(crate) alias: Option<Arc<str>>,
    pub(crate) spawned: Option<Site>,
    pub(crate) children: u32,
    pub(crate) joiners: ThreadSet,
    pub(crate) token: Token,
    pub(crate) way_out: WayOut,
    pub(crate) signals: ThreadSignals,
    /// How many of its own panics are on their way through this thread's frames.
    pub(crate) panics: u32,
    pub(crate) yielded_at: Option<YieldedAt>,
    pub(crate) locals: Locals,
    pub(crate) random: RandomBytes,
    pub(crate) stack_use: StackUse,
}

impl Thread {
    pub(crate) fn new(
        fiber: Box<Fiber>,
        object: ObjectId,
        name: Option<Arc<str>>,
        spawned: Option<Site>,
        signals: ThreadSignals,
    ) -> Self {
        Self {
            exit: FiberExit::NONE,
            stack_size: fiber.stack_size,
            fiber: Some(fiber),
            object,
            name,
            alias: None,
            spawned,
            children: 0,
            joiners: ThreadSet::new(),
            token: Token::Absent,
            way_out: WayOut::None,
            signals,
            panics: 0,
            yielded_at: None,
            locals: Locals::new(),
            random: RandomBytes::default(),
            stack_use: StackUse::default(),
        }
    }
}

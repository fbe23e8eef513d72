//! Marked blocks that can not be shown to happen in one go.
//!
//! Source: Lipton's reduction as in Flanagan and Freund, *Atomizer: a dynamic atomicity checker for
//! multithreaded programs* (POPL 2004).
//!
//! Taking a lock can be moved to a later moment past what other threads do (a right-mover), giving it
//! back to an earlier one (a left-mover), and an access that locks protect both ways. A block with
//! right-movers, then at most one operation that can not be moved, then left-movers happens as if in
//! one go. Where a block breaks that rule is told.
//!
//! Deviations: (1) blocks are those that are marked with `selvedge::atomically`; without any,
//! outermost critical sections that take one inner lock twice; (2) data behind a lock is protected;
//! an atomic is if some lock was held at each of its uses so far or only one thread uses it, otherwise
//! each use can not be moved; (3) operations on channels, tokens, barriers and files can not be moved.
//!
//! May miss: blocks that only other executions break. May falsely report: blocks that are atomic for
//! another reason, such as an atomic that only one thread changes.

use super::scene::Scene;
use super::uses::Use;
use super::{Certainty, Detector, Suspicion};
use rustc_hash::FxHashMap;
use selvedge_model::{
    Confidence, DetectorName, Event, Hold, Link, LockAction, ObjectId, Operation, OperationKind,
    Outcome, Record, ThreadId, Treatment, Trouble, Variable, WaitFor, Warning,
};

/// Checks that blocks reduce.
#[derive(Default)]
pub(super) struct Reduction {
    blocks: FxHashMap<ThreadId, Block>,
    /// Whether any block is marked.
    marks: Marks,
    locksets: FxHashMap<ObjectId, Lockset>,
    told: Vec<Suspicion>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Marks {
    #[default]
    None,
    Some,
}

/// How far a block is.
struct Block {
    begun: Operation,
    depth: u32,
    /// The operation after which only left-movers may come.
    committed: Option<Operation>,
    /// The inner locks that were given back; blocks that are critical sections only.
    given_back: Vec<ObjectId>,
    kind: BlockKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    Marked,
    Section(ObjectId),
}

/// The locks that were held at each use of an atomic, and by whom it was used.
struct Lockset {
    locks: Vec<ObjectId>,
    thread: ThreadId,
    several: bool,
}

/// How an operation can be moved past those of other threads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mover {
    Right,
    Left,
    Both,
    None,
}

impl Reduction {
    fn mover(&mut self, event: &Event, scene: &Scene<'_>) -> Mover {
        if let Some(used) = Use::of_event(event) {
            return self.atomic(used, scene);
        }
        match event.meaning().lock {
            LockAction::GivesBack(_) | LockAction::GivesBackSecond => return Mover::Left,
            LockAction::Takes(_) => return Mover::Right,
            LockAction::None | LockAction::Downgrades => {}
        }
        match event.operation.kind.meaning(Outcome::Done).link {
            Link::Starts | Link::GivesToken => Mover::Left,
            Link::AfterEnd => Mover::Right,
            Link::Sends | Link::Receives | Link::TakesToken | Link::Arrives | Link::Tells => {
                Mover::None
            }
            Link::Hears if event.operation.kind.wait() == WaitFor::Input => Mover::None,
            _ => Mover::Both,
        }
    }

    fn atomic(&mut self, used: Use, scene: &Scene<'_>) -> Mover {
        let Variable::Data(object) = used.variable else { return Mover::Both };
        let held = scene.held.by(used.thread);
        let set = self.locksets.entry(object).or_insert_with(|| Lockset {
            locks: held.iter().map(|lock| lock.object).collect(),
            thread: used.thread,
            several: false,
        });
        set.several |= set.thread != used.thread;
        set.locks.retain(|lock| held.iter().any(|other| other.object == *lock));
        if set.several && set.locks.is_empty() { Mover::None } else { Mover::Both }
    }

    /// A block has done something.
    fn step(&mut self, event: &Event, mover: Mover, scene: &Scene<'_>) {
        let Some(block) = self.blocks.get_mut(&event.thread) else { return };
        let broken = match (mover, block.committed) {
            (Mover::Both, _) | (Mover::Right, None) => None,
            (Mover::Left, Some(_)) => None,
            (Mover::None | Mover::Left, None) => {
                block.committed = Some(event.operation);
                None
            }
            (Mover::None | Mover::Right, Some(committed)) => Some(committed),
        };
        let counts = match block.kind {
            BlockKind::Marked => true,
            BlockKind::Section(_) => block.given_back.contains(&event.operation.object),
        };
        let begun = block.begun;
        if event.meaning().lock == LockAction::GivesBack(Hold::Exclusive) {
            block.given_back.push(event.operation.object);
        }
        let Some(committed) = broken.filter(|_| counts) else { return };
        let names = scene.names();
        let witness = vec![
            names.role(event.thread, "begins a block", begun),
            names.role(event.thread, "lets others see a part of it with", committed),
            names.role(event.thread, "then goes on with", event.operation),
        ];
        self.told.push(Suspicion {
            warning: Warning {
                kind: Trouble::AtomicityViolation,
                detector: DetectorName::Reduction,
                summary: "a block can be interrupted so that others see it half done".to_owned(),
                witness,
                confidence: Confidence::Predicted,
                treatment: Treatment::Untried,
            },
            steering: None,
            certainty: Certainty::Told,
        });
        self.blocks.remove(&event.thread);
    }

    fn enter(&mut self, event: &Event, kind: BlockKind) {
        let begun = event.operation;
        let block = Block { begun, depth: 1, committed: None, given_back: Vec::new(), kind };
        self.blocks.insert(event.thread, block);
    }
}

pub(super) fn make(_: usize) -> Box<dyn Detector> {
    Box::new(Reduction::default())
}

impl Detector for Reduction {
    fn begin(&mut self) {
        self.blocks.clear();
        self.locksets.clear();
        self.told.clear();
    }

    fn event(&mut self, event: &Event, scene: &Scene<'_>) {
        let thread = event.thread;
        match event.operation.kind {
            OperationKind::BlockEnter => {
                self.marks = Marks::Some;
                match self.blocks.get_mut(&thread) {
                    Some(block) if block.kind == BlockKind::Marked => block.depth += 1,
                    _ => self.enter(event, BlockKind::Marked),
                }
                return;
            }
            OperationKind::BlockLeave => {
                if let Some(block) = self.blocks.get_mut(&thread) {
                    block.depth -= 1;
                    if block.depth == 0 {
                        self.blocks.remove(&thread);
                    }
                }
                return;
            }
            _ => {}
        }
        let mover = self.mover(event, scene);
        self.step(event, mover, scene);
        if self.marks == Marks::None {
            let object = event.operation.object;
            match event.meaning().lock {
                LockAction::Takes(Hold::Exclusive) if scene.held.by(thread).is_empty() => {
                    self.enter(event, BlockKind::Section(object));
                }
                LockAction::GivesBack(Hold::Exclusive) => {
                    let ends = |block: &Block| block.kind == BlockKind::Section(object);
                    if self.blocks.get(&thread).is_some_and(ends) {
                        self.blocks.remove(&thread);
                    }
                }
                _ => {}
            }
        }
    }

    fn end(&mut self, _record: &Record<'_>) -> Vec<Suspicion> {
        std::mem::take(&mut self.told)
    }
}

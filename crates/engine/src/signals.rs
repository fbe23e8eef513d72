//! Signals that one thread of an execution sends to another.
//!
//! To the kernel all threads of an execution are one, so it can not know whom a signal is for. A signal
//! for another thread is therefore handed over here: the sender's step ends with a switch to the stack of
//! the target, the signal is raised there for real, so that the kernel runs the handler with all that was
//! asked for when it was installed, and control comes back to the sender. Whatever the handler does is
//! done by the target: it is the running thread meanwhile. If the target waits in a system call, the call
//! ends as interrupted, or goes on waiting, as signal(7) says.
//!
//! Source: signal(7), and pthread_kill(3) of Linux.
//!
//! Deviations: (1) the handler runs at the moment at which the signal is sent, and nobody else runs until
//! it is done. That is one of the things that can happen on a machine; a search that has had such a
//! signal does not claim to have seen all. (2) A handler that has to wait for another thread can
//! not be run like this, and neither can one that spins; such an execution is given up
//! ([`Ending::GivenUp`]). (3) A thread that has not begun to run gets its signals when it begins.
//!
//! May miss: what happens only if a handler runs later than it could.

use crate::context::Controlled;
use crate::ending::Ending;
use crate::execution::Execution;
use crate::objects::io::Carries;
use crate::objects::thread::ThreadRef;
use crate::step::{Change, Turn};
use crate::thread::{Token, WayOut};
use crate::thread_states::Blocks;
use selvedge_model::{Edge, Effect, Element, OperationKind, Site, ThreadId};
use std::ffi::c_int;

/// A signal for one thread.
#[derive(Clone, Copy, Debug)]
pub struct Signal {
    /// Its number.
    pub number: c_int,
    /// What is sent along.
    pub value: Option<usize>,
    /// Raises it on the calling thread of the system, so that the handler runs before this comes back. Says
    /// what becomes of a system call in which the thread waits.
    pub raise: fn(Self) -> AfterHandler,
    /// Leaves it with the kernel, for a thread that blocks it: whoever reads it finds it, and so does the thread
    /// when it does not block it any more.
    pub keep: fn(Self),
}

/// What becomes of a system call in which a thread waits when a signal comes for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterHandler {
    /// No handler has run, and nothing becomes of it.
    NoHandler,
    /// It goes on, if it is one of those that do.
    StartAgain,
    /// It fails.
    Interrupted,
}

/// What a signal may do to a wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// Nothing: the wait is not one for the kernel.
    #[default]
    Always,
    /// It ends it, unless the handler was installed with `SA_RESTART`.
    IfAsked,
    /// It ends it.
    Never,
    /// It ends it, also if it comes when the thread is about to wait.
    NotEvenBefore,
}

/// Whom a signal has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// The thread, which may have ended and then takes no notice.
    Thread,
    /// Nobody: the execution has no such thread.
    Nobody,
}

/// Signals on their way.
#[derive(Default)]
pub(crate) struct Signals {
    /// The one that the thread that is resumed next is to handle.
    due: Option<Due>,
    /// What is known of the handler that runs now, if one runs that nobody may interrupt.
    handler: Option<Handler>,
    /// Those for threads that have not begun.
    early: Vec<(ThreadId, Signal)>,
    /// What every thread blocked when the first of them changed that.
    at_first: Option<u64>,
}

impl Signals {
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Whether the thread that has been resumed is to handle a signal, and nothing else.
    #[inline(always)]
    pub(crate) fn is_due(&self) -> bool {
        self.due.is_some()
    }
}

/// A signal, and who goes on when it has been handled.
struct Due {
    signal: Signal,
    sender: ThreadId,
}

/// A handler that runs in the middle of an operation of its thread.
#[derive(Clone, Copy)]
struct Handler {
    /// How often a thread had been blocked when it began.
    blocks: Blocks,
}

/// The signals that a thread does not want, and what waits of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ThreadSignals {
    /// What it blocks, if that is not what all blocked in the beginning.
    pub(crate) blocked: Option<u64>,
    /// What a handler may do to the wait in which it is.
    restart: Restart,
    interrupted: Interrupted,
}

impl ThreadSignals {
    /// A new thread blocks what the one blocks that has started it.
    pub(crate) fn of_child(self) -> Self {
        Self { blocked: self.blocked, ..Self::default() }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Interrupted {
    Yes,
    #[default]
    No,
}

impl Controlled {
    /// The thread of this execution that has the number, by [`ThreadRef::number`].
    pub fn thread_of_number(self, number: u32) -> Option<ThreadRef> {
        let execution = &mut *self.execution();
        let id = ThreadId(number.checked_sub(1)?);
        let thread = ThreadRef::new(execution.registry.epoch, id);
        (id.index() < execution.threads.len()).then_some(thread)
    }

    /// Sees something as a thread of this execution does, for as long as that takes no operation.
    pub fn seen_by<R>(self, thread: ThreadRef, look: impl FnOnce() -> R) -> R {
        let execution = &mut *self.execution();
        if thread.epoch() != execution.registry.epoch {
            return look();
        }
        let me = std::mem::replace(&mut execution.current, thread.id());
        let seen = self.run_test_code(look);
        self.execution().current = me;
        seen
    }

    /// Sends a signal to a thread.
    pub fn send_signal(self, to: ThreadRef, signal: Signal, site: Site) -> Reached {
        let kind = OperationKind::Signal;
        let execution = &mut *self.execution();
        if to.epoch() != execution.registry.epoch {
            return Reached::Nobody;
        }
        let object = execution.threads[to.id().index()].object;
        self.stop(kind, object, site);
        let (me, target) = {
            let execution = &mut *self.execution();
            execution.carry(Carries::Release);
            let effect = Effect::Thread(to.id());
            execution.happened(kind, object, site, effect, Change::Something);
            (execution.current, to.id())
        };
        if self.blocks_signal(to, signal.number) {
            (signal.keep)(signal);
            self.files_changed();
        } else if me == target {
            self.handle(signal);
        } else if self.execution().hand_over(target, signal) == Turn::Switch {
            self.give_way(me);
        }
        Reached::Thread
    }

    /// The running thread, which is between two operations, handles a signal.
    fn handle(self, signal: Signal) {
        self.execution().learn_of_signal();
        self.run_test_code(|| (signal.raise)(signal));
    }

    /// The running thread has begun, and handles what was sent to it before.
    pub(crate) fn handle_early_signals(self) {
        loop {
            let execution = &mut *self.execution();
            let me = execution.current;
            let early = &mut execution.signals.early;
            let Some(first) = early.iter().position(|(thread, _)| *thread == me) else { return };
            let (_, signal) = early.remove(first);
            self.handle(signal);
        }
    }

    /// The running thread, which is in the middle of an operation, has been resumed to handle a signal.
    /// When it hands control back, the sender goes on.
    #[cold]
    #[inline(never)]
    pub(crate) fn handle_due_signal(self) {
        let execution = &mut *self.execution();
        let Some(Due { signal, sender }) = execution.signals.due.take() else { return };
        let me = execution.current;
        execution.learn_of_signal();
        let blocks = execution.states.blocks();
        let outer = execution.signals.handler.replace(Handler { blocks });
        execution.end_routine();
        let pending = execution.info[me.index()].pending;
        let way_out = execution.threads[me.index()].way_out;
        let signals = execution.threads[me.index()].signals;
        let after = self.run_test_code(|| (signal.raise)(signal));
        let execution = &mut *self.execution();
        execution.signals.handler = outer;
        execution.info[me.index()].pending = pending;
        execution.threads[me.index()].signals = signals;
        execution.goes_on_waiting(way_out);
        execution.interrupt(after);
        execution.current = sender;
    }

    /// Which signals the running thread blocks, one bit for each, if it is known; then it is not what the
    /// system says, which takes all threads of an execution for one.
    pub fn blocked_signals(self) -> Option<u64> {
        let execution = &mut *self.execution();
        let own = execution.threads[execution.current.index()].signals.blocked;
        own.or(execution.signals.at_first)
    }

    /// The running thread, which has blocked the signals `before`, blocks others from now on. Says which
    /// are blocked by any thread.
    pub fn block_signals(self, before: u64, now: u64) -> u64 {
        let execution = &mut *self.execution();
        let at_first = *execution.signals.at_first.get_or_insert(before);
        let me = execution.current;
        execution.threads[me.index()].signals.blocked = Some(now);
        let states = &execution.states;
        let live = |index: usize| !states.has_ended(ThreadId(index as u32));
        let threads = execution.threads.iter().enumerate().filter(|(index, _)| live(*index));
        threads.fold(0, |all, (_, thread)| all | thread.signals.blocked.unwrap_or(at_first))
    }

    /// Whether a thread blocks a signal, as far as is known.
    fn blocks_signal(self, thread: ThreadRef, signal: c_int) -> bool {
        let execution = &mut *self.execution();
        let own = execution.threads.get(thread.id().index()).and_then(|t| t.signals.blocked);
        let blocked = own.or(execution.signals.at_first).unwrap_or(0);
        (1..=64).contains(&signal) && blocked >> (signal - 1) & 1 == 1
    }
}

impl Execution {
    /// Who handles a signal knows what was before it was sent, and before the handler was installed.
    fn learn_of_signal(&mut self) {
        self.edge(Edge::Take(Element::Told));
        self.next_epoch();
    }

    /// Lets a thread that does not run handle a signal, when the running thread has given way.
    fn hand_over(&mut self, target: ThreadId, signal: Signal) -> Turn {
        if self.states.has_ended(target) {
            return Turn::Stay;
        }
        // The moment at which the handler runs was not asked for.
        self.rounds.spin.cut();
        if !self.threads[target.index()].exit.is_there() {
            self.signals.early.push((target, signal));
            return Turn::Stay;
        }
        self.signals.due = Some(Due { signal, sender: self.current });
        self.current = target;
        Turn::Switch
    }

    /// Whether the running thread is in a handler that came in the middle of one of its operations, and
    /// stands before an operation: then it goes on, since its thread is not ready to be chosen.
    #[inline(always)]
    pub(crate) fn is_in_handler(&self) -> bool {
        self.signals.handler.is_some()
    }

    /// The running thread stands before an operation in such a handler. If it would have to wait there, or
    /// does nothing for long, the execution is given up.
    #[cold]
    #[inline(never)]
    pub(crate) fn goes_on_in_handler(&mut self) -> Turn {
        let waits = self.signals.handler.is_some_and(|run| run.blocks != self.states.blocks());
        if waits || self.idle() >= self.settings.idle_limit {
            self.end(Ending::GivenUp);
            return Turn::Switch;
        }
        Turn::Stay
    }

    /// The running thread goes back to the wait in which its handler found it: nothing of it was used by
    /// what the handler did.
    fn goes_on_waiting(&mut self, before: WayOut) {
        let me = self.current;
        let now = self.threads[me.index()].way_out;
        match (before, now) {
            // The deadline has passed meanwhile, and what comes of that depends on the wait.
            (WayOut::Deadline(before), WayOut::Expired(now)) if now == before => {
                self.deadline_passed(me);
            }
            _ => self.threads[me.index()].way_out = before,
        }
        // The handler may have brought about what its own thread waits for.
        let is_parked = self.info[me.index()].pending.kind == OperationKind::Park;
        if is_parked && self.threads[me.index()].token == Token::Present {
            self.states.wake(me);
        }
        self.look_outside(std::time::Duration::ZERO);
    }

    /// A handler has run on the running thread in the middle of a wait.
    fn interrupt(&mut self, after: AfterHandler) {
        let me = self.current;
        let signals = &mut self.threads[me.index()].signals;
        let ends = match (after, signals.restart) {
            (AfterHandler::NoHandler, _) | (_, Restart::Always) => false,
            (AfterHandler::StartAgain, Restart::IfAsked) => false,
            (AfterHandler::StartAgain, Restart::Never | Restart::NotEvenBefore) => true,
            (AfterHandler::Interrupted, _) => true,
        };
        if ends {
            signals.interrupted = Interrupted::Yes;
            self.states.wake(me);
        }
    }

    /// The running thread begins a wait that a signal may end.
    pub(crate) fn may_be_interrupted(&mut self, restart: Restart) {
        let signals = &mut self.threads[self.current.index()].signals;
        (signals.restart, signals.interrupted) = (restart, Interrupted::No);
    }

    /// Whether a signal has ended the wait of the running thread.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.threads[self.current.index()].signals.interrupted == Interrupted::Yes
    }

    /// The wait of the running thread is over. Says whether a signal would have ended it.
    pub(crate) fn was_interrupted(&mut self) -> bool {
        let was = self.is_interrupted();
        self.may_be_interrupted(Restart::Always);
        was
    }
}

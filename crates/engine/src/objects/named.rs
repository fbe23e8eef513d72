//! Named events, and the written schedule that says in which order they happen.
//!
//! A thread that comes to something that the schedule mentions stops there. If the schedule is
//! enforced and does not permit it yet, the thread is *held*: it is taken out of the set of enabled
//! threads, so that strategies choose among what the schedule permits, and all of that is open to
//! them. Whether it is permitted is looked at again at every stop of anybody
//! ([`Execution::look_at_schedule`]), because a condition about blocked threads has to hold at
//! the moment of the event: a thread may lose a permission that it has not used.
//!
//! A thread is *blocked* if it waits in an operation: it is not enabled, does not spin, does not
//! sleep, is not held and has not ended. That is read off the state whenever something has
//! happened, so it does not depend on which stops are left out.
//!
//! The schedule is no part of the program: it makes nobody wait for anybody in the sense of
//! happens-before, and two accesses that nothing but the schedule orders are a race.
//!
//! May miss: executions that the schedule permits in which a wait ends early or for no reason. Such
//! a thread does not block, and a schedule that asks for it to be blocked could not be kept, so
//! these faults do not happen while a schedule is enforced that asks for blocked threads.

use crate::context::Controlled;
use crate::execution::Execution;
use crate::object::ObjectEntry;
use crate::objects::ObjectState;
use crate::step::{Change, Listeners};
use crate::thread_states::ThreadState;
use crate::written::{Before, Standing, Written};
use selvedge_model::{
    Effect, Fault, FindingKind, HeldBack, NamedEvent, ObjectId, Operation, OperationKind, Site,
    Source, ThreadId,
};
use selvedge_spec::{Action, Happened, Mode, Spec};
use std::sync::Arc;

impl Controlled {
    /// Puts a schedule in force until [`finish_written`](Self::finish_written). The running thread is
    /// the one that runs the test's body.
    ///
    /// # Panics
    ///
    /// Panics if there is one already: an execution has one at a time.
    pub fn begin_written(self, spec: &Spec, name: &str, mode: Mode, site: Site) {
        let execution = &mut *self.execution();
        if let Some(other) = &execution.partners.written {
            panic!("selvedge: the schedule '{}' is in force already", other.name);
        }
        let main = execution.current;
        let entry = ObjectEntry::shared(ObjectState::Schedule, main);
        let object = execution.push_object(entry, None, site);
        let written = Written::new(spec, name, mode, main, object);
        if written.watches_blocking() && execution.partners.listeners == Listeners::None {
            execution.partners.listeners = Listeners::Schedule;
        }
        execution.partners.written = Some(Box::new(written));
        execution.end_routine();
        self.pass(Before::Start, OperationKind::NamedEvent, object, site);
    }

    /// The test's body has come to its end: waits for what is still to happen, for as long as anybody
    /// can go on, and takes the schedule out of force. Says in words what was not as it says.
    pub fn finish_written(self, site: Site) -> Result<(), String> {
        let Some(object) = self.execution().partners.written.as_ref().map(|written| written.object)
        else {
            return Ok(());
        };
        self.pass(Before::End, OperationKind::NamedEvent, object, site);
        self.pass(Before::Finish, OperationKind::NamedEvent, object, site);
        let execution = &mut *self.execution();
        let Some(written) = execution.partners.written.take() else { return Ok(()) };
        // Whoever stands before something goes on as if it had never been mentioned.
        execution.states.wake_all(&written.held);
        if execution.partners.listeners == Listeners::Schedule {
            execution.partners.listeners = Listeners::None;
        }
        written.verdict(&execution.threads)
    }

    /// The running thread comes by a named event.
    pub fn named_event(self, name: &str, site: Site) {
        // For as long as this lives, memory is the engine's.
        let mut engine = self.execution();
        let Some(object) = engine.partners.written.as_ref().map(|written| written.object) else {
            return;
        };
        let before = Before::Event(name.to_owned());
        if !self.pass(before, OperationKind::NamedEvent, object, site) {
            let execution = &mut *engine;
            let me = execution.current;
            if let Some(written) = &mut execution.partners.written {
                written.note_unmentioned(&execution.threads, me, name);
            }
        }
    }

    /// Gives the running thread a name for schedules and explanations.
    pub fn name_thread(self, name: &str) {
        let execution = &mut *self.execution();
        let me = execution.current;
        execution.threads[me.index()].alias = Some(Arc::from(name));
    }

    /// The name of the schedule that is in force.
    pub fn written_schedule(self) -> Option<String> {
        self.execution().partners.written.as_ref().map(|written| written.name.clone())
    }

    /// The running thread is about to end. Says whether the schedule mentions that; then the thread
    /// has stopped before it.
    pub(crate) fn pass_end(self, object: ObjectId, site: Site) -> bool {
        self.pass(Before::End, OperationKind::ThreadEnd, object, site)
    }

    /// The running thread comes by something, as an operation of this kind. Says whether the schedule
    /// mentions it.
    fn pass(self, before: Before, kind: OperationKind, object: ObjectId, site: Site) -> bool {
        let mut engine = self.execution();
        let execution = &mut *engine;
        let me = execution.current;
        if !execution.is_mentioned(me, &before) {
            return false;
        }
        execution.info[me.index()].pending = Operation::new(kind, object, site);
        // The end of a thread is an event anyway, and the end of the test is none.
        let is_event = kind == OperationKind::NamedEvent && !matches!(before, Before::Finish);
        execution.stand(me, before, site);
        engine.stop(kind, object, site);
        let execution = &mut *engine;
        let change = execution.schedule_goes_on(me).unwrap_or(Change::Nothing);
        if is_event {
            execution.happened(kind, object, site, Effect::Done, change);
        }
        true
    }
}

impl Execution {
    /// A thread was added, which will start when the schedule permits it.
    #[cold]
    pub(crate) fn stand_before_start(&mut self, thread: ThreadId) {
        if self.is_mentioned(thread, &Before::Start) {
            let site = self.info[thread.index()].pending.site;
            self.stand(thread, Before::Start, site);
        }
    }

    fn is_mentioned(&self, thread: ThreadId, before: &Before) -> bool {
        let mentions = |written: &Written| written.mentions(&self.threads, thread, before);
        self.partners.written.as_deref().is_some_and(mentions)
    }

    /// A thread stops before something that the schedule mentions.
    fn stand(&mut self, thread: ThreadId, before: Before, site: Site) {
        if let Some(written) = &mut self.partners.written {
            written.standing.push(Standing { thread, before, site });
        }
        self.look_at_schedule();
    }

    /// What the running thread has stood before happens, if there was anything and the schedule has not
    /// been taken out of force meanwhile. Says whether that lets anybody go on.
    #[cold]
    pub(crate) fn schedule_goes_on(&mut self, me: ThreadId) -> Option<Change> {
        let written = self.partners.written.as_mut()?;
        let held = written.held.len();
        if !written.happens(&self.threads, me) {
            return None;
        }
        self.look_at_schedule();
        Some(match &self.partners.written {
            Some(written) if written.held.len() < held => Change::Something,
            _ => Change::Nothing,
        })
    }

    /// Sees who is blocked now and tells the schedule what has changed, if it wants to know.
    pub(crate) fn follow_blocking(&mut self) {
        let Some(written) = self.partners.written.as_deref().filter(|it| it.watches_blocking())
        else {
            return;
        };
        let threads = (0..self.threads.len() as u32).map(ThreadId);
        let changed: Vec<_> = threads
            .filter(|&thread| self.is_blocked(thread) != written.blocked.contains(thread))
            .collect();
        let Some(written) = &mut self.partners.written else { return };
        for thread in changed {
            if written.blocked.contains(thread) {
                written.blocked.remove(thread);
                written.report(&self.threads, thread, Action::Unblock, None);
            } else {
                written.blocked.insert(thread);
                written.report(&self.threads, thread, Action::Block, None);
            }
        }
    }

    /// Whether a thread waits in an operation.
    fn is_blocked(&self, thread: ThreadId) -> bool {
        self.states.of(thread) == ThreadState::Blocked
            && !matches!(
                self.info[thread.index()].pending.kind,
                OperationKind::NamedEvent
                    | OperationKind::ThreadStart
                    | OperationKind::ThreadEnd
                    | OperationKind::Sleep
                    | OperationKind::Yield
                    | OperationKind::ClockRead
            )
    }

    /// Looks who may go on, of those that have stopped before something that the schedule mentions.
    #[cold]
    #[inline(never)]
    pub(crate) fn look_at_schedule(&mut self) {
        self.follow_blocking();
        let step = self.steps();
        let Some(written) = &mut self.partners.written else { return };
        for index in 0..written.standing.len() {
            let at = &written.standing[index];
            let thread = at.thread;
            let permitted = written.permits(&self.threads, at, step);
            match (permitted, written.held.contains(thread)) {
                (true, true) => {
                    written.held.remove(thread);
                    self.states.wake(thread);
                }
                (false, false) => {
                    written.held.insert(thread);
                    self.states.block(thread);
                }
                _ => {}
            }
        }
    }

    /// Whether the fault would keep a thread from being blocked, which the schedule may ask for.
    pub(crate) fn must_block(&self, fault: Fault) -> bool {
        matches!(fault, Fault::Timeout | Fault::Spurious)
            && self.partners.written.as_ref().is_some_and(|written| written.needs_blocked_threads())
    }

    /// Whether somebody waits for the moment at which nobody else can go on.
    pub(crate) fn awaits_quiet(&self) -> bool {
        self.partners.written.as_ref().is_some_and(|written| written.awaits_quiet(&self.threads))
    }

    /// Nobody can go on, and no time can pass: lets those go on who have waited for that, and says
    /// whether there are any.
    #[cold]
    pub(crate) fn let_quiet_go(&mut self) -> bool {
        if !self.awaits_quiet() {
            return false;
        }
        let step = self.steps();
        if let Some(written) = &mut self.partners.written {
            written.is_quiet_at(step);
        }
        self.look_at_schedule();
        !self.states.enabled().is_empty()
    }

    /// Whether the schedule keeps anybody from going on.
    pub(crate) fn is_anybody_held(&self) -> bool {
        self.partners.written.as_ref().is_some_and(|written| !written.held.is_empty())
    }

    /// Who is held before what, and who else waits.
    pub(crate) fn infeasible(&self) -> Option<FindingKind> {
        let written = self.partners.written.as_deref()?;
        let is_held = |at: &&Standing| written.held.contains(at.thread);
        let held = written.standing.iter().filter(is_held).map(|at| HeldBack {
            thread: self.report(at.thread),
            before: at.before.to_string(),
            at: (!matches!(at.before, Before::Finish)).then(|| at.site.source()),
            needs: written.needs(&self.threads, at),
        });
        let occurred = written.history().iter().map(|happened| {
            let Happened { event, thread, place, .. } = happened;
            let at = place.as_ref().map(|place| Source {
                file: place.file.clone().into_owned(),
                line: place.line,
                column: place.column,
            });
            NamedEvent { event: event.clone(), thread: self.report(ThreadId(thread.0)), at }
        });
        let waits = self.waits_of(|thread| !written.held.contains(thread));
        Some(FindingKind::Infeasible {
            schedule: written.text.clone(),
            held: held.collect(),
            occurred: occurred.collect(),
            waits,
            hints: written.hints(&self.threads),
        })
    }
}

//! `Once`, and with it `OnceLock` and `LazyLock`: one thread initialises, the others wait.
//!
//! Whether the initialisation is done is kept in the mirror, because it outlives the execution;
//! the engine keeps who is in it and who waits.

use crate::context::Controlled;
use crate::execution::Execution;
use crate::object::Object;
use crate::objects::ObjectState;
use crate::objects::lock::Lock;
use crate::step::Change;
use selvedge_model::{Edge, Effect, Element, ObjectId, OperationKind, Site, ThreadId, ThreadSet};

/// The state of a one-time initialisation.
#[derive(Default)]
pub(crate) struct OnceState {
    /// The thread that is in it.
    pub(crate) runner: Option<ThreadId>,
    /// How the last one ended, of those that were in it in this execution.
    last: Option<OnceExit>,
    /// Everybody who wants to enter; enabled only while nobody is in it.
    callers: ThreadSet,
    /// Everybody who waits without wanting to enter. Rare, hence apart.
    awaiters: Option<Box<Awaiters>>,
}

/// Those who wait for the outcome of an initialisation.
#[derive(Default)]
struct Awaiters {
    /// Enabled only when it is done.
    for_success: ThreadSet,
    /// Enabled also when it has failed and nobody has begun it again.
    for_outcome: ThreadSet,
}

impl OnceState {
    pub(crate) fn initial() -> ObjectState {
        ObjectState::Once(Self::default())
    }
}

/// What a thread wants of an initialisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnceMode {
    /// To enter it.
    Call,
    /// To wait for its outcome.
    Await(OnceUntil),
}

/// To enter is to take it. Whoever only waits for it never has it.
impl Lock for OnceState {
    type Mode = OnceMode;

    const MODES: &'static [OnceMode] = &[
        OnceMode::Call,
        OnceMode::Await(OnceUntil::DoneOrPoisoned),
        OnceMode::Await(OnceUntil::Done),
    ];

    fn of(state: &mut ObjectState) -> &mut Self {
        state.once()
    }

    fn admits(&self, mode: OnceMode) -> bool {
        let is_done = self.last == Some(OnceExit::Done);
        self.runner.is_none() && (is_done || mode != OnceMode::Await(OnceUntil::Done))
    }

    fn wanted_by(&self, mode: OnceMode) -> Option<&ThreadSet> {
        match (mode, &self.awaiters) {
            (OnceMode::Call, _) => Some(&self.callers),
            (OnceMode::Await(OnceUntil::Done), Some(awaiters)) => Some(&awaiters.for_success),
            (OnceMode::Await(OnceUntil::DoneOrPoisoned), Some(awaiters)) => {
                Some(&awaiters.for_outcome)
            }
            (OnceMode::Await(_), None) => None,
        }
    }

    fn wanted_by_mut(&mut self, mode: OnceMode) -> &mut ThreadSet {
        match mode {
            OnceMode::Call => &mut self.callers,
            OnceMode::Await(OnceUntil::Done) => {
                &mut self.awaiters.get_or_insert_default().for_success
            }
            OnceMode::Await(OnceUntil::DoneOrPoisoned) => {
                &mut self.awaiters.get_or_insert_default().for_outcome
            }
        }
    }
}

/// What a thread that wants to initialise finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnceEntry {
    /// It is the one: it initialises and calls [`Controlled::once_done`].
    Entered,
    /// It is done already.
    Done,
}

/// How an initialisation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnceExit {
    /// It is done for good.
    Done,
    /// It panicked.
    Poisoned,
}

/// What a thread that does not initialise itself waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnceUntil {
    /// An initialisation that is done, however many fail before.
    Done,
    /// An initialisation that is over, one way or the other.
    DoneOrPoisoned,
}

impl Controlled {
    /// Enters the initialisation or waits for the thread that is in it. `is_done` is asked once
    /// nobody is in it.
    pub fn once_enter(
        self,
        once: &Object,
        site: Site,
        is_done: impl FnOnce() -> bool,
    ) -> OnceEntry {
        let execution = &mut *self.execution();
        let id = once.id(execution, OnceState::initial, site);
        let me = execution.current;
        execution.want::<OnceState>(me, id, OnceMode::Call);
        self.stop(OperationKind::OnceCall, id, site);

        let done = is_done();
        let execution = &mut *self.execution();
        execution.once(id).callers.remove(me);
        let (entry, effect, change) = if done {
            (OnceEntry::Done, Effect::Refused, Change::Nothing)
        } else {
            execution.begin_once(id);
            (OnceEntry::Entered, Effect::Done, Change::Something)
        };
        execution.happened(OperationKind::OnceCall, id, site, effect, change);
        entry
    }

    /// The thread has seen that the initialisation is done, and goes on: no operation of its own, but it
    /// knows what the one knew who did it.
    pub fn once_was_done(self, once: &Object) {
        let execution = &mut *self.execution();
        if let Some(id) = once.known(execution) {
            execution.edge(Edge::Take(Element::Initialised(id)));
            execution.next_epoch();
        }
    }

    /// Leaves the initialisation; `finish` stores in the mirror how it ended.
    pub fn once_done(self, once: &Object, site: Site, finish: impl FnOnce() -> OnceExit) {
        let execution = &mut *self.execution();
        let id = once.id(execution, OnceState::initial, site);
        self.stop(OperationKind::OnceDone, id, site);
        let exit = finish();
        let execution = &mut *self.execution();
        execution.end_once(id, exit);
        let effect = match exit {
            OnceExit::Done => Effect::Done,
            OnceExit::Poisoned => Effect::Refused,
        };
        execution.happened(OperationKind::OnceDone, id, site, effect, Change::Something);
    }

    /// Asks whether the initialisation is done, without waiting.
    pub fn once_get(self, once: &Object, site: Site, is_done: impl FnOnce() -> bool) -> bool {
        let execution = &mut *self.execution();
        let id = once.id(execution, OnceState::initial, site);
        self.stop(OperationKind::OnceGet, id, site);
        let done = is_done();
        let execution = &mut *self.execution();
        let effect = if done { Effect::Done } else { Effect::Refused };
        execution.happened(OperationKind::OnceGet, id, site, effect, Change::Nothing);
        done
    }

    /// Waits for somebody else's initialisation; `is_reached` says whether the mirror is in a
    /// state that ends the wait, provided that nobody is in it.
    pub fn once_wait(
        self,
        once: &Object,
        site: Site,
        until: OnceUntil,
        is_reached: impl FnOnce() -> bool,
    ) {
        let execution = &mut *self.execution();
        let id = once.id(execution, OnceState::initial, site);
        let me = execution.current;
        execution.want::<OnceState>(me, id, OnceMode::Await(until));
        if execution.once(id).runner.is_none() {
            // What earlier executions have done is known to the mirror alone.
            match is_reached() {
                true => execution.states.wake(me),
                false => execution.states.block(me),
            }
        }
        self.stop(OperationKind::OnceWait, id, site);
        let execution = &mut *self.execution();
        execution.once(id).wanted_by_mut(OnceMode::Await(until)).remove(me);
        execution.happened(OperationKind::OnceWait, id, site, Effect::Done, Change::Nothing);
    }
}

impl Execution {
    /// The running thread is in the initialisation. Nobody else comes in, and who waits for the
    /// outcome of an earlier one that failed waits for this one now.
    fn begin_once(&mut self, id: ObjectId) {
        let once = self.objects[id.index()].state.once();
        once.runner = Some(self.current);
        self.states.taken(once);
    }

    /// The running thread leaves the initialisation.
    fn end_once(&mut self, id: ObjectId, exit: OnceExit) {
        let once = self.objects[id.index()].state.once();
        once.runner = None;
        once.last = Some(exit);
        self.states.given_back(once);
    }
}

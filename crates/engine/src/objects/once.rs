//! `Once`, and with it `OnceLock` and `LazyLock`: one thread initialises, the others wait.
//!
//! Whether the initialisation is done is kept in the mirror, because it outlives the execution;
//! the engine keeps who is in it and who waits.

use crate::context::Controlled;
use crate::object::Object;
use crate::objects::ObjectState;
use crate::step::Change;
use selvedge_model::{Effect, OperationKind, Site, ThreadId, ThreadSet};

/// The state of a one-time initialisation.
#[derive(Default)]
pub(crate) struct OnceState {
    /// The thread that is in it.
    pub(crate) runner: Option<ThreadId>,
    /// Everybody who wants to enter; enabled only while nobody is in it.
    callers: ThreadSet,
    /// Everybody who waits for it to be done; enabled only when it is.
    awaiters: ThreadSet,
}

impl OnceState {
    fn initial() -> ObjectState {
        ObjectState::Once(Self::default())
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

impl Controlled {
    /// Enters the initialisation or waits for the thread that is in it. `is_done` is asked once
    /// nobody is in it.
    pub fn once_enter(
        self,
        once: &Object,
        site: Site,
        is_done: impl FnOnce() -> bool,
    ) -> OnceEntry {
        let execution = self.execution();
        let id = once.id(execution, OnceState::initial, site);
        let me = execution.current;
        let state = execution.once(id);
        state.callers.insert(me);
        if state.runner.is_some() {
            execution.enabled.remove(me);
            execution.blocked_on(me, id);
        }
        self.stop(OperationKind::OnceCall, id, site);

        let done = is_done();
        let execution = self.execution();
        let ObjectState::Once(state) = &mut execution.objects[id.index()].state else {
            unreachable!("the object is no once")
        };
        state.callers.remove(me);
        execution.acquire(id);
        let (entry, effect) = if done {
            (OnceEntry::Done, Effect::Refused)
        } else {
            let ObjectState::Once(state) = &mut execution.objects[id.index()].state else {
                unreachable!("the object is no once")
            };
            state.runner = Some(me);
            execution.enabled.remove_all(&state.callers);
            (OnceEntry::Entered, Effect::Done)
        };
        let change = if done { Change::Nothing } else { Change::Something };
        execution.happened(OperationKind::OnceCall, id, site, effect, change);
        entry
    }

    /// Leaves the initialisation; `finish` stores whether it is done (or has panicked) in the
    /// mirror and says whether those who wait for it can go on.
    pub fn once_done(self, once: &Object, site: Site, finish: impl FnOnce() -> bool) {
        let execution = self.execution();
        let id = once.id(execution, OnceState::initial, site);
        self.stop(OperationKind::OnceDone, id, site);
        let done = finish();
        let execution = self.execution();
        let ObjectState::Once(state) = &mut execution.objects[id.index()].state else {
            unreachable!("the object is no once")
        };
        state.runner = None;
        execution.enabled.insert_all(&state.callers);
        if done {
            execution.enabled.insert_all(&state.awaiters);
            state.awaiters.clear();
        }
        execution.release(id);
        let effect = if done { Effect::Done } else { Effect::Refused };
        execution.happened(OperationKind::OnceDone, id, site, effect, Change::Something);
    }

    /// Asks whether the initialisation is done, without waiting.
    pub fn once_get(self, once: &Object, site: Site, is_done: impl FnOnce() -> bool) -> bool {
        let execution = self.execution();
        let id = once.id(execution, OnceState::initial, site);
        self.stop(OperationKind::OnceGet, id, site);
        let done = is_done();
        let execution = self.execution();
        if done {
            execution.acquire(id);
        }
        let effect = if done { Effect::Done } else { Effect::Refused };
        execution.happened(OperationKind::OnceGet, id, site, effect, Change::Nothing);
        done
    }

    /// Waits until the initialisation is done.
    pub fn once_wait(self, once: &Object, site: Site, is_done: impl Fn() -> bool) {
        let execution = self.execution();
        let id = once.id(execution, OnceState::initial, site);
        let me = execution.current;
        if !is_done() {
            execution.once(id).awaiters.insert(me);
            execution.enabled.remove(me);
        }
        self.stop(OperationKind::OnceWait, id, site);
        let execution = self.execution();
        execution.acquire(id);
        execution.happened(OperationKind::OnceWait, id, site, Effect::Done, Change::Nothing);
    }
}

//! How a letter waits for its turn.

use super::scheduled::{Course, Doing, MAIN, Scheduled, State, Told};
use crate::Mode;
use selvedge_spec::{Action, Permission, Place};
use std::panic::Location;
use std::sync::{MutexGuard, PoisonError};

impl Scheduled {
    /// The thread is about to perform a named event.
    pub(crate) fn event(&self, key: u32, name: &'static str, site: &'static Location<'static>) {
        let place =
            Place { file: site.file().into(), line: site.line(), column: site.column() };
        {
            let mut state = self.lock();
            state.thread_mut(key).last = Some((name, place.clone()));
            if !state.monitor.mentions(Action::Event(name), state.thread(key).name.as_deref()) {
                state.unmentioned.insert(name);
            }
        }
        self.letter(key, Action::Event(name), Some(place));
    }

    /// The thread has a name now, with which it begins.
    pub(crate) fn named(&self, key: u32, name: &str) {
        let mut state = self.lock();
        if state.thread(key).name.as_deref() == Some(name) {
            return;
        }
        state.thread_mut(key).name = Some(name.to_owned());
        drop(state);
        self.letter(key, Action::Start, None);
    }

    /// The thread runs the test's body.
    pub(crate) fn is_main(&self, key: u32) {
        self.named(key, MAIN);
    }

    /// Something happens as soon as it may.
    pub(crate) fn letter(&self, key: u32, action: Action<'static>, place: Option<Place>) {
        let mut state = self.lock();
        if state.course == Course::Over || !state.mentions(key, action) {
            return;
        }
        match self.mode {
            Mode::Enforce => state = self.hold(state, key, action, place.as_ref()),
            Mode::Check => state.find_blocked(),
        }
        self.step(&mut state, key, action, place);
    }

    /// The letter happens, and others may go on because of it.
    pub(crate) fn step(
        &self,
        state: &mut State,
        key: u32,
        action: Action<'static>,
        place: Option<Place>,
    ) {
        if state.course == Course::Over {
            return;
        }
        state.step(key, action, place);
        if state.is_anybody_held() {
            self.moved.notify_all();
        }
    }

    /// Holds the thread until the letter may happen. If the test is given up meanwhile, that is for
    /// ever.
    pub(crate) fn hold<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        key: u32,
        action: Action<'static>,
        place: Option<&Place>,
    ) -> MutexGuard<'a, State> {
        if state.may(key, action) {
            return state;
        }
        state.set(key, Doing::Held { action, place: place.cloned() });
        self.keeper.notify_one();
        loop {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
            if state.course == Course::Over {
                continue;
            }
            if state.granted == Some(key) {
                state.granted = None;
                break;
            }
            if state.may(key, action) {
                break;
            }
        }
        state.set(key, Doing::Running);
        state
    }
}

impl State {
    /// Whether the letter may happen right now.
    fn may(&mut self, key: u32, action: Action<'static>) -> bool {
        self.find_unblocked();
        self.permission(key, action) == Permission::Now
    }

    /// Tells of the threads that have been woken and have not come back yet, so that nobody counts
    /// on their being blocked.
    pub(crate) fn find_unblocked(&mut self) {
        for key in 0..self.threads.len() {
            let thread = &self.threads[key];
            let key = key as u32;
            if thread.told == Told::Blocked
                && !thread.is_in_kernel()
                && matches!(thread.doing, Doing::Waiting(_))
                && self.permission(key, Action::Unblock) == Permission::Now
            {
                self.step(key, Action::Unblock, None);
            }
        }
    }

    /// Tells of all threads that are blocked or not at this moment.
    pub(crate) fn find_blocked(&mut self) {
        if !self.monitor.watches_blocking() {
            return;
        }
        self.find_unblocked();
        for key in 0..self.threads.len() {
            let thread = &self.threads[key];
            if thread.told == Told::NotBlocked
                && matches!(thread.doing, Doing::Waiting(_))
                && thread.is_in_kernel()
            {
                self.step(key as u32, Action::Block, None);
            }
        }
    }
}

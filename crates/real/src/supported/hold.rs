//! How a letter waits for its turn.

use super::scheduled::{Course, Doing, Locked, MAIN, ScheduleState, Scheduled, Told};
use crate::Mode;
use selvedge_spec::{Action, Permission, Place};
use std::panic::Location;

impl Scheduled {
    /// The thread is about to perform a named event.
    pub(crate) fn event(&self, key: u32, name: &'static str, site: &'static Location<'static>) {
        let place = Place { file: site.file().into(), line: site.line(), column: site.column() };
        let mut state = self.lock();
        state.thread_mut(key).last = Some((name, place.clone()));
        let thread = state.thread(key).name.clone();
        state.events.insert((name, thread));
        self.letter(state, key, Action::Event(name), Some(place));
    }

    /// The thread has a name now, with which it begins.
    pub(crate) fn named(&self, key: u32, name: &str) {
        let mut state = self.lock();
        if state.thread(key).name.as_deref() == Some(name) {
            return;
        }
        state.thread_mut(key).name = Some(name.to_owned());
        self.letter(state, key, Action::Start, None);
    }

    /// The thread runs the test's body.
    pub(crate) fn is_main(&self, key: u32) {
        self.named(key, MAIN);
    }

    /// Something happens as soon as it may.
    pub(crate) fn letter<'a>(
        &'a self,
        mut state: Locked<'a>,
        key: u32,
        action: Action<'static>,
        place: Option<Place>,
    ) {
        self.is_back(&mut state, key);
        if state.course == Course::Over || !state.mentions(key, action) {
            return;
        }
        match self.mode {
            Mode::Enforce => state = self.hold(state, key, action, place.as_ref()),
            Mode::Check => state.find_blocked(),
        }
        self.step(&mut state, key, action, place);
    }

    /// The thread does something, so it is not blocked, whatever the operating system has said of it.
    pub(crate) fn is_back(&self, state: &mut ScheduleState, key: u32) {
        if state.thread(key).told == Told::Blocked {
            self.step(state, key, Action::Unblock, None);
        }
    }

    /// The letter happens, and others may go on because of it.
    pub(crate) fn step(
        &self,
        state: &mut ScheduleState,
        key: u32,
        action: Action<'static>,
        place: Option<Place>,
    ) {
        if state.course == Course::Over {
            return;
        }
        state.step(key, action, place);
        if state.is_anybody_held() {
            state.call_threads();
        }
    }

    /// Holds the thread until the letter may happen. If the test is given up meanwhile, that is for
    /// ever.
    pub(crate) fn hold<'a>(
        &'a self,
        mut state: Locked<'a>,
        key: u32,
        action: Action<'static>,
        place: Option<&Place>,
    ) -> Locked<'a> {
        if state.may(key, action) {
            return state;
        }
        if !state.is_anybody_held() {
            // From now on there may be too little happening.
            state.call_keeper();
        }
        state.set(key, Doing::Held { action, place: place.cloned() });
        state.ceased_to_run(key);
        loop {
            state = state.wait_as_thread();
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

impl ScheduleState {
    /// Whether the letter may happen right now.
    fn may(&mut self, key: u32, action: Action<'static>) -> bool {
        self.find_unblocked();
        self.permission(key, action) == Permission::Now
    }

    /// Tells of the threads that have been woken and have not come back yet, so that nobody counts
    /// on their being blocked.
    pub(crate) fn find_unblocked(&mut self) {
        for key in self.keys() {
            let thread = self.thread(key);
            if thread.told == Told::NotBlocked {
                continue;
            }
            let is_blocked = match &thread.doing {
                Doing::Waiting(_) => thread.is_in_kernel(),
                _ => thread.is_elsewhere(),
            };
            if !is_blocked {
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
        for key in self.keys() {
            let thread = self.thread(key);
            let is_blocked = match &thread.doing {
                Doing::Waiting(_) => thread.is_in_kernel(),
                Doing::Running => thread.is_elsewhere(),
                _ => false,
            };
            if thread.told == Told::NotBlocked && is_blocked {
                self.step(key, Action::Block, None);
            }
        }
    }
}

//! The state of the process that a test changes, put back after each execution.
//!
//! The working directory, the environment, the umask, handlers and masks of signals, limits, timers,
//! the standard streams and the children belong to the process, which all executions of a test share.
//! Whoever stands in front of a function that changes such a thing says so before it does
//! ([`Controlled::about_to_change`]); how it was is noted then, and put back when the execution is over. An
//! execution that changes nothing pays nothing.
//!
//! What can not be put back (the user, the session, a file of ours that is closed) must not be changed
//! in a process that others will use: [`Controlled::needs_process`] ends the execution before it
//! happens, and the campaign goes on with a process for each.
//!
//! Deviations and limits:
//!
//! 1. Only what goes through functions of the C library is seen, not what the C library does inside of
//!    them nor system calls of the program's own.
//! 2. All threads of an execution share one operating-system thread, and so what it blocks of signals is what
//!    any of them does (`signals.rs`).
//! 3. A child that was not waited for is killed; what it has started itself is not.
//! 4. Files on disk stay as they are.

use crate::context::Controlled;
use crate::ending::Ending;
use crate::execution::Execution;
use crate::forked::Processes;
use crate::outside_threads::apart;
use crate::statics::Statics;
use std::ffi::c_int;

/// Something that belongs to the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessState {
    /// The working directory.
    Folder,
    /// The environment.
    Environment,
    /// The permissions that new files do not get.
    Umask,
    /// What is done about a signal.
    Signal(c_int),
    /// Which signals are blocked.
    SignalMask,
    /// A limit of a resource.
    Limit(c_int),
    /// A timer that raises a signal.
    Timer(c_int),
    /// One of the files that were open when the execution began.
    File(c_int),
    /// How such a file is read and written.
    FileFlags(c_int),
}

/// What was made by an execution and must not be there any more in the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessPart {
    /// A child.
    Child(i32),
    /// A timer.
    Timer(usize),
}

/// What is to be put back after the execution.
#[derive(Default)]
pub(crate) struct Journal {
    changed: Vec<(ProcessState, system::Before)>,
    made: Vec<ProcessPart>,
    /// The files that were open when the first execution began.
    files: Option<Vec<c_int>>,
}

impl Journal {
    /// What the execution has made.
    pub(crate) fn made(&self) -> &[ProcessPart] {
        &self.made
    }

    /// Forgets what the execution has made if it is gone.
    pub(crate) fn retain(&mut self, is_there: impl FnMut(&ProcessPart) -> bool) {
        self.made.retain(is_there);
    }
}

impl Controlled {
    /// The running thread is about to change something that belongs to the process.
    pub fn about_to_change(self, what: ProcessState) {
        let mut execution = self.execution();
        if execution.settings.statics == Statics::Leave
            || execution.world.journal.changed.iter().any(|(known, _)| *known == what)
        {
            return;
        }
        if let Some(before) = apart(|| system::look(what)) {
            execution.world.journal.changed.push((what, before));
        }
    }

    /// The running thread has made something that stays with the process.
    pub fn made(self, part: ProcessPart) {
        self.execution().world.journal.made.push(part);
    }

    /// Something that the execution has made is gone.
    pub fn unmade(self, part: ProcessPart) {
        self.execution().world.journal.made.retain(|known| *known != part);
    }

    /// The running thread closes a file, or lets its number stand for another one.
    pub fn about_to_close(self, file: c_int) {
        if !self.execution().is_from_before(file) {
            return;
        }
        match file {
            0..=2 => self.about_to_change(ProcessState::File(file)),
            // It may be the one by which this process is told what to do.
            _ => self.needs_process(),
        }
    }

    /// The running thread changes how a file is read and written.
    pub fn about_to_change_flags(self, file: c_int) {
        if self.execution().is_from_before(file) {
            self.about_to_change(ProcessState::FileFlags(file));
        }
    }

    /// The running thread is about to do what can not be undone. Comes back only if nobody uses the
    /// process afterwards, or the test is to have it as it is.
    pub fn needs_process(self) {
        let mut execution = self.execution();
        let processes = execution.settings.processes;
        if processes == Processes::Forked || execution.settings.statics == Statics::Leave {
            return;
        }
        execution.end(Ending::NeedsProcess);
        let me = execution.current;
        drop(execution);
        loop {
            // The execution has ended, so nobody is resumed any more.
            self.give_way(me);
        }
    }
}

impl Execution {
    /// Notes which files are open before the first execution.
    pub(crate) fn remember_files(&mut self) {
        if self.settings.statics == Statics::PutBack && self.world.journal.files.is_none() {
            self.world.journal.files = Some(apart(system::open_files));
        }
    }

    /// Whether a file is the same as before the first execution.
    fn is_from_before(&self, file: c_int) -> bool {
        !self.world.own_files.is_own(file)
            && self.world.journal.files.as_ref().is_some_and(|files| files.contains(&file))
    }

    /// Puts back what the execution has changed.
    pub(crate) fn put_process_back(&mut self) {
        let made = std::mem::take(&mut self.world.journal.made);
        let changed = std::mem::take(&mut self.world.journal.changed);
        if made.is_empty() && changed.is_empty() {
            return;
        }
        apart(|| {
            made.into_iter().for_each(system::remove);
            changed.into_iter().rev().for_each(|(what, before)| system::put_back(what, before));
        });
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
mod system;
/// Elsewhere nobody says what changes.
#[cfg(not(all(target_os = "linux", not(miri))))]
mod system {
    use super::{ProcessPart, ProcessState};

    pub(super) enum Before {}

    pub(super) fn look(_: ProcessState) -> Option<Before> {
        None
    }
    pub(super) fn put_back(_: ProcessState, before: Before) {
        match before {}
    }
    pub(super) fn remove(_: ProcessPart) {}
    pub(super) fn open_files() -> Vec<std::ffi::c_int> {
        Vec::new()
    }
}

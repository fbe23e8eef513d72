//! Files, pipes and sockets: real ones, but nobody blocks in them.
//!
//! An operation that could be carried out at once is. A thread whose operation would block waits in
//! the engine, which lets others run and virtual time pass; what is waited for is the business of
//! `outside.rs`.
//!
//! Deviations: (1) all files are one object, since nobody knows which of them are connected; (2) so
//! is all order that the kernel carries from one thread to another, whether by way of a pipe, a
//! socket, a file or its name: what a thread gets to know anywhere counts as ordered after all that
//! was done anywhere before ([`Controlled::carries`]).
//!
//! May miss: races of threads that ask the kernel for something between their accesses, if nothing
//! but the order of these requests keeps the accesses apart in all executions that were run. What is
//! printed is not asked of the kernel, and orders nothing here.

use crate::context::Controlled;
use crate::execution::Execution;
use crate::object::ObjectEntry;
use crate::objects::ObjectState;
use crate::outside::{FileInterest, is_ready};
use crate::signals::Restart;
use crate::step::Change;
use crate::thread::WayOut;
use selvedge_model::{Edge, Effect, Element, ObjectId, Operation, OperationKind, Site};
use std::time::Duration;

/// An operation on files.
#[derive(Clone, Copy, Debug)]
pub struct Io<'a> {
    /// Reading, writing or waiting.
    pub kind: OperationKind,
    /// One of these must be ready.
    pub files: &'a [FileInterest],
    /// If none is.
    pub patience: Patience,
    /// If a signal comes meanwhile.
    pub restart: Restart,
    /// What it says of the order of threads.
    pub carries: Carries,
}

/// Which order a request to the kernel carries from one thread to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carries {
    /// Others may get to know what the thread has done.
    Release,
    /// The thread may get to know what others have done.
    Acquire,
    /// Both: whoever reads from a pipe makes room in it, too.
    Both,
}

impl Carries {
    fn releases(self) -> bool {
        matches!(self, Self::Release | Self::Both)
    }

    fn acquires(self) -> bool {
        matches!(self, Self::Acquire | Self::Both)
    }
}

/// What a thread does whose operation would block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// It does not wait; the operation fails or comes to nothing.
    None,
    /// It waits for so long.
    For(Duration),
    /// It waits.
    Endless,
}

/// In which state an operation finds its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It can be carried out, or need not wait.
    Ready,
    /// Its time is up.
    TimedOut,
    /// The handler of a signal has run, and the operation fails for that.
    Interrupted,
}

impl Controlled {
    /// Carries out an operation on files when it does not block. `act` does so for real, and its
    /// result is handed on: negative if it has failed.
    pub fn io(self, io: Io<'_>, site: Site, act: impl FnOnce(Readiness) -> i64) -> i64 {
        let id = self.execution().files();
        if io.restart == Restart::NotEvenBefore {
            self.execution().may_be_interrupted(io.restart);
        }
        self.stop(io.kind, id, site);
        let readiness = match io.patience {
            Patience::None => Readiness::Ready,
            Patience::For(timeout) => self.wait_for_files(io, Some(timeout), site),
            Patience::Endless => self.wait_for_files(io, None, site),
        };
        let result = act(readiness);
        self.execution().io_happened(io, readiness, result, site);
        result
    }

    /// The running thread asks the kernel for something that is no operation, but by which it may
    /// get to know what others have done, or they what it has.
    pub fn carries(self, carries: Carries) {
        let execution = &mut *self.execution();
        if carries.acquires() {
            execution.edge(Edge::Take(Element::Closed));
        }
        execution.carry(carries);
        execution.next_epoch();
    }

    /// The running thread closes a file, or one direction of it. Those who notice the end know what it
    /// has done; those who still read what was written before do not.
    pub fn closes(self) {
        let execution = &mut *self.execution();
        execution.edge(Edge::Join(Element::Closed));
        execution.next_epoch();
    }

    /// A handler of a signal may run on this thread from now on, whoever has set it up.
    pub fn signals(self) {
        let execution = &mut *self.execution();
        execution.see_everything();
        execution.carry(Carries::Release);
        execution.next_epoch();
    }

    /// Something was done to files that is no operation, but for which others may have waited.
    pub fn files_changed(self) {
        self.execution().look_outside(Duration::ZERO);
    }

    /// Waits until one of the files is ready.
    fn wait_for_files(self, io: Io<'_>, timeout: Option<Duration>, site: Site) -> Readiness {
        if is_ready(io.files) {
            return Readiness::Ready;
        }
        if self.execution().is_interrupted() {
            return Readiness::Interrupted;
        }
        self.execution().may_expire_early();
        if is_ready(io.files) {
            return Readiness::Ready;
        }
        self.execution().begin_io_wait(io, timeout, site);
        loop {
            let object = self.execution().files();
            self.stop(io.kind, object, site);
            self.execution().listens_no_more();
            if is_ready(io.files) {
                return Readiness::Ready;
            }
            if self.execution().is_interrupted() {
                return Readiness::Interrupted;
            }
            if self.execution().is_expired() {
                return Readiness::TimedOut;
            }
            // Somebody else was faster.
            self.execution().wait_for_outside(io.files);
        }
    }
}

impl Execution {
    /// The object that stands for all files.
    fn files(&mut self) -> ObjectId {
        if let Some(id) = self.world.outside.object {
            return id;
        }
        let entry = ObjectEntry::shared(ObjectState::Files, self.current);
        let id = self.push_object(entry, None, self.partners.test_site);
        self.world.outside.object = Some(id);
        id
    }

    /// The running thread's operation would block.
    fn begin_io_wait(&mut self, io: Io<'_>, timeout: Option<Duration>, site: Site) {
        let object = self.files();
        self.happened(io.kind, object, site, Effect::Refused, Change::Nothing);
        self.info[self.current.index()].pending = Operation::new(io.kind, object, site);
        self.may_be_interrupted(io.restart);
        if let Some(timeout) = timeout {
            self.begin_timed_wait(self.deadline(timeout));
        }
        if !self.is_expired() {
            self.wait_for_outside(io.files);
        }
    }

    fn wait_for_outside(&mut self, files: &[FileInterest]) {
        self.states.block(self.current);
        self.listen_to_files(files);
    }

    /// Whether the running thread's time is up.
    fn is_expired(&self) -> bool {
        matches!(self.threads[self.current.index()].way_out, WayOut::Expired(_))
    }

    /// Notes the order that the running thread's request carries.
    pub(crate) fn carry(&mut self, carries: Carries) {
        if carries.acquires() {
            self.edge(Edge::Take(Element::Told));
        }
        if carries.releases() {
            self.edge(Edge::Join(Element::Told));
        }
    }

    /// The running thread has carried out its operation.
    fn io_happened(&mut self, io: Io<'_>, readiness: Readiness, result: i64, site: Site) {
        let Io { kind, carries, .. } = io;
        let object = self.files();
        self.was_interrupted();
        let effect = match (readiness, self.end_wait()) {
            (Readiness::Interrupted, _) => Effect::Spurious,
            (Readiness::TimedOut, WayOut::Expired(deadline)) => {
                self.time_out(deadline);
                Effect::TimedOut
            }
            _ => Effect::Done,
        };
        // To look at files changes nothing, nor does what has failed.
        let change = match (kind, effect) {
            (_, Effect::TimedOut | Effect::Spurious) => Change::Something,
            (OperationKind::IoWait, _) => Change::Nothing,
            _ if result < 0 => Change::Nothing,
            _ => Change::Something,
        };
        if effect == Effect::Spurious {
            self.happened(kind, object, site, effect, change);
            return;
        }
        // Who has waited in vain has got to know nothing, and who reads something finds no end.
        if kind != OperationKind::IoWait || result != 0 {
            self.carry(carries);
            if kind == OperationKind::IoWait || result <= 0 {
                self.edge(Edge::Take(Element::Closed));
            }
        }
        self.happened(kind, object, site, effect, change);
        if change == Change::Something {
            self.look_outside(Duration::ZERO);
        }
    }
}

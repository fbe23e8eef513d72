//! What each thread of one run was doing, and when: a log, read thread by thread.

use crate::log::{Entry, Log, ThreadId, What};
use crate::source::{BodyId, Kind, Sources, StatementId};
use std::collections::BTreeMap;

/// The position of an entry in a log. Positions are ordered as the entries are.
pub type At = usize;

/// A sleep.
#[derive(Clone, Debug)]
pub struct Sleep {
    /// Who sleeps.
    pub thread: ThreadId,
    /// When it was called.
    pub from: At,
    /// When it returned.
    pub to: At,
    /// The statement that does nothing but sleep, if there is one: the outermost.
    pub statement: Option<StatementId>,
    /// The innermost statement of the test.
    pub innermost: Option<StatementId>,
}

/// What a thread is doing at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has not begun.
    Absent,
    /// It computes, or is about to.
    Running,
    /// It sleeps in this statement, if that is known to do nothing else.
    Sleeping(Option<StatementId>),
    /// It waits, since this moment.
    Blocked(At),
    /// It has ended.
    Ended,
}

/// A statement that is being carried out.
#[derive(Clone, Copy, Debug)]
pub struct Active {
    /// The statement.
    pub statement: StatementId,
    /// When it began.
    pub since: At,
    /// Whether a thread was started by it, other statements apart.
    pub started_threads: bool,
}

/// A thread at some moment.
#[derive(Clone, Debug)]
pub struct Moment {
    /// What it is doing.
    pub state: State,
    /// The statements that have begun and not ended, from the outermost.
    pub stack: Vec<Active>,
    /// The last statement that has come to its end, sleeps apart.
    pub done: Option<StatementId>,
}

impl Moment {
    /// Before the first entry of a thread.
    fn first(thread: ThreadId) -> Self {
        let state = if thread == ThreadId(0) { State::Running } else { State::Absent };
        Self { state, stack: Vec::new(), done: None }
    }
}

/// A thread of one run.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its entries.
    pub entries: Vec<At>,
    /// Who started it, where, and in which statement.
    pub started: Option<(ThreadId, At, Option<StatementId>)>,
    /// The name that it has got.
    pub name: String,
    /// When it ended.
    pub ended: Option<At>,
    /// The body of the first statement that it has carried out, if it was started in the statement in
    /// which that body stands: then the thread is that body's.
    pub body: Option<BodyId>,
}

/// One run, thread by thread.
#[derive(Clone, Debug)]
pub struct Course<'a> {
    sources: &'a Sources,
    log: &'a Log,
    threads: BTreeMap<ThreadId, Thread>,
}

impl<'a> Course<'a> {
    /// Reads a log. Entries about statements that there are not are ignored.
    pub fn new(sources: &'a Sources, log: &'a Log) -> Self {
        let mut threads: BTreeMap<ThreadId, Thread> = BTreeMap::new();
        for (at, entry) in log.entries.iter().enumerate() {
            let thread = threads.entry(entry.thread).or_insert_with(Thread::new);
            thread.entries.push(at);
            match &entry.what {
                What::ThreadBegin(name) => thread.name.clone_from(name),
                What::ThreadEnd => thread.ended = Some(at),
                _ => {}
            }
        }
        let mut course = Self { sources, log, threads };
        course.find_starts();
        course.find_bodies();
        course
    }

    fn find_starts(&mut self) {
        let mut starts = Vec::new();
        for (&id, thread) in &self.threads {
            let mut moment = Moment::first(id);
            for &at in &thread.entries {
                if let What::ThreadStart(child) = self.log.entries[at].what {
                    let statement = moment.stack.last().map(|last| last.statement);
                    starts.push((child, (id, at, statement)));
                }
                self.advance(&mut moment, at);
            }
        }
        for (child, start) in starts {
            if let Some(thread) = self.threads.get_mut(&child) {
                thread.started = Some(start);
            }
        }
    }

    fn find_bodies(&mut self) {
        let mut bodies = Vec::new();
        for (&id, thread) in &self.threads {
            let first = thread.entries.iter().find_map(|&at| match self.log.entries[at].what {
                What::Call(statement) if self.sources.has(statement) => Some(statement),
                _ => None,
            });
            let Some(first) = first else { continue };
            let body = self.sources.body_of(first);
            let place = self.sources.body(body).within;
            let own = match thread.started {
                None => true,
                Some((_, _, Some(starting))) => {
                    place.is_some_and(|place| place == starting || self.encloses(starting, place))
                }
                Some((_, _, None)) => false,
            };
            if own {
                bodies.push((id, body));
            }
        }
        for (id, body) in bodies {
            if let Some(thread) = self.threads.get_mut(&id) {
                thread.body = Some(body);
            }
        }
    }

    /// Whether the text of one statement is a part of the text of another.
    pub fn encloses(&self, outer: StatementId, inner: StatementId) -> bool {
        let (outer, inner) = (self.sources.statement(outer), self.sources.statement(inner));
        outer.file == inner.file
            && outer.range.start <= inner.range.start
            && inner.range.end <= outer.range.end
    }

    /// The threads.
    pub fn threads(&self) -> impl Iterator<Item = (ThreadId, &Thread)> {
        self.threads.iter().map(|(&id, thread)| (id, thread))
    }

    /// A thread.
    pub fn thread(&self, id: ThreadId) -> Option<&Thread> {
        self.threads.get(&id)
    }

    /// An entry.
    pub fn entry(&self, at: At) -> &'a Entry {
        &self.log.entries[at]
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.log.entries.len()
    }

    /// Whether nothing was told.
    pub fn is_empty(&self) -> bool {
        self.log.entries.is_empty()
    }

    /// The first entry at or after a time.
    pub fn position(&self, time: u64) -> At {
        self.log.entries.partition_point(|entry| entry.time < time)
    }

    /// What a thread is doing just before the entry at this position.
    pub fn moment(&self, thread: ThreadId, at: At) -> Moment {
        let mut moment = Moment::first(thread);
        let Some(course) = self.threads.get(&thread) else { return moment };
        for &position in course.entries.iter().take_while(|&&position| position < at) {
            self.advance(&mut moment, position);
        }
        moment
    }

    fn advance(&self, moment: &mut Moment, at: At) {
        match self.log.entries[at].what {
            What::SleepCall(_) => moment.state = State::Sleeping(self.sleeper(&moment.stack)),
            What::BlockCall(_) => moment.state = State::Blocked(at),
            What::SleepReturn | What::BlockReturn | What::ThreadBegin(_) => {
                moment.state = State::Running;
            }
            What::ThreadEnd => {
                moment.state = State::Ended;
                while let Some(active) = moment.stack.pop() {
                    self.done(moment, active.statement);
                }
            }
            What::ThreadStart(_) => {
                if let Some(top) = moment.stack.last_mut() {
                    top.started_threads = true;
                }
            }
            What::Call(statement) if self.sources.has(statement) => {
                self.leave_what_is_over(moment, statement);
                moment.stack.push(Active { statement, since: at, started_threads: false });
            }
            What::Return(statement) => {
                if let Some(depth) =
                    moment.stack.iter().rposition(|active| active.statement == statement)
                {
                    let started = moment.stack.drain(depth..).any(|a| a.started_threads);
                    self.done(moment, statement);
                    // Whoever waits for the threads of a scope does so in the statement around.
                    if let Some(top) = moment.stack.last_mut() {
                        top.started_threads |= started;
                    }
                }
            }
            What::Call(_) => {}
        }
    }

    /// Notes that a statement has come to its end. What a sleep does, computing how long it takes, is no
    /// work.
    fn done(&self, moment: &mut Moment, statement: StatementId) {
        let sleeps = |id: StatementId| self.sources.statement(id).kind == Kind::Sleep;
        if !sleeps(statement) && !moment.stack.iter().any(|active| sleeps(active.statement)) {
            moment.done = Some(statement);
        }
    }

    /// Statements whose ends are not told of are over when one begins that stands behind them.
    fn leave_what_is_over(&self, moment: &mut Moment, next: StatementId) {
        let body = self.sources.body_of(next);
        let Some(depth) =
            moment.stack.iter().position(|active| self.sources.body_of(active.statement) == body)
        else {
            return;
        };
        let keep = moment.stack[depth..]
            .iter()
            .take_while(|active| active.statement != next && self.encloses(active.statement, next))
            .count();
        while moment.stack.len() > depth + keep {
            if let Some(active) = moment.stack.pop() {
                self.done(moment, active.statement);
            }
        }
    }

    /// The statement in which a thread with these active ones sleeps, if it does nothing else: the
    /// outermost, since that is where the test says so.
    fn sleeper(&self, stack: &[Active]) -> Option<StatementId> {
        let sleeps =
            |active: &&Active| self.sources.statement(active.statement).kind == Kind::Sleep;
        stack.iter().rev().take_while(sleeps).last().map(|active| active.statement)
    }

    /// The statements in which threads still sleep at the end.
    pub fn unfinished_sleeps(&self) -> Vec<StatementId> {
        let states = self.threads.keys().map(|&id| self.moment(id, self.len()).state);
        states
            .filter_map(|state| match state {
                State::Sleeping(statement) => statement,
                _ => None,
            })
            .collect()
    }

    /// All sleeps that have come to their end, in the order of their ends.
    pub fn sleeps(&self) -> Vec<Sleep> {
        let mut sleeps = Vec::new();
        for (&id, thread) in &self.threads {
            let mut from = None;
            let mut moment = Moment::first(id);
            for &at in &thread.entries {
                match self.log.entries[at].what {
                    What::SleepCall(_) => {
                        let innermost = moment.stack.last().map(|active| active.statement);
                        from = Some((at, self.sleeper(&moment.stack), innermost));
                    }
                    What::SleepReturn => {
                        let Some((from, statement, innermost)) = from.take() else { continue };
                        sleeps.push(Sleep { thread: id, from, to: at, statement, innermost });
                    }
                    _ => {}
                }
                self.advance(&mut moment, at);
            }
        }
        sleeps.sort_by_key(|sleep| sleep.to);
        sleeps
    }
}

impl Thread {
    fn new() -> Self {
        Self { entries: Vec::new(), started: None, name: String::new(), ended: None, body: None }
    }
}

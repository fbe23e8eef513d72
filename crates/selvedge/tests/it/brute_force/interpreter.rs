//! A program over plain data: every state that any schedule can lead to.
//!
//! Sequentially consistent: a state is what the threads share, and where each of them is. From each
//! state every thread that can take a step takes it.

use super::Noted;
use super::program::{Op, Program};
use std::collections::{BTreeSet, HashSet};

/// What a program can do.
pub(super) struct Possible {
    pub(super) outcomes: BTreeSet<Noted>,
    /// Whether a thread may never come to its end.
    pub(super) gets_stuck: bool,
}

/// An operation in single steps. `usize`s after an outcome are where the thread goes on.
#[derive(Clone, Debug)]
enum Step {
    Plain(Op),
    Lock(usize),
    TryLock(usize, usize),
    Unlock(usize),
    Read,
    TryRead(usize),
    ReadUnlock,
    Write,
    TryWrite(usize),
    WriteUnlock,
    /// Gives the first mutex back and goes to wait.
    BeginWait,
    /// Has been notified and takes the mutex again.
    EndWait,
    OnceEnter(usize),
    OnceDone,
    OnceNote,
    Arrive,
    Pass,
    /// Looks for the value; if it is there, the thread goes on elsewhere.
    Look(usize, u8, u8, usize),
    GiveUp,
    /// To have done everything is not to have ended.
    End,
    Join(usize),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Once {
    #[default]
    New,
    Running,
    Done,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Thread {
    at: usize,
    noted: Vec<u8>,
    /// Whether the last `call_once` was its own.
    mine: bool,
    /// The number of the barrier's generation that it waits for, and whether it leads.
    generation: u8,
    leads: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct State {
    threads: Vec<Thread>,
    atomics: [u8; 2],
    /// Value and owner.
    mutexes: [(u8, Option<usize>); 2],
    lock: u8,
    readers: Vec<usize>,
    writer: Option<usize>,
    /// Who waits at the condition variable and has not been notified.
    waiting: BTreeSet<usize>,
    once: Once,
    arrived: u8,
    generation: u8,
    channel: Option<u8>,
    token: bool,
}

/// All that the program can do.
pub(super) fn run(program: &Program) -> Possible {
    let mut codes: Vec<_> = program.threads.iter().map(|ops| compile(ops)).collect();
    codes[1..].iter_mut().for_each(|code| code.push(Step::End));
    let others = 1..program.threads.len();
    codes[0].extend(others.map(Step::Join));
    let threads = vec![Thread::default(); codes.len()];
    let first = State { threads, ..State::default() };
    let mut known = HashSet::from([first.clone()]);
    let mut left = vec![first];
    let mut possible = Possible { outcomes: BTreeSet::new(), gets_stuck: false };
    while let Some(state) = left.pop() {
        let mut next = Vec::new();
        for thread in 0..codes.len() {
            state.step(&codes, thread, &mut next);
            possible.gets_stuck |= state.may_wait_for_itself(&codes, thread);
        }
        if next.is_empty() {
            match state.has_ended(&codes, 0) {
                true => _ = possible.outcomes.insert(state.outcome()),
                false => possible.gets_stuck = true,
            }
        }
        left.extend(next.into_iter().filter(|state| known.insert(state.clone())));
    }
    possible
}

/// The single steps of operations.
fn compile(ops: &[Op]) -> Vec<Step> {
    let mut code = Vec::new();
    ops.iter().for_each(|op| add(&mut code, op));
    code
}

fn add(code: &mut Vec<Step>, op: &Op) {
    /// With something in hand.
    fn section(code: &mut Vec<Step>, take: Step, inner: &[Op], give: Step) {
        code.push(take);
        inner.iter().for_each(|op| add(code, op));
        code.push(give);
    }
    /// The same, if it can be had: `take` is told where to go on otherwise.
    fn attempt(code: &mut Vec<Step>, take: fn(usize) -> Step, inner: &[Op], give: Step) {
        let begins = code.len();
        section(code, take(0), inner, give);
        code[begins] = take(code.len());
    }
    match op {
        Op::Lock(mutex, inner) => section(code, Step::Lock(*mutex), inner, Step::Unlock(*mutex)),
        Op::TryLock(0, inner) => {
            attempt(code, |end| Step::TryLock(0, end), inner, Step::Unlock(0));
        }
        Op::TryLock(_, inner) => {
            attempt(code, |end| Step::TryLock(1, end), inner, Step::Unlock(1));
        }
        Op::Read(inner) => section(code, Step::Read, inner, Step::ReadUnlock),
        Op::TryRead(inner) => attempt(code, Step::TryRead, inner, Step::ReadUnlock),
        Op::Write(inner) => section(code, Step::Write, inner, Step::WriteUnlock),
        Op::TryWrite(inner) => attempt(code, Step::TryWrite, inner, Step::WriteUnlock),
        Op::Wait => {
            // Takes the mutex without adding to its value.
            code.extend([Step::Lock(2), Step::BeginWait, Step::EndWait, Step::Unlock(0)]);
        }
        Op::Once(inner) => {
            attempt(code, Step::OnceEnter, inner, Step::OnceDone);
            code.push(Step::OnceNote);
        }
        Op::Barrier => code.extend([Step::Arrive, Step::Pass]),
        Op::Spin(atomic, value, turns) => {
            let end = code.len() + usize::from(*turns) + 1;
            let looks = (0..*turns).map(|turn| Step::Look(*atomic, *value, turn, end));
            code.extend(looks);
            code.push(Step::GiveUp);
        }
        plain => code.push(Step::Plain(plain.clone())),
    }
}

impl State {
    fn has_ended(&self, codes: &[Vec<Step>], thread: usize) -> bool {
        self.threads[thread].at == codes[thread].len()
    }

    /// Whether the thread wants to read what it reads already while a writer waits for it: the lock of
    /// `std` may let no new reader in then.
    fn may_wait_for_itself(&self, codes: &[Vec<Step>], thread: usize) -> bool {
        let stands_at = |thread: usize| codes[thread].get(self.threads[thread].at);
        matches!(stands_at(thread), Some(Step::Read))
            && self.readers.contains(&thread)
            && (0..codes.len()).any(|other| matches!(stands_at(other), Some(Step::Write)))
    }

    fn outcome(&self) -> Noted {
        let mut noted: Noted = self.threads.iter().map(|thread| thread.noted.clone()).collect();
        let [first, second] = self.mutexes;
        noted.push(vec![self.atomics[0], self.atomics[1], first.0, second.0, self.lock]);
        noted
    }

    /// The states after a step of the thread; none if it has ended or has to wait.
    fn step(&self, codes: &[Vec<Step>], thread: usize, next: &mut Vec<Self>) {
        let Some(step) = codes[thread].get(self.threads[thread].at) else { return };
        let mut then = self.clone();
        then.threads[thread].at += 1;
        let is_free = self.writer.is_none() && self.readers.is_empty();
        match step {
            Step::Plain(Op::NotifyOne) if !self.waiting.is_empty() => {
                // Any of them.
                next.extend(self.waiting.iter().map(|waiter| {
                    let mut then = then.clone();
                    then.waiting.remove(waiter);
                    then
                }));
                return;
            }
            Step::Plain(op) => {
                if !then.plain(codes, thread, op) {
                    return;
                }
            }
            // As by the first, for a wait.
            Step::Lock(2) if self.mutexes[0].1.is_none() => then.mutexes[0].1 = Some(thread),
            Step::Lock(mutex) if *mutex < 2 && self.mutexes[*mutex].1.is_none() => {
                then.take(*mutex, thread);
            }
            Step::Lock(_) => return,
            Step::TryLock(mutex, end) => match self.mutexes[*mutex].1 {
                None => then.take(*mutex, thread),
                Some(_) => then.refuse(thread, *end),
            },
            Step::Unlock(mutex) => then.mutexes[*mutex].1 = None,
            Step::Read if self.writer.is_none() => then.read(thread),
            Step::TryRead(end) => match self.writer {
                None => then.read(thread),
                Some(_) => then.refuse(thread, *end),
            },
            Step::ReadUnlock => {
                let mine = self.readers.iter().position(|&reader| reader == thread);
                then.readers.remove(mine.expect("reads"));
            }
            Step::Write if is_free => then.write(thread),
            Step::TryWrite(end) => match is_free {
                true => then.write(thread),
                false => then.refuse(thread, *end),
            },
            Step::Read | Step::Write => return,
            Step::WriteUnlock => then.writer = None,
            Step::BeginWait => {
                then.mutexes[0].1 = None;
                then.waiting.insert(thread);
            }
            Step::EndWait => {
                if self.waiting.contains(&thread) || self.mutexes[0].1.is_some() {
                    return;
                }
                then.mutexes[0].1 = Some(thread);
                then.threads[thread].noted.push(self.mutexes[0].0);
            }
            Step::OnceEnter(end) => match self.once {
                Once::New => {
                    then.once = Once::Running;
                    then.threads[thread].mine = true;
                }
                Once::Running => return,
                Once::Done => then.threads[thread].at = *end,
            },
            Step::OnceDone => then.once = Once::Done,
            Step::OnceNote => {
                let mine = std::mem::take(&mut then.threads[thread].mine);
                then.threads[thread].noted.push(mine.into());
            }
            Step::Arrive => {
                then.threads[thread].generation = self.generation;
                then.threads[thread].leads = self.arrived == 1;
                then.arrived = (self.arrived + 1) % 2;
                then.generation = self.generation + self.arrived;
            }
            Step::Pass => {
                let me = &mut then.threads[thread];
                if me.generation == self.generation {
                    return;
                }
                me.noted.push(me.leads.into());
                (me.generation, me.leads) = (0, false);
            }
            Step::Look(atomic, value, turn, end) => {
                if self.atomics[*atomic] == *value {
                    then.threads[thread].noted.push(*turn);
                    then.threads[thread].at = *end;
                }
            }
            Step::GiveUp => then.threads[thread].noted.push(100),
            Step::End => {}
            Step::Join(other) => {
                if !self.has_ended(codes, *other) {
                    return;
                }
            }
        }
        next.push(then);
    }

    fn take(&mut self, mutex: usize, thread: usize) {
        let (value, owner) = &mut self.mutexes[mutex];
        *owner = Some(thread);
        *value += 1;
        self.threads[thread].noted.push(*value);
    }

    fn read(&mut self, thread: usize) {
        self.readers.push(thread);
        self.readers.sort_unstable();
        self.threads[thread].noted.push(self.lock);
    }

    fn write(&mut self, thread: usize) {
        self.writer = Some(thread);
        self.lock += 1;
        self.threads[thread].noted.push(self.lock);
    }

    fn refuse(&mut self, thread: usize, end: usize) {
        self.threads[thread].noted.push(100);
        self.threads[thread].at = end;
    }

    /// Carries out an operation that is one step; says whether it could.
    fn plain(&mut self, codes: &[Vec<Step>], thread: usize, op: &Op) -> bool {
        let mut note = None;
        match *op {
            Op::Load(atomic) => note = Some(self.atomics[atomic]),
            Op::Store(atomic, value) => self.atomics[atomic] = value,
            Op::Add(atomic) => {
                note = Some(self.atomics[atomic]);
                self.atomics[atomic] += 1;
            }
            Op::Swap(atomic, value) => {
                note = Some(std::mem::replace(&mut self.atomics[atomic], value));
            }
            Op::Exchange(atomic, from, to) => {
                let found = self.atomics[atomic];
                if found == from {
                    self.atomics[atomic] = to;
                }
                note = Some(if found == from { found } else { 100 + found });
            }
            // If there is a waiter, that is the caller's business.
            Op::NotifyOne | Op::Yield => {}
            Op::NotifyAll => self.waiting.clear(),
            Op::Send(value) => {
                if self.channel.is_some() {
                    return false;
                }
                self.channel = Some(value);
            }
            Op::TrySend(value) => {
                note = Some(self.channel.is_none().into());
                self.channel.get_or_insert(value);
            }
            Op::Receive => match self.channel.take() {
                None => return false,
                received => note = received,
            },
            Op::TryReceive => note = Some(self.channel.take().unwrap_or(100)),
            Op::Park => {
                if !self.token {
                    return false;
                }
                self.token = false;
            }
            Op::UnparkMain => self.token = true,
            Op::IsFinished => note = Some(self.has_ended(codes, codes.len() - 1).into()),
            ref other => unreachable!("{other:?} is more than one step"),
        }
        self.threads[thread].noted.extend(note);
        true
    }
}

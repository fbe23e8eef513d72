//! A group that writes down what its threads do.

use super::clock::Clock;
use super::errno::{errno, set_errno};
use super::wait::Asked;
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A group that writes a log.
#[derive(Debug, Default)]
pub(crate) struct Logged {
    state: Mutex<LogState>,
}

#[derive(Debug, Default)]
struct LogState {
    entries: Vec<Entry>,
    /// Whether each thread has begun, by the threads' numbers.
    threads: Vec<Begun>,
    written: LogWritten,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begun {
    Yes,
    No,
}

/// Whether the log is out. What comes later is not kept.
#[derive(Debug, Default, PartialEq, Eq)]
enum LogWritten {
    Yes,
    #[default]
    No,
}

/// A line of the log.
#[derive(Debug)]
struct Entry {
    time: Duration,
    thread: u32,
    kind: Kind,
}

/// What a line says.
#[derive(Debug)]
pub(crate) enum Kind {
    SleepCall(Duration),
    SleepReturn,
    BlockCall(Timed),
    BlockReturn,
    Call(u32),
    Return(u32),
    ThreadStart(u32),
    ThreadBegin(String),
    ThreadEnd,
}

/// Whether a wait has a timeout.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Timed {
    Yes,
    No,
}

impl Logged {
    fn lock(&self) -> MutexGuard<'_, LogState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread starts another one, unless it is the first. Says what its number is.
    pub(crate) fn started(&self, clock: &Clock, parent: u32) -> u32 {
        let mut state = self.lock();
        let number = u32::try_from(state.threads.len()).expect("fewer threads than numbers");
        state.threads.push(Begun::No);
        if number == 0 {
            state.threads[0] = Begun::Yes;
        } else {
            state.add(clock, parent, Kind::ThreadStart(number));
        }
        number
    }

    /// The thread begins, with its name.
    pub(crate) fn begun(&self, clock: &Clock, thread: u32, name: &str) {
        let mut state = self.lock();
        if state.threads[thread as usize] == Begun::No {
            state.threads[thread as usize] = Begun::Yes;
            state.add(clock, thread, Kind::ThreadBegin(name.to_owned()));
        }
    }

    pub(crate) fn ended(&self, clock: &Clock, thread: u32) {
        self.add(clock, thread, Kind::ThreadEnd);
    }

    pub(crate) fn sleep(&self, clock: &Clock, thread: u32, time: Duration) {
        self.add(clock, thread, Kind::SleepCall(time));
        std::thread::sleep(clock.takes(time));
        self.add(clock, thread, Kind::SleepReturn);
    }

    pub(crate) fn wait<R>(
        &self,
        clock: &Clock,
        thread: u32,
        asked: Asked,
        function: impl FnOnce() -> R,
    ) -> R {
        let timed = if asked.timeout.is_some() { Timed::Yes } else { Timed::No };
        self.add(clock, thread, Kind::BlockCall(timed));
        let result = function();
        let reason = errno();
        self.add(clock, thread, Kind::BlockReturn);
        set_errno(reason);
        result
    }

    /// The thread does something. If nobody has said what its name is by now, it has none.
    pub(crate) fn add(&self, clock: &Clock, thread: u32, kind: Kind) {
        self.begun(clock, thread, "");
        self.lock().add(clock, thread, kind);
    }

    /// The whole log as text. What comes later is not kept.
    pub(crate) fn finish(&self) -> String {
        let mut state = self.lock();
        state.written = LogWritten::Yes;
        let mut text = String::new();
        for Entry { time, thread, kind } in state.entries.drain(..) {
            let (name, info) = kind.text();
            writeln!(text, "{}\t{thread}\t{name}\t{info}", time.as_nanos())
                .expect("a string takes everything");
        }
        text
    }
}

impl LogState {
    fn add(&mut self, clock: &Clock, thread: u32, kind: Kind) {
        if self.written == LogWritten::No {
            self.entries.push(Entry { time: clock.now(), thread, kind });
        }
    }
}

impl Kind {
    fn text(self) -> (&'static str, String) {
        match self {
            Self::SleepCall(time) => ("sleep_call", time.as_nanos().to_string()),
            Self::SleepReturn => ("sleep_return", String::new()),
            Self::BlockCall(Timed::Yes) => ("block_call", "timed".to_owned()),
            Self::BlockCall(Timed::No) => ("block_call", "untimed".to_owned()),
            Self::BlockReturn => ("block_return", String::new()),
            Self::Call(id) => ("call", id.to_string()),
            Self::Return(id) => ("return", id.to_string()),
            Self::ThreadStart(number) => ("thread_start", number.to_string()),
            // A name is one field of one line.
            Self::ThreadBegin(name) => ("thread_begin", name.replace(['\t', '\n', '\r'], " ")),
            Self::ThreadEnd => ("thread_end", String::new()),
        }
    }
}

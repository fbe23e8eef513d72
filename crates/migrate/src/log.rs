//! The log of one run of a test, as `selvedge-real` writes it: one entry a line, fields separated by
//! tabs.

use crate::source::StatementId;

/// A thread of the test; 0 is the one that runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadId(pub u32);

/// Whether a wait ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// After some time.
    Timed,
    /// Never.
    Untimed,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A thread begins to sleep, for so many nanoseconds.
    SleepCall(u64),
    /// It has slept.
    SleepReturn,
    /// A thread begins to wait.
    BlockCall(Limit),
    /// It has waited.
    BlockReturn,
    /// A statement of the test begins.
    Call(StatementId),
    /// It has ended.
    Return(StatementId),
    /// A thread starts another one.
    ThreadStart(ThreadId),
    /// A thread begins, with this name.
    ThreadBegin(String),
    /// A thread ends.
    ThreadEnd,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Nanoseconds since the test began.
    pub time: u64,
    /// Whose entry it is.
    pub thread: ThreadId,
    /// What happened.
    pub what: What,
}

/// All entries of one run, in the order of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// The entries.
    pub entries: Vec<Entry>,
}

/// A line that is no entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl std::fmt::Display for LogError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {} of the log: {}", self.line, self.message)
    }
}

impl std::error::Error for LogError {}

impl Log {
    /// Reads a log.
    ///
    /// # Errors
    ///
    /// At the first line that is no entry.
    pub fn parse(text: &str) -> Result<Self, LogError> {
        let mut entries = Vec::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            let entry = entry(line);
            entries.push(entry.map_err(|message| LogError { line: at + 1, message })?);
        }
        entries.sort_by_key(|entry: &Entry| entry.time);
        Ok(Self { entries })
    }
}

fn entry(line: &str) -> Result<Entry, String> {
    let mut fields = line.splitn(4, '\t');
    let mut field = |name: &str| fields.next().ok_or_else(|| format!("there is no {name}"));
    let time = number(field("time")?)?;
    let thread = ThreadId(number(field("thread")?)?);
    let kind = field("kind")?;
    let info = field("information").unwrap_or("");
    let what = match kind {
        "sleep_call" => What::SleepCall(number(info)?),
        "sleep_return" => What::SleepReturn,
        "block_call" if info == "timed" => What::BlockCall(Limit::Timed),
        "block_call" => What::BlockCall(Limit::Untimed),
        "block_return" => What::BlockReturn,
        "call" => What::Call(StatementId(number(info)?)),
        "return" => What::Return(StatementId(number(info)?)),
        "thread_start" => What::ThreadStart(ThreadId(number(info)?)),
        "thread_begin" => What::ThreadBegin(info.to_owned()),
        "thread_end" => What::ThreadEnd,
        other => return Err(format!("'{other}' is no kind of entry")),
    };
    Ok(Entry { time, thread, what })
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("'{text}' is no number"))
}

#[cfg(test)]
mod tests {
    use super::{Entry, Limit, Log, ThreadId, What};
    use crate::source::StatementId;

    #[test]
    fn entries_are_read_and_put_in_the_order_of_time() {
        let log = Log::parse("20\t1\tblock_call\ttimed\n5\t0\tcall\t17\n").unwrap();
        let entry = |time, thread, what| Entry { time, thread: ThreadId(thread), what };
        let expected = vec![
            entry(5, 0, What::Call(StatementId(17))),
            entry(20, 1, What::BlockCall(Limit::Timed)),
        ];
        assert_eq!(log.entries, expected);
    }

    #[test]
    fn a_line_that_is_no_entry_is_named() {
        let error = Log::parse("1\t0\tthread_end\n2\t0\tyawn\t").unwrap_err();
        assert_eq!(error.to_string(), "line 2 of the log: 'yawn' is no kind of entry");
    }
}

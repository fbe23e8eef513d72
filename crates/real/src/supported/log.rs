//! The log of a test with sleeps, for its migration.
//!
//! `SELVEDGE_LOG=<folder>` switches it on, and `SELVEDGE_TIME_SCALE=<n>` makes the time of the test go
//! n times slower, sleeps and timeouts alike, so that what takes long by itself and what is a
//! sleep can be told apart. The logged copy of a test calls [`begin`], [`call`] and [`returned`]; all
//! else is seen in front of the C library.
//!
//! A log is text, one entry a line, fields separated by a tab: nanoseconds of the test's time since it
//! began, the number of the thread, what happened, and more about it:
//!
//! | what | more |
//! |---|---|
//! | `sleep_call`, `sleep_return` | nanoseconds asked for; nothing |
//! | `block_call`, `block_return` | `timed` or `untimed`; nothing |
//! | `call`, `return` | the number of the statement |
//! | `thread_start` | the number of the new thread, in the one that starts it |
//! | `thread_begin`, `thread_end` | its name, if it has one; nothing |
//!
//! Thread 0 is the one that called [`begin`]. Threads that do not descend from it are not in the log.

use super::clock::Clock;
use super::front;
use super::group::{Active, Group, Purpose, is_any_active};
use super::logged::{Kind, Logged};
use super::member::{Inside, Lent};
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes the log of a test when it is dropped; `.failed` instead of `.log` if the test panics.
#[derive(Debug)]
#[must_use = "the log is written when this is dropped"]
pub struct Guard(Option<Log>);

#[derive(Debug)]
struct Log {
    folder: PathBuf,
    test: String,
    lent: Lent,
    _active: Active,
}

/// Begins the log of the test that the calling thread runs, if logs are asked for.
///
/// # Panics
///
/// If `SELVEDGE_TIME_SCALE` is set to something that is not a positive number.
pub fn begin(test: &str) -> Guard {
    front::install();
    let Some(folder) = std::env::var_os("SELVEDGE_LOG").filter(|folder| !folder.is_empty()) else {
        return Guard(None);
    };
    let scale = std::env::var("SELVEDGE_TIME_SCALE").unwrap_or_else(|_| "1".to_owned());
    let Some(scale) = scale.parse().ok().filter(|scale| *scale > 0) else {
        panic!("SELVEDGE_TIME_SCALE is a whole number from 1, not `{scale}`");
    };
    let group = Group::new(Clock::new(scale), Purpose::Logged(Logged::default()));
    let member = group.child(0);
    let log = Log {
        folder: folder.into(),
        test: test.replace("::", "-"),
        lent: member.lend(),
        _active: Active::new(),
    };
    Guard(Some(log))
}

/// The statement with this number begins.
#[inline]
pub fn call(statement: u32) {
    if is_any_active() {
        tell(Kind::Call(statement));
    }
}

/// The statement with this number has ended.
#[inline]
pub fn returned(statement: u32) {
    if is_any_active() {
        tell(Kind::Return(statement));
    }
}

fn tell(kind: Kind) {
    if let Some(member) = Inside::enter()
        && let Purpose::Logged(logged) = &member.group.purpose
    {
        logged.add(&member.group.clock, member.key, kind);
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let Some(Log { folder, test, lent, _active }) = self.0.take() else { return };
        let group = Arc::clone(&lent.member.group);
        drop(lent);
        group.open.close();
        let Purpose::Logged(logged) = &group.purpose else { return };
        let ending = if std::thread::panicking() { "failed" } else { "log" };
        let text = logged.finish();
        if let Err(error) = write(&folder, &test, ending, &text)
            && !std::thread::panicking()
        {
            panic!("the log of {test} can not be written to {}: {error}", folder.display());
        }
    }
}

/// Writes to the first file that is not there yet.
fn write(folder: &Path, test: &str, ending: &str, text: &str) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for number in 0_u32.. {
        let logs = ["log", "failed"].map(|ending| folder.join(format!("{test}.{number}.{ending}")));
        if logs.iter().any(|path| path.exists()) {
            continue;
        }
        let path = folder.join(format!("{test}.{number}.{ending}"));
        match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(mut file) => return file.write_all(text.as_bytes()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

//! Single tests, run on real threads.

use anyhow::Context;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// So often somebody looks whether a test is over.
const LOOK: Duration = Duration::from_millis(1);

/// So much of what a failing test has printed is shown.
const TOLD: usize = 2000;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ran {
    /// The test passed, after so long.
    Passed(Duration),
    /// It failed, and printed this.
    Failed(String),
    /// It did not come to its end in time.
    Late,
    /// There is no such test in the binary.
    Missing,
}

/// One test of a binary.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneTest<'a> {
    /// The binary.
    pub(crate) executable: &'a Path,
    /// The folder of its package.
    pub(crate) folder: &'a Path,
    /// The whole name of the test.
    pub(crate) name: &'a str,
    /// After so long it is given up.
    pub(crate) limit: Duration,
}

impl OneTest<'_> {
    /// Runs it once, with these variables in its environment.
    pub(crate) fn run(&self, variables: &[(&str, &str)]) -> anyhow::Result<Ran> {
        let printed = tempfile::NamedTempFile::new()?;
        let mut command = Command::new(self.executable);
        command.args([
            "--exact",
            self.name,
            "--test-threads=1",
            "--nocapture",
            "--include-ignored",
        ]);
        command.current_dir(self.folder).env("CARGO_MANIFEST_DIR", self.folder);
        command.envs(variables.iter().copied()).env("RUST_BACKTRACE", "0");
        let output = printed.reopen()?;
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        let began = Instant::now();
        let mut child = command
            .spawn()
            .with_context(|| format!("can not start {}", self.executable.display()))?;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if began.elapsed() > self.limit {
                // It may have ended just now.
                let _ = child.kill();
                child.wait()?;
                return Ok(Ran::Late);
            }
            thread::sleep(LOOK);
        };
        let elapsed = began.elapsed();
        let bytes = fs_err::read(printed.path())?;
        let text = String::from_utf8_lossy(&bytes);
        Ok(match status.success() {
            true if text.contains("0 passed; 0 failed") => Ran::Missing,
            true => Ran::Passed(elapsed),
            false => Ran::Failed(shortened(text.trim())),
        })
    }
}

/// What can be shown of a text: its end, where the panic is.
fn shortened(text: &str) -> String {
    let panic = text.find("panicked at").map(|at| text[..at].rfind('\n').map_or(0, |at| at + 1));
    let text = panic.map_or(text, |at| &text[at..]);
    let text = text.split("\nfailures:").next().unwrap_or(text).trim_end();
    match text.char_indices().nth(TOLD) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Does something with each of many things, several at a time, and gives the results in order.
pub(crate) fn each<T: Sync, R: Send>(
    things: &[T],
    at_a_time: usize,
    job: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(thing) = things.get(index) else { return done };
            done.push((index, job(thing)));
        }
    };
    let mut all: Vec<(usize, R)> = thread::scope(|scope| {
        let workers: Vec<_> =
            (0..at_a_time.clamp(1, things.len().max(1))).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|w| w.join().expect("a job does not panic")).collect()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, result)| result).collect()
}

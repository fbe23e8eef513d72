//! Jobs in a process of their own: loom aborts when it finds a deadlock, and the peak of memory
//! can be told for a whole process only.
//!
//! A job answers in lines of fields separated by tabs, of which the first says what the line is.

use crate::budget;
use crate::sections::bugs::loom_search;
use crate::sections::memory;
use crate::sections::outcomes::peer;
use std::io::Write;
use std::process::{Command, Stdio};

/// Does a job in this process, which was started for it.
pub(crate) fn serve(job: &[String]) -> Result<(), String> {
    let job: Vec<&str> = job.iter().map(String::as_str).collect();
    match job[..] {
        [loom_search::JOB, ref rest @ ..] => loom_search::job(rest),
        [peer::JOB, ref rest @ ..] => peer::job(rest),
        [memory::JOB, ref rest @ ..] => memory::job(rest),
        [budget::JOB, ref rest @ ..] => budget::job(rest),
        _ => None,
    }
    .ok_or_else(|| format!("there is no such job: {job:?}"))
}

/// Has a job done in a process of its own and returns the lines of its answer. However the
/// process ends, what it has said until then counts. What it says on its standard error goes to
/// `noise`.
pub(crate) fn ask(job: &[&str], noise: Stdio) -> Vec<Vec<String>> {
    let this = std::env::current_exe().expect("the program knows its own file");
    let output = Command::new(this)
        .arg("--child")
        .args(job)
        // A search that loom aborts would render every frame of every thread.
        .env("RUST_BACKTRACE", "0")
        .stderr(noise)
        .output()
        .expect("the program can be started again");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// Answers with a line. Flushed, since the process may not live to do so later.
pub(crate) fn answer(fields: &[&str]) {
    let mut stdout = std::io::stdout().lock();
    // If nobody listens any more there is nobody to tell.
    let _ = writeln!(stdout, "{}", fields.join("\t"));
    let _ = stdout.flush();
}

//! A program that is run to its end and measured.

use crate::Result;
use serde::{Deserialize, Serialize};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use wait4::Wait4;

/// How a program ended and what it took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Ran {
    /// How it ended.
    pub(crate) ending: Ending,
    /// Processor time of it and of all that it has started, in seconds.
    pub(crate) processor: f64,
    /// Time on the wall, in seconds.
    pub(crate) wall: f64,
    /// The most memory that any of these processes had at a time, in bytes.
    pub(crate) peak: u64,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Ending {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal that was not ours.
    Signal,
    /// By us, since it took longer than this many seconds.
    OutOfPatience(u64),
}

/// Runs a program to its end, or for as long as there is patience. The program and all that it has started and not left
/// are then ended.
pub(crate) fn run(command: &mut Command, patience: Duration) -> Result<Ran> {
    command.stdin(Stdio::null()).process_group(0);
    let start = Instant::now();
    let child = command.spawn()?;
    let group = format!("-{}", child.id());
    let (over, is_over) = channel();
    let watcher = thread::spawn(move || match is_over.recv_timeout(patience) {
        Err(RecvTimeoutError::Timeout) => {
            // If that fails, the wait below goes on until somebody looks.
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            true
        }
        Ok(()) | Err(RecvTimeoutError::Disconnected) => false,
    });
    let used = child.wait4()?;
    // The watcher has left by itself if nobody is there to be told.
    let _ = over.send(());
    let was_killed = watcher.join().map_err(|_| "the watcher has panicked")?;
    let ending = match used.status.code() {
        _ if was_killed => Ending::OutOfPatience(patience.as_secs()),
        Some(code) => Ending::Exited(code),
        None => Ending::Signal,
    };
    Ok(Ran {
        ending,
        processor: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        wall: start.elapsed().as_secs_f64(),
        peak: used.rusage.maxrss,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_run_to_its_end() {
        let ran = run(Command::new("sh").args(["-c", "exit 3"]), Duration::from_secs(60)).unwrap();
        assert_eq!(ran.ending, Ending::Exited(3));
        assert!(ran.peak > 0);
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let ran = run(Command::new("sleep").arg("600"), Duration::from_millis(10)).unwrap();
        assert_eq!(ran.ending, Ending::OutOfPatience(0));
    }
}

//! A test that is run as it would be without Selvedge: once, on real threads.

use super::silence::{LOOK, Silence};
use super::worker;
use crate::compile::Binary;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// So often we look whether it has ended.
const NEXT_LOOK: Duration = Duration::from_millis(10);

/// What becomes of memory that the test frees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Freed {
    /// It is overwritten, as it is under control: a test that uses such memory fails in both.
    Overwritten,
    /// What `cargo test` does with it.
    AsUsual,
}

/// How a test that was run plainly ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Passed,
    Failed,
    /// It did not, for as long as it was waited for.
    Never,
}

/// The binary, to run this test alone.
pub(super) fn command(binary: &Binary, test: &str, freed: Freed) -> Command {
    let mut command = worker::command(binary);
    command.args(["--exact", "--include-ignored", test]);
    // By this it knows that it is to run tests plainly.
    command.env(worker::INSIDE, "1");
    match freed {
        Freed::Overwritten => {
            let tunables = "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0";
            command.env("GLIBC_TUNABLES", tunables);
        }
        Freed::AsUsual => {}
    }
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Waits for the end of the process. So long it may stand still; one that works is given more, see [`Silence`].
pub(super) fn ended(child: &mut Child, patience: Duration) -> Ended {
    let mut silence = Silence::of(child.id());
    let looks = LOOK.as_millis() / NEXT_LOOK.as_millis();
    while silence.look() < patience {
        for _ in 0..looks {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => return Ended::Passed,
                Ok(Some(_)) => return Ended::Failed,
                Ok(None) => thread::sleep(NEXT_LOOK),
                Err(_) => break,
            }
        }
    }
    worker::kill(child);
    Ended::Never
}

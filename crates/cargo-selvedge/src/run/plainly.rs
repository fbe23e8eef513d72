//! A test that is run as it would be without Selvedge: once, on real threads.

use super::silence::{LOOK, Silence};
use super::worker;
use crate::compile::Binary;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// So long the test may stand still. One that works is given more, see [`Silence`].
const PATIENCE: Duration = Duration::from_secs(10);
/// So often we look whether it has ended.
const NEXT_LOOK: Duration = Duration::from_millis(10);

/// The binary, to run this test alone.
pub(super) fn command(binary: &Binary, test: &str) -> Command {
    let mut command = worker::command(binary);
    command.args(["--exact", "--include-ignored", test]);
    // By this it knows that it is to run tests plainly.
    command.env(worker::INSIDE, "1");
    // Under control freed memory is overwritten. What fails because it uses such memory is to fail here, too.
    command.env("GLIBC_TUNABLES", "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Waits for the end of the process and says whether the test has passed.
pub(super) fn passes(child: &mut Child) -> bool {
    let mut silence = Silence::of(child.id());
    let looks = LOOK.as_millis() / NEXT_LOOK.as_millis();
    while silence.look() < PATIENCE {
        for _ in 0..looks {
            match child.try_wait() {
                Ok(Some(status)) => return status.success(),
                Ok(None) => thread::sleep(NEXT_LOOK),
                Err(_) => break,
            }
        }
    }
    worker::kill(child);
    false
}

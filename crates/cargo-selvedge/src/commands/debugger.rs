//! A finding under a debugger, stopped at its last step.

use crate::compile::Binary;
use crate::exit::{Exit, Failure};
use crate::findings::Kept;
use crate::output::Status;
use selvedge_model::Schedule;
use std::process::Command;

/// Debuggers, in the order in which they are looked for, and the arguments that make them run the
/// program at once.
const DEBUGGERS: [(&str, &[&str]); 2] = [
    ("gdb", &["-q", "-ex", "handle SIGTRAP stop nopass", "-ex", "run", "--args"]),
    ("lldb", &["-o", "run", "--"]),
];

/// Starts the first debugger that there is. The test process raises SIGTRAP before its last step.
pub(crate) fn run(
    binary: &Binary,
    kept: &Kept,
    settings: &[(String, String)],
    schedule: &Schedule,
) -> anyhow::Result<Exit> {
    let steps = kept.finding.steps.len();
    for (name, arguments) in DEBUGGERS {
        let mut debugger = Command::new(name);
        debugger.args(arguments).arg(&binary.executable).args(["--exact", &kept.test]);
        debugger.current_dir(&binary.folder);
        for (key, value) in settings {
            debugger.env(format!("SELVEDGE_{}", key.to_uppercase()), value);
        }
        debugger.env("SELVEDGE_REPLAY", schedule.to_string());
        debugger.env("SELVEDGE_TRAP", steps.to_string());
        match debugger.status() {
            Ok(_) => return Ok(Exit::Findings),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
    }
    Status::Note.say("a debugger can be installed with the system's packages gdb or lldb");
    Err(Failure::with(Exit::Usage, "there is neither gdb nor lldb on this machine"))
}

//! Runs harnesses: processes that may hang or die.

use crate::run::{Printed, Scratch, Waited, describe, kill};
use anyhow::Context;
use selvedge_generate::Harness;
use selvedge_harness::{
    Arrived, CallId, Called, Connection, Counts, GENERATE, GenerateOrder, GenerateSummary,
    GeneratedTest, Told, Violation,
};
use std::io::ErrorKind;
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// So long a harness may take to come up.
const START: Duration = Duration::from_secs(30);
/// So often we look.
const LOOK: Duration = Duration::from_millis(20);
/// For so long a harness may be silent.
const SILENCE: Duration = Duration::from_secs(10);
/// So many processes are started for a type: each that dies or hangs costs a call.
const PROCESSES: usize = 8;

/// What came of a type.
#[derive(Debug, Default)]
pub(crate) struct Came {
    pub(crate) violations: Vec<Violation>,
    pub(crate) summary: Option<GenerateSummary>,
    /// Calls that were left out since the process did not survive them, and what became of it.
    pub(crate) deadly: Vec<(CallId, String)>,
    /// Tests that the process did not survive, in words, and what became of it.
    pub(crate) trouble: Vec<String>,
}

/// What a process was about to do.
#[derive(Clone)]
enum About {
    Nothing,
    Calling(CallId),
    Testing(GeneratedTest),
}

/// How a process ended.
enum Ended {
    Done,
    /// In these words, when it was about to do this.
    Died(String, About),
}

/// Runs a harness, again without the call that brought it down if one does.
pub(crate) fn run(
    executable: &Path,
    harness: &Harness,
    order: &GenerateOrder,
    mut on_progress: impl FnMut(&Counts),
) -> anyhow::Result<Came> {
    let mut order = order.clone();
    let mut came = Came::default();
    let begun = Instant::now();
    for _ in 0..PROCESSES {
        match once(executable, &order, &mut came, &mut on_progress)? {
            Ended::Done => return Ok(came),
            Ended::Died(how, About::Calling(call)) => {
                came.deadly.push((call, how));
                order.without.push(call);
                if order.without.len() == harness.calls().len() {
                    break;
                }
            }
            // Other tests may be survived.
            Ended::Died(how, About::Testing(test)) => {
                came.trouble.push(format!("its process {how} in {}", in_words(harness, &test)));
                order.seed = order.seed.wrapping_add(1);
                order.time = order.time.saturating_sub(begun.elapsed());
                if order.time.is_zero() {
                    return Ok(came);
                }
            }
            Ended::Died(how, About::Nothing) => {
                came.trouble.push(format!("its process {how}"));
                return Ok(came);
            }
        }
    }
    came.trouble.push("its processes do not survive".to_owned());
    Ok(came)
}

/// The calls of the threads of a test.
fn in_words(harness: &Harness, test: &GeneratedTest) -> String {
    let calls = harness.calls();
    let thread = |one: &Vec<Called>| {
        let names = one.iter().map(|called| calls[called.call.index()].name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let threads: Vec<_> = test.threads.iter().map(thread).collect();
    format!("a test of {}", threads.join(" beside "))
}

/// Ends with the process.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        kill(&mut self.0);
    }
}

fn once(
    executable: &Path,
    order: &GenerateOrder,
    came: &mut Came,
    on_progress: &mut dyn FnMut(&Counts),
) -> anyhow::Result<Ended> {
    let scratch = Scratch::new()?;
    let listener = UnixListener::bind(scratch.socket())?;
    listener.set_nonblocking(true)?;
    let mut command = Command::new(executable);
    command.env(GENERATE, scratch.socket()).env("TMPDIR", scratch.temporary());
    command.env("RUST_BACKTRACE", "0").process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.current_dir(scratch.temporary()).spawn();
    let mut running =
        Running(child.with_context(|| format!("can not start {}", executable.display()))?);
    let mut printed = Printed::of(&mut running.0);
    let Some(stream) = accept(&listener, &mut running.0, &mut printed)? else {
        return Ok(Ended::Died(format!("did not come up:\n{}", printed.take()), About::Nothing));
    };
    let mut connection = Connection::new(stream.try_clone()?);
    connection.send(order)?;
    stream.set_nonblocking(true)?;
    let mut last = Instant::now();
    let mut about = About::Nothing;
    loop {
        match connection.look::<Told>() {
            Ok(Arrived::Message(told)) => {
                last = Instant::now();
                match told {
                    Told::Trying(call) => about = About::Calling(call),
                    Told::Testing(test) => about = About::Testing(test),
                    Told::Alive(counts) => on_progress(&counts),
                    Told::Found(violation) => came.violations.push(*violation),
                    Told::Done(summary) => {
                        came.summary = Some(*summary);
                        return Ok(Ended::Done);
                    }
                }
            }
            Ok(Arrived::Nothing) => {
                if printed.wait_for(stream.as_fd(), LOOK) == Waited::TimedOut
                    && last.elapsed() > SILENCE
                {
                    let how = format!("did not come back within {} seconds", SILENCE.as_secs());
                    return Ok(Ended::Died(how, about));
                }
            }
            Ok(Arrived::End) | Err(_) => {
                let how = describe(running.0.wait()?);
                return Ok(Ended::Died(how, about));
            }
        }
    }
}

/// Waits for the process to connect. Nothing if it does not.
fn accept(
    listener: &UnixListener,
    child: &mut Child,
    printed: &mut Printed,
) -> anyhow::Result<Option<UnixStream>> {
    let began = Instant::now();
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false)?;
                return Ok(Some(stream));
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error.into()),
        }
        if child.try_wait()?.is_some() || began.elapsed() > START {
            return Ok(None);
        }
        printed.wait_for(listener.as_fd(), LOOK);
    }
}

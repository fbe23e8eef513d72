//! A test process that runs tests when asked to.

use super::printed::{Printed, Waited};
use super::scratch::Scratch;
use super::silence::{LOOK as LOOK_FOR_LIFE, Silence};
use super::{Death, EndedBy, Outcome};
use crate::calls;
use crate::compile::Binary;
use anyhow::Context;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use selvedge_harness::{Connection, Message, Request, TestInfo, WORKER, WireError};
use selvedge_model::Learned;
use std::io::ErrorKind;
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// So long a process may take to come up.
const START: Duration = Duration::from_secs(60);
/// So often we look whether it has ended instead.
const LOOK: Duration = Duration::from_millis(20);

/// A variable that those have who were started from inside of a test: they run their tests plainly.
pub(super) const INSIDE: &str = "_SELVEDGE_INSIDE";

/// What a binary is.
pub(crate) enum Answer {
    /// One of ours, ready to work.
    Hello(Box<Worker>),
    /// One that does not answer, and why that may be.
    Stranger(String),
}

/// A test process.
///
/// To be used by the thread that has started it: the process asks the system to be ended with its
/// parent, which is that thread.
#[derive(Debug)]
pub(crate) struct Worker {
    child: Child,
    connection: Connection<UnixStream>,
    stream: UnixStream,
    printed: Printed,
    /// The tests that it has.
    pub(crate) tests: Vec<TestInfo>,
    /// What it runs.
    binary: Program,
    /// Goes when the process has ended.
    _scratch: Scratch,
}

/// Where to look for what calls mean.
#[derive(Debug)]
struct Program {
    executable: PathBuf,
    root: PathBuf,
}

/// What a worker is to do.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The position of the test in its list.
    pub(crate) test: usize,
    /// Settings that differ from the defaults, by name.
    pub(crate) settings: Vec<(String, String)>,
    /// What is known of the test from executions that went before.
    pub(crate) known: Learned,
    /// How long it may be silent.
    pub(crate) patience: Duration,
}

/// What a worker tells while it explores.
#[derive(Debug)]
pub(crate) struct News {
    /// So many executions are done.
    pub(crate) executions: u64,
    /// What is new since it was last heard of.
    pub(crate) learned: Learned,
}

/// What is answered by those who have nothing to say.
pub(crate) fn go_on() -> Request {
    Request::GoOn { learned: Learned::default() }
}

/// What the worker said, or that it said nothing.
enum Said {
    Message(Message),
    Nothing,
    Gone,
}

impl Worker {
    /// Starts the binary and waits for its first word.
    pub(crate) fn start(binary: &Binary) -> anyhow::Result<Answer> {
        let scratch = Scratch::new()?;
        let socket = scratch.socket();
        let listener = UnixListener::bind(&socket)?;
        listener.set_nonblocking(true)?;
        let mut child = command(binary)
            .env(WORKER, &socket)
            .env("TMPDIR", scratch.temporary())
            .spawn()
            .with_context(|| format!("can not start {}", binary.executable.display()))?;
        let mut printed = Printed::of(&mut child);
        let began = Instant::now();
        let stream = loop {
            match listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error.into()),
            }
            if let Some(status) = child.try_wait()? {
                let how = describe(status);
                let printed = printed.take();
                return Ok(Answer::Stranger(format!(
                    "it {how} before its first test{}{}",
                    if printed.is_empty() { "" } else { ":\n" },
                    printed.trim_end()
                )));
            }
            if began.elapsed() > START {
                kill(&mut child);
                return Ok(Answer::Stranger(format!(
                    "it did not come up within {} seconds",
                    START.as_secs()
                )));
            }
            printed.wait_for(listener.as_fd(), LOOK);
        };
        stream.set_nonblocking(false)?;
        let connection = Connection::new(stream.try_clone()?);
        let mut worker = Self {
            child,
            connection,
            stream,
            printed,
            tests: Vec::new(),
            binary: Program { executable: binary.executable.clone(), root: binary.root.clone() },
            _scratch: scratch,
        };
        match worker.receive(START) {
            Ok(Said::Message(Message::Hello { tests })) => {
                worker.tests = tests;
                Ok(Answer::Hello(Box::new(worker)))
            }
            Ok(Said::Message(other)) => anyhow::bail!("a test process began with {other:?}"),
            Ok(Said::Nothing) => anyhow::bail!("a test process does not say which tests it has"),
            Ok(Said::Gone) | Err(_) => {
                let death = worker.death(0);
                Ok(Answer::Stranger(format!("it {} before its first test", death.how)))
            }
        }
    }

    /// Has the worker explore a test. What it tells on its way is answered; the last news come with
    /// the report, and nobody waits for an answer any more.
    pub(crate) fn run(
        &mut self,
        asked: Asked,
        on_news: &mut dyn FnMut(News) -> Request,
    ) -> Outcome {
        let mut executions = 0;
        let Asked { test, settings, known, patience } = asked;
        if self.connection.send(&Request::Run { test, settings, known }).is_err() {
            return Outcome::Died(self.death(executions));
        }
        loop {
            match self.receive(patience) {
                Ok(Said::Message(Message::Progress { executions: done, learned })) => {
                    executions = done;
                    let answer = on_news(News { executions, learned });
                    if self.connection.send(&answer).is_err() {
                        return Outcome::Died(self.death(executions));
                    }
                }
                Ok(Said::Message(Message::Done { mut report, learned })) => {
                    on_news(News { executions: report.executions, learned });
                    if let Some(finding) = &mut report.finding {
                        calls::explain(finding, &self.binary.executable, &self.binary.root);
                    }
                    return Outcome::Explored(report);
                }
                Ok(Said::Message(Message::Refused(why))) => return Outcome::Failed(why),
                Ok(Said::Message(other)) => {
                    return Outcome::Failed(format!("a test process answered {other:?}"));
                }
                Ok(Said::Nothing) => {
                    kill(&mut self.child);
                    let seconds = patience.as_secs();
                    let how = format!("did not answer for {seconds} seconds and was killed");
                    let printed = self.printed();
                    return Outcome::Died(Death { by: EndedBy::Us, how, executions, printed });
                }
                Ok(Said::Gone) | Err(_) => return Outcome::Died(self.death(executions)),
            }
        }
    }

    /// Waits for a message, and takes in what is printed meanwhile.
    fn receive(&mut self, patience: Duration) -> Result<Said, WireError> {
        let mut silence = Silence::of(self.child.id());
        while self.printed.wait_for(self.stream.as_fd(), LOOK_FOR_LIFE) == Waited::TimedOut {
            if silence.look() >= patience {
                return Ok(Said::Nothing);
            }
        }
        // A message that has begun comes to its end, unless the process is stopped.
        self.stream.set_read_timeout(Some(patience))?;
        Ok(self.connection.receive()?.map_or(Said::Gone, Said::Message))
    }

    /// Lets somebody else end the process, and those that it has started, whatever they are doing.
    pub(crate) fn lifeline(&self) -> Option<Pid> {
        group(&self.child)
    }

    /// What the process has printed since this was last asked.
    pub(crate) fn printed(&mut self) -> String {
        self.printed.take()
    }

    /// How the process, which has closed the connection, ended.
    fn death(&mut self, executions: u64) -> Death {
        let began = Instant::now();
        let how = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break describe(status),
                Err(error) => break format!("is gone: {error}"),
                Ok(None) if began.elapsed() > START => {
                    kill(&mut self.child);
                    break "has closed its connection and was killed".to_owned();
                }
                // It may still print, and must not wait for us to read that.
                Ok(None) => self.printed.wait(LOOK),
            }
        };
        Death { by: EndedBy::Itself, how, executions, printed: self.printed() }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        kill(&mut self.child);
    }
}

/// The binary, with what cargo gives to tests.
pub(super) fn command(binary: &Binary) -> Command {
    let mut command = Command::new(&binary.executable);
    command.current_dir(&binary.folder);
    command.envs(binary.environment.iter().map(|(name, value)| (name, value)));
    // It is not one that a test has started, even if this command is.
    command.env_remove(INSIDE);
    // Turning a backtrace into text takes longer than a whole execution.
    command.env("RUST_BACKTRACE", "0");
    // What is typed at the terminal is for the command, which decides what to stop.
    command.process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The process group of a process that we have started, which has its number.
pub(super) fn group(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().map(Pid::from_raw)
}

/// Ends a process and all that it has started. Fails only if they have ended already.
pub(crate) fn kill(child: &mut Child) {
    if let Some(group) = group(child) {
        let _ = killpg(group, Signal::SIGKILL);
    }
    let _ = child.wait();
}

/// How a process ended, in words.
pub(crate) fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("left with exit code {code}"),
        (None, Some(signal)) => {
            let name = Signal::try_from(signal);
            format!(
                "died of {}",
                name.map_or_else(|_| format!("signal {signal}"), |n| n.to_string())
            )
        }
        (None, None) => "ended".to_owned(),
    }
}

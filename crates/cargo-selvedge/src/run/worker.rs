//! A test process that runs tests when asked to.

use super::{Death, Outcome};
use crate::compile::Binary;
use anyhow::Context;
use nix::unistd::Pid;
use selvedge_harness::{Connection, Message, Request, SOCKET, TestInfo, WireError};
use std::io::{ErrorKind, Read};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// So long a process may take to come up.
const START: Duration = Duration::from_secs(60);
/// So often we look whether it has.
const LOOK: Duration = Duration::from_millis(1);
/// At most so much is kept of what a process prints, the last of it.
const KEPT: usize = 64 << 10;

/// What a binary is.
pub(crate) enum Answer {
    /// One of ours, ready to work.
    Hello(Box<Worker>),
    /// One that does not know us, and why that may be.
    Stranger(String),
}

/// A test process.
#[derive(Debug)]
pub(crate) struct Worker {
    child: Child,
    connection: Connection<UnixStream>,
    stream: UnixStream,
    printed: Arc<Mutex<Vec<u8>>>,
    /// The tests that it has.
    pub(crate) tests: Vec<TestInfo>,
}

impl Worker {
    /// Starts the binary and waits for its first word.
    pub(crate) fn start(binary: &Binary) -> anyhow::Result<Answer> {
        let folder = tempfile::Builder::new().prefix("selvedge").tempdir()?;
        let socket = folder.path().join("worker");
        let listener = UnixListener::bind(&socket)?;
        listener.set_nonblocking(true)?;
        let mut command = Command::new(&binary.executable);
        // What it is told that is not us, a binary without our runner takes for a filter that
        // no test has.
        command.args(["--exact", "cargo-selvedge asks for no test by this name"]);
        command.current_dir(&binary.folder).env(SOCKET, &socket);
        command.env("CARGO_MANIFEST_DIR", &binary.folder);
        command.env("CARGO_PKG_NAME", &binary.package_name);
        // Turning a backtrace into text takes longer than a whole execution.
        command.env("RUST_BACKTRACE", "0");
        // What is typed at the terminal is for the command, which decides what to stop.
        command.process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .with_context(|| format!("can not start {}", binary.executable.display()))?;
        let printed = Arc::default();
        keep(child.stdout.take(), &printed);
        keep(child.stderr.take(), &printed);
        let began = Instant::now();
        let stream = loop {
            match listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error.into()),
            }
            if let Some(status) = child.try_wait()? {
                return Ok(Answer::Stranger(match status.success() {
                    true => "it does not use Rust's test harness (`harness = false`), or is not \
                             compiled for the target (a procedural macro)"
                        .to_owned(),
                    false => format!("it ended before its first test: {}", describe(status)),
                }));
            }
            if began.elapsed() > START {
                // Not ours to wait for any longer; if it can not be killed, it is gone already.
                let _ = child.kill();
                let _ = child.wait();
                return Ok(Answer::Stranger(format!(
                    "it did not come up within {} seconds",
                    START.as_secs()
                )));
            }
            thread::sleep(LOOK);
        };
        stream.set_nonblocking(false)?;
        let mut connection = Connection::new(stream.try_clone()?);
        match connection.receive()? {
            Some(Message::Hello { tests }) => {
                Ok(Answer::Hello(Box::new(Self { child, connection, stream, printed, tests })))
            }
            other => anyhow::bail!("a test process began with {other:?}"),
        }
    }

    /// Has the worker explore a test. `patience` is how long it may be silent.
    pub(crate) fn run(
        &mut self,
        test: usize,
        settings: &[(String, String)],
        patience: Duration,
        on_progress: &mut dyn FnMut(u64),
    ) -> Outcome {
        let mut executions = 0;
        match self.try_run(test, settings, patience, &mut |done| {
            executions = done;
            on_progress(done);
        }) {
            Ok(Some(Message::Done(report))) => Outcome::Explored(report),
            Ok(Some(Message::Refused(why))) => Outcome::Failed(why),
            Ok(Some(other)) => Outcome::Failed(format!("a test process answered {other:?}")),
            Err(WireError::Io(error))
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
            {
                let how =
                    format!("did not answer for {} seconds and was killed", patience.as_secs());
                self.stop();
                Outcome::Died(Death { how, executions, printed: self.printed() })
            }
            Ok(None) | Err(_) => self.died(executions),
        }
    }

    fn try_run(
        &mut self,
        test: usize,
        settings: &[(String, String)],
        patience: Duration,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<Option<Message>, WireError> {
        self.stream.set_read_timeout(Some(patience))?;
        self.connection.send(&Request::Run { test, settings: settings.to_vec() })?;
        loop {
            match self.connection.receive()? {
                Some(Message::Progress { executions }) => on_progress(executions),
                answer => return Ok(answer),
            }
        }
    }

    /// Lets somebody else end the process, whatever it is doing.
    pub(crate) fn lifeline(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().map(Pid::from_raw)
    }

    /// What the process has printed since this was last asked.
    pub(crate) fn printed(&self) -> String {
        let mut printed = self.printed.lock().unwrap_or_else(|error| error.into_inner());
        String::from_utf8_lossy(&std::mem::take(&mut *printed)).into_owned()
    }

    fn died(&mut self, executions: u64) -> Outcome {
        let how = match self.child.wait() {
            Ok(status) => describe(status),
            Err(error) => error.to_string(),
        };
        Outcome::Died(Death { how, executions, printed: self.printed() })
    }

    fn stop(&mut self) {
        // Fails only if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop();
    }
}

/// How a process ended, in words.
fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("left with exit code {code}"),
        (None, Some(signal)) => {
            let name = nix::sys::signal::Signal::try_from(signal);
            format!(
                "died of {}",
                name.map_or_else(|_| format!("signal {signal}"), |n| n.to_string())
            )
        }
        (None, None) => "ended".to_owned(),
    }
}

/// Reads what a process prints, for ever, and keeps the last of it.
fn keep(stream: Option<impl Read + Send + 'static>, printed: &Arc<Mutex<Vec<u8>>>) {
    let Some(mut stream) = stream else { return };
    let printed = Arc::clone(printed);
    thread::spawn(move || {
        let mut buffer = [0; 8192];
        while let Ok(length @ 1..) = stream.read(&mut buffer) {
            let mut printed = printed.lock().unwrap_or_else(|error| error.into_inner());
            printed.extend_from_slice(&buffer[..length]);
            let excess = printed.len().saturating_sub(KEPT);
            printed.drain(..excess);
        }
    });
}

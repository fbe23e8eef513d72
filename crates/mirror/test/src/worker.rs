//! A test process that was started by `cargo selvedge`: it runs what it is asked to.

use crate::TestDescAndFn;
use crate::standalone::FAILED;
use crate::{body, settings};
use selvedge_campaign::{Exploring, Watched, watched};
use selvedge_harness::{Arrived, Connection, Message, Request, TestInfo, WireError};
use selvedge_model::{Config, Learned};
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::sync::Arc;

/// Says which tests there are and runs those that are asked for, until nobody asks any more.
pub(crate) fn serve(socket: &OsStr, tests: &[&TestDescAndFn]) -> ExitCode {
    selvedge_libc::end_with_parent();
    // Nobody is left to tell if the connection is broken: the command sees that it is, too.
    match try_serve(socket, tests) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn try_serve(socket: &OsStr, tests: &[&TestDescAndFn]) -> Result<(), WireError> {
    let mut connection = Connection::new(UnixStream::connect(socket)?);
    connection.send(&Message::Hello { tests: tests.iter().map(|test| test.info()).collect() })?;
    while let Some(Request::Run { test, settings, known }) = connection.receive()? {
        let answer = match (tests.get(test), config(&settings)) {
            (Some(test), Ok(config)) => explore(test, config, known, &mut connection)?,
            (None, _) => Message::Refused(format!("there is no test number {test}")),
            (_, Err(error)) => Message::Refused(error),
        };
        connection.send(&answer)?;
    }
    Ok(())
}

fn config(given: &[(String, String)]) -> Result<Config, String> {
    let mut config = settings::defaults();
    for (key, value) in given {
        config.set(key, value).map_err(|error| format!("{key} = {value}: {error}"))?;
    }
    Ok(config)
}

/// Explores a test and tells how far it is on the way.
fn explore(
    test: &TestDescAndFn,
    config: Config,
    known: Learned,
    connection: &mut Connection<UnixStream>,
) -> Result<Message, WireError> {
    let TestInfo { name, at, .. } = test.info();
    let test = *test;
    let mut talk = Talk { connection, turn: Turn::Ours };
    let on_progress = &mut |exploring: Exploring<'_>| {
        if talk.go_on(exploring).is_err() {
            // Nobody is interested any more, and a test that hangs would never come to an end.
            std::process::exit(FAILED);
        }
    };
    let explored = watched(
        Watched { config, metrics: Vec::new(), name, known, on_progress },
        Arc::new(move || body::run(&test)),
    );
    talk.finish()?;
    Ok(match explored {
        Ok(mut explored) => {
            body::place(&mut explored.report, &at);
            Message::Done { report: Box::new(explored.report), learned: explored.learned }
        }
        Err(error) => Message::Refused(format!("no thread to run the test on: {error}")),
    })
}

/// Who speaks next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Ours,
    Theirs,
}

/// What is said while a test is explored.
struct Talk<'a> {
    connection: &'a mut Connection<UnixStream>,
    turn: Turn,
}

impl Talk<'_> {
    /// Takes in the answer, if it has come, and then tells what is new.
    fn go_on(&mut self, exploring: Exploring<'_>) -> Result<(), WireError> {
        if self.turn == Turn::Theirs {
            self.connection.stream().set_nonblocking(true)?;
            let arrived = self.connection.look();
            self.connection.stream().set_nonblocking(false)?;
            match arrived? {
                Arrived::Message(Request::Stop) => exploring.stop(),
                Arrived::Message(Request::GoOn { learned }) => exploring.tell(learned),
                // It may still be on its way.
                Arrived::Nothing => return Ok(()),
                Arrived::Message(Request::Run { .. }) | Arrived::End => {
                    return Err(WireError::Io(ErrorKind::UnexpectedEof.into()));
                }
            }
        }
        self.turn = Turn::Theirs;
        let (executions, learned) = (exploring.executions(), exploring.news());
        self.connection.send(&Message::Progress { executions, learned })
    }

    /// Waits for the answer that is still to come, which does not matter any more.
    fn finish(self) -> Result<(), WireError> {
        if self.turn == Turn::Theirs {
            self.connection.receive::<Request>()?;
        }
        Ok(())
    }
}

//! A test process that was started by `cargo selvedge`: it runs what it is asked to.

use crate::TestDescAndFn;
use crate::standalone::FAILED;
use crate::{body, settings};
use selvedge_campaign::{Watched, watched};
use selvedge_harness::{Connection, Message, Request, TestInfo, WireError};
use selvedge_model::Config;
use std::ffi::OsStr;
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
    while let Some(Request::Run { test, settings }) = connection.receive()? {
        let answer = match (tests.get(test), config(&settings)) {
            (Some(test), Ok(config)) => explore(test, config, &mut connection),
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
    connection: &mut Connection<UnixStream>,
) -> Message {
    let TestInfo { name, at, .. } = test.info();
    let test = *test;
    let on_progress = &mut |executions| {
        if connection.send(&Message::Progress { executions }).is_err() {
            // Nobody is interested any more, and a test that hangs would never come to an end.
            std::process::exit(FAILED);
        }
    };
    let report = watched(
        Watched { config, metrics: Vec::new(), name, on_progress },
        Arc::new(move || body::run(&test)),
    );
    match report {
        Ok(mut report) => {
            body::place(&mut report, &at);
            Message::Done(Box::new(report))
        }
        Err(error) => Message::Refused(format!("no thread to run the test on: {error}")),
    }
}

//! The messages between the command and a worker, that is a test process which it has started.
//!
//! A worker says [`Message::Hello`] first, then answers each [`Request::Run`] with any number of
//! [`Message::Progress`] and one [`Message::Done`]. Each progress is answered with
//! [`Request::GoOn`] or [`Request::Stop`], and the worker says nothing more until it is: so only one
//! side speaks at a time, and none waits for the other to listen. It leaves when the connection is
//! closed.

use selvedge_model::{Learned, Report, Source};
use serde::{Deserialize, Serialize};

/// The variable that says to a test process that it is a worker, and where the command listens. The
/// process takes it out of its environment before the first test: tests see the arguments and the
/// environment that they would see under `cargo test`, and processes that they start are no workers.
pub const WORKER: &str = "_SELVEDGE_WORKER";

/// What a test binary with our runner has in it, and no other one, so that nobody has to run a
/// binary to find out what it is.
pub const MARK: [u8; 36] = *b"cargo-selvedge: a worker, version 2\n";

/// What the command asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// Explore a test.
    Run {
        /// Its position in the list that came with [`Message::Hello`].
        test: usize,
        /// Settings that differ from the defaults, by name.
        settings: Vec<(String, String)>,
        /// What is known of the test from executions that went before.
        known: Learned,
    },
    /// Go on with the exploration.
    GoOn {
        /// What others have learned meanwhile who explore the same test.
        learned: Learned,
    },
    /// Come to an end with the exploration.
    Stop,
}

/// What a worker says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Message {
    /// The tests there are.
    Hello {
        /// In the order of the test binary.
        tests: Vec<TestInfo>,
    },
    /// The test that was asked for is being explored.
    Progress {
        /// So many executions are done.
        executions: u64,
        /// What is new since the last message.
        learned: Learned,
    },
    /// The exploration is over.
    Done {
        /// What came of it.
        report: Box<Report>,
        /// What is new since the last message.
        learned: Learned,
    },
    /// The request can not be taken.
    Refused(String),
}

/// A test, as the compiler describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestInfo {
    /// Its path within the binary.
    pub name: String,
    /// Whether it has `#[ignore]`.
    pub ignored: Option<String>,
    /// What it is to do.
    pub expected: Expected,
    /// Where it stands.
    pub at: Source,
}

/// What a test has to do to pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expected {
    /// Return.
    Return,
    /// Panic.
    Panic,
    /// Panic with a message that has this text in it.
    PanicWith(String),
}

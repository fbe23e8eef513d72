//! Tests, run: which there are (`plan`), processes that run them (`worker`), and as many of these
//! at a time as there are processors (`pool`).

mod allotment;
mod allowed;
mod environment;
mod plainly;
mod plan;
mod pool;
mod printed;
mod scratch;
mod silence;
mod suite;
mod team;
mod worker;

pub(crate) use allotment::{Allotment, Explore, strategy};
pub(crate) use environment::{Variables, of_package};
pub(crate) use plan::{Job, Plan, Planned};
pub(crate) use pool::{Brief, Event, FORK, Member, Over, Work, run_all};
pub(crate) use printed::{Printed, Waited};
pub(crate) use scratch::Scratch;
pub(crate) use suite::{SuiteTime, of_plan};
pub(crate) use worker::{Answer, Asked, Worker, describe, go_on, kill};

use selvedge_model::Report;

/// What came of a test.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// The worker has explored it.
    Explored(Box<Report>),
    /// The worker is gone, or does not answer.
    Died(Death),
    /// The worker does not take the request, or can not be started.
    Failed(String),
}

/// Who ended a test process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EndedBy {
    /// It did so itself, or somebody whom we do not know.
    Itself,
    /// We did, since it did not answer.
    Us,
}

/// The end of a test process that nobody asked for.
#[derive(Clone, Debug)]
pub(crate) struct Death {
    /// By whom it was ended.
    pub(crate) by: EndedBy,
    /// How it ended.
    pub(crate) how: String,
    /// How many executions it had told of.
    pub(crate) executions: u64,
    /// The last that it printed.
    pub(crate) printed: String,
}

/// Has the processes that are started from now on use the same addresses every time, as far as
/// the system lets us. What depends on addresses is then repeatable.
pub(crate) fn fix_addresses() {
    use nix::sys::personality;
    // Not allowed in some sandboxes; then addresses vary, and most tests do not care.
    if let Ok(now) = personality::get() {
        let _ = personality::set(now | personality::Persona::ADDR_NO_RANDOMIZE);
    }
}

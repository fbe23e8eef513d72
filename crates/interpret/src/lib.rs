//! What a harness of `cargo selvedge generate` is linked with.
//!
//! A harness is a program with a table of what can be called on one type ([`Table`]). Tests are data that name rows of
//! it; they are made (`steer.rs`), interpreted (`body.rs`) on the engine under several schedules, and judged
//! (`oracle.rs`) by running their calls one after the other in all orders (`coarse.rs`, `orders.rs`). What is found is made
//! small (`shrink.rs`) and told to the command.
//!
//! The harness and the type under test are compiled against the mirrors, this crate is not: its own loop is not
//! under control.

mod body;
mod calibrate;
mod coarse;
mod conflicts;
mod context;
mod drive;
mod gate;
mod guess;
mod object;
mod oracle;
mod orders;
mod outcome;
mod pairs;
mod polling;
mod runner;
mod show;
mod shrink;
mod steer;
mod table;
mod value;
mod wall_clock;
mod world;

pub use context::{Context, Stepper};
pub use object::{Object, needs_send, needs_sync};
pub use polling::{poll_once, wait_for};
pub use selvedge_harness::{Results, Role};
pub use show::{ShowDebug, ShowNothing, Shown, sorted};
pub use table::{Call, Constructor, Effect, Failing, Part, Polling, Receiver, Sharing, Table};
pub use value::V;

use selvedge_harness::{Connection, GENERATE, GenerateOrder, Told, WireError};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

/// What `main` of a harness calls.
pub fn main(table: &'static Table) -> ExitCode {
    selvedge_libc::install();
    selvedge_memory::install();
    match serve(table) {
        Ok(()) => ExitCode::SUCCESS,
        // The command is gone, and nobody is left who could be told.
        Err(_) => ExitCode::FAILURE,
    }
}

fn serve(table: &'static Table) -> Result<(), WireError> {
    let socket = selvedge_libc::take_variable(GENERATE).unwrap_or_default();
    let mut line = Connection::new(UnixStream::connect(socket)?);
    let Some(order) = line.receive::<GenerateOrder>()? else { return Ok(()) };
    explore(table, &order, |told| line.send(&told))
}

/// Makes, runs and judges tests as ordered, and tells what comes of it. Only one thread of a process does so at a time.
pub fn explore(
    table: &'static Table,
    order: &GenerateOrder,
    mut listener: impl FnMut(Told) -> Result<(), WireError>,
) -> Result<(), WireError> {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    world::create(drive::nothing());
    drive::drive(table, order, &mut listener)
}

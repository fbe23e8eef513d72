//! One file a command.

mod campaign;
mod coverage;
mod debugger;
mod doctor;
mod generate;
mod history;
mod life;
mod list;
mod merge;
mod migrate;
mod replay;
mod report;
mod shard;
mod test;
mod trace;

use crate::cli::{Command, Selvedge};
use crate::exit::Exit;

/// Does what was asked for.
pub(crate) fn run(selvedge: Selvedge) -> anyhow::Result<Exit> {
    match selvedge.command {
        Command::Test(args) => test::run(&args),
        Command::RunShard(args) => shard::run(*args),
        Command::Merge(args) => merge::run(&args),
        Command::History(args) => history::run(&args),
        Command::Coverage(args) => coverage::run(*args),
        Command::Trace(args) => trace::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Report(args) => report::run(&args),
        Command::List(args) => list::run(&args),
        Command::Pin(args) => life::pin(&args),
        Command::Accept(args) => life::accept(&args),
        Command::Forget(args) => life::forget(&args),
        Command::Migrate(args) => migrate::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Doctor(args) => doctor::run(&args),
    }
}

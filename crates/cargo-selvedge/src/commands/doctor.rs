//! `cargo selvedge doctor`.

use crate::cli::DoctorArgs;
use crate::exit::Exit;
use crate::kit;
use crate::project::{Project, Toolchain};
use crate::settings::Settings;

/// Tells what is under control in this project.
pub(crate) fn run(args: &DoctorArgs) -> anyhow::Result<Exit> {
    let toolchain = Toolchain::find()?;
    let project = Project::of(&toolchain, &args.cargo)?;
    let settings = Settings::of_workspace(&project)?;
    anstream::println!("compiler      {} ({})", toolchain.release(), toolchain.host());
    anstream::println!("mirrors       {}", kit::place(&toolchain)?.display());
    anstream::println!("uninstrumented {:?}", settings.uninstrumented);
    Ok(Exit::Clean)
}

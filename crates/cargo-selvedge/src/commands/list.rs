//! `cargo selvedge list`.

use crate::cli::ListArgs;
use crate::exit::Exit;
use crate::findings::Store;
use crate::project::{Project, Toolchain};
use selvedge_report::headline;

/// Shows the findings that have been kept.
pub(crate) fn run(args: &ListArgs) -> anyhow::Result<Exit> {
    let toolchain = Toolchain::find()?;
    let (manifest, target) = (args.manifest_path.as_deref(), args.target_dir.as_deref());
    let project = Project::find(&toolchain, manifest, target, &[])?;
    let all = Store::at(project.findings()).all()?;
    if all.is_empty() {
        anstream::println!("no findings have been kept");
    }
    for (id, kept) in all {
        match kept {
            Ok(kept) => anstream::println!(
                "{id}  {} {}\n          {}",
                kept.package,
                kept.test,
                headline(&kept.finding)
            ),
            Err(error) => anstream::println!("{id}  can not be read: {error:#}"),
        }
    }
    Ok(Exit::Clean)
}

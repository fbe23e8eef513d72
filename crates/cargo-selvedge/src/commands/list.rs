//! `cargo selvedge list`.

use crate::cli::ListArgs;
use crate::exit::Exit;
use crate::findings::Store;
use crate::project::{Project, Toolchain};
use selvedge_report::{headline, plain};

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
                "{}  {} {}\n              {}",
                plain(id.as_str()),
                plain(&kept.package),
                plain(&kept.test),
                headline(&kept.finding)
            ),
            Err(error) => {
                let why = format!("{error:#}");
                anstream::println!("{}  can not be read: {}", plain(id.as_str()), plain(&why));
            }
        }
    }
    Ok(Exit::Clean)
}

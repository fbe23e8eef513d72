//! `cargo selvedge merge`.

use crate::cli::MergeArgs;
use crate::exit::{Exit, Failure};
use crate::findings::{Kept, Store};
use crate::output::Status;
use crate::project::{Project, Toolchain};
use anyhow::Context;
use selvedge_store::{Access, Database, StoreError};

/// Makes one record of several.
pub(crate) fn run(args: &MergeArgs) -> anyhow::Result<Exit> {
    let toolchain = Toolchain::find()?;
    let (manifest, target) = (args.manifest_path.as_deref(), args.target_dir.as_deref());
    let project = Project::find(&toolchain, manifest, target, &[])?;
    for file in &args.files {
        if !file.is_file() {
            let message = format!("there is no file {}", file.display());
            return Err(Failure::with(Exit::Usage, message));
        }
    }
    let into = args.into.clone().unwrap_or_else(|| project.campaigns());
    let mut database = Database::open(&into, Access::Write).map_err(refused)?;
    for file in &args.files {
        let merged = database.merge(file).map_err(refused)?;
        Status::Merged.say(&format!(
            "{}: {} campaigns, {} tests, {} findings are new or further",
            file.display(),
            merged.campaigns,
            merged.runs,
            merged.findings
        ));
    }
    // Whoever merges wants to replay what others have found.
    let store = Store::at(project.findings());
    let mut count = 0;
    for id in database.findings()? {
        let kept = database.finding(&id)?.context("a finding is missing")?;
        let finding: Kept = serde_json::from_str(&kept.json)
            .with_context(|| format!("the finding {id} is damaged"))?;
        count += usize::from(store.keep_if_new(&finding, &kept.explanation)?);
    }
    let plural = if count == 1 { "" } else { "s" };
    Status::Finished
        .say(&format!("{}, with {count} finding{plural} more to replay", into.display()));
    Ok(Exit::Clean)
}

/// A file that is none of ours is a wrong argument.
fn refused(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::Damaged { .. } | StoreError::Foreign(_) | StoreError::Newer { .. } => {
            Failure::with(Exit::Usage, error.to_string())
        }
        other => other.into(),
    }
}

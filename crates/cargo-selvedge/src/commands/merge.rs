//! `cargo selvedge merge`.

use crate::cli::MergeArgs;
use crate::exit::{Exit, Failure};
use crate::findings::{Added, Kept, Store};
use crate::output::{Status, error, note};
use crate::project::{Project, Toolchain};
use selvedge_store::{Access, Database, Parts, StoreError};
use std::collections::BTreeSet;

/// Makes one record of several. What can not be used is told of, and everything else is merged.
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
    let mut families = BTreeSet::new();
    let mut unusable = Vec::new();
    for file in &args.files {
        let name = file.display();
        match database.merge(file) {
            Ok(merged) if merged.there == 0 => unusable.push(format!(
                "{name} has no campaign in it; if it was copied while it was written, the file that \
                 ends in -wal is missing"
            )),
            Ok(merged) => {
                Status::Merged.say(&format!(
                    "{name}: {} campaigns, {} tests, {} findings are new or further",
                    merged.campaigns, merged.runs, merged.findings
                ));
                families.extend(merged.families);
            }
            Err(error) => unusable.push(error.to_string()),
        }
    }
    let restored = restore(&database, &Store::at(project.findings()), &mut unusable)?;
    let mut incomplete = Vec::new();
    for parts in database.parts()?.iter().filter(|parts| families.contains(&parts.family)) {
        incomplete.extend(lacking(parts));
    }
    unusable.iter().for_each(|why| error(why));
    incomplete.iter().for_each(|what| note(what));
    let plural = if restored == 1 { "" } else { "s" };
    Status::Finished
        .say(&format!("{}, with {restored} finding{plural} more to replay", into.display()));
    let complete = unusable.is_empty() && incomplete.is_empty();
    Ok(if complete { Exit::Clean } else { Exit::Incomplete })
}

/// Puts findings where they can be replayed, unless they are there. Says how many.
fn restore(
    database: &Database,
    store: &Store,
    unusable: &mut Vec<String>,
) -> anyhow::Result<usize> {
    let mut count = 0;
    for id in database.findings()? {
        let Some(kept) = database.finding(&id)? else { continue };
        match Kept::read(&kept.json) {
            Ok(finding) => {
                let added = store.restore(&finding, &kept.explanation)?;
                count += usize::from(added == Added::Yes);
            }
            Err(error) => unusable.push(format!("the finding {id} can not be used: {error:#}")),
        }
    }
    Ok(count)
}

/// What is not there of a campaign that was run in parts.
fn lacking(parts: &Parts) -> Option<String> {
    let count = parts.count;
    let missing: Vec<_> = parts
        .missing()
        .into_iter()
        .map(|(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}–{last}"),
        })
        .collect();
    let unfinished: Vec<_> = parts.unfinished.iter().map(ToString::to_string).collect();
    let told = [(missing, "missing"), (unfinished, "not run to their end")];
    let told = told.into_iter().filter(|(shards, _)| !shards.is_empty());
    let told: Vec<_> = told.map(|(shards, how)| format!("{} {how}", shards.join(", "))).collect();
    let commit = parts.commit.as_ref().map(|commit| {
        let id: String = commit.id.chars().take(12).collect();
        format!(" (commit {id})")
    });
    let commit = commit.unwrap_or_default();
    (!told.is_empty()).then(|| format!("of {count} shards{commit}: {}", told.join("; ")))
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

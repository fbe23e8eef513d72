//! The state of the user's repository.

use selvedge_store::data::{Commit, Tree};
use std::path::Path;
use std::process::Command;

/// The commit that a folder is a checkout of. Nothing if it is none, or if there is no git.
pub(super) fn commit(folder: &Path) -> Option<Commit> {
    let id = ask(folder, &["rev-parse", "--verify", "HEAD"])?;
    // Files that git does not know may be anything, such as what tests write.
    let changed = ask(folder, &["status", "--porcelain", "--untracked-files=no"])?;
    let tree = if changed.is_empty() { Tree::Clean } else { Tree::Changed };
    Some(Commit { id, tree })
}

fn ask(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    git.arg("--no-optional-locks").args(arguments).current_dir(folder);
    let output = git.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

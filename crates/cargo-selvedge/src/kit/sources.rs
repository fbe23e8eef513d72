//! The sources that the command carries with it; `build.rs` has packed them.

include!(concat!(env!("OUT_DIR"), "/kit.rs"));

use anyhow::Context;
use std::path::Path;

/// Says whether two commands carry the same sources.
pub(super) const fn hash() -> u64 {
    HASH
}

/// Writes the sources to a folder; files that are there already as they should be stay untouched.
pub(super) fn unpack(folder: &Path) -> anyhow::Result<()> {
    for (name, content) in FILES {
        let path = folder.join(name);
        if fs_err::read_to_string(&path).is_ok_and(|present| present == *content) {
            continue;
        }
        let parent = path.parent().context("every file lies in a folder")?;
        fs_err::create_dir_all(parent)?;
        fs_err::write(&path, content)?;
    }
    Ok(())
}

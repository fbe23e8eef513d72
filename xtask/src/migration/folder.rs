//! Where the study keeps things.

use crate::Result;
use std::fs;
use std::path::{Path, PathBuf};

/// Where everything of the study is.
pub(crate) fn of(root: &Path) -> PathBuf {
    root.join("target/migration")
}

/// Where packages are built.
pub(crate) fn builds(root: &Path) -> PathBuf {
    of(root).join("build")
}

/// Deletes what was built: the builds of all packages together would fill a disk.
pub(crate) fn clean(root: &Path) -> Result<()> {
    let builds = builds(root);
    if builds.exists() {
        fs::remove_dir_all(builds)?;
    }
    Ok(())
}

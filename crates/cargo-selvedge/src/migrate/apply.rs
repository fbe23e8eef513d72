//! The user's files, written: each whole or not at all, and none if one of them can not be.

use super::copy::Changed;
use anyhow::Context;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Why a file can not be written, if it can not.
pub(crate) fn obstacle(root: &Path, file: &Path, original: &str) -> Option<String> {
    let path = root.join(file);
    let metadata = match std::fs::metadata(&path) {
        Ok(metadata) => metadata,
        Err(error) => return Some(format!("{} can not be written: {error}", file.display())),
    };
    if metadata.permissions().readonly() {
        return Some(format!("{} is read-only", file.display()));
    }
    match std::fs::read_to_string(&path) {
        Ok(text) if text == original => None,
        _ => Some(format!("{} has been changed meanwhile", file.display())),
    }
}

/// Writes files in the place of the originals, which must still be what they were.
pub(crate) fn write(
    root: &Path,
    originals: &BTreeMap<PathBuf, String>,
    changed: &Changed,
) -> anyhow::Result<()> {
    let mut ready = Vec::new();
    for (file, text) in changed {
        let original = originals.get(file).context("a changed file was read before")?;
        if let Some(obstacle) = obstacle(root, file, original) {
            anyhow::bail!("{obstacle}; nothing has been written");
        }
        let path = root.join(file);
        let folder = path.parent().context("a file has a folder")?;
        let mut new = NamedTempFile::new_in(folder)
            .with_context(|| format!("can not write to {}", folder.display()))?;
        new.write_all(text.as_bytes())?;
        new.as_file().set_permissions(std::fs::metadata(&path)?.permissions())?;
        new.as_file().sync_all()?;
        ready.push((new, path));
    }
    for (new, path) in ready {
        new.persist(&path).with_context(|| format!("can not write {}", path.display()))?;
    }
    Ok(())
}

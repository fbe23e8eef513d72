//! What was measured, as it stands in files below `target`.

use super::control::Control;
use super::native::Native;
use super::subject::Subject;
use crate::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::{Path, PathBuf};

/// Both runs of a suite.
#[derive(Debug)]
pub(crate) struct Kept {
    /// Under `cargo test`.
    pub(crate) native: Native,
    /// Under `cargo selvedge test`.
    pub(crate) control: Control,
}

impl Kept {
    /// What is kept of a crate, if both runs are.
    pub(crate) fn read(root: &Path, subject: &Subject) -> Result<Option<Self>> {
        let (native, control) =
            (read(root, subject, Side::Native)?, read(root, subject, Side::Control)?);
        Ok(native.zip(control).map(|(native, control)| Self { native, control }))
    }
}

/// Which run of a suite.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    Native,
    Control,
}

/// What is kept of a run, if anything is.
pub(crate) fn read<T: DeserializeOwned>(
    root: &Path,
    subject: &Subject,
    side: Side,
) -> Result<Option<T>> {
    let file = file(root, subject, side);
    if !file.is_file() {
        return Ok(None);
    }
    // A file of an earlier form of this chore is as good as none.
    Ok(serde_json::from_str(&fs::read_to_string(file)?).ok())
}

/// Keeps a run.
pub(crate) fn write(
    root: &Path,
    subject: &Subject,
    side: Side,
    run: &impl Serialize,
) -> Result<()> {
    Ok(fs::write(file(root, subject, side), serde_json::to_string_pretty(run)?)?)
}

/// Where everything of the gate is.
pub(crate) fn folder(root: &Path) -> PathBuf {
    root.join("target/field")
}

/// Where projects are built.
pub(crate) fn builds(root: &Path) -> PathBuf {
    folder(root).join("build")
}

/// A file for what the programs say. It is overwritten by the next crate.
pub(crate) fn log(root: &Path, name: &str) -> PathBuf {
    folder(root).join(name)
}

/// Deletes what was built: the builds of all crates together would fill a disk.
pub(crate) fn clean(root: &Path) -> Result<()> {
    let builds = builds(root);
    if builds.exists() {
        fs::remove_dir_all(builds)?;
    }
    Ok(())
}

fn file(root: &Path, subject: &Subject, side: Side) -> PathBuf {
    let side = match side {
        Side::Native => "native",
        Side::Control => "control",
    };
    folder(root).join(format!("{}-{}.{side}.json", subject.name, subject.version))
}

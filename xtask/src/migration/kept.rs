//! What the command has said about the tests of a crate, as it stands in a file.

use super::folder;
use super::subject::Subject;
use crate::Result;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// What is kept of a crate.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// One for each call of the command.
    pub(crate) calls: Vec<Call>,
}

/// A call of the command.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Call {
    /// The target whose tests were asked for.
    pub(crate) target: String,
    /// The folder of the package.
    pub(crate) package: String,
    /// What the command wrote; it is read again whenever tables are made.
    pub(crate) said: serde_json::Value,
    /// What went wrong with the call itself.
    pub(crate) trouble: Option<String>,
}

impl Kept {
    /// Whether anything is kept of a crate.
    pub(crate) fn is_there(root: &Path, subject: &Subject) -> bool {
        file(root, subject).is_file()
    }

    /// What is kept of a crate. It is an error if that is nothing.
    pub(crate) fn read(root: &Path, subject: &Subject) -> Result<Self> {
        let file = file(root, subject);
        let text = fs::read_to_string(&file).map_err(|error| {
            format!("nothing is known about {}: {}: {error}", subject.name, file.display())
        })?;
        Ok(serde_json::from_str(&text)?)
    }

    /// Keeps it.
    pub(crate) fn write(&self, root: &Path, subject: &Subject) -> Result<()> {
        Ok(fs::write(file(root, subject), serde_json::to_string_pretty(self)?)?)
    }
}

fn file(root: &Path, subject: &Subject) -> PathBuf {
    folder::of(root).join(format!("{}.json", subject.name))
}

//! The list of bugs.

use crate::Result;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// A bug of a published crate.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bug {
    /// The folder below `corpus/bugs`.
    pub(crate) name: String,
    /// The crate.
    #[serde(rename = "crate")]
    pub(crate) krate: String,
    /// A version with the bug.
    pub(crate) buggy: String,
    /// The first version without it; nothing if there is none yet.
    pub(crate) fixed: Option<String>,
    /// Where it is described.
    pub(crate) source: String,
    /// What kind of bug it is.
    pub(crate) kind: Kind,
    /// What keeps it from being found today, if anything does.
    pub(crate) pending: Option<String>,
}

/// Kinds of bugs.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// Something comes between two steps that belong together.
    Atomicity,
    /// Something happens before what it relies on.
    Order,
    /// A wake-up that nobody gets.
    LostWakeup,
    /// Threads that wait for each other, or one for itself.
    Deadlock,
    /// Memory that is used after it was freed, freed twice or never.
    Lifetime,
    /// Possible only where writes become visible late.
    WeakMemory,
    /// Wrong in every interleaving.
    Sequential,
}

/// Which version of the crate a project uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// The one with the bug.
    Buggy,
    /// The one without.
    Fixed,
}

impl Bug {
    /// The manifest of the project with this version of the crate.
    pub(crate) fn manifest(&self, root: &Path, version: Version) -> PathBuf {
        let folder = match version {
            Version::Buggy => "buggy",
            Version::Fixed => "fixed",
        };
        root.join("corpus/bugs").join(&self.name).join(folder).join("Cargo.toml")
    }
}

impl Kind {
    /// The flags with which a bug of this kind can be found.
    pub(crate) const fn flags(self) -> &'static [&'static str] {
        match self {
            Self::WeakMemory => &["--memory"],
            _ => &[],
        }
    }

    /// How the table calls it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Atomicity => "atomicity",
            Self::Order => "order",
            Self::LostWakeup => "lost wake-up",
            Self::Deadlock => "deadlock",
            Self::Lifetime => "lifetime",
            Self::WeakMemory => "weak memory",
            Self::Sequential => "sequential",
        }
    }
}

/// All bugs, in the order of the list.
pub(crate) fn read(root: &Path) -> Result<Vec<Bug>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct List {
        bug: Vec<Bug>,
    }
    let file = root.join("corpus/bugs.toml");
    let text = fs::read_to_string(&file)
        .map_err(|error| format!("failed to read {}: {error}", file.display()))?;
    let list: List = toml::from_str(&text).map_err(|error| format!("corpus/bugs.toml: {error}"))?;
    Ok(list.bug)
}

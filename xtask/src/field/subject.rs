//! The list of crates.

use crate::Result;
use crate::package::{Package, read_list, unpack, unpack_member};
use serde::Deserialize;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Where it stands.
pub(crate) const FILE: &str = "field/crates.toml";

/// A published crate whose suite is run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Subject {
    /// Its name in the registry; a name of our own for a workspace.
    pub(crate) name: String,
    /// The exact version.
    pub(crate) version: String,
    /// What it stands for.
    pub(crate) stands_for: Vec<Kind>,
    /// Whether CI has time for it.
    #[serde(default)]
    pub(crate) part: Part,
    /// The packages of the workspace, if it is one, each as `name@version`.
    #[serde(default)]
    pub(crate) members: Vec<String>,
}

/// What a crate stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Has unsafe code.
    Unsafe,
    /// Has no unsafe code.
    Safe,
    /// Is a runtime for asynchronous code, or runs on one.
    Async,
    /// Is a tool or a library with examples or binaries.
    Tool,
    /// Has ten packages or more.
    Workspace,
}

impl Kind {
    /// As the table calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Unsafe => "unsafe",
            Self::Safe => "safe",
            Self::Async => "async",
            Self::Tool => "tool",
            Self::Workspace => "workspace",
        }
    }
}

/// When a crate is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Part {
    /// In CI, too.
    Quick,
    /// When the whole gate is run.
    #[default]
    Whole,
}

impl Subject {
    /// A crate that is not on the list.
    pub(crate) fn of_the_registry(name: &str, version: &str) -> Self {
        Self {
            name: name.to_owned(),
            version: version.to_owned(),
            stands_for: Vec::new(),
            part: Part::Whole,
            members: Vec::new(),
        }
    }

    /// Puts a fresh copy below a folder and gives back its manifest.
    pub(crate) fn unpack(&self, folder: &Path) -> Result<PathBuf> {
        if self.members.is_empty() {
            return unpack(folder, Package { name: &self.name, version: &self.version });
        }
        let mut members = String::new();
        let mut patches = String::new();
        for member in &self.members {
            let (name, version) = member
                .split_once('@')
                .ok_or_else(|| format!("{FILE}: `{member}` is not a name and a version"))?;
            unpack_member(folder, Package { name, version })?;
            let path = format!("{name}-{version}");
            writeln!(members, "    \"{path}\",")?;
            writeln!(patches, "{name} = {{ path = \"{path}\" }}")?;
        }
        let manifest = folder.join("packages/Cargo.toml");
        let text = format!(
            "[workspace]\nresolver = \"2\"\nmembers = [\n{members}]\n\n[patch.crates-io]\n{patches}"
        );
        fs::write(&manifest, text)?;
        Ok(manifest)
    }
}

/// All crates, in the order of the list.
pub(crate) fn read(root: &Path) -> Result<Vec<Subject>> {
    read_list(root, FILE)
}

#[cfg(test)]
mod tests {
    use super::Kind;
    use std::collections::BTreeSet;

    #[test]
    fn the_list_has_what_the_gate_promises() {
        let subjects = super::read(crate::root().unwrap()).unwrap();
        let names: BTreeSet<_> = subjects.iter().map(|subject| &subject.name).collect();
        assert_eq!(names.len(), subjects.len(), "a crate is listed twice");
        assert!(subjects.len() >= 40, "{}", subjects.len());
        let count = |kind| subjects.iter().filter(|s| s.stands_for.contains(&kind)).count();
        assert!(count(Kind::Unsafe) >= 15, "{}", count(Kind::Unsafe));
        assert!(count(Kind::Async) >= 5, "{}", count(Kind::Async));
        assert!(count(Kind::Tool) >= 5, "{}", count(Kind::Tool));
        let workspaces = subjects.iter().filter(|s| s.stands_for.contains(&Kind::Workspace));
        assert!(workspaces.map(|workspace| workspace.members.len()).any(|count| count >= 10));
    }
}

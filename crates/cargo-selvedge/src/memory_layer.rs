//! The memory layer: which crates tell of their plain accesses to memory.
//!
//! The compiler is asked to run LLVM's pass for ThreadSanitizer over them, without the sanitizer's
//! runtime; what the code then calls is in the mirrors (`mirror/memory`). All other crates tell of
//! their atomic accesses only, so that reference counts order what they have to order.

use crate::project::Project;
use crate::unit::Tells;
use cargo_metadata::Package;
use clap::ValueEnum;
use proc_macro2::{TokenStream, TokenTree};
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// When plain accesses are watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum WatchMemory {
    /// In packages of the workspace that have unsafe code.
    #[default]
    Auto,
    /// In all crates.
    On,
    /// Nowhere.
    Off,
}

/// The crates that tell of plain accesses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum MemoryLayer {
    /// None, and none tells of atomic ones either.
    #[default]
    Off,
    /// Those of these packages, by the folders in which they lie.
    Packages(Vec<String>),
    /// All.
    All,
}

impl MemoryLayer {
    /// What is wanted in a project.
    pub(crate) fn of(project: &Project, when: WatchMemory) -> Self {
        match when {
            WatchMemory::Off => Self::Off,
            WatchMemory::On => Self::All,
            WatchMemory::Auto => {
                let packages = project.metadata.workspace_packages().into_iter();
                let folders = packages.filter(|package| has_unsafe_code(package)).filter_map(|p| {
                    let folder = p.manifest_path.parent()?;
                    let folder = folder.strip_prefix(&project.metadata.workspace_root).ok()?;
                    Some(folder.to_string())
                });
                match folders.collect::<Vec<_>>() {
                    none if none.is_empty() => Self::Off,
                    folders => Self::Packages(folders),
                }
            }
        }
    }

    /// Whether any crate tells of anything.
    pub(crate) fn is_on(&self) -> bool {
        *self != Self::Off
    }

    /// A name for the folder of a build with it: what differs may not share one.
    pub(crate) fn folder(&self) -> Option<String> {
        match self {
            Self::Off => None,
            Self::All => Some("memory".to_owned()),
            Self::Packages(folders) => {
                let names = folders.iter().map(|folder| match folder.as_str() {
                    "" => "root".to_owned(),
                    folder => folder.replace(['/', '\\'], "."),
                });
                Some(format!("memory-of-{}", file_name(&names.collect::<Vec<_>>())))
            }
        }
    }

    /// What a package is to tell of, by its folder. `None` is one that is no part of the workspace.
    pub(crate) fn tells(&self, folder: Option<&Path>) -> Tells {
        match self {
            Self::Off => Tells::Nothing,
            Self::All => Tells::Everything,
            Self::Packages(folders) => {
                match folder.is_some_and(|it| folders.iter().any(|one| Path::new(one) == it)) {
                    true => Tells::Everything,
                    false => Tells::Atomics,
                }
            }
        }
    }
}

/// A file's name for a list of names. A long list is shortened to what tells it from others.
pub(crate) fn file_name(names: &[String]) -> String {
    /// File systems take 255 bytes, with what stands before.
    const LONGEST: usize = 120;
    let name = names.join("+");
    if name.len() <= LONGEST {
        return name;
    }
    let mut hasher = DefaultHasher::new();
    names.hash(&mut hasher);
    format!("{}-packages-{:016x}", names.len(), hasher.finish())
}

/// Whether there is unsafe code in a package. What can not be read is reported when it is compiled.
fn has_unsafe_code(package: &Package) -> bool {
    source_files(package).iter().any(|file| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        // Most files have not even the word.
        text.contains("unsafe") && text.parse::<TokenStream>().is_ok_and(has_unsafe_token)
    })
}

fn has_unsafe_token(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "unsafe",
        TokenTree::Group(group) => has_unsafe_token(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The source files of a package, without those of packages and builds below it.
pub(crate) fn source_files(package: &Package) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders: Vec<_> =
        package.manifest_path.parent().map(|it| it.as_std_path().to_owned()).into_iter().collect();
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if path.is_dir() {
                let foreign =
                    name.starts_with('.') || name == "target" || path.join("Cargo.toml").exists();
                if !foreign {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") {
                found.push(path);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_counts_only_as_code() {
        let is = |text: &str| has_unsafe_token(text.parse().expect("these are tokens"));
        assert!(is("fn f() { unsafe { g() } }"));
        assert!(is("unsafe impl Send for T {}"));
        assert!(!is("// unsafe\nfn f() { \"unsafe\" }"));
        assert!(!is("#![forbid(unsafe_code)]"));
    }

    #[test]
    fn packages_that_are_not_asked_for_tell_of_atomic_accesses() {
        let layer = MemoryLayer::Packages(vec!["queue".to_owned(), String::new()]);
        assert_eq!(layer.tells(Some(Path::new("queue"))), Tells::Everything);
        assert_eq!(layer.tells(Some(Path::new(""))), Tells::Everything, "the root package");
        assert_eq!(layer.tells(Some(Path::new("app"))), Tells::Atomics);
        assert_eq!(layer.tells(None), Tells::Atomics);
        assert_eq!(MemoryLayer::Off.tells(Some(Path::new("queue"))), Tells::Nothing);
        assert_eq!(MemoryLayer::All.tells(None), Tells::Everything);
    }

    #[test]
    fn different_packages_have_folders_with_different_names_that_file_systems_take() {
        let folder = |names: &[&str]| {
            let names = names.iter().map(|&name| name.to_owned()).collect();
            MemoryLayer::Packages(names).folder().expect("it is on")
        };
        assert_ne!(folder(&["a-b"]), folder(&["a", "b"]));
        let many: Vec<_> = (0..100).map(|number| format!("crates/member-{number}")).collect();
        let mut many: Vec<_> = many.iter().map(String::as_str).collect();
        let all = folder(&many);
        assert!(all.len() < 200, "{all}");
        many[7] = "crates/other";
        assert_ne!(all, folder(&many));
    }
}

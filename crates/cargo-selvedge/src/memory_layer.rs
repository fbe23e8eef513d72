//! The memory layer: which crates tell of their plain accesses to memory.
//!
//! The compiler is asked to run LLVM's pass for ThreadSanitizer over them, without the sanitizer's
//! runtime; what the code then calls is in the mirrors (`mirror/memory`). All other crates tell of
//! their atomic accesses only, so that reference counts order what they have to order.

use crate::project::Project;
use cargo_metadata::Package;
use clap::ValueEnum;
use proc_macro2::{TokenStream, TokenTree};
use serde::{Deserialize, Serialize};
use std::path::Path;

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

/// The pass, over functions that ask for it.
const ATOMICS: [&str; 2] = ["-Cpasses=tsan-module", "-Cpasses=tsan"];

/// The pass, over all functions. Calls at the beginning and end of each are not wanted, and volatile
/// accesses are to be told apart.
///
/// It comes before all optimisations, since those remove reads whose value is not used. For the same
/// reason the compiler is not asked to optimise by itself (`opt-level`): it would before LLVM does.
const ALL: [&str; 8] = [
    "-Cno-prepopulate-passes",
    "-Cpasses=forceattrs",
    "-Cpasses=tsan-module",
    "-Cpasses=function(tsan)",
    "-Cpasses=default<O1>",
    "-Cllvm-args=-force-attribute=sanitize_thread",
    "-Cllvm-args=-tsan-instrument-func-entry-exit=0",
    "-Cllvm-args=-tsan-distinguish-volatile",
];

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
                Some(format!("memory-of-{}", names.collect::<Vec<_>>().join("-")))
            }
        }
    }

    /// The flags for a call of the compiler. `source` is the root file of the crate.
    pub(crate) fn flags(&self, arguments: &[&str], source: Option<&str>) -> Vec<String> {
        let passes: &[&str] = match self {
            Self::Off => return Vec::new(),
            Self::All => &ALL,
            // Cargo names files of the workspace relative to its root, and others from the top.
            Self::Packages(folders) => match source.filter(|s| Path::new(s).is_relative()) {
                Some(source) if folders.iter().any(|f| Path::new(source).starts_with(f)) => &ALL,
                _ => &ATOMICS,
            },
        };
        let mut flags: Vec<String> = passes.iter().map(|&flag| flag.to_owned()).collect();
        let sets = |key: &str| arguments.iter().any(|argument| argument.contains(key));
        // Where an access stands is known to debug information only.
        if !sets("debuginfo=") {
            flags.push("-Cdebuginfo=line-tables-only".to_owned());
        }
        flags
    }
}

/// Whether there is unsafe code in a package. What can not be read is reported when it is compiled.
fn has_unsafe_code(package: &Package) -> bool {
    let Some(folder) = package.manifest_path.parent() else { return false };
    files(folder.as_std_path()).iter().any(|file| {
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
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
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
        let layer = MemoryLayer::Packages(vec!["queue".to_owned()]);
        let plain = "-Cllvm-args=-force-attribute=sanitize_thread".to_owned();
        assert!(layer.flags(&[], Some("queue/src/lib.rs")).contains(&plain));
        assert!(!layer.flags(&[], Some("app/src/lib.rs")).contains(&plain));
        let other = layer.flags(&[], Some("/registry/queue/src/lib.rs"));
        assert!(!other.contains(&plain) && other.contains(&"-Cpasses=tsan".to_owned()));
    }

    #[test]
    fn levels_that_the_user_has_set_stay() {
        let flags = MemoryLayer::All.flags(&["opt-level=3", "debuginfo=2"], None);
        assert!(!flags.iter().any(|flag| flag.contains("opt-level") || flag.contains("debuginfo")));
    }
}

//! The kit: the mirrors as libraries that the compiler takes for `std`, `core` and `test`.
//!
//! It is built once for each toolchain and version of this command, from sources that the command
//! carries with it, into a folder that all projects share.

mod build;
mod sources;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

pub(crate) use build::{build, place, state};

/// Where the libraries are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kit {
    /// What the compiler takes for `std`.
    pub(crate) std: PathBuf,
    /// What the compiler takes for `core`.
    pub(crate) core: PathBuf,
    /// What the compiler takes for `test`.
    pub(crate) test: PathBuf,
    /// What these three need.
    pub(crate) dependencies: PathBuf,
    /// The crates of ours among that, by their names, for the library of test authors.
    pub(crate) parts: BTreeMap<String, PathBuf>,
    /// A source with nothing in it.
    pub(crate) empty: PathBuf,
}

impl Kit {
    /// The flags that make the compiler use it.
    pub(crate) fn flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        for (name, library) in [("std", &self.std), ("core", &self.core), ("test", &self.test)] {
            flags.extend(["--extern".to_owned(), format!("{name}={}", library.display())]);
        }
        // Crates without `std` come across the mirrors only as dependencies of dependencies.
        flags.extend(["-L".to_owned(), format!("dependency={}", self.dependencies.display())]);
        // rustix would ask the kernel without going through the C library.
        flags.push("--cfg=rustix_use_libc".to_owned());
        // Where memory was allocated and freed is read off the stack.
        flags.push("-Cforce-frame-pointers=yes".to_owned());
        flags
    }

    fn is_there(&self) -> bool {
        let libraries = [&self.std, &self.core, &self.test];
        libraries
            .into_iter()
            .chain(self.parts.values())
            .chain([&self.empty])
            .all(|library| library.is_file())
    }
}

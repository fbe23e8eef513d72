//! The kit: the mirrors as libraries that the compiler takes for `std`, `core` and `test`.
//!
//! It is built once for each toolchain and version of this command, from sources that the command
//! carries with it, into a folder that all projects share.

mod build;
mod sources;

use crate::unit::Mirrors;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

pub(crate) use build::{build, place, state};

/// The crate that harnesses of generated tests are linked with.
const INTERPRETER: &str = "selvedge_interpret";

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
    /// The flags that make the compiler use it. `given` says whether a library of a name was given
    /// to the compiler already: a package may have the name of one of ours.
    pub(crate) fn flags(&self, mirrors: Mirrors, given: impl Fn(&str) -> bool) -> Vec<String> {
        let (std, core, test) = (("std", &self.std), ("core", &self.core), ("test", &self.test));
        let libraries: &[_] = match mirrors {
            Mirrors::None => return Vec::new(),
            Mirrors::Reachable | Mirrors::Part => &[],
            Mirrors::Std => &[std, core],
            Mirrors::StdAndTest => &[std, core, test],
        };
        let mut flags = Vec::new();
        for (name, library) in libraries.iter().filter(|(name, _)| !given(name)) {
            flags.extend(["--extern".to_owned(), format!("{name}={}", library.display())]);
        }
        // What a crate is made of may refer to the mirrors, even if it does not itself.
        flags.extend(["-L".to_owned(), format!("dependency={}", self.dependencies.display())]);
        match mirrors {
            Mirrors::None | Mirrors::Reachable => {}
            Mirrors::Part => flags.push("--cfg=selvedge_kit".to_owned()),
            Mirrors::Std | Mirrors::StdAndTest => {
                // rustix would ask the kernel without going through the C library.
                flags.push("--cfg=rustix_use_libc".to_owned());
                // Where memory was allocated and freed is read off the stack.
                flags.push("-Cforce-frame-pointers=yes".to_owned());
            }
        }
        flags
    }

    /// The flags that make the compiler link a harness of generated tests.
    pub(crate) fn harness_flags(&self) -> Vec<String> {
        let mut flags = self.flags(Mirrors::Std, |_| false);
        if let Some(interpreter) = self.parts.get(INTERPRETER) {
            let library = format!("{INTERPRETER}={}", interpreter.display());
            flags.extend(["--extern".to_owned(), library]);
        }
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

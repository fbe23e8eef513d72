//! A folder of its own for each test process.
//!
//! Tests that need files often take a name that is unique in their process, by a counter, and put them into the
//! system's temporary folder. Under `cargo test` all tests of a binary are in one process; here there are several
//! at a time, each of which begins to count anew. So each has its own temporary folder, and what its tests leave there
//! goes with it.

use nix::sys::signal::kill;
use nix::unistd::Pid;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;
use tempfile::TempDir;

/// How the names of these folders begin; the number of the process that has made one comes next.
const PREFIX: &str = "selvedge-";

/// The folder of a test process. It is removed in the end.
#[derive(Debug)]
pub(crate) struct Scratch(TempDir);

impl Scratch {
    pub(crate) fn new() -> io::Result<Self> {
        static SWEPT: Once = Once::new();
        let place = std::env::temp_dir();
        SWEPT.call_once(|| sweep(&place));
        let prefix = format!("{PREFIX}{}-", std::process::id());
        // Short, since names of sockets are.
        let folder = tempfile::Builder::new().prefix(&prefix).rand_bytes(4).tempdir_in(place)?;
        std::fs::create_dir(folder.path().join("tmp"))?;
        Ok(Self(folder))
    }

    /// Where the command listens.
    pub(crate) fn socket(&self) -> PathBuf {
        self.0.path().join("worker")
    }

    /// Where the tests put their files.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.0.path().join("tmp")
    }
}

/// Removes the folders of commands that were killed before they could.
fn sweep(place: &Path) {
    let Ok(entries) = std::fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if owner(&name.to_string_lossy()).is_some_and(is_gone) {
            // Somebody else's can not be removed, and need not be.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// The process whose folder has this name, if it is one of these folders.
fn owner(name: &str) -> Option<Pid> {
    let (number, _) = name.strip_prefix(PREFIX)?.split_once('-')?;
    number.parse().ok().filter(|&number| number > 0).map(Pid::from_raw)
}

fn is_gone(process: Pid) -> bool {
    kill(process, None) == Err(nix::errno::Errno::ESRCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_processes_that_are_gone_are_removed_and_no_others() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        let old = format!("selvedge-{}-abcd", ended.id());
        ended.wait().unwrap();
        let mine = format!("selvedge-{}-abcd", std::process::id());
        for name in [old.as_str(), &mine, "selvedge-notes-1", "selvedge-0-abcd"] {
            std::fs::create_dir_all(path(name).join("tmp/left")).unwrap();
        }
        sweep(place.path());
        assert!(!path(&old).exists());
        assert!(
            [mine.as_str(), "selvedge-notes-1", "selvedge-0-abcd"].iter().all(|n| path(n).exists())
        );
    }
}

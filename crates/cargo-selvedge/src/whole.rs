//! Files that are there whole or not at all.
//!
//! What is written goes to a file beside the one that is meant, which is renamed when all of it is on
//! the disk. Whoever is killed in between leaves that file behind; it is named after the process, and
//! the next one that writes there takes it away.

use anyhow::Context;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What stands before the number of the process.
const UNFINISHED: &str = "unfinished-";

/// Writes a file.
pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    put(path, |unfinished| {
        // Never through a link that somebody has put there.
        let mut file = std::fs::File::create_new(unfinished)?;
        file.write_all(text.as_bytes())
    })
}

/// Copies a file that nobody writes to any more to another place, where it may be on another disk.
pub(crate) fn publish(from: &Path, to: &Path) -> anyhow::Result<()> {
    put(to, |unfinished| {
        let mut file = std::fs::File::create_new(unfinished)?;
        std::io::copy(&mut std::fs::File::open(from)?, &mut file)?;
        file.sync_all()
    })
}

fn put(path: &Path, write: impl FnOnce(&Path) -> std::io::Result<()>) -> anyhow::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{UNFINISHED}{}", std::process::id()));
    let unfinished = path.with_file_name(name);
    // Of a process that had the same number.
    let _ = std::fs::remove_file(&unfinished);
    let written = write(&unfinished).and_then(|()| std::fs::rename(&unfinished, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&unfinished);
    }
    written.with_context(|| format!("can not write {}", path.display()))
}

/// Takes away what processes have left in a folder that are no more. If that does not work, it is in
/// nobody's way.
pub(crate) fn sweep(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if owner(&entry.path()).is_some_and(|process| !runs(process)) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The process that an unfinished file belongs to.
fn owner(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    name.rsplit_once('.')?.1.strip_prefix(UNFINISHED)?.parse().ok()
}

/// Whether there is such a process, on this machine.
fn runs(process: u32) -> bool {
    let Ok(process) = i32::try_from(process) else { return false };
    let process = nix::unistd::Pid::from_raw(process);
    // A process of somebody else's can not be asked, and is there.
    nix::sys::signal::kill(process, None) != Err(nix::errno::Errno::ESRCH)
}

/// The database and what belongs to it, which is left behind by a command that is killed.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_has_left_is_taken_away_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let of = |process: u32| folder.path().join(format!("finding.json.{UNFINISHED}{process}"));
        let mut child = std::process::Command::new("true").spawn().expect("a process");
        child.wait().expect("it ends");
        for path in [of(child.id()), of(std::process::id()), folder.path().join("finding.json")] {
            std::fs::write(path, "").expect("it can be written");
        }
        sweep(folder.path());
        assert!(!of(child.id()).exists());
        assert!(of(std::process::id()).exists() && folder.path().join("finding.json").exists());
    }

    #[test]
    fn nothing_is_left_of_a_file_that_can_not_be_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        let failed = put(&path, |unfinished| {
            std::fs::write(unfinished, "half")?;
            Err(std::io::Error::from(std::io::ErrorKind::StorageFull))
        });
        assert!(failed.is_err());
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn a_link_in_the_way_is_replaced_and_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        std::fs::write(&target, "mine").expect("it can be written");
        std::os::unix::fs::symlink(&target, &link).expect("a link");
        write(&link, "new").expect("it can be written");
        assert_eq!(std::fs::read_to_string(&target).expect("it is there"), "mine");
        assert_eq!(std::fs::read_to_string(&link).expect("it is there"), "new");
    }
}

//! The file of a shard: written in the folder of the project, and published when it is done.
//!
//! While a shard runs, what it has recorded is in several files that belong together, and on a disk of
//! several machines they may not even be kept apart. So it writes on its own disk. In the end all of
//! it goes into one file, which is copied beside the place where it was asked for, synchronised and
//! renamed: it is there whole, or not at all. A shard that is killed leaves its own files, with
//! which `--resume` goes on; they are taken away when it begins anew.

use super::Begin;
use crate::whole;
use anyhow::Context;
use selvedge_store::data::PartOf;
use selvedge_store::{Access, Database};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// What belongs to a file of SQLite.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The file of a shard.
pub(super) struct Shelf {
    file: PathBuf,
    goes_to: PathBuf,
    /// Held while the file is written.
    lock: (PathBuf, File),
}

impl Shelf {
    /// A file for a shard, below the folder of the project.
    pub(super) fn take(
        folder: &Path,
        goes_to: PathBuf,
        part: PartOf,
        begin: Begin,
    ) -> anyhow::Result<Self> {
        let folder = folder.join("shards");
        fs_err::create_dir_all(&folder)?;
        sweep(&folder);
        if let Some(folder) = goes_to.parent().filter(|folder| folder.is_dir()) {
            whole::sweep(folder);
        }
        let PartOf { shard, family } = part;
        let name = format!("{}-of-{}-{family:016x}", shard.index, shard.count);
        // Somebody else may run the same shard; then this one has a file of its own.
        let own = format!("{name}-{}", std::process::id());
        for name in [name, own] {
            let file = folder.join(format!("{name}.sqlite"));
            let Some(lock) = lock(&whole::beside(&file, ".lock"))? else { continue };
            if begin == Begin::Anew {
                remove(&file);
            } else if !file.exists() && goes_to.is_file() {
                // It may have been made elsewhere.
                let mut database = Database::open(&file, Access::Write)?;
                if let Err(error) = database.merge(&goes_to) {
                    super::note(&format!("there is nothing to go on with: {error}"));
                }
                database.close()?;
            }
            return Ok(Self { file, goes_to, lock });
        }
        anyhow::bail!("two commands write to {}", folder.display())
    }

    /// Where it is written.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Puts the file, which has been closed, where it was asked for. What else is there stays: several
    /// shards may share a file.
    pub(super) fn publish(self) -> anyhow::Result<()> {
        let Self { file, goes_to, lock: (path, held) } = self;
        if let Some(folder) = goes_to.parent() {
            fs_err::create_dir_all(folder)?;
        }
        // One at a time.
        let turn = whole::beside(&goes_to, ".lock");
        let taken = File::options().create(true).append(true).open(&turn)?;
        taken.lock().with_context(|| format!("can not lock {}", turn.display()))?;
        if goes_to.is_file() {
            let mut database = Database::open(&file, Access::Write)?;
            // One that can not be read was none of ours, or is of no use.
            let kept = database.merge(&goes_to);
            database.close()?;
            if let Err(error) = kept {
                super::note(&format!("{} is replaced: {error}", goes_to.display()));
            }
        }
        whole::publish(&file, &goes_to)?;
        let _ = std::fs::remove_file(&turn);
        remove(&file);
        let _ = std::fs::remove_file(&path);
        drop((taken, held));
        Ok(())
    }
}

/// Takes a lock; nothing if another command has it.
fn lock(path: &Path) -> anyhow::Result<Option<(PathBuf, File)>> {
    let file = File::options().create(true).append(true).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some((path.to_owned(), file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("can not lock {}", path.display()))
        }
    }
}

/// Takes a file away with what belongs to it.
fn remove(file: &Path) {
    for path in std::iter::once(file.to_owned()).chain(BESIDE.map(|end| whole::beside(file, end))) {
        let _ = std::fs::remove_file(path);
    }
}

/// Takes away files that were named after a process which is no more: nobody goes on with them.
fn sweep(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let parts = path.file_stem().map_or(0, |stem| stem.to_string_lossy().split('-').count());
        if path.extension().is_none_or(|end| end != "sqlite") || parts < 5 {
            continue;
        }
        let held = whole::beside(&path, ".lock");
        if let Ok(Some(_lock)) = lock(&held) {
            remove(&path);
            let _ = std::fs::remove_file(held);
        }
    }
}

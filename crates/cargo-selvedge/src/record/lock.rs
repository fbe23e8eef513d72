//! Says that a campaign is being written to. The system takes it back from a command that is killed.

use anyhow::Context;
use selvedge_store::data::CampaignId;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// Held for as long as a campaign is written to.
pub(super) struct Lock {
    path: PathBuf,
    _file: File,
}

/// Takes away the locks beside a file that nobody holds: those of commands that were killed.
pub(super) fn sweep(database: &Path) {
    let (Some(folder), Some(name)) = (database.parent(), database.file_name()) else { return };
    let name = name.to_string_lossy();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let own = entry.file_name().to_string_lossy().strip_prefix(&*name).is_some_and(|rest| {
            let id = rest.strip_prefix('.').and_then(|rest| rest.strip_suffix(".lock"));
            id.is_some_and(|id| id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
        });
        let free = || File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if own && free() {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

impl Lock {
    /// Takes it; nothing if another command has it.
    pub(super) fn take(database: &Path, campaign: CampaignId) -> anyhow::Result<Option<Self>> {
        let mut path = database.as_os_str().to_owned();
        path.push(format!(".{campaign}.lock"));
        let path = PathBuf::from(path);
        let file = File::options().create(true).append(true).open(&path);
        let file = file.with_context(|| format!("can not write {}", path.display()))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { path, _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("can not lock {}", path.display()))
            }
        }
    }

    /// Gives it back. The file is in nobody's way if it can not be removed.
    pub(super) fn release(self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

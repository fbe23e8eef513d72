//! The folder with the findings.
//!
//! What lies in it may come from elsewhere. So nothing is written through a link, and a problem is
//! never written over another one, whatever its folder is called.

use super::kept::LONGEST;
use super::{Id, Kept};
use crate::exit::{Exit, Failure};
use crate::whole;
use anyhow::Context;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The file of a finding that does not show any more.
const FIXED: &str = "fixed.txt";

/// All files of a finding.
const FILES: [&str; 4] = ["finding.json", "explanation.txt", "schedule.txt", FIXED];

/// The folder.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    folder: PathBuf,
}

/// Whether a finding was put into its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Added {
    /// It was, since it was not there or could not be read.
    Yes,
    /// It was there.
    No,
}

impl Store {
    /// The findings in a folder, which need not exist.
    pub(crate) fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The name of a finding in this folder: its own, unless another problem has that.
    pub(crate) fn id(&self, kept: &Kept) -> Id {
        let own = kept.id();
        let taken = |id: &Id| self.read(id).is_ok_and(|other| !other.is_same(kept));
        let others = (2..).map(|number| own.another(number));
        let mut ids = std::iter::once(own.clone()).chain(others);
        ids.find(|id| !taken(id)).unwrap_or(own)
    }

    /// Keeps a finding under the name that [`id`](Self::id) has given it, with its explanation beside
    /// it.
    pub(crate) fn keep(&self, id: &Id, kept: &Kept, explanation: &str) -> anyhow::Result<()> {
        let folder = self.folder.join(id.as_str());
        let is_folder = |path: &Path| Ok(path.symlink_metadata()?.is_dir());
        let is_folder: std::io::Result<bool> = is_folder(&folder);
        if is_folder.is_ok_and(|is_folder| !is_folder) {
            // Nothing of ours; it is put aside, since its owner may miss it.
            fs_err::rename(&folder, folder.with_extension("put-aside"))?;
        }
        fs_err::create_dir_all(&folder)?;
        whole::sweep(&folder);
        whole::write(&folder.join("schedule.txt"), &format!("{}\n", kept.finding.schedule))?;
        whole::write(&folder.join("explanation.txt"), explanation)?;
        // It shows, whatever was known of it.
        match std::fs::remove_file(folder.join(FIXED)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        whole::write(&folder.join("finding.json"), &kept.text()?)
    }

    /// Notes that a finding does not show any more, and how that is known. Says whether that is news.
    pub(crate) fn mark_fixed(&self, id: &Id, how: &str) -> anyhow::Result<bool> {
        let folder = self.folder.join(id.as_str());
        let news = folder.is_dir() && self.fixed(id).is_none();
        if news {
            whole::write(&folder.join(FIXED), &format!("{how}\n"))?;
        }
        Ok(news)
    }

    /// How it is known that a finding does not show any more, if it does not.
    pub(crate) fn fixed(&self, id: &Id) -> Option<String> {
        let mut text = String::new();
        let file = std::fs::File::open(self.folder.join(id.as_str()).join(FIXED)).ok()?;
        file.take(LONGEST as u64).read_to_string(&mut text).ok()?;
        Some(text.trim_end().to_owned())
    }

    /// Deletes a finding: the files that belong to it, and its folder if nothing else is in there.
    pub(crate) fn forget(&self, id: &Id) -> anyhow::Result<()> {
        let folder = self.folder.join(id.as_str());
        let is_folder = folder.symlink_metadata()?.is_dir();
        anyhow::ensure!(is_folder, "{} is no folder of a finding", folder.display());
        for file in FILES.iter().map(|file| folder.join(file)).filter(|file| file.exists()) {
            fs_err::remove_file(file)?;
        }
        Ok(fs_err::remove_dir(folder)?)
    }

    /// Keeps a finding unless it is there.
    pub(crate) fn restore(&self, kept: &Kept, explanation: &str) -> anyhow::Result<Added> {
        let id = self.id(kept);
        let folder = self.folder.join(id.as_str());
        let whole =
            ["schedule.txt", "explanation.txt"].iter().all(|file| folder.join(file).is_file());
        if whole && self.read(&id).is_ok() {
            return Ok(Added::No);
        }
        self.keep(&id, kept, explanation)?;
        Ok(Added::Yes)
    }

    /// Everything that is there, by name; what can not be read is an error in its place.
    pub(crate) fn all(&self) -> anyhow::Result<Vec<(Id, anyhow::Result<Kept>)>> {
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => {
                return Err(error)
                    .with_context(|| format!("can not read {}", self.folder.display()));
            }
        };
        let mut all = Vec::new();
        for entry in entries {
            let id = Id::given(&entry?.file_name().to_string_lossy());
            let kept = self.read(&id);
            all.push((id, kept));
        }
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(all)
    }

    /// The one finding whose name begins like this.
    pub(crate) fn find(&self, beginning: &str) -> anyhow::Result<(Id, Kept)> {
        let all: Vec<Id> = self.all()?.into_iter().map(|(id, _)| id).collect();
        if all.is_empty() {
            let folder = self.folder.display();
            let why =
                format!("no findings have been kept in {folder}; run `cargo selvedge test` first");
            return Err(Failure::with(Exit::Usage, why));
        }
        let id = Id::that_begins(&all, beginning)?;
        let kept = self.read(&id)?;
        Ok((id, kept))
    }

    fn read(&self, id: &Id) -> anyhow::Result<Kept> {
        let path = self.folder.join(id.as_str()).join("finding.json");
        let mut text = String::new();
        // A little more than may be read, so that it is noticed.
        let file = fs_err::File::open(&path)?;
        anyhow::ensure!(file.metadata()?.is_file(), "{} is no file", path.display());
        file.take(LONGEST as u64 + 1).read_to_string(&mut text)?;
        Kept::read(&text).with_context(|| format!("{} can not be used", path.display()))
    }
}

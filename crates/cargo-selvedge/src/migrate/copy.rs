//! Copies of the workspace below the target folder, with some files edited. The user's own files are not
//! touched.

use super::manifest::{self, Library};
use crate::project::Project;
use anyhow::Context;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Files with other contents than the originals, by their paths below the root.
pub(crate) type Changed = BTreeMap<PathBuf, String>;

/// The files of a workspace.
#[derive(Debug)]
pub(crate) struct Originals {
    root: PathBuf,
    files: BTreeSet<PathBuf>,
}

impl Originals {
    /// All files, without what was built and what belongs to version control.
    pub(crate) fn of(project: &Project) -> anyhow::Result<Self> {
        let root = project.root().to_owned();
        let skip = [project.metadata.target_directory.as_std_path(), project.folder.as_path()];
        let mut files = BTreeSet::new();
        let mut todo = vec![root.clone()];
        while let Some(folder) = todo.pop() {
            for entry in fs_err::read_dir(&folder)? {
                let path = entry?.path();
                let name = path.file_name().unwrap_or_default();
                if path.is_dir() {
                    let is_build = path.join("CACHEDIR.TAG").is_file();
                    if !skip.contains(&path.as_path()) && !is_build && name != ".git" {
                        todo.push(path);
                    }
                } else if path.is_file() {
                    let relative = path.strip_prefix(&root).context("a file below the root")?;
                    files.insert(relative.to_owned());
                }
            }
        }
        Ok(Self { root, files })
    }

    /// Makes a copy, or brings an earlier one up to date. What is the same stays untouched, so that it is
    /// not built again.
    pub(crate) fn copy(
        &self,
        folder: &Path,
        library: &Library,
        packages: &BTreeSet<PathBuf>,
        changed: &Changed,
    ) -> anyhow::Result<()> {
        remove_strangers(folder, folder, &self.files)?;
        for file in &self.files {
            let (from, to) = (self.root.join(file), folder.join(file));
            let is_manifest = file.file_name().is_some_and(|name| name == "Cargo.toml");
            if let Some(text) = changed.get(file) {
                write_if_new(&to, text.as_bytes())?;
            } else if is_manifest {
                let text = fs_err::read_to_string(&from)?;
                let place = manifest::Place { root: &self.root, file };
                let library =
                    packages.contains(file.parent().unwrap_or(Path::new(""))).then_some(library);
                write_if_new(&to, manifest::moved(&text, place, library)?.as_bytes())?;
            } else if file.file_name().is_some_and(|name| name == "Cargo.lock") && to.is_file() {
                // Cargo has added what the library needs.
            } else {
                write_if_new(&to, &fs_err::read(&from)?)?;
            }
        }
        Ok(())
    }
}

fn write_if_new(path: &Path, contents: &[u8]) -> anyhow::Result<()> {
    if fs_err::read(path).is_ok_and(|present| present == contents) {
        return Ok(());
    }
    fs_err::create_dir_all(path.parent().context("a file has a folder")?)?;
    Ok(fs_err::write(path, contents)?)
}

/// Removes files of an earlier copy that the workspace does not have any more.
fn remove_strangers(root: &Path, folder: &Path, files: &BTreeSet<PathBuf>) -> anyhow::Result<()> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        let relative = path.strip_prefix(root).context("a file below the copy")?;
        if path.is_dir() {
            remove_strangers(root, &path, files)?;
        } else if !files.contains(relative) && relative != Path::new("Cargo.lock") {
            fs_err::remove_file(&path)?;
        }
    }
    Ok(())
}

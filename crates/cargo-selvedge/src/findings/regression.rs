//! A finding that is committed with the sources, so that everybody's runs try it first.
//!
//! `cargo selvedge pin` writes a small file for it, which is read in a review and needs nothing from the target
//! folder. What a file says is data, as what a finding says is: it names a test, a schedule and settings.

use super::build::{Built, settings};
use super::{Id, Kept};
use crate::exit::{Exit, Failure};
use crate::whole;
use anyhow::Context;
use selvedge_model::Schedule;
use selvedge_report::headline;
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The folder, in the root of the workspace.
pub(crate) const FOLDER: &str = "selvedge-regressions";

/// A file that is longer is none of ours: a schedule has been made as short as it gets.
const LONGEST: u64 = 1 << 20;

/// Settings that say how long and by whom a test is explored. A schedule needs none of them.
const OF_THE_SEARCH: [&str; 8] =
    ["executions", "time", "suite_time", "seed", "strategy", "saturation", "metrics", "detectors"];

/// A finding as it is committed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Regression {
    /// What went wrong, in one sentence.
    pub(crate) problem: String,
    /// The package.
    pub(crate) package: String,
    /// The name of cargo's target.
    pub(crate) target: String,
    /// The kind of cargo's target.
    pub(crate) kind: String,
    /// The test's name within the target.
    pub(crate) test: String,
    /// The schedule that shows it.
    schedule: String,
    /// Why it is no reason to fail, if somebody has accepted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) accepted: Option<String>,
    /// The settings that the schedule needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    settings: Vec<(String, String)>,
    /// How the test was built.
    built: Built,
}

impl Regression {
    /// What is committed of a finding.
    pub(crate) fn of(kept: &Kept) -> Self {
        Self {
            problem: headline(&kept.finding),
            package: kept.package.clone(),
            target: kept.target.clone(),
            kind: kept.target_kind.clone(),
            test: kept.test.clone(),
            schedule: kept.finding.schedule.to_string(),
            accepted: None,
            settings: for_schedule(&kept.settings),
            built: kept.built.clone(),
        }
    }

    /// The schedule.
    pub(crate) fn schedule(&self) -> anyhow::Result<Schedule> {
        self.schedule.parse().map_err(|error| anyhow::anyhow!("its schedule: {error}"))
    }

    /// The settings that the schedule needs. Refuses those that are none, or that write files.
    pub(crate) fn settings(&self) -> anyhow::Result<Vec<(String, String)>> {
        settings(&self.settings)
    }

    /// How the test was built.
    pub(crate) fn built(&self) -> &Built {
        &self.built
    }

    fn text(&self, id: &Id) -> anyhow::Result<String> {
        let body = toml::to_string(self)?;
        Ok(format!(
            "# `cargo selvedge test` runs this schedule before it explores the test.\n\
             # `cargo selvedge forget {id}` deletes this file.\n{body}"
        ))
    }
}

/// The settings without those that only say how a test is explored.
pub(super) fn for_schedule(settings: &[(String, String)]) -> Vec<(String, String)> {
    let needed = |(key, _): &&(String, String)| !OF_THE_SEARCH.contains(&key.as_str());
    settings.iter().filter(needed).cloned().collect()
}

/// The folder with what is committed.
#[derive(Clone, Debug)]
pub(crate) struct Regressions {
    folder: PathBuf,
}

impl Regressions {
    /// Those of the workspace with this root. The folder need not exist.
    pub(crate) fn of(root: &Path) -> Self {
        Self { folder: root.join(FOLDER) }
    }

    /// All of them, by name. One that can not be read is an error: whoever committed it relies on it.
    pub(crate) fn all(&self) -> anyhow::Result<Vec<(Id, Regression)>> {
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => {
                let why = format!("can not read {}: {error}", self.folder.display());
                return Err(Failure::with(Exit::Usage, why));
            }
        };
        let mut all = Vec::new();
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let regression = read(&path).map_err(|error| {
                Failure::with(Exit::Usage, format!("{}: {error:#}", path.display()))
            })?;
            all.push((Id::given(&name), regression));
        }
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(all)
    }

    /// Writes the file of a regression and says where it is.
    pub(crate) fn write(&self, id: &Id, regression: &Regression) -> anyhow::Result<PathBuf> {
        fs_err::create_dir_all(&self.folder)?;
        let path = self.path(id);
        whole::write(&path, &regression.text(id)?)?;
        Ok(path)
    }

    /// Deletes the file of a regression and says where it was, if it was there.
    pub(crate) fn delete(&self, id: &Id) -> anyhow::Result<Option<PathBuf>> {
        let path = self.path(id);
        if !path.is_file() {
            return Ok(None);
        }
        fs_err::remove_file(&path)?;
        Ok(Some(path))
    }

    fn path(&self, id: &Id) -> PathBuf {
        self.folder.join(format!("{id}.toml"))
    }
}

fn read(path: &Path) -> anyhow::Result<Regression> {
    let mut text = String::new();
    fs_err::File::open(path)?.take(LONGEST).read_to_string(&mut text)?;
    let regression: Regression = toml::from_str(&text).context("it is no regression")?;
    regression.schedule()?;
    regression.settings()?;
    Ok(regression)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_layer::MemoryLayer;

    fn regression() -> Regression {
        Regression {
            problem: "panic: left\n right".to_owned(),
            package: "bank".to_owned(),
            target: "bank".to_owned(),
            kind: "lib".to_owned(),
            test: "tests::transfer".to_owned(),
            schedule: "selvedge/1 1:lock@src/lib.rs:12:21>2".to_owned(),
            accepted: Some("only in tests".to_owned()),
            settings: vec![("isolation".to_owned(), "fork".to_owned())],
            built: Built { cargo: Vec::new(), memory: MemoryLayer::Packages(vec!["a".to_owned()]) },
        }
    }

    #[test]
    fn a_regression_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let regressions = Regressions::of(folder.path());
        assert_eq!(regressions.all().unwrap().len(), 0);
        let id = Id::given("0123456789ab");
        let path = regressions.write(&id, &regression()).unwrap();
        let [(name, read)] = &regressions.all().unwrap()[..] else { panic!() };
        assert_eq!((name, &read.test), (&id, &regression().test));
        assert_eq!(read.accepted.as_deref(), Some("only in tests"));
        assert_eq!(read.schedule().unwrap(), regression().schedule().unwrap());
        assert_eq!(read.built().memory, regression().built.memory);
        assert_eq!(regressions.delete(&id).unwrap(), Some(path));
        assert_eq!(regressions.delete(&id).unwrap(), None);
    }

    #[test]
    fn a_file_that_would_write_another_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let regressions = Regressions::of(folder.path());
        let mut forged = regression();
        forged.settings = vec![("trace".to_owned(), "/tmp/x".to_owned())];
        regressions.write(&Id::given("a"), &forged).unwrap();
        assert!(regressions.all().is_err());
        forged = Regression { schedule: "no schedule".to_owned(), ..regression() };
        regressions.write(&Id::given("a"), &forged).unwrap();
        assert!(regressions.all().is_err());
    }
}

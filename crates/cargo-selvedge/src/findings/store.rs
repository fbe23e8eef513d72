//! The folder with the findings.

use super::{Code, Id};
use crate::compile::Binary;
use crate::exit::{Exit, Failure};
use crate::memory_layer::MemoryLayer;
use anyhow::Context;
use selvedge_model::Finding;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The version of the format of `finding.json`.
const FORMAT: u32 = 1;

/// A finding with all that is needed to run its test again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The version of this format.
    pub(crate) format: u32,
    /// The version of the command that found it.
    pub(crate) selvedge: String,
    /// The compiler that built the test.
    pub(crate) rustc: String,
    /// The package.
    pub(crate) package: String,
    /// The name of cargo's target.
    pub(crate) target: String,
    /// The kind of cargo's target.
    pub(crate) target_kind: String,
    /// The test's name within the target.
    pub(crate) test: String,
    /// How it was built.
    #[serde(flatten)]
    pub(crate) built: Built,
    /// The settings with which it was explored.
    pub(crate) settings: Vec<(String, String)>,
    /// The finding itself.
    pub(crate) finding: Finding,
    /// What the addresses in it mean: the binary may be gone when somebody asks.
    #[serde(default)]
    pub(crate) code: Vec<Code>,
}

/// How a test was built.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Built {
    /// Cargo's flags.
    pub(crate) cargo: Vec<String>,
    /// Which crates told of accesses to memory.
    #[serde(default)]
    pub(crate) memory: MemoryLayer,
}

impl Kept {
    /// A finding that was just made.
    pub(crate) fn new(
        rustc: &str,
        binary: &Binary,
        test: &str,
        built: Built,
        settings: &[(String, String)],
        finding: Finding,
    ) -> Self {
        Self {
            format: FORMAT,
            selvedge: env!("CARGO_PKG_VERSION").to_owned(),
            rustc: rustc.to_owned(),
            package: binary.package_name.clone(),
            target: binary.target.clone(),
            target_kind: binary.kind.clone(),
            test: test.to_owned(),
            built,
            settings: settings.to_vec(),
            finding,
            code: Vec::new(),
        }
    }

    /// What it is called.
    pub(crate) fn id(&self) -> Id {
        Id::of(&self.package, &self.target, &self.test, &self.finding.kind)
    }
}

/// The folder.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    folder: PathBuf,
}

impl Store {
    /// The findings in a folder, which need not exist.
    pub(crate) fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Keeps a finding, with its explanation beside it, and says where.
    pub(crate) fn keep(&self, kept: &Kept, explanation: &str) -> anyhow::Result<PathBuf> {
        let folder = self.folder.join(kept.id().as_str());
        if folder.exists() && !folder.is_dir() {
            // Nothing of ours; it is put aside, since its owner may miss it.
            fs_err::rename(&folder, folder.with_extension("put-aside"))?;
        }
        fs_err::create_dir_all(&folder)?;
        let schedule = format!("{}\n", kept.finding.schedule);
        write_whole(&folder.join("schedule.txt"), &schedule)?;
        write_whole(&folder.join("explanation.txt"), explanation)?;
        write_whole(&folder.join("finding.json"), &serde_json::to_string_pretty(kept)?)?;
        Ok(folder)
    }

    /// Keeps a finding unless there is one with its name; says whether it was kept.
    pub(crate) fn keep_if_new(&self, kept: &Kept, explanation: &str) -> anyhow::Result<bool> {
        if self.folder.join(kept.id().as_str()).is_dir() {
            return Ok(false);
        }
        self.keep(kept, explanation)?;
        Ok(true)
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
        let all = self.all()?;
        let named = |fits: &dyn Fn(&str) -> bool| -> Vec<Id> {
            all.iter().filter(|(id, _)| fits(id.as_str())).map(|(id, _)| id.clone()).collect()
        };
        let mut named_so = named(&|id| id == beginning);
        if named_so.is_empty() {
            named_so = named(&|id| id.starts_with(beginning));
        }
        match named_so.as_slice() {
            [id] => Ok((id.clone(), self.read(id)?)),
            [] if all.is_empty() => Err(Failure::with(
                Exit::Usage,
                format!(
                    "no findings have been kept in {}; run `cargo selvedge test` first",
                    self.folder.display()
                ),
            )),
            [] => Err(Failure::with(
                Exit::Usage,
                format!(
                    "there is no finding '{beginning}'; there are {}",
                    names(all.iter().map(|(id, _)| id))
                ),
            )),
            several => Err(Failure::with(
                Exit::Usage,
                format!("'{beginning}' may be any of {}", names(several)),
            )),
        }
    }

    fn read(&self, id: &Id) -> anyhow::Result<Kept> {
        let path = self.folder.join(id.as_str()).join("finding.json");
        let text = fs_err::read_to_string(&path)?;
        let kept: Kept = serde_json::from_str(&text)
            .with_context(|| format!("{} is damaged", path.display()))?;
        anyhow::ensure!(
            kept.format == FORMAT,
            "{} has format {}, and this version reads {FORMAT}",
            path.display(),
            kept.format
        );
        Ok(kept)
    }
}

/// Writes a file so that it is there whole or not at all.
fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    // Another command may be writing the same finding.
    let unfinished = path.with_extension(format!("unfinished-{}", std::process::id()));
    fs_err::write(&unfinished, text)?;
    Ok(fs_err::rename(&unfinished, path)?)
}

fn names<'a>(ids: impl IntoIterator<Item = &'a Id>) -> String {
    let names: Vec<_> = ids.into_iter().map(Id::as_str).collect();
    names.join(", ")
}

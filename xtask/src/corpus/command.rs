//! How a project of the corpus is tested: with the command, as a user does.

use crate::Result;
use selvedge_model::Finding;
use serde::Deserialize;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// What came of a test.
#[derive(Debug, Deserialize)]
pub(crate) struct Tested {
    /// Its name.
    pub(crate) test: String,
    /// How often it was run.
    pub(crate) executions: u64,
    /// How long that took.
    pub(crate) seconds: f64,
    /// Why it could not be explored.
    pub(crate) message: Option<String>,
    /// What went wrong.
    pub(crate) finding: Option<Finding>,
}

/// Explores the tests of a project with these flags and settings.
pub(crate) fn test(
    root: &Path,
    manifest: &Path,
    flags: &[&str],
    settings: &[(&str, &str)],
) -> Result<Vec<Tested>> {
    let json = root.join("target/corpus/tested.json");
    fs::create_dir_all(root.join("target/corpus"))?;
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--release", "--quiet", "--package", "cargo-selvedge", "--"]);
    cargo.args(["selvedge", "test", "--quiet", "--locked", "--jobs", "1"]).args(flags);
    cargo.arg("--manifest-path").arg(manifest);
    cargo.arg("--target-dir").arg(root.join("target/corpus"));
    cargo.arg("--json").arg(&json);
    for (key, value) in settings {
        cargo.arg("--set").arg(format!("{key}={value}"));
    }
    // The whole environment of this chore is meant for this workspace, not for the project.
    cargo.current_dir(root).stdin(Stdio::null());
    let output = cargo.output()?;
    // Nothing found, or something; everything else is trouble.
    if !matches!(output.status.code(), Some(0 | 1)) {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} could not be tested:\n{said}", manifest.display()).into());
    }
    let text = fs::read_to_string(&json)?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

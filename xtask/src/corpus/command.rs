//! How a project of the corpus is tested: with the command, as a user does.

use crate::Result;
use crate::selvedge::Selvedge;
use selvedge_model::Finding;
use serde::Deserialize;
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// What came of a test.
#[derive(Debug, Deserialize)]
pub(crate) struct Tested {
    /// Its name.
    pub(crate) test: String,
    /// How often it was run.
    pub(crate) executions: u64,
    /// How long that took.
    pub(crate) seconds: f64,
    /// How much was tried, by its name; nothing if it has not passed.
    pub(crate) verdict: Option<String>,
    /// Why it could not be explored.
    pub(crate) message: Option<String>,
    /// What went wrong.
    pub(crate) finding: Option<Finding>,
}

/// Explores the tests of a project with these flags and settings, as if nothing had been found before.
pub(crate) fn test(
    selvedge: &Selvedge,
    root: &Path,
    manifest: &Path,
    flags: &[&str],
    settings: &[(&str, &str)],
) -> Result<Vec<Tested>> {
    let target = root.join("target/corpus");
    fs::create_dir_all(&target)?;
    let json = target.join("tested.json");
    let mut command = selvedge.test(manifest, &target);
    command.args(["--quiet", "--locked", "--fresh", "--jobs", "1"]).args(flags);
    command.arg("--json").arg(&json);
    for (key, value) in settings {
        command.arg("--set").arg(format!("{key}={value}"));
    }
    let output = command.current_dir(root).stdin(Stdio::null()).output()?;
    // Nothing found, or something; everything else is trouble.
    if !matches!(output.status.code(), Some(0 | 1)) {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} could not be tested:\n{said}", manifest.display()).into());
    }
    let text = fs::read_to_string(&json)?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

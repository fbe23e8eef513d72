//! How tests are migrated: with the command, as a user does.

use super::folder;
use super::kept::Call;
use super::subject::{Subject, Tests};
use crate::Result;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The command is stopped if it takes longer than this for each test.
const PATIENCE: Duration = Duration::from_secs(300);

/// Migrates tests of one target and gives back what the command says. Nothing is changed.
pub(crate) fn migrate(
    root: &Path,
    manifest: &Path,
    subject: &Subject,
    tests: &Tests,
) -> Result<Call> {
    let json = folder::of(root).join("said.json");
    let errors = folder::of(root).join("errors.txt");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--release", "--quiet", "--package", "cargo-selvedge", "--"]);
    cargo.args(["selvedge", "migrate", "--format", "json", "--exact"]);
    cargo.arg("--manifest-path").arg(manifest);
    cargo.arg("--target-dir").arg(folder::builds(root));
    match tests.target.strip_prefix("tests/") {
        Some(name) => cargo.args(["--test", name]),
        None => cargo.arg("--lib"),
    };
    if !subject.features.is_empty() {
        cargo.arg("--features").arg(subject.features.join(","));
    }
    cargo.args(&tests.names);
    cargo.current_dir(root).stdin(Stdio::null());
    cargo.stdout(fs::File::create(&json)?).stderr(fs::File::create(&errors)?);
    let patience = PATIENCE * u32::try_from(tests.names.len())?;
    let trouble = run(&mut cargo, patience)?;
    let said = serde_json::from_str(&fs::read_to_string(&json)?);
    let trouble = match (&said, trouble) {
        (Ok(_), _) => None,
        (Err(_), Some(trouble)) => Some(trouble),
        (Err(error), None) => {
            Some(last_line(&fs::read_to_string(&errors)?).unwrap_or_else(|| error.to_string()))
        }
    };
    let said = said.unwrap_or_default();
    let package = manifest.parent().ok_or("a manifest is in a folder")?.display().to_string();
    Ok(Call { target: tests.target.clone(), package, said, trouble })
}

/// Runs the command to its end, or as long as there is patience; what is wrong if there is none left.
fn run(command: &mut Command, patience: Duration) -> Result<Option<String>> {
    let mut child = command.spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > patience {
            child.kill()?;
            child.wait()?;
            return Ok(Some(format!("stopped after {} s", patience.as_secs())));
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    Ok(None)
}

fn last_line(text: &str) -> Option<String> {
    text.lines().rev().find(|line| !line.trim().is_empty()).map(str::to_owned)
}

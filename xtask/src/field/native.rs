//! The suite under `cargo test`.

use super::kept::{builds, log};
use super::process::{Ending, Ran, run as measure};
use crate::Result;
use crate::selvedge::cargo_test;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A build is given up after so long.
pub(crate) const BUILD_PATIENCE: Duration = Duration::from_secs(900);
/// A suite is given up after so long.
const PATIENCE: Duration = Duration::from_secs(600);

/// What `cargo test` made of a suite.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Native {
    /// The compiler.
    pub(crate) compiler: String,
    /// The build.
    pub(crate) build: Ran,
    /// The tests; nothing if they were not built.
    pub(crate) run: Option<Ran>,
    /// What came of each test, by binary and name.
    pub(crate) tests: Vec<Tested>,
}

/// What came of a test.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Tested {
    /// The binary that it is in, as the command calls it.
    pub(crate) binary: String,
    /// Its name.
    pub(crate) test: String,
    /// The verdict.
    pub(crate) verdict: Verdict,
}

/// A verdict of the ordinary test runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Verdict {
    Passed,
    Failed,
    Ignored,
}

/// Builds and runs the suite of a project.
pub(crate) fn run(root: &Path, compiler: &str, manifest: &Path) -> Result<Native> {
    let target = builds(root).join("native");
    let (messages, errors) = (log(root, "native-build.json"), log(root, "native-build.txt"));
    let mut cargo = cargo_test(manifest, &target);
    cargo.args(["--no-run", "--message-format=json"]);
    cargo.stdout(fs::File::create(&messages)?).stderr(fs::File::create(&errors)?);
    let build = measure(&mut cargo, BUILD_PATIENCE)?;
    let compiler = compiler.to_owned();
    if build.ending != Ending::Exited(0) {
        return Ok(Native { compiler, build, run: None, tests: Vec::new() });
    }
    let labels = labels(&fs::read_to_string(&messages)?);
    // Cargo says on standard error which binary comes next, the binary on standard output what its tests do.
    let both = fs::File::create(log(root, "native-run.txt"))?;
    let mut cargo = cargo_test(manifest, &target);
    cargo.args(["--tests", "--no-fail-fast"]).stdout(both.try_clone()?).stderr(both);
    let ran = measure(&mut cargo, PATIENCE)?;
    let text = fs::read(log(root, "native-run.txt"))?;
    let tests = verdicts(&String::from_utf8_lossy(&text), &labels);
    Ok(Native { compiler, build, run: Some(ran), tests })
}

/// The names of binaries, by the files that they are in.
fn labels(messages: &str) -> BTreeMap<String, String> {
    #[derive(Deserialize)]
    struct Artifact {
        package_id: String,
        target: Target,
        executable: Option<String>,
    }
    #[derive(Deserialize)]
    struct Target {
        name: String,
        kind: Vec<String>,
    }
    let artifacts = messages.lines().filter_map(|line| serde_json::from_str::<Artifact>(line).ok());
    let labels = artifacts.filter_map(|artifact| {
        let file = Path::new(artifact.executable.as_deref()?).file_name()?.to_str()?.to_owned();
        let package = package_name(&artifact.package_id);
        let label = match artifact.target.kind.first().map(String::as_str) {
            Some(kind @ ("test" | "bin" | "example" | "bench")) => {
                format!("{package}::{kind}/{}", artifact.target.name)
            }
            _ => package.to_owned(),
        };
        Some((file, label))
    });
    labels.collect()
}

/// The name in an id such as `path+file:///folder#name@1.0.0` or `path+file:///name#1.0.0`.
fn package_name(id: &str) -> &str {
    let (folder, rest) = id.rsplit_once('#').unwrap_or((id, ""));
    match rest.split_once('@') {
        Some((name, _)) => name,
        None => folder.rsplit('/').next().unwrap_or(folder),
    }
}

/// Reads what cargo and its test binaries wrote.
fn verdicts(text: &str, labels: &BTreeMap<String, String>) -> Vec<Tested> {
    let mut binary = None;
    let mut tests = Vec::new();
    for line in text.lines() {
        if let Some(running) = line.trim_start().strip_prefix("Running ") {
            let file = running.rsplit_once('/').map(|(_, file)| file.trim_end_matches(')'));
            binary = file.and_then(|file| labels.get(file));
            continue;
        }
        let parts = line.strip_prefix("test ").and_then(|rest| rest.rsplit_once(" ... "));
        let (Some(binary), Some((name, result))) = (binary, parts) else { continue };
        let verdict = match result {
            "ok" => Verdict::Passed,
            "FAILED" => Verdict::Failed,
            other if other.starts_with("ignored") => Verdict::Ignored,
            _ => continue,
        };
        let test = name.strip_suffix(" - should panic").unwrap_or(name);
        // A process that a test has started may have printed into the line.
        let test = test.rsplit_once("test ").map_or(test, |(_, test)| test).to_owned();
        tests.push(Tested { binary: binary.clone(), test, verdict });
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read_with_their_binaries() {
        let labels =
            [("q-1f".to_owned(), "q".to_owned()), ("t-2e".to_owned(), "q::test/t".to_owned())];
        let text = "     Running unittests src/lib.rs (/b/debug/deps/q-1f)\n\nrunning 2 tests\n\
                    test a::b ... ok\ntest from a childtest c - should panic ... FAILED\n\
                    \x20    Running tests/t.rs (/b/debug/deps/t-2e)\n\
                    test a::b ... ignored, needs a network\n";
        let told = verdicts(text, &labels.into());
        let told: Vec<_> = told.iter().map(|t| (&*t.binary, &*t.test, t.verdict)).collect();
        assert_eq!(
            told,
            [
                ("q", "a::b", Verdict::Passed),
                ("q", "c", Verdict::Failed),
                ("q::test/t", "a::b", Verdict::Ignored),
            ]
        );
    }

    #[test]
    fn names_of_packages_are_read_off_their_ids() {
        assert_eq!(package_name("path+file:///p/q-1.0.0#q@1.0.0"), "q");
        assert_eq!(package_name("path+file:///p/q#1.0.0"), "q");
    }
}

//! Small projects on which the command was once wrong.

use super::control::{Explored, read as read_json};
use super::kept::{folder, log};
use super::process::{Ending, run as measure};
use crate::Result;
use crate::package::copy;
use crate::selvedge::Selvedge;
use serde::Deserialize;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How they are called on the command line.
pub(crate) const ALL: &str = "projects";

const FILE: &str = "field/projects.toml";
const PATIENCE: Duration = Duration::from_secs(300);

/// A project and what is expected of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Project {
    /// Its folder below `field/projects`.
    name: String,
    /// What it shows.
    shows: String,
    /// The calls of the command.
    #[serde(rename = "run")]
    runs: Vec<Run>,
}

/// A call of the command.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    /// The arguments behind `cargo selvedge test`.
    #[serde(default)]
    arguments: Vec<String>,
    /// The tests in which nothing may be found, not even a warning.
    #[serde(default)]
    silent: Vec<String>,
    /// The tests in which something has to be found.
    #[serde(default)]
    found: Vec<String>,
    /// No process of the command's may have more memory than this, in megabytes.
    peak: Option<u64>,
}

/// Checks all projects. The first that is wrong is an error.
pub(crate) fn check_all(root: &Path, selvedge: &Selvedge) -> Result<()> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct List {
        project: Vec<Project>,
    }
    let text = fs::read_to_string(root.join(FILE))
        .map_err(|error| format!("failed to read {FILE}: {error}"))?;
    let list: List = toml::from_str(&text).map_err(|error| format!("{FILE}: {error}"))?;
    let mut wrong = Vec::new();
    for project in &list.project {
        println!("{}: {}", project.name, project.shows);
        let place = folder(root).join("projects").join(&project.name);
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        copy(&root.join("field/projects").join(&project.name), &place)?;
        for run in &project.runs {
            let objections = check(root, selvedge, &place, run)?;
            wrong.extend(objections.iter().map(|why| format!("{}: {why}", project.name)));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("projects of {FILE} are not as they should be:\n{}", wrong.join("\n")).into())
}

/// Everything that is not as a call should be.
fn check(root: &Path, selvedge: &Selvedge, place: &Path, run: &Run) -> Result<Vec<String>> {
    let (json, said) = (log(root, "project.json"), log(root, "project.txt"));
    if json.exists() {
        fs::remove_file(&json)?;
    }
    let mut command = selvedge.test(&place.join("Cargo.toml"), &place.join("target"));
    command.args(&run.arguments).arg("--json").arg(&json);
    let both = fs::File::create(&said)?;
    let ran = measure(command.stdout(both.try_clone()?).stderr(both), PATIENCE)?;
    let expected = if run.found.is_empty() { 0 } else { 1 };
    if ran.ending != Ending::Exited(expected) || !json.exists() {
        let said = fs::read_to_string(&said)?;
        return Ok(vec![format!("{:?} instead of exit code {expected}:\n{said}", ran.ending)]);
    }
    let tests = read_json(&fs::read_to_string(&json)?)?;
    let mut wrong = objections(run, &tests);
    if let Some(peak) = run.peak.filter(|peak| ran.peak > peak << 20) {
        wrong.push(format!("a process had {} MB, more than {peak} MB", ran.peak >> 20));
    }
    Ok(wrong)
}

fn objections(run: &Run, tests: &[Explored]) -> Vec<String> {
    let mut wrong = Vec::new();
    let is_listed = |list: &[String], name: &str| list.iter().any(|listed| listed == name);
    for Explored { test, found, warnings, .. } in tests {
        match (is_listed(&run.silent, test), is_listed(&run.found, test), found) {
            (true, false, None) if *warnings == 0 => {}
            (true, false, None) => wrong.push(format!("a warning is told of {test}")),
            (true, false, Some(found)) => wrong.push(format!("{test}: {}", found.headline)),
            (false, true, Some(_)) => {}
            (false, true, None) => wrong.push(format!("nothing was found in {test}")),
            (false, false, _) | (true, true, _) => {
                wrong.push(format!("what {test} should be is not said"));
            }
        }
    }
    let listed = run.silent.iter().chain(&run.found);
    let missing = listed.filter(|name| tests.iter().all(|test| test.test != **name));
    wrong.extend(missing.map(|name| format!("{name} was not run")));
    wrong
}

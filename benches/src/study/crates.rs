//! Subjects that are published crates: tests of the project in `benches/crates`, which nobody has
//! changed for the study. `cargo selvedge` builds and explores them; with noise, the same binary runs
//! them on ordinary threads.

use super::controlled::{self, Run, Technique};
use super::noisy::Setting;
use super::pair::{Pair, Pairs};
use selvedge_model::MetricReport;
use serde::Deserialize;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

const WORKSPACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/crates");

/// A line of what `cargo selvedge coverage --json` writes.
#[derive(Deserialize)]
struct Line {
    metrics: Vec<MetricReport>,
}

/// Calls `cargo selvedge` in the project.
fn cargo_selvedge(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--manifest-path", WORKSPACE, "-p", "cargo-selvedge"])
        .args(["--", "selvedge"])
        .args(arguments)
        .current_dir(PROJECT)
        .output()
        .expect("cargo can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo selvedge {arguments:?} has failed:\n{said}");
    output
}

/// Explores a test.
pub(crate) fn run(test: &str, technique: Technique, seed: u64, executions: u64) -> Run {
    let file = std::env::temp_dir().join(format!("selvedge-study-{}.json", std::process::id()));
    let path = file.display().to_string();
    let (seed, limit) = (seed.to_string(), executions.to_string());
    let mut arguments = vec!["coverage", "--metric", "sp", "--json", &path, "--seed", &seed];
    arguments.extend(["--executions", &limit, "--time", "600s", "--strategy", technique.strategy]);
    arguments.push(test);
    cargo_selvedge(&arguments);
    let text = std::fs::read_to_string(&file).expect("the command has written it");
    let _ = std::fs::remove_file(&file);
    let line: Line = serde_json::from_str(text.trim_end()).expect("one test was explored");
    controlled::of_metric(&line.metrics[0], None, executions)
}

/// Where the tests are, as they were built with the mirrors.
fn binary() -> &'static PathBuf {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let output = cargo_selvedge(&["test", "--no-run", "--color", "never"]);
        let said = String::from_utf8_lossy(&output.stderr);
        let built = said.lines().find_map(|line| line.trim().strip_prefix("Built study-crates ("));
        let path = built.and_then(|rest| rest.strip_suffix(')'));
        path.unwrap_or_else(|| panic!("it is not said what was built:\n{said}")).into()
    })
}

/// Runs a test on ordinary threads.
pub(crate) fn noisy_run(test: &str, setting: Setting, seed: u64, executions: u64) -> Pairs {
    let output = Command::new(binary())
        .args(["--exact", test])
        .env("SELVEDGE_NOISE", setting.series(seed, executions))
        .output()
        .expect("the test binary can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{test} has failed with noise:\n{text}");
    text.lines().filter_map(|line| Pair::parse(line.strip_prefix("pair\t")?)).collect()
}

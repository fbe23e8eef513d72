//! How many instructions a step takes, counted by valgrind, against what it may take.
//!
//! A clock says something else in every run on a machine that others use; a count of instructions
//! does not. Each program is counted with two numbers of executions, and the difference is divided
//! by the steps that the longer run has more: what happens once is not part of it. On a busy machine a run
//! may take so long that its watchdog looks more often; that only ever adds, so a count that is not as expected is
//! made again, and the least counts.

use crate::{Output, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Where the budget is kept.
const FILE: &str = "benches/budget.toml";
/// So much more than the budget a step may take.
const SLACK: f64 = 0.03;
/// So often it is counted where one count is not enough.
const AGAIN: usize = 3;
/// About so many steps are counted.
const STEPS: u64 = 60_000;

/// What is counted: a strategy, or random choices with metrics, and a program of `benches/src/programs/steady.rs`, with about how many
/// steps an execution of it has.
struct Counted(&'static str, &'static str, u64);

const COUNTED: [Counted; 12] = [
    Counted("random", "mutex_inc(2, 1)", 15),
    Counted("random", "mutex_inc(2, 100)", 410),
    Counted("random", "atomic_inc(2, 100)", 210),
    Counted("random", "spsc(3, 2)", 30),
    Counted("random", "spsc(100, 4)", 1000),
    Counted("random", "channel3(2)", 20),
    Counted("random", "condvar_pingpong(2)", 20),
    Counted("random", "condvar_pingpong(100)", 700),
    Counted("random", "yields(256, 100)", 20_000),
    Counted("portfolio", "mutex_inc(2, 1)", 15),
    Counted("portfolio", "spsc(100, 4)", 1000),
    Counted("metrics", "mutex_inc(2, 100)", 410),
];

impl Counted {
    fn name(&self) -> String {
        format!("{}: {}", self.0, self.1)
    }
}

/// Instructions a step, by what was counted.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    instructions_per_step: BTreeMap<String, f64>,
}

/// Counts, and compares with the budget.
pub(crate) fn check(root: &Path) -> Result<()> {
    let text = fs::read_to_string(root.join(FILE))
        .map_err(|error| format!("failed to read {FILE}: {error}"))?;
    let budget: Budget = toml::from_str(&text).map_err(|error| format!("{FILE}: {error}"))?;
    build(root)?;
    let mut over = Vec::new();
    for counted in &COUNTED {
        let name = counted.name();
        let allowed = budget
            .instructions_per_step
            .get(&name)
            .ok_or_else(|| format!("{FILE} has no entry for `{name}`; run with --update"))?;
        let mut count = per_step(root, counted, 1)?;
        if (count / allowed - 1.0).abs() > SLACK {
            count = per_step(root, counted, AGAIN)?;
        }
        let change = count / allowed - 1.0;
        println!("{name:40} {count:8.1} of {allowed:8.1}  {:+.1} %", change * 100.0);
        if change > SLACK {
            over.push(name);
        }
    }
    match over[..] {
        [] => Ok(()),
        _ => Err(format!(
            "more than {} % above the budget: {}; make it cheaper, or say why not and run with \
             --update",
            SLACK * 100.0,
            over.join(", ")
        )
        .into()),
    }
}

/// Counts, and makes the budget of it.
pub(crate) fn measure_all(root: &Path) -> Result<Output> {
    build(root)?;
    let mut instructions_per_step = BTreeMap::new();
    for counted in &COUNTED {
        instructions_per_step.insert(counted.name(), per_step(root, counted, AGAIN)?);
    }
    let table = toml::to_string(&Budget { instructions_per_step })?;
    let text =
        format!("# Written by `cargo run -p xtask -- budget --update`; do not edit.\n\n{table}");
    Ok(Output { path: FILE.into(), text })
}

/// Builds what is counted.
fn build(root: &Path) -> Result<()> {
    let built = Command::new(env!("CARGO"))
        .args(["build", "--release", "--locked", "--package", "selvedge-benches"])
        .current_dir(root)
        .status()?;
    match built.success() {
        true => Ok(()),
        false => Err("the benches do not build".into()),
    }
}

/// Instructions a step, counted so many times.
fn per_step(root: &Path, counted: &Counted, times: usize) -> Result<f64> {
    let executions = (STEPS / counted.2).max(1);
    let short = least(root, counted, executions, times)?;
    let long = least(root, counted, 2 * executions, times)?;
    let steps = long.steps.saturating_sub(short.steps).max(1);
    let each = long.instructions.saturating_sub(short.instructions) as f64 / steps as f64;
    Ok((each * 10.0).round() / 10.0)
}

/// The least of so many counts.
fn least(root: &Path, counted: &Counted, executions: u64, times: usize) -> Result<Count> {
    let mut least = count(root, counted, executions)?;
    for _ in 1..times {
        let again = count(root, counted, executions)?;
        least.instructions = least.instructions.min(again.instructions);
    }
    Ok(least)
}

/// What a process did.
struct Count {
    instructions: u64,
    steps: u64,
}

/// Runs a program so many times under valgrind.
fn count(root: &Path, counted: &Counted, executions: u64) -> Result<Count> {
    let &Counted(strategy, program, _) = counted;
    let output = Command::new("valgrind")
        // The simplest tool that counts. It knows nothing of stacks, so fibers do not confuse it.
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(root.join("target/release/selvedge-benches"))
        .args(["--child", "count", strategy, program])
        .arg(executions.to_string())
        .output()
        .map_err(|error| {
            format!("can not run valgrind: {error}; on Debian: apt-get install valgrind")
        })?;
    let log = String::from_utf8_lossy(&output.stderr);
    let answer = String::from_utf8_lossy(&output.stdout);
    let instructions = log.lines().find_map(|line| {
        let (_, figure) = line.split_once("I   refs:").or_else(|| line.split_once("I refs:"))?;
        figure.trim().replace(',', "").parse().ok()
    });
    match (instructions, answer.trim().parse()) {
        (Some(instructions), Ok(steps)) if output.status.success() => {
            Ok(Count { instructions, steps })
        }
        _ => Err(format!("{} was not counted:\n{answer}{log}", counted.name()).into()),
    }
}

//! How much memory a long execution takes, and whether many executions take more and more.

use crate::args::Size;
use crate::child::{answer, ask};
use crate::engines::{selvedge, shuttle};
use crate::figures::{NONE, size as megabytes};
use crate::program::find;
use crate::report::{Section, Verdict};
use ::selvedge::StrategyName;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most that a process with an execution of a million steps may take, in kilobytes.
const PEAK_BAR: f64 = 100.0 * 1024.0;
/// The most that many executions may take in addition, in kilobytes: what an allocator may keep
/// for itself, and far less than one byte for each of them.
const GROWTH_BAR: f64 = 1024.0;

/// How many steps the long execution has, at least.
const STEPS: f64 = 1e6;

/// The name of the jobs of this section.
pub(crate) const JOB: &str = "memory";

pub(crate) fn measure(size: Size) -> Section {
    let mut section = Section::new("Memory");
    peaks(&mut section);
    growth(&mut section, size);
    section
}

/// The table of long executions.
fn peaks(section: &mut Section) {
    let mut rows = Vec::new();
    for (engine, executions) in [("random", "1"), ("portfolio", "12"), ("shuttle", "1")] {
        for name in ["atomic_inc(2, 500_000)", "mutex_inc(2, 250_000)"] {
            eprintln!("memory: {name}, {engine}");
            let [steps, peak] = numbers(&["peak", engine, name, executions]);
            let verdict = match engine {
                "shuttle" => NONE.to_owned(),
                _ => section.verdict(Verdict::of(steps >= STEPS && peak <= PEAK_BAR)),
            };
            rows.push(vec![
                if engine == "shuttle" { "shuttle random".into() } else { engine.to_owned() },
                format!("`{name}`"),
                executions.to_owned(),
                format!("{steps}"),
                megabytes(peak),
                verdict,
            ]);
        }
    }
    section.say(
        "The most memory that a process had with long executions, each in a process of its own. \
         The portfolio runs several of them, so that most of its strategies have their turn.",
    );
    section.table(&["engine", "program", "executions", "steps of each", "peak", "≤ 100 MB"], &rows);
}

/// The table of many executions.
fn growth(section: &mut Section, size: Size) {
    let executions = match size {
        Size::Quick => 200_000,
        Size::Usual => 2_000_000,
        Size::Full => 10_000_000,
    };
    let mut rows = Vec::new();
    for strategy in ["random", "portfolio"] {
        for name in ["mutex_inc(2, 1)", "channel3(2)"] {
            eprintln!("memory: {executions} of {name}, {strategy}");
            let [before, after] = numbers(&["growth", strategy, name, &executions.to_string()]);
            rows.push(vec![
                strategy.to_owned(),
                format!("`{name}`"),
                megabytes(before),
                megabytes(after),
                section.verdict(Verdict::at_most(GROWTH_BAR, after - before)),
            ]);
        }
    }
    section.say(&format!(
        "Memory after a twentieth of {executions} executions, and after all of them:"
    ));
    section.table(&["strategy", "program", "before", "after", "≤ 1 MB more"], &rows);
}

/// The answer of a job, which is a line of numbers. Not a number where there is none, so that no
/// bar is reached.
fn numbers<const N: usize>(job: &[&str]) -> [f64; N] {
    let lines = ask(&[&[JOB], job].concat(), Stdio::inherit());
    let fields = lines.first().map(Vec::as_slice).unwrap_or_default();
    std::array::from_fn(|index| {
        fields.get(index).and_then(|field| field.parse().ok()).unwrap_or(f64::NAN)
    })
}

/// Does a job in this process.
pub(crate) fn job(arguments: &[&str]) -> Option<()> {
    let &[what, engine, name, executions] = arguments else { return None };
    let executions: u64 = executions.parse().ok()?;
    match (what, engine) {
        ("peak", "shuttle") => {
            let program = find(shuttle::steady::ALL, name);
            let ran = shuttle::random_of_any_length(program, executions as usize);
            tell_peak(ran.steps? / ran.executions);
        }
        ("peak", strategy) => {
            let program = find(selvedge::steady::ALL, name);
            let settings = selvedge::settings(strategy.parse().ok()?, 1, executions);
            let report = selvedge::pass(settings.max_steps(u64::MAX), program);
            tell_peak(report.steps / report.executions);
        }
        ("growth", strategy) => grow(strategy.parse().ok()?, name, executions),
        _ => return None,
    }
    Some(())
}

fn tell_peak(steps: u64) {
    answer(&[&steps.to_string(), &status("VmHWM:").to_string()]);
}

/// Runs many executions and tells how much memory there is early and late on.
fn grow(strategy: StrategyName, name: &str, executions: u64) {
    let program = find(selvedge::steady::ALL, name);
    let counter = Arc::new(AtomicU64::new(0));
    let (before, after) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let noted = [(executions / 20, Arc::clone(&before)), (executions, Arc::clone(&after))];
    let test = move || {
        program();
        let number = counter.fetch_add(1, Ordering::Relaxed) + 1;
        for (when, note) in &noted {
            if number == *when {
                note.store(status("VmRSS:"), Ordering::Relaxed);
            }
        }
    };
    let settings = selvedge::settings(strategy, 1, executions);
    let report = settings.explore(test).expect("the settings are right");
    if report.executions < executions {
        // Something was found or there was nothing to repeat: there is nothing to compare.
        return;
    }
    let [before, after] = [before, after].map(|note| note.load(Ordering::Relaxed).to_string());
    answer(&[&before, &after]);
}

/// A figure of the kernel's about this process, in kilobytes.
fn status(key: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
    let figure = line.trim().trim_end_matches("kB").trim();
    figure.parse().unwrap_or_else(|_| panic!("/proc/self/status says nothing of {key}"))
}

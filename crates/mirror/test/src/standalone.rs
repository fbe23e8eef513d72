//! A test binary that is run as it is, without `cargo selvedge`: by a person, or by another
//! runner such as cargo-nextest, which lists the tests and then runs each in a process of its own.

use crate::{TestDescAndFn, body, plain, settings};
use selvedge_campaign::{Explored, Watched, watched};
use selvedge_harness::{Format, Selection, TestInfo};
use selvedge_model::{Learned, Stopped};
use selvedge_report::{Context, NoSources, Style, explain, headline};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// What the process leaves with if a test has failed, as libtest does.
pub(crate) const FAILED: i32 = 101;

/// How tests are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runner {
    /// Under control, again and again.
    Controlled,
    /// Once, as they would be without Selvedge.
    Plain,
}

/// Does what the arguments say.
#[expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a test runner")]
pub(crate) fn run(
    tests: &[&TestDescAndFn],
    arguments: impl IntoIterator<Item = String>,
    runner: Runner,
) -> ExitCode {
    let selection = match Selection::parse(arguments) {
        Ok(selection) => selection,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut config = settings::defaults();
    if let Err(errors) = config.apply_environment(std::env::vars()) {
        errors.iter().for_each(|error| eprintln!("error: {error}"));
        return ExitCode::FAILURE;
    }
    let tests = tests.iter().map(|test| (test.info(), **test));
    let all = tests.len();
    let chosen: Vec<_> = tests.filter(|(info, _)| selection.includes(info)).collect();
    let filtered = all - chosen.len();
    if selection.lists() {
        list(chosen.iter().map(|(info, _)| info), selection.format());
        return ExitCode::SUCCESS;
    }
    let began = Instant::now();
    let plural = if chosen.len() == 1 { "" } else { "s" };
    println!("\nrunning {} test{plural}", chosen.len());
    let (mut failed, mut ignored) = (0, 0);
    let count = chosen.len();
    for (info, test) in chosen {
        if !selection.runs(&info) {
            println!("test {} ... ignored", info.name);
            ignored += 1;
            continue;
        }
        if runner == Runner::Plain {
            failed += usize::from(plain::run(&info.name, test).is_err());
            continue;
        }
        let watched_test = Watched {
            config: config.clone(),
            metrics: Vec::new(),
            name: info.name.clone(),
            known: Learned::default(),
            on_progress: &mut |_| {},
        };
        let explored = watched(watched_test, Arc::new(move || body::run(&test)));
        let report = explored.map(|Explored { mut report, .. }| {
            body::place(&mut report, &info.at);
            report
        });
        match report {
            Ok(report) => match &report.finding {
                Some(finding) => {
                    failed += 1;
                    println!("test {} ... FAILED: {}", info.name, headline(finding));
                    println!(
                        "{}",
                        explain(
                            finding,
                            Context { test: Some(&info.name), kept: None },
                            Style::default(),
                            &NoSources
                        )
                    );
                }
                None if report.stopped == Stopped::Sequential => {
                    println!("test {} ... ok", info.name);
                }
                None if report.stopped == Stopped::Long => println!(
                    "test {} ... ok (too long to explore: {} executions, {} steps)",
                    info.name, report.executions, report.steps
                ),
                None if report.stopped == Stopped::OwnMemory => println!(
                    "test {} ... ok (stopped at Selvedge's own memory limit: {} executions)",
                    info.name, report.executions
                ),
                None if report.stopped == Stopped::Unfinished => println!(
                    "test {} ... not finished: the first execution did not come to its end",
                    info.name
                ),
                None => println!("test {} ... ok ({} executions)", info.name, report.executions),
            },
            Err(error) => {
                failed += 1;
                println!("test {} ... FAILED: no thread to run it on: {error}", info.name);
            }
        }
    }
    // As libtest says it: a test that runs its own binary again may well read it.
    println!(
        "\ntest result: {}. {} passed; {failed} failed; {ignored} ignored; 0 measured; {filtered} \
         filtered out; finished in {:.2}s\n",
        if failed == 0 { "ok" } else { "FAILED" },
        count - failed - ignored,
        began.elapsed().as_secs_f64()
    );
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Names the tests.
#[expect(clippy::print_stdout, reason = "it is a test runner")]
fn list<'a>(tests: impl Iterator<Item = &'a TestInfo>, format: Format) {
    let mut count = 0;
    for test in tests {
        println!("{}: test", test.name);
        count += 1;
    }
    if format == Format::Pretty {
        println!("\n{count} tests, 0 benchmarks");
    }
}

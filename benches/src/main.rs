//! The same programs on Selvedge, shuttle and loom, side by side.
//!
//! `cargo run --release -p selvedge-benches` measures everything and writes `RESULTS.md` beside
//! this package's manifest; see `--help` for less. Every figure that has a bar to reach is shown
//! with it and with whether it is reached.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark reports to a terminal")]
#![expect(clippy::duplicate_mod, reason = "the programs are compiled once for each engine")]

mod args;
mod budget;
mod chapter;
mod child;
mod clock;
mod engines;
mod figures;
mod hush;
mod machine;
mod measure;
mod program;
mod report;
mod saturation;
mod sct;
mod sections;
mod study;

use args::{Request, Run, SectionName};
use report::{Section, Tally};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match args::parse(std::env::args().skip(1)) {
        Ok(Request::Help) => {
            print!("{}", args::HELP);
            Ok(())
        }
        Ok(Request::Child(job)) => child::serve(&job),
        Ok(Request::Study(arguments)) => study::run(arguments.into_iter()),
        Ok(Request::Saturation(arguments)) => saturation::run(arguments.into_iter()),
        Ok(Request::Run(run)) => measure_all(&run),
        Ok(Request::Sct(sct)) => measure_sct(&sct),
        Err(error) => Err(error),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure_all(run: &Run) -> Result<(), String> {
    hush::order_panic_hooks();
    let mut sections = Vec::new();
    for name in &run.sections {
        let section = match name {
            SectionName::Speed => sections::speed::measure(run.size),
            SectionName::Metrics => sections::metrics::measure(run.size),
            SectionName::Bugs => sections::bugs::measure(run.size),
            SectionName::Outcomes => sections::outcomes::measure(run.size),
            SectionName::Memory => sections::memory::measure(run.size),
        };
        sections.push(section);
    }
    publish(&render(run, &sections), run.file())
}

fn measure_sct(sct: &sct::args::Sct) -> Result<(), String> {
    hush::order_panic_hooks();
    publish(&sct::measure(sct)?, sct.file())
}

/// Prints a report, and writes it to the file if there is one.
fn publish(report: &str, file: Option<PathBuf>) -> Result<(), String> {
    println!("{report}");
    if let Some(file) = file {
        std::fs::write(&file, report)
            .map_err(|error| format!("failed to write {}: {error}", file.display()))?;
        eprintln!("written to {}", file.display());
    }
    Ok(())
}

/// The whole report, in Markdown.
fn render(run: &Run, sections: &[Section]) -> String {
    let tally = sections.iter().map(Section::tally).fold(Tally::default(), |sum, tally| Tally {
        passed: sum.passed + tally.passed,
        missed: sum.missed + tally.missed,
    });
    let mut text = format!(
        "# Selvedge beside its peers\n\n\
         Written by `{}`; do not edit.\n\n\
         - Versions: {}\n- Machine: {}\n- Bars: {} reached, {} missed\n",
        run.command(),
        machine::versions(),
        machine::machine(),
        tally.passed,
        tally.missed
    );
    for section in sections {
        text += "\n";
        text += section.text();
    }
    text
}

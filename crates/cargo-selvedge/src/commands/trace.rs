//! `cargo selvedge trace`.

use crate::cli::{AnalyzeArgs, ShowArgs, TraceArgs, TraceCommand};
use crate::exit::{Exit, Failure};
use crate::output::coverage::{Measured, list, table, uncovered};
use crate::output::trace::{Listing, Tally, race};
use crate::output::{colour, note, warn};
use crate::symbols::Symbols;
use selvedge_model::{Config, Observer};
use selvedge_observe::Watchers;
use selvedge_observe::detect::{Certainty, Detectors, Verdict};
use selvedge_observe::trace::{Judged, MEMORY, Played, Trace, TraceError, analyse};
use selvedge_report::{SourceFiles, plain, plain_lines};
use std::num::NonZero;
use std::path::{Path, PathBuf};

/// A longer trace is not read. `trace_size` makes them much shorter, unless somebody asks for more.
const LONGEST: u64 = 512 << 20;

/// Shows a trace, or what others say of it.
pub(crate) fn run(args: &TraceArgs) -> anyhow::Result<Exit> {
    match &args.command {
        TraceCommand::Show(args) => with(&args.file, |trace| show(trace, args)),
        TraceCommand::Analyze(args) => with(&args.file, |trace| analyze(trace, args)),
    }
}

/// Opens a trace for `f`.
fn with(file: &Path, f: impl FnOnce(&Trace<'_>) -> Result<Exit, Unusable>) -> anyhow::Result<Exit> {
    let unusable = |why: String| {
        Failure::with(Exit::Usage, format!("{} can not be used: {why}", file.display()))
    };
    let size = std::fs::metadata(file).map_err(|error| unusable(error.to_string()))?.len();
    if size > LONGEST {
        return Err(unusable(format!("it is longer than {} MiB", LONGEST >> 20)));
    }
    let bytes = std::fs::read(file).map_err(|error| unusable(error.to_string()))?;
    let trace = Trace::read(&bytes).map_err(|error| unusable(error.to_string()))?;
    if trace.left_out() > 0 {
        let (left_out, kept) = (trace.left_out(), trace.executions());
        note(&format!(
            "the trace has the first {kept} executions and had no room for {left_out} more"
        ));
    }
    f(&trace).map_err(|Unusable(why)| unusable(why))
}

/// Why a trace, or what was asked about it, will not do.
struct Unusable(String);

impl From<TraceError> for Unusable {
    fn from(error: TraceError) -> Self {
        Self(error.to_string())
    }
}

/// Files in which places of the program may be found.
struct Surroundings {
    files: SourceFiles,
    root: PathBuf,
    program: PathBuf,
}

impl Surroundings {
    fn of(trace: &Trace<'_>) -> Self {
        let root = std::env::current_dir().unwrap_or_default();
        let files = SourceFiles::new(vec![root.clone()]);
        Self { files, root, program: PathBuf::from(&trace.header().program) }
    }

    fn symbols(&self) -> Symbols<'_> {
        Symbols::of(&self.program, &self.files, &self.root)
    }
}

fn show(trace: &Trace<'_>, args: &ShowArgs) -> Result<Exit, Unusable> {
    match args.execution {
        Some(number) => show_execution(trace, number)?,
        None => show_counts(trace)?,
    }
    Ok(Exit::Clean)
}

fn show_counts(trace: &Trace<'_>) -> Result<(), Unusable> {
    anstream::println!("{}, executions: {}", plain(&trace.header().test), trace.executions());
    for (key, value) in &trace.header().settings {
        anstream::println!("  {} = {}", plain(key), plain(value));
    }
    let mut tally = Tally::default();
    let mut player = trace.player();
    let (mut passed, mut failed) = (0, Vec::new());
    while let Some(played) = player.play(&mut tally)? {
        match verdict(&played) {
            Some(Verdict::Passed) => passed += 1,
            Some(Verdict::Failed) => failed.push(played.execution.to_string()),
            None => {}
        }
    }
    anstream::println!("{passed} passed, {} failed", failed.len());
    if !failed.is_empty() {
        anstream::println!("failed: {}", failed.join(", "));
    }
    anstream::print!("what happened, all executions together:\n{}", plain_lines(&tally.table()));
    Ok(())
}

fn verdict(played: &Played) -> Option<Verdict> {
    played.judged.as_ref().map(|Judged { verdict, .. }| *verdict)
}

fn show_execution(trace: &Trace<'_>, number: NonZero<u64>) -> Result<(), Unusable> {
    if number.get() > trace.executions() as u64 {
        let there = trace.executions();
        return Err(Unusable(format!("there is no execution {number}: it has {there}")));
    }
    let surroundings = Surroundings::of(trace);
    let symbols = surroundings.symbols();
    let mut listing = Listing::new(&symbols);
    let mut passed_over = Tally::default();
    let mut player = trace.player();
    // Places are known from the executions before it.
    for _ in 1..number.get() {
        player.play(&mut passed_over)?;
    }
    let observer: &mut dyn Observer = &mut listing;
    let played = player.play(observer)?;
    anstream::println!(
        "{}, execution {number}:\n{:>7}  {:6} what",
        plain(&trace.header().test),
        "step",
        "thread"
    );
    anstream::print!("{}", plain_lines(&listing.text));
    match played.as_ref().and_then(verdict) {
        Some(Verdict::Passed) => anstream::println!("passed"),
        Some(Verdict::Failed) => anstream::println!("failed"),
        None => anstream::println!("given up"),
    }
    anstream::print!("what happened:\n{}", plain_lines(&listing.tally.table()));
    Ok(())
}

fn analyze(trace: &Trace<'_>, args: &AnalyzeArgs) -> Result<Exit, Unusable> {
    let config = config(trace, args)?;
    let mut watchers = Watchers::of_config(&config);
    let analysed = analyse(trace, &mut watchers)?;
    let surroundings = Surroundings::of(trace);
    let symbols = surroundings.symbols();
    let (executions, records) = (analysed.executions, analysed.records);
    anstream::println!(
        "{}: executions: {executions}, events and accesses: {records}",
        plain(&trace.header().test)
    );
    let mut told = Vec::new();
    for (execution, found) in &analysed.races {
        let places = (found.first.spot, found.second.spot);
        if !told.contains(&places) {
            anstream::print!("\n{}", plain_lines(&race(*execution, found, &symbols)));
            told.push(places);
        }
    }
    let suspicions = watchers.detectors.map(Detectors::into_suspicions).unwrap_or_default();
    for suspicion in suspicions.iter().filter(|one| one.certainty == Certainty::Told) {
        anstream::print!("\n{}", warn(&suspicion.warning, colour::of_stdout(), &symbols));
    }
    if let Some(coverage) = watchers.coverage {
        let (metrics, test) = (coverage.reports(), trace.header().test.as_str());
        let measured = [Measured { binary: String::new(), test, executions, metrics }];
        anstream::print!("\n{}", plain_lines(&table(&measured)));
        if args.list {
            anstream::print!("\n{}", plain_lines(&list(&measured)));
        }
        anstream::print!("{}", plain_lines(&uncovered(&measured)));
    }
    Ok(if analysed.races.is_empty() { Exit::Clean } else { Exit::Findings })
}

/// The settings of the exploration, and those that were asked for instead.
fn config(trace: &Trace<'_>, args: &AnalyzeArgs) -> Result<Config, Unusable> {
    let mut config = Config::default();
    let mut set = |place: &str, key: &str, value: &str| {
        let taken = config.set(key, value);
        taken.map_err(|error| Unusable(format!("{place}{key} = {value}: {error}")))
    };
    for (key, value) in &trace.header().settings {
        set("it was written with ", key, value)?;
    }
    if !args.metrics.is_empty() {
        set("", "metrics", &args.metrics.join(","))?;
    }
    if let Some(detectors) = &args.detectors {
        set("", "detectors", detectors)?;
    }
    // Whoever wrote the trace has no say in it.
    config.own_memory = MEMORY;
    Ok(config)
}

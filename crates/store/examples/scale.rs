//! How large a record gets, and how fast a campaign is gone on with after a `kill -9`.
//!
//! Writes a campaign of 1,000,000 executions and 100,000 requirements as the command does, a piece at
//! a time, and kills itself in the middle of it; then another process opens the file and reads what
//! is known, and writes on. Says how large the file is, how much memory each of them took and how
//! long it took.
//!
//! `cargo run --release -p selvedge-store --example scale`
#![expect(clippy::print_stdout, reason = "it is there to tell people")]

use selvedge_model::{
    CoveredRequirement, Frequency, Growth, Learned, LearnedMetric, Named, NamedObject, NamedThread,
    ObjectKind, Part, Place, Requirement, Source,
};
use selvedge_store::data::{NewCampaign, NewRun, RunId, TestName};
use selvedge_store::{Access, Database};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const EXECUTIONS: u64 = 1_000_000;
const REQUIREMENTS: u64 = 100_000;
/// So many executions are told of at a time: 100,000 a second, 20 messages a second.
const PIECE: u64 = 5_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    if let (Some(what), Some(file)) = (arguments.next(), arguments.next()) {
        let file = PathBuf::from(file);
        return if what == "write" { write(&file) } else { resume(&file) };
    }
    let folder = std::env::temp_dir().join(format!("selvedge-scale-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("campaigns.sqlite");
    let own = std::env::current_exe()?;
    let status = Command::new(&own).arg("write").arg(&file).status()?;
    println!("the writer ended with {status}");
    println!("file: {:.1} MB", megabytes(&folder)?);
    let status = Command::new(&own).arg("resume").arg(&file).status()?;
    println!("file: {:.1} MB", megabytes(&folder)?);
    std::fs::remove_dir_all(&folder)?;
    if status.success() { Ok(()) } else { Err("the second process failed".into()) }
}

fn megabytes(folder: &Path) -> std::io::Result<f64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes as f64 / 1e6)
}

/// A requirement as `hbpair*` has them: two places, an object and two threads.
fn requirement(number: u64) -> Requirement {
    let source = |file: u64, line: u64| Source {
        file: format!("crates/component-{file}/src/module_{}.rs", file % 7),
        line: 1 + line as u32 * 3,
        column: 9,
    };
    let part = |role: &str, is| Part { role: role.to_owned(), is };
    let (first, second) = (number % 500, number / 500);
    let origin = Some(Place::Line(source(number % 20, 900)));
    let kind = Some(ObjectKind::Mutex);
    let thread = |mark: u64| {
        let spawned = Some(source(mark % 3, 950));
        Named::Thread(NamedThread { spawned, mark: Some(mark.wrapping_mul(0x9e37_79b9_7f4a_7c15)) })
    };
    Requirement {
        parts: vec![
            part("", Named::Place(Place::Line(source(first % 20, first)))),
            part("before", Named::Place(Place::Line(source(second % 20, second)))),
            part("by way of", Named::Object(NamedObject { kind, origin, number: None })),
            part("from", thread(number % 13)),
            part("to", thread(number % 11)),
        ],
    }
}

/// The news of the executions up to this one. Requirements come up early, as they do.
fn news(until: u64) -> Learned {
    let count = |execution: u64| {
        let share = execution as f64 / EXECUTIONS as f64;
        (share.sqrt() * REQUIREMENTS as f64) as u64
    };
    let (from, to) = (count(until - PIECE), count(until));
    let covered = (from..to).map(|number| CoveredRequirement {
        requirement: requirement(number),
        frequency: if number % 5 == 0 { Frequency::Once } else { Frequency::Often },
        first: until - PIECE + 1 + (number - from) * PIECE / (to - from).max(1),
    });
    let covered: Vec<_> = covered.collect();
    let grown = covered.iter().enumerate();
    let growth = grown.map(|(index, covered)| Growth {
        execution: covered.first,
        covered: from + index as u64 + 1,
    });
    let metric = LearnedMetric { metric: "hbpair*".to_owned(), growth: growth.collect(), covered };
    Learned { executions: PIECE, steps: PIECE * 80, metrics: vec![metric], corpus: Vec::new() }
}

fn write(file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut database = Database::open(file, Access::Write)?;
    let campaign = NewCampaign { commit: None, toolchain: "rustc 1.95.0".to_owned(), part: None };
    let campaign = database.begin_campaign(&campaign)?;
    let run = database.begin_run(campaign, &run())?;
    let slice = database.begin_slice(run, 0)?;
    let (began, mut slowest) = (Instant::now(), Duration::ZERO);
    for piece in 1..=EXECUTIONS / PIECE {
        let news = news(piece * PIECE);
        let told = Instant::now();
        database.learn(run, slice, &news, began.elapsed(), &())?;
        slowest = slowest.max(told.elapsed());
    }
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "written in {seconds:.2} s, the slowest of {} commits in {} ms, with at most {} MB",
        EXECUTIONS / PIECE,
        slowest.as_millis(),
        peak()?
    );
    let own = std::process::id().to_string();
    Command::new("kill").args(["-9", &own]).status()?;
    Err("nobody has killed it".into())
}

fn run() -> NewRun {
    NewRun {
        test: TestName {
            package: "store".to_owned(),
            target: "store".to_owned(),
            kind: "lib".to_owned(),
            name: "tests::many_threads".to_owned(),
        },
        build: 1,
        settings: Vec::new(),
        strategy: "portfolio".to_owned(),
        seed: 0,
    }
}

fn resume(file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let began = Instant::now();
    let mut database = Database::open(file, Access::Write)?;
    let campaigns = database.campaigns()?;
    let campaign = campaigns.last().ok_or("the campaign is lost")?.id;
    let id: RunId = database.runs(campaign)?.first().ok_or("the run is lost")?.id;
    database.go_on(campaign)?;
    let known = database.known(id)?;
    let covered = known.metrics.first().map_or(0, |metric| metric.covered.len());
    println!(
        "gone on after {:.2} s with {} executions and {covered} requirements, with at most {} MB",
        began.elapsed().as_secs_f64(),
        known.executions,
        peak()?
    );
    let complete = known.executions == EXECUTIONS && covered as u64 == REQUIREMENTS;
    if complete { Ok(()) } else { Err("something is lost".into()) }
}

/// The most memory that this process has used, in megabytes, as Linux counts it.
fn peak() -> std::io::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    Ok(kilobytes.unwrap_or(0) / 1024)
}

//! `cargo selvedge generate`.

use crate::cargo_args::CargoArgs;
use crate::cli::{GenerateArgs, SteeringName};
use crate::compile::{Library, library};
use crate::exit::{Exit, Failure};
use crate::generate::{
    Built, Lines, build, document, matrix, run as run_harness, tell_summary, tell_violation,
    write_tests,
};
use crate::output::{Status, note, seconds};
use crate::project::{Project, Toolchain};
use cargo_metadata::Package;
use selvedge_generate::{Harness, Row, Subject, subjects};
use selvedge_harness::{GenerateOrder, Judging, Level, Steering};
use std::time::{Duration, Instant};

/// So often people hear how far a type has come.
const PROGRESS: Duration = Duration::from_secs(10);

/// Documents, compiles, runs, tells.
pub(crate) fn run(args: &GenerateArgs) -> anyhow::Result<Exit> {
    let toolchain = Toolchain::find()?;
    let cargo = args.library.cargo();
    let project = Project::of(&toolchain, &cargo)?;
    let mut json = args.json.as_deref().map(Lines::to).transpose()?;
    let mut exit = Exit::NothingToRun;
    for package in packages(&project, &cargo)? {
        let documented = document(&toolchain, &project, &cargo, package)?;
        let (subjects, skipped) = subjects(&documented);
        let subjects: Vec<_> = subjects.into_iter().filter(|one| is_meant(one, args)).collect();
        // What methods return is called where it is returned.
        let calls = || subjects.iter().flat_map(|subject| &subject.calls);
        let is_handle = |type_: &str| calls().any(|row| row.method.0 == type_);
        for one in skipped.iter().filter(|one| !is_handle(&one.method.0)) {
            note(&format!("{} is not tested: {}", one.method.0, one.reason));
        }
        if subjects.is_empty() {
            note(&format!(
                "{} has no type that threads may share and that can be made",
                package.name
            ));
            continue;
        }
        let library = library(&toolchain, &project, &cargo, package)?;
        for subject in subjects {
            let came = test_subject(
                &toolchain,
                (&project, package),
                args,
                &library,
                subject,
                json.as_mut(),
            )?;
            exit = match (exit, came) {
                (_, Exit::Findings) | (Exit::Findings, _) => Exit::Findings,
                (Exit::NothingToRun, other) => other,
                (exit, _) => exit,
            };
        }
    }
    Ok(exit)
}

/// The packages whose types are tested: those that are named, which may be dependencies, or those of the workspace that
/// cargo would build.
fn packages<'a>(project: &'a Project, cargo: &CargoArgs) -> anyhow::Result<Vec<&'a Package>> {
    let metadata = &project.metadata;
    if cargo.package.is_empty() {
        let packages = match cargo.workspace {
            true => metadata.workspace_packages(),
            false => metadata.workspace_default_packages(),
        };
        return Ok(packages);
    }
    let mut packages = Vec::new();
    for spec in &cargo.package {
        let (name, version) = spec.split_once('@').map_or((&**spec, None), |(n, v)| (n, Some(v)));
        let is = |package: &&Package| {
            package.name == name
                && version.is_none_or(|version| package.version.to_string() == version)
        };
        let Some(package) = metadata.packages.iter().find(is) else {
            let text =
                format!("there is no package {spec} in this project or among what it depends on");
            return Err(Failure::with(Exit::Usage, text));
        };
        packages.push(package);
    }
    Ok(packages)
}

fn is_meant(subject: &Subject, args: &GenerateArgs) -> bool {
    args.types.is_empty() || args.types.iter().any(|name| subject.name.contains(name))
}

fn is_called(row: &Row, args: &GenerateArgs) -> bool {
    let is = |name: &String| row.method.1 == *name || row.name == *name;
    (args.methods.is_empty() || args.methods.iter().any(is)) && !args.without.iter().any(is)
}

fn order(args: &GenerateArgs) -> GenerateOrder {
    GenerateOrder {
        seed: args.seed,
        time: args.time.0,
        tests: args.tests.unwrap_or(u64::MAX),
        schedules: args.schedules.get(),
        steering: match args.steering {
            SteeringName::Covering => Steering::Covering,
            SteeringName::Covcon => Steering::CovCon,
            SteeringName::Naive => Steering::Naive,
            SteeringName::Random => Steering::Random,
        },
        judging: if args.no_judging { Judging::Off } else { Judging::On },
        length: args.length.map(std::num::NonZero::get),
        findings: args.findings.get(),
        without: Vec::new(),
    }
}

fn test_subject(
    toolchain: &Toolchain,
    (project, package): (&Project, &Package),
    args: &GenerateArgs,
    library: &Library,
    subject: Subject,
    json: Option<&mut Lines>,
) -> anyhow::Result<Exit> {
    let name = subject.name.clone();
    let folder = project.folder.join("generate").join(name.replace("::", "-"));
    let mut harness = Harness::new(subject);
    harness.retain(|row| is_called(row, args));
    let built = match build(toolchain, library, harness, &folder)? {
        Ok(built) => built,
        Err(why) => {
            note(&format!("{name} is not tested: {why}"));
            return Ok(Exit::NothingToRun);
        }
    };
    tell_skipped(&built);
    if args.list {
        Status::Listing.say(&name);
        for row in built.harness.calls() {
            anstream::println!("{name}: {}", row.name);
        }
        return Ok(Exit::Clean);
    }
    Status::Running.say(&name);
    if let Some(seeds) = args.seeds {
        return with_seeds(&built, args, seeds.get());
    }
    let mut told = Instant::now();
    let came = run_harness(&built.executable, &built.harness, &order(args), |counts| {
        if told.elapsed() >= PROGRESS {
            told = Instant::now();
            Status::Running.say(&format!(
                "{name}: {} tests, {} of {} pairs so far",
                counts.tests, counts.covered, counts.pairs
            ));
        }
    })?;
    for violation in &came.violations {
        tell_violation(&built.harness, violation);
    }
    tell_summary(&built.harness, &came);
    if let (true, Some(summary)) = (args.matrix, &came.summary) {
        matrix(&built.harness, summary).iter().for_each(|line| anstream::println!("{line}"));
    }
    if let Some(json) = json {
        json.write(&built.harness, &came)?;
    }
    if args.write {
        write_tests(package, &built.harness, &came.violations)?;
    }
    let counts = |level: Level| level == Level::Finding || args.strict;
    match came.violations.iter().any(|one| counts(one.level)) {
        true => Ok(Exit::Findings),
        false => Ok(Exit::Clean),
    }
}

/// Tests a type with several seeds.
fn with_seeds(built: &Built, args: &GenerateArgs, seeds: u64) -> anyhow::Result<Exit> {
    let mut times = Vec::new();
    for seed in args.seed..args.seed + seeds {
        let order = GenerateOrder { seed, findings: 1, ..order(args) };
        let came = run_harness(&built.executable, &built.harness, &order, |_| {})?;
        let first = came.violations.iter().find(|one| one.level == Level::Finding);
        times.extend(first.map(|one| (one.after, one.tests)));
    }
    let found = times.len();
    let mean = times.iter().map(|(after, _)| *after).sum::<Duration>() / found.max(1) as u32;
    let tests = times.iter().map(|(_, tests)| *tests).sum::<u64>() / found.max(1) as u64;
    let name = &built.harness.subject.name;
    let text = format!(
        "{name}: found with {found} of {seeds} seeds, after {} and {tests} tests on the average",
        seconds(mean)
    );
    let (status, exit) =
        if found > 0 { (Status::Found, Exit::Findings) } else { (Status::Passed, Exit::Clean) };
    status.say(&text);
    Ok(exit)
}

fn tell_skipped(built: &Built) {
    let name = &built.harness.subject.name;
    for one in &built.harness.subject.skipped {
        note(&format!("{name}: {} is not called: {}", one.method.1, one.reason));
    }
    for (row, why) in built.harness.refused() {
        note(&format!("{name}: {} is not called: {why}", row.name));
    }
}

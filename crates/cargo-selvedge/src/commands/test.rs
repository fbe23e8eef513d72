//! `cargo selvedge test`.

use super::campaign::{Campaign, Todo};
use crate::cli::{Split, TestArgs};
use crate::compile::{Binary, compile};
use crate::doc_tests;
use crate::exit::{Exit, Failure};
use crate::memory_layer::MemoryLayer;
use crate::output::{Status, note};
use crate::project::{Project, Toolchain};
use crate::record::{Begin, Record, Where, check_that_it_can_be_split, part_of, shares};
use crate::run::{Allotment, Plan};
use crate::settings::Settings;
use anyhow::Context;
use selvedge_harness::{Format, Selection};
use selvedge_report::plain;
use selvedge_store::data::Shard;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

/// Builds, explores, tells.
pub(crate) fn run(args: &TestArgs) -> anyhow::Result<Exit> {
    run_then(args, None, |_| Ok(()))
}

/// A part of the work, which is kept apart.
#[derive(Clone, Debug)]
pub(super) struct Apart {
    /// Which part.
    pub(super) shard: Shard,
    /// What is dealt out.
    pub(super) split: Split,
    /// Where it is kept, if that was said.
    pub(super) into: Option<PathBuf>,
}

/// As [`run`]; `then` sees what came of all tests before the summary is told.
pub(super) fn run_then(
    args: &TestArgs,
    apart: Option<Apart>,
    then: impl FnOnce(&Campaign<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    let mut selection = Selection::parse(args.runner.iter().cloned())
        .map_err(|error| Failure::with(Exit::Usage, error.to_string()))?;
    args.filters.iter().cloned().for_each(|filter| selection.add_filter(filter));
    let toolchain = Toolchain::find()?;
    let project = Project::of(&toolchain, &args.cargo)?;
    // All settings are checked before anything is built.
    let workspace = Settings::of_workspace(&project)?;
    for package in project.metadata.workspace_packages() {
        workspace.of_package(&project, package, &args.explore)?;
    }
    let uninstrumented = Settings::all_uninstrumented(&project)?;
    let memory = MemoryLayer::of(&project, args.explore.memory.unwrap_or_default());
    let binaries = compile(&toolchain, &project, &args.cargo, &uninstrumented, &memory)?;
    if args.output.no_run {
        binaries.iter().for_each(|binary| Status::Built.say(&built(binary)));
        return Ok(Exit::Clean);
    }
    // Some crates sort or hash by address.
    crate::run::fix_addresses();
    let mut plan = Plan::default();
    // Who asks for tests by name asks for these.
    let doc_tests = match args.filters.is_empty() {
        true => doc_tests::left_out(&project, &args.cargo, &binaries),
        false => Vec::new(),
    };
    for binary in binaries {
        let package = project.package(&binary.package).context("cargo built an unknown package")?;
        let mut settings = workspace.of_package(&project, package, &args.explore)?;
        settings.look_for_races(&memory);
        if args.explore.trace {
            settings.trace_into(&project.traces().join(binary.file_name()));
        }
        plan.add(binary, settings, &selection);
    }
    plan.outside.extend(doc_tests);
    if selection.lists() {
        list(&plan, selection.format());
        return Ok(Exit::Clean);
    }
    if plan.jobs.is_empty() {
        return Err(Failure::with(Exit::NothingToRun, nothing_to_run(&plan)));
    }
    if plan.binaries.iter().any(|planned| planned.settings.replays()) {
        note(
            "the setting replay is set: tests are run along that schedule and not explored; take it out of \
             selvedge.toml or the environment to explore them",
        );
    }
    let shares = shares(&plan, apart.as_ref().map(|apart| (apart.shard, apart.split)))?;
    if processes(args) > 1 {
        check_that_it_can_be_split(&plan)?;
    }
    let record = begin_record(args, &toolchain, &project, &plan, apart)?;
    let todo = todo(record.as_ref(), shares);
    let mut campaign = Campaign::new(args, &selection, &toolchain, &project, &plan, memory)?;
    campaign.record_in(record, todo);
    campaign.run(at_a_time(args, &selection), processes(args))?;
    then(&campaign)?;
    campaign.finish()
}

/// Begins to record. If that is not possible, tests are run nevertheless, unless there is something to
/// go on with.
fn begin_record(
    args: &TestArgs,
    toolchain: &Toolchain,
    project: &Project,
    plan: &Plan,
    apart: Option<Apart>,
) -> anyhow::Result<Option<Record>> {
    let own = apart.as_ref().map(|Apart { shard, into, .. }| {
        let name = format!("shard-{}-of-{}.sqlite", shard.index, shard.count);
        into.clone().unwrap_or_else(|| project.folder.join(name))
    });
    let at = Where {
        project,
        toolchain: toolchain.release(),
        file: own.unwrap_or_else(|| project.campaigns()),
        part: apart.as_ref().map(|apart| part_of(plan, apart.shard, apart.split)),
        begin: if args.explore.resume { Begin::Resume } else { Begin::Anew },
    };
    match Record::begin(at, plan) {
        Ok((record, resumed)) => {
            match resumed {
                Some(resumed) => Status::Resuming.say(&format!(
                    "{} of {} tests, after {} executions",
                    resumed.tests,
                    plan.jobs.len(),
                    resumed.executions
                )),
                None if args.explore.resume => note(
                    "there is no campaign with these settings and this build to go on with; a new \
                     one begins",
                ),
                None => {}
            }
            Ok(Some(record))
        }
        // Who asks for a file, or for what is in it, is not served without.
        Err(error) if args.explore.resume || apart.is_some() => Err(error),
        Err(error) => {
            note(&format!("the campaign is not recorded: {error:#}"));
            Ok(None)
        }
    }
}

/// What is to be done of each job.
fn todo(record: Option<&Record>, shares: Vec<Option<Allotment>>) -> Vec<Todo> {
    let todo = |(job, share): (usize, Option<Allotment>)| match share {
        None => Todo::Elsewhere,
        Some(all) => match record.map_or(Some(all), |record| record.left(job, all)) {
            Some(left) => Todo::Run(left),
            None => Todo::Before,
        },
    };
    shares.into_iter().enumerate().map(todo).collect()
}

/// So many processes for each test.
fn processes(args: &TestArgs) -> usize {
    args.explore.processes.map_or(1, NonZero::get)
}

/// A binary that was built, and where it is.
fn built(binary: &Binary) -> String {
    format!("{} ({})", binary.label(), binary.executable.display())
}

/// So many tests at a time.
fn at_a_time(args: &TestArgs, selection: &Selection) -> usize {
    let processors = || {
        let all = thread::available_parallelism().map_or(1, NonZero::get);
        (all / processes(args)).max(1)
    };
    args.explore.jobs.or(selection.test_threads).map_or_else(processors, NonZero::get)
}

fn nothing_to_run(plan: &Plan) -> String {
    let mut text = match plan.total() {
        0 => "there are no tests".to_owned(),
        1 if plan.filtered == 1 => "the only test there is has another name".to_owned(),
        n if plan.filtered == n => format!("none of the {n} tests has such a name"),
        n => format!(
            "none of the {n} tests is to be run: {} ignored, {} excluded, {} filtered out",
            plan.ignored.len(),
            plan.excluded.len(),
            plan.filtered
        ),
    };
    for (binary, why) in &plan.outside {
        text.push_str(&format!("\n{binary} was not run: {why}"));
    }
    text
}

/// Names the tests as libtest does: those of each binary, and how many these are.
fn list(plan: &Plan, format: Format) {
    for (index, planned) in plan.binaries.iter().enumerate() {
        Status::Listing.say(&planned.binary.label());
        let tests = plan.jobs.iter().filter(|job| job.binary == index);
        let mut count = 0;
        for job in tests {
            anstream::println!("{}: test", plain(&job.info.name));
            count += 1;
        }
        if format == Format::Pretty {
            let plural = if count == 1 { "" } else { "s" };
            anstream::println!("\n{count} test{plural}, 0 benchmarks");
        }
    }
    for (binary, why) in &plan.outside {
        Status::Note.say(&format!("{binary} is not listed: {why}"));
    }
}

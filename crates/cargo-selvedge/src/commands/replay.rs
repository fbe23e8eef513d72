//! `cargo selvedge replay`.

use crate::cli::ReplayArgs;
use crate::compile::{Binary, compile};
use crate::exit::{Exit, Failure};
use crate::findings::{Kept, PlaceNames, Store};
use crate::output::{Status, colour, explain};
use crate::project::{Project, Toolchain};
use crate::run::{Answer, Asked, Outcome, Worker, go_on};
use crate::settings::{REPLAY, Settings};
use crate::symbols::Symbols;
use anyhow::Context;
use selvedge_model::{Finding, Learned, Report, Schedule, Stopped};
use selvedge_report::{SourceFiles, headline};
use std::time::Duration;

/// A single execution that takes longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs a finding's test along its schedule.
pub(crate) fn run(args: &ReplayArgs) -> anyhow::Result<Exit> {
    let toolchain = Toolchain::find()?;
    let project = Project::of(&toolchain, &args.cargo)?;
    let (id, kept) = Store::at(project.findings()).find(&args.id)?;
    let schedule = match &args.schedule {
        Some(text) => text
            .parse::<Schedule>()
            .map_err(|error| Failure::with(Exit::Usage, format!("{error}\n  {text}")))?,
        None => kept.finding.schedule.clone(),
    };
    let uninstrumented = Settings::all_uninstrumented(&project)?;
    let packages = project.metadata.workspace_packages();
    if !packages.iter().any(|package| package.name == kept.package) {
        return Err(gone(&kept));
    }
    let mut settings = kept.replay_settings()?;
    let cargo = args.cargo.for_finding(&kept)?;
    let binaries = compile(&toolchain, &project, &cargo, &uninstrumented, &kept.built.memory)?;
    let binary = binaries
        .into_iter()
        .find(|binary| binary.target == kept.target && binary.kind == kept.target_kind)
        .ok_or_else(|| gone(&kept))?;
    crate::run::fix_addresses();
    if args.debugger {
        return super::debugger::run(&binary, &kept, &settings, &schedule);
    }
    settings.push((REPLAY.to_owned(), schedule.to_string()));
    let files = SourceFiles::new(project.source_folders());
    let sources = Symbols::of(&binary.executable, &files, project.root());
    let places = PlaceNames::new(&files, Some(&sources));
    let (mut shown, mut others) = (0, 0);
    for _ in 0..args.times.get() {
        let report = run_once(&binary, &kept, &settings)?;
        match &report.finding {
            Some(finding) if kept.is_shown_by(finding, &places) => {
                shown += 1;
                if shown == 1 {
                    tell(finding, &kept, id.as_str(), &sources, args);
                }
            }
            Some(finding) => {
                others += 1;
                if others == 1 {
                    let was = headline(&kept.finding);
                    Status::Note.say(&format!("it is another one now; it was: {was}"));
                    tell(finding, &kept, id.as_str(), &sources, args);
                }
            }
            None => Status::Passed.say(&how_it_passed(&report.stopped)),
        }
    }
    let otherwise = match others {
        0 => String::new(),
        n => format!(", {n} in another way"),
    };
    let times = args.times;
    Status::Finished.say(&format!("{shown} of {times} executions failed in this way{otherwise}"));
    Ok(if shown + others > 0 { Exit::Findings } else { Exit::Clean })
}

fn run_once(binary: &Binary, kept: &Kept, settings: &[(String, String)]) -> anyhow::Result<Report> {
    let Answer::Hello(mut worker) = Worker::start(binary)? else {
        anyhow::bail!("{} is not a test binary any more", binary.label());
    };
    let test = worker.tests.iter().position(|test| test.name == kept.test);
    let test = test.ok_or_else(|| gone(kept))?;
    let known = Learned::default();
    let asked = Asked { test, settings: settings.to_vec(), known, patience: PATIENCE };
    match worker.run(asked, &mut |_| go_on()) {
        Outcome::Explored(report) => Ok(*report),
        Outcome::Died(death) => {
            Err(anyhow::anyhow!("the test process {}", death.how)).context(death.printed)
        }
        Outcome::Failed(why) => anyhow::bail!(why),
    }
}

fn tell(finding: &Finding, kept: &Kept, id: &str, sources: &Symbols<'_>, args: &ReplayArgs) {
    let colour = colour::of_stdout();
    if args.trace {
        anstream::print!("{}", selvedge_report::trace(finding));
    }
    anstream::println!("{}", explain(finding, &kept.test, id, colour, sources));
}

fn how_it_passed(stopped: &Stopped) -> String {
    match stopped {
        Stopped::Misfit(misfit) => format!("the test passes, but {misfit}"),
        _ => "the test passes along this schedule".to_owned(),
    }
}

fn gone(kept: &Kept) -> anyhow::Error {
    let Kept { package, target, test, .. } = kept;
    Failure::with(
        Exit::NothingToRun,
        format!("there is no test '{test}' in {target} of package {package} any more"),
    )
}

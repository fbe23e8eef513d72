//! `cargo selvedge test`.

use crate::cli::TestArgs;
use crate::compile::compile;
use crate::exit::{Exit, Failure};
use crate::findings::{Kept, Store};
use crate::output::{
    Case, Counts, JsonLines, Screen, Status, annotate, explain, seconds, summarise, write_junit,
};
use crate::project::{Project, Toolchain};
use crate::run::{Death, Event, Outcome, Plan, run_all};
use crate::settings::Settings;
use anyhow::Context;
use selvedge_harness::{Format, Selection};
use selvedge_model::{Finding, Report, Stopped};
use selvedge_report::{Colour, SourceFiles, headline};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Builds, explores, tells.
pub(crate) fn run(args: &TestArgs) -> anyhow::Result<Exit> {
    let mut selection = Selection::parse(args.runner.iter().cloned())
        .map_err(|error| Failure::with(Exit::Usage, error.to_string()))?;
    args.filters.iter().cloned().for_each(|filter| selection.add_filter(filter));
    let toolchain = Toolchain::find()?;
    let project = Project::of(&toolchain, &args.cargo)?;
    let workspace = Settings::of_workspace(&project)?;
    let mut uninstrumented = workspace.uninstrumented.clone();
    for package in project.metadata.workspace_packages() {
        let settings = workspace.of_package(&project, package, &args.explore)?;
        uninstrumented.extend(settings.uninstrumented);
    }
    uninstrumented.sort();
    uninstrumented.dedup();
    let binaries = compile(&toolchain, &project, &args.cargo, &uninstrumented)?;
    // Some crates sort or hash by address.
    crate::run::fix_addresses();
    let mut plan = Plan::default();
    for binary in binaries {
        let package = project.package(&binary.package).context("cargo built an unknown package")?;
        let settings = workspace.of_package(&project, package, &args.explore)?;
        plan.add(binary, settings, &selection);
    }
    if selection.lists() {
        list(&plan, selection.format());
        return Ok(Exit::Clean);
    }
    if plan.jobs.is_empty() {
        return Err(Failure::with(Exit::NothingToRun, nothing_to_run(&plan)));
    }
    let mut campaign = Campaign::new(args, &toolchain, &project, &plan)?;
    campaign.run(at_a_time(args, &selection));
    campaign.finish()
}

/// So many tests at a time.
fn at_a_time(args: &TestArgs, selection: &Selection) -> usize {
    let processors = || thread::available_parallelism().map_or(1, NonZero::get);
    args.explore.jobs.or(selection.test_threads.map(NonZero::get)).unwrap_or_else(processors)
}

fn nothing_to_run(plan: &Plan) -> String {
    let mut text = match plan.total() {
        0 => "there are no tests".to_owned(),
        n if plan.filtered == n => format!("none of the {n} tests has such a name"),
        n => format!(
            "none of the {n} tests is to be run: {} ignored, {} excluded, {} filtered out",
            plan.ignored.len(),
            plan.excluded.len(),
            plan.filtered
        ),
    };
    for (binary, why) in &plan.outside {
        text.push_str(&format!("\n{binary} was left out: {why}"));
    }
    text
}

fn list(plan: &Plan, format: Format) {
    for job in &plan.jobs {
        anstream::println!("{}: test", job.info.name);
    }
    if format == Format::Pretty {
        anstream::println!("\n{} tests, 0 benchmarks", plan.jobs.len());
    }
}

/// All tests of one call of the command.
struct Campaign<'a> {
    args: &'a TestArgs,
    toolchain: &'a Toolchain,
    plan: &'a Plan,
    store: Store,
    sources: SourceFiles,
    colour: Colour,
    json: Option<JsonLines>,
    counts: Counts,
    done: Vec<Done>,
    began: Instant,
    stop: Arc<AtomicBool>,
    /// The first thing that went wrong with keeping or writing.
    trouble: Option<anyhow::Error>,
}

/// A test that is over.
struct Done {
    job: usize,
    outcome: Outcome,
    explanation: Option<String>,
    elapsed: Duration,
}

impl<'a> Campaign<'a> {
    fn new(
        args: &'a TestArgs,
        toolchain: &'a Toolchain,
        project: &Project,
        plan: &'a Plan,
    ) -> anyhow::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let interrupted = Arc::clone(&stop);
        ctrlc::set_handler(move || {
            // The second time, nobody wants to wait for the running tests any more.
            if interrupted.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(Exit::Interrupted as u8));
            }
        })?;
        let json = args.output.json.as_deref().map(JsonLines::create).transpose()?;
        let colour = match anstream::AutoStream::choice(&std::io::stderr()) {
            anstream::ColorChoice::Never => Colour::Plain,
            _ => Colour::Ansi,
        };
        Ok(Self {
            args,
            toolchain,
            plan,
            store: Store::at(project.findings()),
            sources: SourceFiles::new(project.source_folders()),
            colour,
            json,
            counts: Counts::default(),
            done: Vec::new(),
            began: Instant::now(),
            stop,
            trouble: None,
        })
    }

    /// Runs all tests.
    fn run(&mut self, at_a_time: usize) {
        let mut screen = Screen::new(self.plan.jobs.len(), &self.budget());
        let stop = Arc::clone(&self.stop);
        run_all(self.plan, at_a_time, &stop, &mut |event| match event {
            Event::Started { job } => screen.started(job, &self.plan.jobs[job].info.name),
            Event::Progress { job, executions } => screen.progress(job, executions),
            Event::Stopped { job } => screen.stopped(job),
            Event::Finished { job, outcome, printed, elapsed } => {
                let told = self.finished(job, outcome, &printed, elapsed);
                screen.finished(job, self.counts.found + self.counts.failed);
                if let Some(text) = told {
                    screen.print(&text);
                }
            }
        });
        screen.clear();
    }

    fn budget(&self) -> String {
        let explore = &self.args.explore;
        let executions = explore.executions.as_deref().unwrap_or("1000");
        let time = explore.time.as_deref().unwrap_or("10s");
        format!("at most {executions} executions or {time} each")
    }

    /// Keeps what came of a test, and says what people are to see at once.
    fn finished(
        &mut self,
        job: usize,
        outcome: Outcome,
        printed: &str,
        elapsed: Duration,
    ) -> Option<String> {
        let planned = &self.plan.jobs[job];
        let binary = &self.plan.binaries[planned.binary];
        let name = format!("{} {}", binary.binary.label(), planned.info.name);
        let status = self.counts.add(&outcome);
        let mut explanation = None;
        let mut id = None;
        let told = match &outcome {
            Outcome::Explored(report) => match &report.finding {
                Some(finding) => {
                    let mut finding = finding.clone();
                    finding.output.push_str(printed);
                    let kept = self.kept(binary, &planned.info.name, finding);
                    let name_of_finding = kept.id();
                    let text = self.keep(&kept);
                    let line = format!("{name} [{name_of_finding}] {}", headline(&kept.finding));
                    explanation = Some(text.0);
                    id = Some(name_of_finding);
                    Some(format!("{}\n\n{}", status.line(&line), text.1))
                }
                None => self.passed(status, &name, report, elapsed),
            },
            Outcome::Died(Death { how, executions, .. }) => {
                let line =
                    format!("{name}: the test process {how}, in execution {}", executions + 1);
                Some(with_output(&status.line(&line), printed))
            }
            Outcome::Failed(why) => {
                Some(with_output(&status.line(&format!("{name}: {why}")), printed))
            }
        };
        if let Some(json) = &mut self.json {
            let label = binary.binary.label();
            let written = json.add(&label, &planned.info.name, &outcome, id.as_ref(), elapsed);
            self.note_trouble(written);
        }
        self.done.push(Done { job, outcome, explanation, elapsed });
        told
    }

    fn passed(
        &self,
        status: Status,
        name: &str,
        report: &Report,
        elapsed: Duration,
    ) -> Option<String> {
        if self.args.output.quiet || status == Status::Once {
            return None;
        }
        let how = match &report.stopped {
            Stopped::Exhausted => ", all there are",
            Stopped::Time => ", time is over",
            Stopped::TooLong => ", too long for more",
            _ => "",
        };
        let executions = report.executions;
        let plural = if executions == 1 { "" } else { "s" };
        let text = format!("{name}: {executions} execution{plural}{how} ({})", seconds(elapsed));
        Some(status.line(&text))
    }

    fn kept(&self, binary: &crate::run::Planned, test: &str, finding: Finding) -> Kept {
        Kept::new(
            self.toolchain.release(),
            &binary.binary,
            test,
            &self.args.cargo,
            &binary.settings.explore,
            finding,
        )
    }

    /// Puts a finding on disk; returns its explanation without and with colours.
    fn keep(&mut self, kept: &Kept) -> (String, String) {
        let id = kept.id();
        let explain =
            |colour| explain(&kept.finding, &kept.test, id.as_str(), colour, &self.sources);
        let plain = explain(Colour::Plain);
        let shown = explain(self.colour);
        let written = self.store.keep(kept, &plain).map(drop);
        self.note_trouble(written);
        if self.args.output.annotations || std::env::var_os("GITHUB_ACTIONS").is_some() {
            annotate(kept);
        }
        (plain, shown)
    }

    fn note_trouble(&mut self, result: anyhow::Result<()>) {
        if let Err(error) = result {
            self.trouble.get_or_insert(error);
        }
    }

    /// Tells what came of it all.
    fn finish(mut self) -> anyhow::Result<Exit> {
        if let Some(path) = &self.args.output.junit {
            let cases = self.done.iter().map(|done| {
                let job = &self.plan.jobs[done.job];
                Case {
                    binary: self.plan.binaries[job.binary].binary.label(),
                    test: &job.info.name,
                    outcome: &done.outcome,
                    explanation: done.explanation.as_deref(),
                    elapsed: done.elapsed,
                }
            });
            let written = write_junit(path, cases);
            self.note_trouble(written);
        }
        let interrupted = self.stop.load(Ordering::Relaxed);
        if interrupted {
            let left = self.plan.jobs.len() - self.done.len();
            Status::Interrupted.say(&format!("{left} tests were not run"));
        }
        summarise(&self.counts, self.plan, self.began.elapsed());
        match self.trouble {
            Some(error) => Err(error),
            None if interrupted => Ok(Exit::Interrupted),
            None if self.counts.is_clean() => Ok(Exit::Clean),
            None => Ok(Exit::Findings),
        }
    }
}

/// What a test process has printed, below what became of it.
fn with_output(line: &str, printed: &str) -> String {
    match printed.trim_end() {
        "" => line.to_owned(),
        printed => format!("{line}\n\n{printed}\n"),
    }
}

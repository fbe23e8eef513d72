//! All tests of one call of `cargo selvedge test`: run, kept, told of.

mod known;

use crate::cli::TestArgs;
use crate::exit::Exit;
use crate::findings::{Built, Id, Kept, PlaceNames, Store, code_of};
use crate::memory_layer::MemoryLayer;
use crate::output::coverage::Measured;
use crate::output::lines::with_lines;
use crate::output::{
    Case, Counts, JsonLines, Named, Places, Repeated, Screen, Shared, Status, Verdict, annotate,
    budget, colour, describe, error, explain, note, passed, seconds, shared, summarise, unseen,
    warn, write_junit,
};
use crate::project::{Project, Toolchain};
use crate::record::{Interrupted, Record};
use crate::run::{
    Allotment, Brief, Death, Event, FORK, Outcome, Over, Plan, SuiteTime, Work, run_all,
};
use crate::settings::TRACE;
use crate::symbols::Symbols;
use known::Known;
pub(crate) use known::TryFirst;
use selvedge_harness::Selection;
use selvedge_model::{Conditions, Finding, Forked, Report, Stopped, Traced};
use selvedge_report::{Colour, SourceFiles, conditions, headline, plain_lines, untold};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// All tests of one call of the command.
pub(crate) struct Campaign<'a> {
    args: &'a TestArgs,
    selection: &'a Selection,
    toolchain: &'a Toolchain,
    plan: &'a Plan,
    memory: MemoryLayer,
    store: Store,
    /// What was known of the tests before.
    known: Known,
    record: Option<Record>,
    todo: Vec<Todo>,
    sources: SourceFiles,
    root: PathBuf,
    colour: Colour,
    json: Option<JsonLines>,
    counts: Counts,
    done: Vec<Done>,
    began: Instant,
    stop: Arc<AtomicBool>,
    /// What went wrong with keeping or writing, each thing once.
    trouble: Vec<String>,
    /// What was found so far, by what it is about.
    repeated: Repeated,
}

/// What is to be done of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Todo {
    /// So much.
    Run(Allotment),
    /// Nothing: it was done before.
    Before,
    /// Nothing: somebody else does it.
    Elsewhere,
}

/// When a test was explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Now,
    Before,
}

/// A test that is over.
struct Done {
    job: usize,
    outcome: Outcome,
    explanation: Option<String>,
    /// Why its finding is no reason to fail.
    accepted: Option<String>,
    elapsed: Duration,
}

/// What people are to see at once of a test that is over.
#[derive(Default)]
struct Told {
    /// What became of it.
    text: Option<String>,
    /// What it printed, if that was asked for.
    output: String,
    /// What was wrong in earlier runs and is not any more.
    fixed: Vec<String>,
}

/// A finding that was kept, or would have been if that had worked.
struct Shown {
    id: Id,
    plain: String,
    coloured: String,
    /// The test that had the same problem before, and its finding.
    same_as: Option<(String, Id)>,
}

impl<'a> Campaign<'a> {
    /// Everything is ready to begin.
    pub(crate) fn new(
        args: &'a TestArgs,
        selection: &'a Selection,
        toolchain: &'a Toolchain,
        project: &Project,
        plan: &'a Plan,
        memory: MemoryLayer,
    ) -> anyhow::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let interrupted = Arc::clone(&stop);
        ctrlc::set_handler(move || {
            // The second time, nobody wants to wait for the running tests any more.
            if interrupted.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(Exit::Interrupted as u8));
            }
        })?;
        let store = Store::at(project.findings());
        let first = if args.explore.fresh { TryFirst::Nothing } else { TryFirst::All };
        let known = Known::of(project, &store, first)?;
        Ok(Self {
            args,
            selection,
            toolchain,
            plan,
            memory,
            store,
            known,
            record: None,
            todo: Vec::new(),
            sources: SourceFiles::new(project.source_folders()),
            root: project.root().to_owned(),
            colour: colour::of_stderr(),
            json: args.output.json.as_deref().map(JsonLines::create).transpose()?,
            counts: Counts::default(),
            done: Vec::new(),
            began: Instant::now(),
            stop,
            trouble: Vec::new(),
            repeated: Repeated::default(),
        })
    }

    /// Says what is to be done of each job, and where it is recorded.
    pub(crate) fn record_in(&mut self, record: Option<Record>, todo: Vec<Todo>) {
        (self.record, self.todo) = (record, todo);
    }

    /// Runs all tests, in so many processes each.
    pub(crate) fn run(&mut self, at_a_time: usize, processes: usize) -> anyhow::Result<()> {
        let tests = self.todo.iter().filter(|todo| **todo != Todo::Elsewhere).count();
        if !self.args.cargo.quiet {
            let plural = if tests == 1 { "" } else { "s" };
            Status::Exploring.say(&format!("{tests} test{plural}, {}", budget(self.plan)));
        }
        let mut screen = Screen::new(tests);
        self.remember(&mut screen)?;
        let stop = Arc::clone(&self.stop);
        let (plan, todo) = (self.plan, self.todo.clone());
        let knowledge = self.record.as_ref().map(Record::knowledge);
        let built = self.built();
        let first: Vec<_> = plan
            .jobs
            .iter()
            .map(|job| self.known.first(&plan.binaries[job.binary], &job.info.name, &built))
            .collect();
        let jobs: Vec<_> =
            (0..todo.len()).filter(|&job| matches!(todo[job], Todo::Run(_))).collect();
        let time = SuiteTime::begin(plan, jobs.len(), at_a_time);
        let brief = |job: usize| {
            let own = &plan.binaries[plan.jobs[job].binary].settings.explore;
            let settings = match todo[job] {
                Todo::Run(allotment) => time.next(allotment.apply(own), own),
                Todo::Before | Todo::Elsewhere => own.clone(),
            };
            let known = knowledge.as_ref().map(|knowledge| knowledge.of_job(job)).transpose();
            let known = known.map_err(|error| format!("{error:#}"))?.unwrap_or_default();
            Ok(Brief { settings, known, first: first[job].clone() })
        };
        let work = Work { plan, jobs, at_a_time, processes, brief: &brief };
        run_all(&work, &stop, &mut |event| match event {
            Event::Started { job } => screen.started(job, &self.plan.jobs[job].info.name),
            Event::Progress { job, executions, member, learned, elapsed } => {
                screen.progress(job, executions);
                if let Some(record) = &mut self.record {
                    record.learn(job, member, &learned, elapsed);
                }
            }
            Event::Stopped { job } => screen.stopped(job),
            Event::Finished { job, over } => {
                self.show(&screen, job, When::Now, over);
                screen.finished(job, self.counts.found + self.counts.failed);
            }
        });
        screen.clear();
        Ok(())
    }

    /// Tells of the tests that were done before.
    fn remember(&mut self, screen: &mut Screen) -> anyhow::Result<()> {
        for job in
            (0..self.todo.len()).filter(|&job| self.todo[job] == Todo::Before).collect::<Vec<_>>()
        {
            let Some(record) = &mut self.record else { return Ok(()) };
            let Some(report) = record.remembered(job)? else { continue };
            record.was_over(job);
            let elapsed = report.elapsed;
            let outcome = Outcome::Explored(Box::new(report));
            let over = Over { outcome, printed: String::new(), elapsed, tried: Vec::new() };
            self.show(screen, job, When::Before, over);
            screen.finished(job, self.counts.found + self.counts.failed);
        }
        Ok(())
    }

    /// Keeps what came of a test and shows it.
    fn show(&mut self, screen: &Screen, job: usize, when: When, over: Over) {
        let told = self.finished(job, when, over);
        if let Some(text) = told.text {
            screen.print(&text);
        }
        screen.print_output(&told.output);
        for line in told.fixed {
            screen.print(&Status::Fixed.line(&line));
        }
    }

    /// What metrics have seen of every test that was explored, in the order of the plan.
    pub(crate) fn measured(&self) -> Vec<Measured<'_>> {
        let mut done: Vec<_> = self.done.iter().collect();
        done.sort_by_key(|done| done.job);
        done.into_iter()
            .filter_map(|done| match &done.outcome {
                Outcome::Explored(report) => {
                    let job = &self.plan.jobs[done.job];
                    let binary = &self.plan.binaries[job.binary].binary;
                    let symbols = Symbols::of(&binary.executable, &self.sources, &self.root);
                    let metrics = report.coverage.iter();
                    Some(Measured {
                        binary: binary.label(),
                        test: &job.info.name,
                        executions: report.executions,
                        metrics: metrics.map(|metric| with_lines(metric, &symbols)).collect(),
                    })
                }
                Outcome::Died(_) | Outcome::Failed(_) => None,
            })
            .collect()
    }

    /// Keeps what came of a test, and says what people are to see at once.
    fn finished(
        &mut self,
        job: usize,
        when: When,
        Over { mut outcome, printed, elapsed, tried }: Over,
    ) -> Told {
        let printed = printed.as_str();
        if let (When::Now, Some(record), Outcome::Explored(report)) =
            (when, &self.record, &mut outcome)
        {
            record.complete(job, report);
        }
        let planned = &self.plan.jobs[job];
        let label = self.plan.binaries[planned.binary].binary.label();
        let name = self.name(job);
        let status = self.counts.add(&outcome);
        let mut shown = None;
        let mut accepted = None;
        let mut told = match &outcome {
            Outcome::Explored(report) => match &report.finding {
                Some(finding) => {
                    let mut finding = finding.clone();
                    finding.output.push_str(printed);
                    let headline = headline(&finding);
                    let forked = report.conditions.forked;
                    let kept = self.keep(job, when, finding, forked);
                    let with = conditions(&Conditions { forked, ..Conditions::default() });
                    let with = with.map(|text| format!("; {text}")).unwrap_or_default();
                    let line = format!("{name} [{}] {headline}{with}", kept.id);
                    accepted = self.known.accepted(&kept.id).map(str::to_owned);
                    let text = match (&accepted, &kept.same_as) {
                        (Some(why), _) => {
                            self.counts.accept();
                            Status::Accepted.line(&format!("{line}; accepted: {why}"))
                        }
                        (None, Some((test, id))) => {
                            status.line(&format!("{line}; the same as [{id}] of {test}"))
                        }
                        (None, None) => format!("{}\n\n{}", status.line(&line), kept.coloured),
                    };
                    shown = Some(kept);
                    Told { text: Some(text), ..Told::default() }
                }
                None => self.passed(status, &name, report, printed, elapsed),
            },
            Outcome::Died(Death { how, executions, .. }) => {
                let after = match executions {
                    0 => String::new(),
                    n => format!(", after {n} executions or a few more"),
                };
                let line = status.line(&format!("{name}: the test process {how}{after}"));
                Told { text: Some(with_output(&line, printed)), ..Told::default() }
            }
            Outcome::Failed(why) => {
                let line = status.line(&format!("{name}: {why}"));
                Told { text: Some(with_output(&line, printed)), ..Told::default() }
            }
        };
        let id = shown.as_ref().map(|shown| &shown.id);
        match self.known.settle(&self.store, &tried, &outcome, id) {
            Ok(fixed) => told.fixed = fixed,
            Err(error) => self.note_trouble(Err(error)),
        }
        if let Some(json) = &mut self.json {
            let found = id.map(|id| Named { id, accepted: accepted.as_deref() });
            let written = json.add(&label, &planned.info.name, &outcome, found, elapsed);
            self.note_trouble(written);
        }
        if let (When::Now, Some(record)) = (when, &mut self.record) {
            record.end(job, &outcome);
        }
        let explanation = shown.map(|shown| shown.plain);
        self.done.push(Done { job, outcome, explanation, accepted, elapsed });
        told
    }

    /// What is said of a test that has passed.
    fn passed(
        &self,
        status: Status,
        name: &str,
        report: &Report,
        printed: &str,
        elapsed: Duration,
    ) -> Told {
        let output = match self.selection.shows_output() {
            true => format!("{}{printed}", report.output),
            false => String::new(),
        };
        let is_ordinary = status == Status::Once && !report.conditions.leave_something_open();
        let is_news = !is_ordinary && !self.args.cargo.quiet;
        if !is_news && output.is_empty() {
            return Told::default();
        }
        let with =
            conditions(&report.conditions).map(|text| format!("; {text}")).unwrap_or_default();
        let took = seconds(elapsed);
        let mut text = status.line(&format!("{name}: {} ({took}){with}", passed(report)));
        if report.stopped == Stopped::Saturated {
            for line in unseen(report) {
                text.push_str("\n             ");
                text.push_str(&line);
            }
        }
        Told { text: Some(text), output, fixed: Vec::new() }
    }

    /// Tells what looks wrong in any of the tests, each thing once; says how much that is.
    fn tell_warnings(&self) -> usize {
        let mut done: Vec<_> = self.done.iter().collect();
        done.sort_by_key(|done| done.job);
        let explored = done.iter().filter_map(|done| match &done.outcome {
            Outcome::Explored(report) => Some((done.job, &**report)),
            Outcome::Died(_) | Outcome::Failed(_) => None,
        });
        let found: Vec<_> = explored
            .clone()
            .filter_map(|(_, report)| report.finding.as_ref().map(|finding| &finding.kind))
            .collect();
        let warnings = explored.flat_map(|(job, report)| {
            untold(&report.warnings).map(move |warning| (job, self.name(job), warning))
        });
        let shared = shared(warnings, &found);
        for Shared { warning, job, tests } in &shared {
            let binary = &self.plan.binaries[self.plan.jobs[*job].binary];
            let sources = Symbols::of(&binary.binary.executable, &self.sources, &self.root);
            Status::Warned.say(&tests.join(", "));
            anstream::eprintln!("\n{}", warn(warning, self.colour, &sources));
        }
        shared.len()
    }

    /// How the tests are built.
    fn built(&self) -> Built {
        Built { cargo: self.args.cargo.build_flags(), memory: self.memory.clone() }
    }

    /// What a test is called.
    fn name(&self, job: usize) -> String {
        let planned = &self.plan.jobs[job];
        format!("{} {}", self.plan.binaries[planned.binary].binary.label(), planned.info.name)
    }

    /// Puts a finding on disk.
    fn keep(&mut self, job: usize, when: When, finding: Finding, forked: Option<Forked>) -> Shown {
        let planned = &self.plan.jobs[job];
        let binary = &self.plan.binaries[planned.binary];
        let mut settings = binary.settings.explore.clone();
        settings.retain(|(key, _)| key != TRACE);
        if matches!(forked, Some(Forked::Died | Forked::LeftBehind)) {
            // Whoever runs it again needs it as well.
            settings.push(FORK.map(str::to_owned).into());
        }
        let sources = Symbols::of(&binary.binary.executable, &self.sources, &self.root);
        let mut kept = Kept::new(
            self.toolchain.release(),
            &binary.binary,
            &planned.info.name,
            self.built(),
            &settings,
            finding,
            &PlaceNames::new(&self.sources, Some(&sources)),
        );
        let id = self.store.id(&kept);
        kept.code = code_of(&kept.finding.kind, &sources);
        let explain = |colour| explain(&kept.finding, &kept.test, id.as_str(), colour, &sources);
        let (plain, coloured) = (explain(Colour::Plain), explain(self.colour));
        let same_as = Places::of(&kept.finding.kind, &sources)
            .and_then(|places| self.repeated.meet(places, &self.name(job), &id));
        let written = self.store.keep(&id, &kept, &plain);
        self.note_trouble(written.map_err(|error| error.context("the finding can not be kept")));
        if let (When::Now, Some(record)) = (when, &mut self.record) {
            record.keep(job, &id, &kept, &plain);
        }
        if self.args.output.annotations || std::env::var_os("GITHUB_ACTIONS").is_some() {
            annotate(&id, &kept);
        }
        Shown { id, plain, coloured, same_as }
    }

    fn note_trouble(&mut self, result: anyhow::Result<()>) {
        if let Err(error) = result {
            let text = format!("{error:#}");
            if !self.trouble.contains(&text) {
                self.trouble.push(text);
            }
        }
    }

    /// Says where the traces are that were asked for.
    fn tell_traces(&self) {
        for done in &self.done {
            let Outcome::Explored(report) = &done.outcome else { continue };
            let job = &self.plan.jobs[done.job];
            match &report.trace {
                Some(traced @ Traced::Written { .. }) => Status::Traced.say(&describe(traced)),
                Some(Traced::Failed(why)) => {
                    let binary = self.plan.binaries[job.binary].binary.label();
                    Status::Note.say(&format!("{binary} {} has no trace: {why}", job.info.name));
                }
                None => {}
            }
        }
    }

    /// Tells what came of it all.
    pub(crate) fn finish(mut self) -> anyhow::Result<Exit> {
        for (binary, why) in &self.plan.outside {
            let written = self.json.as_mut().map(|json| json.add_not_run(binary, why));
            self.note_trouble(written.unwrap_or(Ok(())));
        }
        if let Some(path) = &self.args.output.junit {
            let cases = self.done.iter().map(|done| {
                let job = &self.plan.jobs[done.job];
                Case {
                    binary: self.plan.binaries[job.binary].binary.label(),
                    test: &job.info.name,
                    verdict: match &done.accepted {
                        Some(why) => Verdict::NotRun { why },
                        None => Verdict::of(&done.outcome, done.explanation.as_deref()),
                    },
                    elapsed: done.elapsed,
                }
            });
            let not_run = self.plan.outside.iter().map(|(binary, why)| Case {
                binary: binary.clone(),
                test: "(all)",
                verdict: Verdict::NotRun { why },
                elapsed: Duration::ZERO,
            });
            let written = write_junit(path, cases.chain(not_run));
            self.note_trouble(written);
        }
        let interrupted = self.stop.load(Ordering::Relaxed);
        if interrupted {
            let all = self.todo.iter().filter(|todo| **todo != Todo::Elsewhere).count();
            let left = all - self.done.len();
            let plural = if left == 1 { " was" } else { "s were" };
            Status::Interrupted.say(&format!("{left} test{plural} not run to the end"));
        }
        self.counts.warnings = self.tell_warnings();
        self.repeated.lines().for_each(|line| note(&line));
        self.tell_traces();
        let over = if interrupted { Interrupted::Yes } else { Interrupted::No };
        if let Some(why) = self.record.take().and_then(|record| record.finish(over)) {
            note(&format!("the campaign was not recorded to its end: {why}"));
        }
        if let Some(sentence) = self.known.sentence() {
            Status::Replayed.say(&sentence);
        }
        summarise(&self.counts, self.plan, self.began.elapsed());
        for trouble in &self.trouble {
            error(trouble);
        }
        Ok(match self.counts.is_clean() {
            _ if interrupted => Exit::Interrupted,
            // That something was found is more important than what else went wrong.
            false => Exit::Findings,
            true if self.trouble.is_empty() => Exit::Clean,
            true => Exit::Internal,
        })
    }
}

/// What a test process has printed, below what became of it.
fn with_output(line: &str, printed: &str) -> String {
    match printed.trim_end() {
        "" => line.to_owned(),
        printed => format!("{line}\n\n{}\n", plain_lines(printed)),
    }
}

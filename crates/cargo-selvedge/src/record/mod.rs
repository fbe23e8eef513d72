//! The record of a campaign: what becomes of each test, written to a file while it is explored.
//!
//! Whoever is killed loses the executions that were not yet told of, and nothing else; the campaign
//! can be gone on with. If the file can not be written, the tests are explored nevertheless.

mod build;
mod git;
mod lines;
mod lock;
mod resume;
mod share;
mod shelf;

pub(crate) use resume::{Knowledge, Resumed};
pub(crate) use share::{check_that_it_can_be_split, part_of, shares};

use crate::findings::{Id, Kept};
use crate::output::note;
use crate::project::Project;
use crate::run::{Allotment, Job, Member, Outcome, Plan, strategy};
use anyhow::Context;
use lines::CodeLines;
use lock::Lock;
use resume::Left;
use selvedge_model::{Learned, Report, Stopped};
use selvedge_report::{SourceFiles, headline};
use selvedge_store::data::{
    CampaignId, Ending, KeptFinding, NewCampaign, NewRun, PartOf, Run, RunId, SliceNumber, TestName,
};
use selvedge_store::{Access, Database, StoreError};
use shelf::Shelf;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Whether a campaign begins or is gone on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begin {
    /// A new one begins.
    Anew,
    /// The last one with the same settings and the same build goes on.
    Resume,
}

/// Where and how a campaign is recorded.
pub(crate) struct Where<'a> {
    /// The project.
    pub(crate) project: &'a Project,
    /// The compiler.
    pub(crate) toolchain: &'a str,
    /// The file.
    pub(crate) file: PathBuf,
    /// Which part of a larger campaign it is, if it is one.
    pub(crate) part: Option<PartOf>,
    /// Whether it is a new one.
    pub(crate) begin: Begin,
}

/// What is known of a job of the plan.
struct Recorded {
    /// The position of its binary in the plan.
    binary: usize,
    new: NewRun,
    run: Option<RunId>,
    /// What was done of it before.
    before: Option<Run>,
    /// The processes that explore it.
    slices: BTreeMap<Member, SliceNumber>,
}

/// The record of a campaign.
pub(crate) struct Record {
    database: Database,
    campaign: CampaignId,
    lock: Lock,
    jobs: Vec<Recorded>,
    binaries: Vec<PathBuf>,
    sources: SourceFiles,
    root: PathBuf,
    /// Where the file goes when it is done, if it is written elsewhere.
    shelf: Option<Shelf>,
    /// Why nothing is written any more.
    broken: Option<String>,
}

impl Record {
    /// Begins or goes on with a campaign; says what there was to go on with.
    pub(crate) fn begin(at: Where<'_>, plan: &Plan) -> anyhow::Result<(Self, Option<Resumed>)> {
        let Where { project, toolchain, file, part, begin } = at;
        lock::sweep(&file);
        let (file, shelf) = match part {
            Some(part) => {
                let shelf = Shelf::take(&project.folder, file, part, begin)?;
                (shelf.file().to_owned(), Some(shelf))
            }
            None => (file, None),
        };
        let mut database = Database::open(&file, Access::Write)?;
        let mut builds = Vec::new();
        for planned in &plan.binaries {
            let path = &planned.binary.executable;
            let print = build::fingerprint(path);
            builds.push(print.with_context(|| format!("can not read {}", path.display()))?);
        }
        let recorded = |job: &Job| Recorded {
            binary: job.binary,
            new: new_run(plan, job, builds[job.binary]),
            run: None,
            before: None,
            slices: BTreeMap::new(),
        };
        let mut jobs: Vec<_> = plan.jobs.iter().map(recorded).collect();
        let found = match begin {
            Begin::Anew => None,
            Begin::Resume => resume::find(&database, part, &mut jobs)?,
        };
        let (campaign, lock, resumed) = match found {
            Some((campaign, lock)) => {
                database.go_on(campaign)?;
                (campaign, lock, Some(Resumed::of(&jobs)))
            }
            None => {
                let commit = git::commit(project.root());
                let new = NewCampaign { commit, toolchain: toolchain.to_owned(), part };
                let campaign = database.begin_campaign(&new)?;
                let lock = Lock::take(&file, campaign)?.context("a new campaign is in use")?;
                (campaign, lock, None)
            }
        };
        let record = Self {
            database,
            campaign,
            lock,
            jobs,
            binaries: plan.binaries.iter().map(|one| one.binary.executable.clone()).collect(),
            sources: SourceFiles::new(project.source_folders()),
            root: project.root().to_owned(),
            shelf,
            broken: None,
        };
        Ok((record, resumed))
    }

    /// What is left to do of a job; nothing if it is done.
    pub(crate) fn left(&self, job: usize, all: Allotment) -> Option<Allotment> {
        let Recorded { before, new, .. } = &self.jobs[job];
        let Some(run) = before else { return Some(all) };
        match resume::left(run, strategy(&new.settings), all) {
            Left::Some(left) => Some(left),
            Left::All => Some(all),
            Left::Nothing => None,
        }
    }

    /// A job of which nothing is left was over before: says so if whoever did it could not.
    pub(crate) fn was_over(&mut self, job: usize) {
        let ended = |run: &Run| run.ending.is_some();
        if self.jobs[job].before.as_ref().is_some_and(|run| !ended(run)) {
            self.write(|record| {
                let run = record.run(job)?;
                record.database.give_up(run, &Ending::Stopped(Stopped::Executions))
            });
        }
    }

    /// What is known of each job from before, for whoever goes on with it on another thread.
    pub(crate) fn knowledge(&self) -> Knowledge {
        Knowledge::of(&self.database, &self.jobs)
    }

    /// Adds what was done before to a report, so that it is that of the whole campaign.
    pub(crate) fn complete(&self, job: usize, report: &mut Report) {
        let Some(run) = &self.jobs[job].before else { return };
        report.executions += run.executions;
        report.steps += run.steps;
        if let Some(finding) = &mut report.finding {
            finding.execution += run.executions;
        }
    }

    /// The report of a job that was done before; nothing if it was not.
    pub(crate) fn remembered(&self, job: usize) -> anyhow::Result<Option<Report>> {
        let before = self.jobs[job].before.as_ref();
        before.map(|run| resume::report(&self.database, run)).transpose()
    }

    /// A process has learned something.
    pub(crate) fn learn(&mut self, job: usize, member: Member, learned: &Learned, for_: Duration) {
        if learned.executions == 0 && learned.metrics.is_empty() {
            return;
        }
        self.write(|record| {
            let run = record.run(job)?;
            let slice = match record.jobs[job].slices.get(&member) {
                Some(&slice) => slice,
                None => record.database.begin_slice(run, member.seed)?,
            };
            record.jobs[job].slices.insert(member, slice);
            let lines = CodeLines::new(
                &record.binaries[record.jobs[job].binary],
                &record.sources,
                &record.root,
            );
            record.database.learn(run, slice, learned, for_, &lines)
        });
    }

    /// A test is over.
    pub(crate) fn end(&mut self, job: usize, outcome: &Outcome) {
        self.write(|record| {
            let run = record.run(job)?;
            match outcome {
                Outcome::Explored(report) => {
                    let lines = CodeLines::new(
                        &record.binaries[record.jobs[job].binary],
                        &record.sources,
                        &record.root,
                    );
                    record.database.end_run(run, report, &lines)
                }
                Outcome::Died(death) => {
                    record.database.give_up(run, &Ending::Died(death.how.clone()))
                }
                Outcome::Failed(why) => record.database.give_up(run, &Ending::Failed(why.clone())),
            }
        });
    }

    /// Something was found.
    pub(crate) fn keep(&mut self, job: usize, id: &Id, kept: &Kept, explanation: &str) {
        let json = match serde_json::to_string(kept) {
            Ok(json) => json,
            Err(error) => {
                self.broken = Some(error.to_string());
                return;
            }
        };
        let finding = KeptFinding {
            id: id.to_string(),
            kind: kept.finding.kind.name().to_owned(),
            headline: headline(&kept.finding),
            json,
            explanation: explanation.to_owned(),
        };
        self.write(|record| {
            let run = record.run(job)?;
            record.database.keep(run, &finding, kept.finding.execution)
        });
    }

    /// The campaign is over. One that was interrupted is not; it can be gone on with.
    pub(crate) fn finish(mut self, interrupted: Interrupted) -> Option<String> {
        if interrupted == Interrupted::No {
            self.write(|record| record.database.end_campaign(record.campaign));
        }
        let Self { database, lock, shelf, mut broken, .. } = self;
        lock.release();
        if let Some(shelf) = shelf {
            // What could not be written to the end is published as far as it goes.
            let published = database.close().map_err(Into::into).and_then(|()| shelf.publish());
            if let Err(error) = published {
                broken.get_or_insert(format!("{error:#}"));
            }
        }
        broken
    }

    /// The run of a job, which begins when something is first heard of it.
    fn run(&mut self, job: usize) -> Result<RunId, StoreError> {
        let recorded = &mut self.jobs[job];
        if let Some(run) = recorded.run {
            return Ok(run);
        }
        let run = self.database.begin_run(self.campaign, &recorded.new)?;
        recorded.run = Some(run);
        Ok(run)
    }

    /// Writes, unless that has failed before.
    fn write(&mut self, f: impl FnOnce(&mut Self) -> Result<(), StoreError>) {
        if self.broken.is_none()
            && let Err(error) = f(self)
        {
            self.broken = Some(error.to_string());
        }
    }
}

/// Whether somebody has pressed Ctrl-C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interrupted {
    Yes,
    No,
}

/// The test of a job.
fn test_name(plan: &Plan, job: &Job) -> TestName {
    let binary = &plan.binaries[job.binary].binary;
    TestName {
        package: binary.package_name.clone(),
        target: binary.target.clone(),
        kind: binary.kind.clone(),
        name: job.info.name.clone(),
    }
}

/// How a test is explored, for the record.
fn new_run(plan: &Plan, job: &Job, build: u64) -> NewRun {
    let planned = &plan.binaries[job.binary];
    let settings = &planned.settings.explore;
    NewRun {
        test: test_name(plan, job),
        build,
        settings: settings.clone(),
        strategy: strategy(settings).to_string(),
        seed: Allotment::of(settings).seed,
    }
}

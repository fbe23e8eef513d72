//! Runs of tests with their sleeps, and what is inferred from them.

use super::Session;
use super::build::Built;
use super::candidates::Candidate;
use super::compose;
use super::runs::{OneTest, Ran, each};
use super::told;
use super::work::{Refusal, Status, Work};
use crate::exit::{Exit, Failure};
use crate::output;
use cargo_metadata::diagnostic::Diagnostic;
use selvedge_migrate::infer::{Runs, infer};
use selvedge_migrate::instrument::Tails;
use selvedge_migrate::log::Log;
use selvedge_migrate::rewrite::Migration;
use selvedge_migrate::source::FileId;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// A test that does more than this, with its sleeps, is not about single events.
const LONGEST: usize = 200_000;

/// More orderings than this nobody reads.
const MOST: usize = 40;

impl Session<'_> {
    /// Runs all tests several times and infers what they are about. Gives what the compiler says of tests
    /// that have their sleeps.
    pub(super) fn log(&self, works: &mut [Work]) -> anyhow::Result<Vec<Diagnostic>> {
        let built = self.build_logged(works)?;
        let open = works.iter().filter(|work| work.is_open()).count();
        let runs = self.args.runs.get();
        output::Status::Logging.say(&format!(
            "{open} test{}, {runs} runs each, with {} sleeps",
            if open == 1 { "" } else { "s" },
            if self.args.scale.get() == 1 { "their" } else { "slower" },
        ));
        // They sleep most of the time.
        let results = each(works, 2 * self.at_a_time, |work| {
            work.is_open().then(|| self.runs_of(&built, &work.candidate))
        });
        for (work, result) in works.iter_mut().zip(results) {
            match result.transpose()? {
                None => {}
                Some(Err(refusal)) => work.refuse(refusal),
                Some(Ok((logs, elapsed))) => {
                    work.original = Some(elapsed);
                    self.infer(work, &logs);
                }
            }
        }
        self.refuse_shared_helpers(works);
        Ok(built.diagnostics)
    }

    /// Builds the logged copy. Files whose copies do not compile are instrumented with more care, then not
    /// at all.
    fn build_logged(&self, works: &mut [Work]) -> anyhow::Result<Built> {
        let mut tails: BTreeMap<FileId, Tails> =
            self.found.sources.files().map(|(file, _)| (file, Tails::Told)).collect();
        loop {
            let changed = compose::logged(self.found, works, &tails);
            let built = self.build("tells what it does", &changed)?;
            if built.errors().is_empty() {
                return Ok(built);
            }
            let mut improved = false;
            let broken: Vec<_> = built
                .errors()
                .iter()
                .flat_map(|error| &error.spans)
                .filter(|span| span.is_primary)
                .filter_map(|span| self.file_of(&span.file_name))
                .collect();
            for file in broken {
                match tails.get_mut(&file) {
                    Some(tails @ Tails::Told) => (*tails, improved) = (Tails::Plain, true),
                    Some(Tails::Plain) => {
                        tails.remove(&file);
                        improved = true;
                        self.refuse_file(works, file, &built);
                    }
                    None => {}
                }
            }
            if !improved {
                return Err(Failure::with(Exit::BuildFailed, built.explain()));
            }
        }
    }

    fn refuse_file(&self, works: &mut [Work], file: FileId, built: &Built) {
        for work in works.iter_mut().filter(|work| work.is_open()) {
            if self.found.sources.body(work.candidate.test.body).file == file {
                work.refuse(Refusal::NotBuilt(format!(
                    "a copy of the file that tells what it does does not compile:\n{}",
                    built.explain()
                )));
            }
        }
    }

    /// The file of ours that the compiler means.
    pub(super) fn file_of(&self, name: &str) -> Option<FileId> {
        let name = Path::new(name);
        let relative = name.strip_prefix(self.root()).unwrap_or(name);
        self.found.sources.files().find(|(_, file)| file.path == relative).map(|(id, _)| id)
    }

    /// The logs of runs that passed, and how long the test takes.
    fn runs_of(
        &self,
        built: &Built,
        candidate: &Candidate,
    ) -> anyhow::Result<Result<(Vec<Log>, Duration), Refusal>> {
        let Some(binary) = built.binary(candidate) else {
            let why = "cargo builds no test binary for it".to_owned();
            return Ok(Err(Refusal::NotBuilt(why)));
        };
        let logs = self.folder.join("logs").join(candidate.file_name());
        if logs.is_dir() {
            fs_err::remove_dir_all(&logs)?;
        }
        let test = OneTest {
            executable: &binary.executable,
            folder: &self.root().join(&candidate.folder),
            name: &candidate.test.name,
            limit: self.args.time_limit.0,
        };
        let folder = logs.display().to_string();
        let scale = self.args.scale.get();
        let mut slower = scale * 3;
        let mut times = Vec::new();
        while times.len() < self.args.runs.get() {
            let run = |scale: u32| {
                test.run(&[("SELVEDGE_LOG", &folder), ("SELVEDGE_TIME_SCALE", &scale.to_string())])
            };
            match run(scale)? {
                Ran::Passed(elapsed) => times.push(elapsed),
                Ran::Missing => {
                    let why = "its binary does not have it, perhaps because of a `cfg`".to_owned();
                    return Ok(Err(Refusal::NotBuilt(why)));
                }
                Ran::Late => return Ok(Err(Refusal::Endless(self.args.time_limit.0))),
                // Perhaps the machine is busy: once more, slower.
                Ran::Failed(printed) => match run(slower)? {
                    Ran::Passed(elapsed) => times.push(elapsed / slower),
                    _ if slower > scale * 3 => return Ok(Err(Refusal::FailsAlready(printed))),
                    _ => slower *= 3,
                },
            }
        }
        times.sort();
        match read_logs(&logs)? {
            Ok(logs) if logs.iter().any(|log| log.entries.len() > LONGEST) => {
                Ok(Err(Refusal::TooLong(LONGEST)))
            }
            Ok(logs) => Ok(Ok((logs, times[times.len() / 2]))),
            Err(error) => Ok(Err(Refusal::Log(error))),
        }
    }

    fn infer(&self, work: &mut Work, logs: &[Log]) {
        let test = work.candidate.test.clone();
        let runs = Runs { logs, test: test.body, confidence: self.args.confidence };
        let inferred = infer(&self.found.sources, runs);
        let migration = Migration::new(&self.found.sources, test, inferred);
        let inferred = &migration.inferred;
        if let Some(unsteady) = inferred.unsteady.first() {
            work.refuse(Refusal::Unsteady(told::unnamed(&self.found.sources, unsteady)));
        } else if inferred.orderings.len() > MOST {
            work.refuse(Refusal::TooMany(inferred.orderings.len()));
        } else if inferred.removed.is_empty() && inferred.left.is_empty() {
            work.refuse(Refusal::NeverSleeps);
        } else if inferred.removed.is_empty() {
            work.status = Status::Left;
        }
        work.migration = Some(migration);
    }

    /// Sleeps in functions that other tests use as well can not be taken away for one of them.
    fn refuse_shared_helpers(&self, works: &mut [Work]) {
        for work in works.iter_mut().filter(|work| work.is_open()) {
            let Some(migration) = &work.migration else { continue };
            let own = work.candidate.test.body;
            let sources = &self.found.sources;
            let helper = migration.inferred.removed.iter().find_map(|&sleep| {
                let function = sources.function_of(sleep);
                (function != own).then(|| sources.body(function).function.clone()).flatten()
            });
            let Some(function) = helper else { continue };
            let others: Vec<_> = sources
                .tests()
                .iter()
                .filter(|test| test.body != own)
                .filter(|test| {
                    sources
                        .bodies_within(test.body)
                        .any(|body| sources.body(body).idents.binary_search(&function).is_ok())
                })
                .map(|test| format!("`{}`", test.name))
                .collect();
            if !others.is_empty() {
                work.refuse(Refusal::Shared { function, others });
            }
        }
    }
}

/// The logs in a folder, of runs that passed. A test that is to panic leaves only logs of runs in which
/// it did.
fn read_logs(folder: &Path) -> anyhow::Result<Result<Vec<Log>, String>> {
    for ending in ["log", "failed"] {
        let logs = read_logs_with(folder, ending)?;
        if !matches!(&logs, Ok(logs) if logs.is_empty()) {
            return Ok(logs);
        }
    }
    Ok(Err("there is none".to_owned()))
}

/// The logs in a folder whose names end like this.
fn read_logs_with(folder: &Path, ending: &str) -> anyhow::Result<Result<Vec<Log>, String>> {
    let mut logs = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(Ok(logs)) };
    let mut paths: Vec<_> = entries.collect::<Result<Vec<_>, _>>()?;
    paths.sort_by_key(std::fs::DirEntry::path);
    for path in paths.iter().map(std::fs::DirEntry::path) {
        if path.extension().is_some_and(|other| other == ending) {
            match Log::parse(&fs_err::read_to_string(&path)?) {
                Ok(log) => logs.push(log),
                Err(error) => return Ok(Err(format!("{}: {error}", path.display()))),
            }
        }
    }
    Ok(Ok(logs))
}

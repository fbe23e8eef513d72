//! What has to hold before a migrated test is believed: with its sleeps it keeps to the schedule by
//! itself; without them it passes on real threads, every time.

use super::Session;
use super::build::Built;
use super::compose;
use super::copy::Changed;
use super::runs::{OneTest, Ran, each};
use super::work::{Refusal, Work};
use crate::exit::{Exit, Failure};
use crate::output;
use selvedge_migrate::rewrite::Sleeps;
use selvedge_migrate::source::function_around;
use std::time::Duration;

/// So many runs with sleeps have to keep to the schedule.
const CHECKED: usize = 3;

/// So many runs without sleeps have to pass.
const PASSED: usize = 20;

/// What came of the runs of one test.
type Verdict = Result<Vec<Duration>, Refusal>;

impl Session<'_> {
    /// Runs tests with events and sleeps, and looks whether they keep to their schedules.
    pub(super) fn check(&self, works: &mut [Work]) -> anyhow::Result<()> {
        let built = self.build_migrated("has schedules and sleeps", works, Sleeps::Kept)?;
        tell(output::Status::Checking, works, "with sleeps, against their schedules");
        let verdicts = self.all(works, |work| {
            let name = &work.candidate.test.name;
            self.runs(&built, work, name, CHECKED, &[("SELVEDGE_SCHEDULES", "check")])
        })?;
        for (work, verdict) in works.iter_mut().zip(verdicts) {
            match verdict {
                None => {}
                Some(Ok(times)) => work.verified.checked = times.len(),
                Some(Err(Refusal::FailsWithout { printed, .. })) => {
                    work.refuse(Refusal::NotHeld(printed));
                }
                Some(Err(other)) => work.refuse(other),
            }
        }
        Ok(())
    }

    /// Runs tests without sleeps on real threads.
    pub(super) fn run_migrated(&self, works: &mut [Work]) -> anyhow::Result<()> {
        let built = self.build_migrated("has no sleeps", works, Sleeps::Removed)?;
        tell(output::Status::Running, works, &format!("without sleeps, {PASSED} times each"));
        let verdicts =
            self.all(works, |work| self.runs(&built, work, &work.migrated_name(), PASSED, &[]))?;
        for (work, verdict) in works.iter_mut().zip(verdicts) {
            match verdict {
                None => {}
                Some(Err(refusal)) => work.refuse(refusal),
                Some(Ok(mut times)) => {
                    times.sort();
                    work.verified.passed = times.len();
                    work.migrated = times.get(times.len() / 2).copied();
                }
            }
        }
        Ok(())
    }

    fn all(
        &self,
        works: &[Work],
        run: impl Fn(&Work) -> anyhow::Result<Verdict> + Sync,
    ) -> anyhow::Result<Vec<Option<Verdict>>> {
        let verdicts =
            each(works, self.at_a_time, |work| work.is_open().then(|| run(work)).transpose());
        verdicts.into_iter().collect()
    }

    fn runs(
        &self,
        built: &Built,
        work: &Work,
        name: &str,
        count: usize,
        variables: &[(&str, &str)],
    ) -> anyhow::Result<Verdict> {
        let Some(binary) = built.binary(&work.candidate) else {
            return Ok(Err(Refusal::NotBuilt("cargo builds no test binary for it".to_owned())));
        };
        let limit = self.args.time_limit.0;
        let test = OneTest {
            executable: &binary.executable,
            folder: &self.root().join(&work.candidate.folder),
            name,
            limit,
        };
        let mut times = Vec::new();
        for run in 1..=count {
            match test.run(variables)? {
                Ran::Passed(elapsed) => times.push(elapsed),
                Ran::Failed(printed) => return Ok(Err(Refusal::FailsWithout { run, printed })),
                Ran::Late => return Ok(Err(Refusal::HangsWithout(limit))),
                Ran::Missing => {
                    let why = format!("the migrated copy has no test `{name}`");
                    return Ok(Err(Refusal::NotBuilt(why)));
                }
            }
        }
        Ok(Ok(times))
    }

    /// Builds a copy with migrated tests. Those that do not compile are refused, and the rest is built
    /// again.
    pub(super) fn build_migrated(
        &self,
        what: &str,
        works: &mut [Work],
        sleeps: Sleeps,
    ) -> anyhow::Result<Built> {
        loop {
            let changed = compose::migrated(self.found, works, sleeps);
            let built = self.build(what, &changed)?;
            if built.errors().is_empty() {
                return Ok(built);
            }
            if !self.blame(works, &changed, &built) {
                return Err(Failure::with(Exit::BuildFailed, built.explain()));
            }
        }
    }

    /// Refuses the tests in which errors are; all of a file if an error is in none of them. Says whether
    /// there were any.
    fn blame(&self, works: &mut [Work], changed: &Changed, built: &Built) -> bool {
        let mut any = false;
        for error in built.errors() {
            let text = error.rendered.clone().unwrap_or_else(|| error.message.clone());
            for span in error.spans.iter().filter(|span| span.is_primary) {
                let Some(file) = self.file_of(&span.file_name) else { continue };
                let path = &self.found.sources.file(file).path;
                let Some(edited) = changed.get(path) else { continue };
                let at = span.byte_start as usize;
                let name = function_around(edited, at).map(|function| function.name);
                for work in works.iter_mut().filter(|work| work.is_open()) {
                    let own = self.found.sources.body(work.candidate.test.body).file == file;
                    let last = work.candidate.test.name.rsplit("::").next();
                    if own && name.as_deref().is_none_or(|name| Some(name) == last) {
                        work.refuse(Refusal::DoesNotCompile(text.clone()));
                        any = true;
                    }
                }
            }
        }
        any
    }
}

fn tell(status: output::Status, works: &[Work], how: &str) {
    let open = works.iter().filter(|work| work.is_open()).count();
    if open > 0 {
        status.say(&format!("{open} test{} {how}", if open == 1 { "" } else { "s" }));
    }
}

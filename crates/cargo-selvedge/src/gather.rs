//! Everything that is known of a project: the findings that are kept and what is recorded of
//! campaigns, put together for reports.
//!
//! Of each test the last recorded run counts, whatever campaign it was in; the strategies that are
//! compared are those that ran the same build of it.

use crate::compile::label;
use crate::exit::{Exit, Failure};
use crate::findings::{Id, Kept, KnownCode, Store};
use crate::output::{Case, Verdict, explain, note};
use crate::project::Project;
use selvedge_model::{MetricReport, Verdict as Tried};
use selvedge_page::data::{self, Reached, Report, State, Strategy};
use selvedge_page::{Head, Maker, Tested};
use selvedge_report::{Colour, NoSources, SourceFiles, Style, untold, warning};
use selvedge_store::data::{Ending, Measured, Run, TestName};
use selvedge_store::{Access, Database, Places};
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Everything that is known.
pub(crate) struct Gathered {
    head: Head,
    sources: SourceFiles,
    /// By name.
    findings: Vec<Finding>,
    tests: Vec<Test>,
}

/// A finding that is kept.
struct Finding {
    id: Id,
    kept: Kept,
    explanation: String,
    /// Whether the last run of its test has met it, if one is recorded.
    in_last_run: Option<bool>,
}

/// A test of which a run is recorded.
struct Test {
    run: Run,
    found: Vec<String>,
    measured: Vec<Measured>,
    strategies: Vec<Strategy>,
}

impl Gathered {
    /// Reads everything that is kept.
    pub(crate) fn of(project: &Project) -> anyhow::Result<Self> {
        let sources = SourceFiles::new(project.source_folders());
        let (commit, tests) = match project.campaigns().exists() {
            true => read_tests(&Database::open(&project.campaigns(), Access::Read)?)?,
            false => (None, Vec::new()),
        };
        let mut findings = Vec::new();
        for (id, kept) in Store::at(project.findings()).all()? {
            let kept = match kept {
                Ok(kept) => kept,
                Err(error) => {
                    note(&format!("finding {id} is left out: {error:#}"));
                    continue;
                }
            };
            let last = tests.iter().find(|test| is_of(&test.run.test, &kept));
            let in_last_run = last.map(|test| test.found.iter().any(|found| found == id.as_str()));
            let code = KnownCode { files: &sources, code: &kept.code };
            let explanation = explain(&kept.finding, &kept.test, id.as_str(), Colour::Plain, &code);
            findings.push(Finding { id, kept, explanation, in_last_run });
        }
        if tests.is_empty() && findings.is_empty() {
            let why = format!(
                "nothing has been kept in {}; run `cargo selvedge test` first",
                project.folder.display()
            );
            return Err(Failure::with(Exit::NothingToRun, why));
        }
        let head = Head {
            selvedge: env!("CARGO_PKG_VERSION").to_owned(),
            project: name(project),
            commit,
            made: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        };
        Ok(Self { head, sources, findings, tests })
    }

    /// As the data of a report.
    pub(crate) fn report(&self) -> Report {
        let mut maker = Maker::new(self.head.clone());
        for Test { run, found, measured, strategies } in &self.tests {
            let coverage: Vec<_> = measured.iter().map(metric_report).collect();
            let remaining: Vec<_> = measured.iter().filter_map(|m| m.remaining.clone()).collect();
            let warnings = untold(&run.warnings);
            maker.test(Tested {
                binary: label_of(&run.test),
                name: run.test.name.clone(),
                state: state(run, found),
                message: trouble(run),
                executions: run.executions,
                steps: run.steps,
                threads: run.threads,
                seconds: Some(run.milliseconds as f64 / 1000.0),
                warnings: warnings.map(|one| warning(one, Style::default(), &NoSources)).collect(),
                coverage: &coverage,
                remaining: &remaining,
                strategies: strategies.clone(),
            });
        }
        for Finding { id, kept, in_last_run, .. } in &self.findings {
            let binary = label(&kept.package, &kept.target_kind, &kept.target);
            let test = maker
                .number(&binary, &kept.test)
                .unwrap_or_else(|| maker.test(Tested::unknown(&binary, &kept.test)));
            let code = KnownCode { files: &self.sources, code: &kept.code };
            maker.finding(id.as_str(), test, &kept.finding, *in_last_run, &code);
        }
        maker.finish(&self.sources)
    }

    /// The findings that were not missed by a later run.
    pub(crate) fn met(&self) -> impl Iterator<Item = (&Id, &Kept)> {
        let met = self.findings.iter().filter(|one| one.in_last_run != Some(false));
        met.map(|one| (&one.id, &one.kept))
    }

    /// As the cases of a JUnit report: the last run of each test, and the tests of which there is
    /// nothing but a finding.
    pub(crate) fn cases(&self) -> Vec<Case<'_>> {
        let mut cases = Vec::new();
        for Test { run, found, .. } in &self.tests {
            let own = self.findings.iter().find(|one| found.iter().any(|id| id == one.id.as_str()));
            let verdict = match (own, trouble(run)) {
                (Some(own), _) => found_verdict(own),
                (None, Some(message)) => Verdict::Broken { message, printed: "" },
                (None, None) => Verdict::Passed(tried(run)),
            };
            let elapsed = Duration::from_millis(run.milliseconds);
            cases.push(Case {
                binary: label_of(&run.test),
                test: &run.test.name,
                verdict,
                elapsed,
            });
        }
        for own in self.findings.iter().filter(|one| one.in_last_run.is_none()) {
            let binary = label(&own.kept.package, &own.kept.target_kind, &own.kept.target);
            let (test, elapsed) = (own.kept.test.as_str(), Duration::ZERO);
            cases.push(Case { binary, test, verdict: found_verdict(own), elapsed });
        }
        cases
    }
}

fn found_verdict(one: &Finding) -> Verdict<'_> {
    Verdict::Found { finding: &one.kept.finding, explanation: &one.explanation }
}

/// The last run of each test, and the commit of the last campaign.
fn read_tests(database: &Database) -> anyhow::Result<(Option<String>, Vec<Test>)> {
    let campaigns = database.campaigns()?;
    let commit = campaigns.last().and_then(|last| last.commit.as_ref());
    let commit = commit.map(|commit| commit.id.chars().take(12).collect());
    let mut runs: BTreeMap<TestName, Vec<Run>> = BTreeMap::new();
    for campaign in &campaigns {
        for run in database.runs(campaign.id)? {
            runs.entry(run.test.clone()).or_default().push(run);
        }
    }
    let mut tests = Vec::new();
    for mut runs in runs.into_values() {
        let strategies = strategies(database, &runs)?;
        let Some(run) = runs.pop() else { continue };
        let found = database.found(run.id)?.into_iter().map(|found| found.id).collect();
        let measured = database.measured(run.id, Places::Lines)?;
        tests.push(Test { run, found, measured, strategies });
    }
    Ok((commit, tests))
}

/// What each strategy has done with the last build of a test, if there were several.
fn strategies(database: &Database, runs: &[Run]) -> anyhow::Result<Vec<Strategy>> {
    let Some(last) = runs.last() else { return Ok(Vec::new()) };
    let mut by_name: BTreeMap<&str, &Run> = BTreeMap::new();
    for run in runs.iter().filter(|run| run.build == last.build && run.executions > 0) {
        by_name.insert(&run.strategy, run);
    }
    if by_name.len() < 2 {
        return Ok(Vec::new());
    }
    let strategy = |(name, run): (&str, &Run)| -> anyhow::Result<Strategy> {
        let reached = |measured: Measured| Reached {
            covered: measured.covered.len() as u64,
            growth: measured
                .growth
                .iter()
                .map(|at| data::Growth(at.execution, at.covered))
                .collect(),
            metric: measured.metric,
        };
        let measured = database.measured(run.id, Places::Lines)?;
        Ok(Strategy {
            name: name.to_owned(),
            executions: run.executions,
            findings: database.found(run.id)?.len() as u64,
            metrics: measured.into_iter().map(reached).collect(),
        })
    };
    by_name.into_iter().map(strategy).collect()
}

fn metric_report(measured: &Measured) -> MetricReport {
    let covered = measured.covered.iter().map(|covered| covered.requirement.clone());
    MetricReport {
        metric: measured.metric.clone(),
        covered: covered.collect(),
        uncovered: measured.uncovered.clone(),
        weight: measured.summary.and_then(|summary| summary.weight),
        growth: measured.growth.clone(),
        average: measured.summary.map_or(0.0, |summary| summary.average),
        quality: None,
    }
}

fn state(run: &Run, found: &[String]) -> State {
    match &run.ending {
        _ if !found.is_empty() => State::Found,
        Some(Ending::Died(_) | Ending::Failed(_)) => State::Failed,
        Some(Ending::Stopped(stopped)) => match stopped.verdict(&run.conditions) {
            Tried::Found => State::Found,
            Tried::Exhausted => State::Exhausted,
            Tried::Bounded => State::Bounded,
            Tried::Saturated => State::Saturated,
            Tried::Once => State::Once,
            Tried::Long | Tried::Plain => State::TooLong,
            Tried::OwnMemory | Tried::Unfinished => State::Interrupted,
            Tried::UsedUp | Tried::Replayed => State::Passed,
        },
        None => State::Interrupted,
    }
}

/// How much a test was tried, if it was explored to the end.
fn tried(run: &Run) -> Option<Tried> {
    match run.ending.as_ref()? {
        Ending::Stopped(stopped) => Some(stopped.verdict(&run.conditions)),
        Ending::Died(_) | Ending::Failed(_) => None,
    }
}

/// Why a test could not be explored, if it could not.
fn trouble(run: &Run) -> Option<String> {
    match run.ending.as_ref()? {
        Ending::Died(how) => Some(format!("the test process {how}")),
        Ending::Failed(why) => Some(why.clone()),
        Ending::Stopped(_) => None,
    }
}

fn label_of(test: &TestName) -> String {
    label(&test.package, &test.kind, &test.target)
}

fn is_of(test: &TestName, kept: &Kept) -> bool {
    (&test.package, &test.target, &test.kind, &test.name)
        == (&kept.package, &kept.target, &kept.target_kind, &kept.test)
}

/// The name of a project: that of its package, or of the folder of its workspace.
fn name(project: &Project) -> String {
    let package = project.metadata.root_package().map(|package| package.name.to_string());
    let folder = || project.root().file_name().map(|name| name.to_string_lossy().into_owned());
    package.or_else(folder).unwrap_or_else(|| "a project".to_owned())
}

//! Migrated tests under control: each has to pass in a thousand interleavings that its schedule allows.

use super::Session;
use super::candidates::Candidate;
use super::work::{Refusal, Work};
use crate::compile::compile;
use crate::memory_layer::MemoryLayer;
use crate::output;
use crate::project::Project;
use crate::run::{Brief, Event, Outcome, Plan, Work as Batch, run_all};
use crate::settings::Settings;
use selvedge_harness::Selection;
use selvedge_model::{Finding, Learned, Stopped};
use selvedge_report::headline;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// So many executions have to pass.
const EXECUTIONS: u64 = 1000;

/// How tests are explored: in full, and without the faults that a test with sleeps never met either.
const SETTINGS: [(&str, &str); 9] = [
    ("executions", "1000"),
    ("time", "120s"),
    ("saturation", "none"),
    ("timeouts", "off"),
    ("spurious", "off"),
    ("polls", "off"),
    ("detectors", "off"),
    ("leaks", "off"),
    ("leaked_threads", "allow"),
];

/// What came of a test: how many executions it had, all or too few, or what went wrong.
#[derive(Clone, Debug)]
enum Explored {
    Passed(u64),
    Slow(u64),
    Found(Box<Finding>),
    Failed(String),
}

/// A test, by its binary and its name.
type Key = (String, String, String, String);

impl Session<'_> {
    /// Explores all tests that are left. What the original does as well, with its sleeps, is no reason to
    /// refuse.
    pub(super) fn explore(&self, works: &mut [Work]) -> anyhow::Result<()> {
        let open: Vec<_> = works.iter().filter(|work| work.is_open()).collect();
        if open.is_empty() {
            return Ok(());
        }
        output::Status::Exploring.say(&format!(
            "{} test{} without sleeps, {EXECUTIONS} executions each",
            open.len(),
            if open.len() == 1 { "" } else { "s" },
        ));
        let names: Vec<_> =
            open.iter().map(|work| (&work.candidate, work.migrated_name())).collect();
        let explored = self.explored(&names)?;
        let suspects: Vec<_> = open
            .iter()
            .filter(|work| {
                let key = key(&work.candidate, &work.migrated_name());
                matches!(explored.get(&key), Some(Explored::Found(_)))
            })
            .map(|work| (&work.candidate, work.candidate.test.name.clone()))
            .collect();
        let originals = if suspects.is_empty() {
            BTreeMap::new()
        } else {
            self.copy(&BTreeMap::new())?;
            self.explored(&suspects)?
        };
        for work in works.iter_mut().filter(|work| work.is_open()) {
            let candidate = &work.candidate;
            let original = originals.get(&key(candidate, &candidate.test.name));
            match explored.get(&key(candidate, &work.migrated_name())) {
                None => work.refuse(Refusal::NotBuilt(
                    "its binary can not be run under control".to_owned(),
                )),
                Some(Explored::Passed(executions)) => work.verified.executions = *executions,
                Some(Explored::Slow(executions)) => work.refuse(Refusal::Slow(*executions)),
                Some(Explored::Failed(why)) => work.refuse(Refusal::FailsUnderControl(why.clone())),
                Some(Explored::Found(finding)) => match original {
                    Some(Explored::Found(own)) if own.kind.same_problem(&finding.kind) => {}
                    _ => work.refuse(Refusal::FailsUnderControl(headline(finding))),
                },
            }
        }
        Ok(())
    }

    /// Explores tests of the copy as it is.
    fn explored(&self, tests: &[(&Candidate, String)]) -> anyhow::Result<BTreeMap<Key, Explored>> {
        let root = self.root();
        let mut cargo = self.args.cargo.clone();
        cargo.manifest_path = Some(root.join(self.manifest));
        (cargo.locked, cargo.frozen) = (false, false);
        let target = self.folder.join("controlled");
        let project =
            Project::find(self.toolchain, cargo.manifest_path.as_deref(), Some(&target), &[])?;
        let binaries = compile(self.toolchain, &project, &cargo, &[], &MemoryLayer::Off)?;
        let arguments = ["--exact", "--include-ignored"].map(str::to_owned);
        let mut selection = Selection::parse(arguments)?;
        tests.iter().for_each(|(_, name)| selection.add_filter(name.clone()));
        let explore = SETTINGS.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
        let settings = Settings { explore, ..Settings::default() };
        crate::run::fix_addresses();
        let mut plan = Plan::default();
        for binary in binaries {
            let is_meant = tests.iter().any(|(candidate, _)| {
                candidate.package == binary.package_name
                    && candidate.kind == binary.kind
                    && candidate.target == binary.target
            });
            if is_meant {
                plan.add(binary, settings.clone(), &selection);
            }
        }
        let brief = |job: usize| {
            let settings = plan.binaries[plan.jobs[job].binary].settings.explore.clone();
            Ok(Brief { settings, known: Learned::default(), first: Vec::new() })
        };
        let jobs = (0..plan.jobs.len()).collect();
        let at_a_time = self.at_a_time;
        let batch = Batch { plan: &plan, jobs, at_a_time, processes: 1, brief: &brief };
        let mut results = BTreeMap::new();
        run_all(&batch, &AtomicBool::new(false), &mut |event| {
            if let Event::Finished { job, over } = event {
                let job = &plan.jobs[job];
                let binary = &plan.binaries[job.binary].binary;
                let key = (
                    binary.package_name.clone(),
                    binary.kind.clone(),
                    binary.target.clone(),
                    job.info.name.clone(),
                );
                results.insert(key, explored(over.outcome));
            }
        });
        Ok(results)
    }
}

fn explored(outcome: Outcome) -> Explored {
    match outcome {
        Outcome::Explored(report) => match report.finding {
            Some(finding) => Explored::Found(Box::new(finding)),
            None if report.executions < EXECUTIONS
                && !matches!(report.stopped, Stopped::Exhausted | Stopped::Sequential) =>
            {
                Explored::Slow(report.executions)
            }
            None => Explored::Passed(report.executions),
        },
        Outcome::Died(death) => Explored::Failed(format!("the test process {}", death.how)),
        Outcome::Failed(why) => Explored::Failed(why),
    }
}

fn key(candidate: &Candidate, name: &str) -> Key {
    let Candidate { package, kind, target, .. } = candidate;
    (package.clone(), kind.clone(), target.clone(), name.to_owned())
}

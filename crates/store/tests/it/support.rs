//! Campaigns to be kept.

use selvedge_model::{
    Conditions, CorpusEntry, CoveredRequirement, Frequency, Growth, Learned, LearnedMetric,
    MetricReport, Named, NamedObject, NamedThread, ObjectKind, OperationKind, Part, Place, Report,
    Requirement, Source, Stopped, ThreadId, WrittenOperation,
};
use selvedge_store::data::{NewCampaign, NewRun, TestName};
use selvedge_store::{Access, Database};
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

/// A folder for files.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn open(&self, name: &str) -> Database {
        Database::open(&self.file(name), Access::Write).unwrap()
    }
}

pub(crate) fn campaign() -> NewCampaign {
    NewCampaign { commit: None, toolchain: "rustc 1.95.0".to_owned(), part: None }
}

pub(crate) fn test(name: &str) -> NewRun {
    NewRun {
        test: TestName {
            package: "queue".to_owned(),
            target: "queue".to_owned(),
            kind: "lib".to_owned(),
            name: name.to_owned(),
        },
        build: u64::MAX - 3,
        settings: vec![("metrics".to_owned(), "sp".to_owned())],
        strategy: "portfolio".to_owned(),
        seed: u64::MAX,
    }
}

pub(crate) fn at(line: u32) -> Place {
    Place::Line(Source { file: "src/lib.rs".to_owned(), line, column: 5 })
}

/// A requirement of two lines, an object, a thread, a state and a set.
pub(crate) fn requirement(first: u32, second: u32) -> Requirement {
    let part = |role: &str, is| Part { role: role.to_owned(), is };
    let object = |number| {
        let kind = Some(ObjectKind::Mutex);
        Named::Object(NamedObject { kind, origin: Some(at(1)), number })
    };
    let spawned = Some(Source { file: "src/lib.rs".to_owned(), line: 9, column: 1 });
    Requirement {
        parts: vec![
            part("", Named::Place(at(first))),
            part("then", Named::Place(at(second))),
            part("on", object(Some(2))),
            part("by", Named::Thread(NamedThread { spawned, mark: Some(u64::MAX - 1) })),
            part("with", Named::Set(vec![object(None), Named::Nothing])),
            part("", Named::State("free".to_owned())),
        ],
    }
}

/// News of so many executions, of one metric.
pub(crate) fn news(
    executions: u64,
    covered: Vec<CoveredRequirement>,
    growth: &[(u64, u64)],
) -> Learned {
    let growth = growth.iter().map(|&(execution, covered)| Growth { execution, covered }).collect();
    let metric = LearnedMetric { metric: "sp".to_owned(), covered, growth };
    Learned { executions, steps: 10 * executions, metrics: vec![metric], corpus: Vec::new() }
}

/// An execution to go on from.
pub(crate) fn worth_going_on(line: u32) -> CorpusEntry {
    let written = |kind, line| {
        let source = Source { file: "src/lib.rs".to_owned(), line, column: 5 };
        WrittenOperation { kind, source }
    };
    CorpusEntry {
        chosen: vec![(ThreadId(1), 4), (ThreadId(0), 1)],
        pairs: vec![(
            written(OperationKind::MutexUnlock, line),
            written(OperationKind::MutexLock, line + 1),
        )],
    }
}

pub(crate) fn covered(line: u32, frequency: Frequency, first: u64) -> CoveredRequirement {
    CoveredRequirement { requirement: requirement(line, line + 1), frequency, first }
}

pub(crate) fn report(stopped: Stopped) -> Report {
    Report {
        executions: 0,
        steps: 0,
        threads: 3,
        stopped,
        finding: None,
        warnings: Vec::new(),
        output: String::new(),
        conditions: Conditions { statics_put_back: Some(7), ..Conditions::default() },
        coverage: vec![MetricReport {
            metric: "sp".to_owned(),
            covered: Vec::new(),
            uncovered: vec![requirement(90, 91), requirement(1, 2)],
            weight: None,
            growth: Vec::new(),
            average: 2.5,
            quality: None,
        }],
        guidance: None,
        orders: None,
        remaining: Vec::new(),
        trace: None,
        elapsed: Duration::from_secs(1),
    }
}

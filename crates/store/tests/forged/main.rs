//! Files that somebody has made up: no panic, no SQL of theirs is run, nothing of them is left in ours.
//! `SELVEDGE_FUZZ` says how many; without it there are few.

mod mutate;

use mutate::Random;
use rusqlite::Connection;
use selvedge_model::{
    Conditions, CorpusEntry, CoveredRequirement, Frequency, Growth, Learned, LearnedMetric,
    MetricReport, Named, OperationKind, Part, Place, Report, Requirement, Source, Stopped,
    ThreadId, WrittenOperation,
};
use selvedge_store::data::{KeptFinding, NewCampaign, NewRun, PartOf, Run, RunId, Shard, TestName};
use selvedge_store::history::Question;
use selvedge_store::{Access, Database, Places, StoreError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file with one campaign.
fn write(file: &Path) {
    let mut database = Database::open(file, Access::Write).unwrap();
    let part = PartOf { shard: Shard { index: 1, count: 2 }, family: 7 };
    campaign(&mut database, Some(part)).unwrap();
    database.close().unwrap();
}

fn campaign(database: &mut Database, part: Option<PartOf>) -> Result<(), StoreError> {
    let new = NewCampaign { commit: None, toolchain: text("rustc"), part };
    let campaign = database.begin_campaign(&new)?;
    let test =
        TestName { package: text("a"), target: text("a"), kind: text("lib"), name: text("t") };
    let settings = vec![(text("seed"), text("1"))];
    let new = NewRun { test, build: 1, settings, strategy: text("random"), seed: 1 };
    let run = database.begin_run(campaign, &new)?;
    explore(database, run)?;
    database.end_campaign(campaign)
}

fn text(text: &str) -> String {
    text.to_owned()
}

fn requirement(line: u32) -> Requirement {
    let at = |line| Named::Place(Place::Line(Source { file: text("src/lib.rs"), line, column: 5 }));
    let part = |is| Part { role: text("then"), is };
    Requirement {
        parts: vec![part(at(line)), part(Named::Set(vec![at(line + 1), Named::Nothing]))],
    }
}

/// A process explores a test to its end.
fn explore(database: &mut Database, run: RunId) -> Result<(), StoreError> {
    let slice = database.begin_slice(run, 3)?;
    let covered = (1..20).map(|line| CoveredRequirement {
        requirement: requirement(line),
        frequency: Frequency::Once,
        first: 1,
    });
    let metric = LearnedMetric {
        metric: text("sp"),
        covered: covered.collect(),
        growth: vec![Growth { execution: 1, covered: 3 }],
    };
    let written = || WrittenOperation {
        kind: OperationKind::MutexLock,
        source: Source { file: text("src/lib.rs"), line: 3, column: 5 },
    };
    let chosen = vec![(ThreadId(1), 3), (ThreadId(0), 9)];
    let corpus = vec![CorpusEntry { chosen, pairs: vec![(written(), written())] }];
    let learned = Learned { executions: 5, steps: 9, metrics: vec![metric], corpus };
    database.learn(run, slice, &learned, Duration::from_millis(5), &())?;
    let report = Report {
        executions: 5,
        steps: 9,
        threads: 3,
        stopped: Stopped::Found,
        finding: None,
        warnings: Vec::new(),
        output: String::new(),
        conditions: Conditions::default(),
        coverage: vec![MetricReport {
            metric: text("sp"),
            covered: Vec::new(),
            uncovered: vec![requirement(90)],
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
    };
    database.end_run(run, &report, &())?;
    let finding = KeptFinding {
        id: text("00000001"),
        kind: text("panic"),
        headline: text("x"),
        json: text("{}"),
        explanation: text("y"),
    };
    database.keep(run, &finding, 3)
}

/// Everything that is ever asked of a file.
fn read(file: &Path) -> Result<(), StoreError> {
    let database = Database::open(file, Access::Read)?;
    database.history(&Question::default())?;
    database.parts()?.iter().for_each(|parts| drop(parts.missing()));
    for campaign in database.campaigns()? {
        for run in database.runs(campaign.id)? {
            database.known(run.id)?;
            database.measured(run.id, Places::Lines)?;
        }
    }
    database.check()
}

struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Nobody may take more.
const LIMIT: u64 = 256 << 10;

/// The most memory that this process has had at a time, in KiB. What SQLite takes is in it.
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Whoever has merged goes on with what is there now, and begins something new.
fn go_on(file: &Path) -> Result<(), StoreError> {
    let mut database = Database::open(file, Access::Write)?;
    for campaign in database.campaigns()? {
        database.go_on(campaign.id)?;
        for run in database.runs(campaign.id)? {
            let Run { test, build, settings, strategy, seed, .. } = run;
            let new = NewRun { test, build, settings, strategy, seed };
            let id = database.begin_run(campaign.id, &new)?;
            explore(&mut database, id)?;
        }
    }
    campaign(&mut database, None)
}

#[test]
fn forged_files_are_read_or_refused_and_ours_stays_whole() {
    let count: u64 = std::env::var("SELVEDGE_FUZZ").map_or(150, |n| n.parse().expect("a number"));
    let files = Files::new();
    let (whole, forged, ours) = (files.at("whole"), files.at("forged"), files.at("ours"));
    write(&whole);
    let bytes = std::fs::read(&whole).unwrap();
    let mut random = Random(0x5eed);
    let mut merged = 0;
    for number in 0..count {
        if random.below(2) == 0 {
            std::fs::write(&forged, mutate::bytes(&bytes, &mut random)).unwrap();
        } else {
            std::fs::write(&forged, &bytes).unwrap();
            mutate::rows(&forged, &mut random);
        }
        let _ = read(&forged);
        let mut database = Database::open(&ours, Access::Write).unwrap();
        merged += u64::from(database.merge(&forged).is_ok());
        drop(database);
        if number % 20 == 0 {
            let whole = |error| panic!("after {number}: {error}");
            read(&ours).unwrap_or_else(whole);
            go_on(&ours).unwrap_or_else(whole);
            read(&ours).unwrap_or_else(whole);
            std::fs::remove_file(&ours).unwrap();
        }
    }
    let most = most_memory();
    #[expect(clippy::print_stdout, reason = "the figure that the fuzzer is run for")]
    {
        println!("{merged} of {count} were merged; at most {most} KiB were in use");
    }
    assert!(merged * 20 > count, "hardly any made sense: {merged} of {count}");
    assert!(most <= LIMIT, "{most} KiB");
}

/// Changes a file with SQL, as its tables allow it or not.
fn forge(files: &Files, sql: &str) -> PathBuf {
    let file = files.at("forged");
    let _ = std::fs::remove_file(&file);
    write(&file);
    let connection = Connection::open(&file).unwrap();
    connection.pragma_update(None, "writable_schema", true).unwrap();
    connection.pragma_update(None, "foreign_keys", false).unwrap();
    connection.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    file
}

#[test]
fn no_sql_of_a_file_is_run() {
    let files = Files::new();
    for sql in [
        "CREATE TRIGGER t AFTER INSERT ON campaigns BEGIN DELETE FROM campaigns; END",
        "ALTER TABLE findings RENAME TO hidden; CREATE VIEW findings AS SELECT id, kind, headline, \
         found, printf('%.*c', 100000000, 'x') AS json, explanation FROM hidden",
        "CREATE TABLE more (a)",
        "CREATE INDEX i ON tests (lower(name))",
        "DROP VIEW requirement_texts",
        "DROP VIEW requirement_texts; CREATE VIEW requirement_texts AS SELECT load_extension('/tmp/x')",
        "UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'tests'",
        "UPDATE sqlite_schema SET sql = replace(sql, 'TEXT NOT NULL', \
         'TEXT AS (randomblob(1000000000))') WHERE name = 'files'",
    ] {
        let file = forge(&files, sql);
        let error = Database::open(&file, Access::Read).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{sql}: {error}");
        let ours = files.at("ours");
        let error = Database::open(&ours, Access::Write).unwrap().merge(&file).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{sql}: {error}");
        assert_eq!(Database::open(&ours, Access::Read).unwrap().campaigns().unwrap(), []);
    }
}

#[test]
fn what_could_not_be_read_later_is_not_merged() {
    let files = Files::new();
    for sql in [
        "UPDATE campaigns SET shard = '1/4000000000'",
        "UPDATE campaigns SET shard = '5/2'",
        "UPDATE runs SET settings = '{'",
        "UPDATE runs SET warnings = '[' || replace(hex(zeroblob(100000)), '00', '[') || ']'",
        "UPDATE runs SET ending = 'no ending'",
        "UPDATE elements SET kind = 'set', detail = key",
        "UPDATE elements SET kind = 'set', detail = (SELECT group_concat(key, ' ') FROM elements)",
        "UPDATE elements SET kind = 'code', detail = 'nowhere', file = NULL",
        "UPDATE elements SET line = -1",
        "UPDATE elements SET line = 1 << 40",
        "UPDATE findings SET json = hex(zeroblob(30000000))",
        // Texts that are none, in columns that nobody looks at today.
        "UPDATE campaigns SET tree = CAST(x'ff' AS TEXT)",
        "UPDATE runs SET ending = NULL, message = CAST(x'ff' AS TEXT)",
        "UPDATE elements SET text = CAST(x'ff' AS TEXT)",
        "INSERT INTO files VALUES (5, CAST(x'61c3' AS TEXT))",
        // Rows that nobody names today.
        "INSERT INTO elements (key, role, kind, detail, text) VALUES (5, '', 'no kind', '', '')",
        "INSERT INTO elements (key, role, kind, detail, text) VALUES (5, '', 'set', '7', '')",
        // Numbers that can not be counted on.
        "UPDATE campaigns SET began = 9223372036854775807",
        "UPDATE campaigns SET revision = 9223372036854775807",
        "UPDATE runs SET revision = 9223372036854775807",
        "UPDATE slices SET number = 9223372036854775807",
        "UPDATE slices SET executions = -1",
        "UPDATE slices SET steps = 1 << 62",
        "UPDATE covered SET frequency = 9223372036854775807",
        // Little that becomes much.
        "UPDATE elements SET role = hex(zeroblob(3000))",
        "UPDATE tests SET name = hex(zeroblob(3000))",
        "UPDATE files SET name = hex(zeroblob(2000)); UPDATE elements SET kind = 'set', \
         file = NULL, detail = replace(hex(zeroblob(1500)), '0', (SELECT key FROM elements \
         WHERE kind = 'line') || ' ') WHERE kind = 'set'",
    ] {
        let file = forge(&files, sql);
        let ours = files.at("ours");
        let error = Database::open(&ours, Access::Write).unwrap().merge(&file);
        assert!(error.is_err(), "{sql}");
        assert_eq!(Database::open(&ours, Access::Read).unwrap().campaigns().unwrap(), []);
    }
}

#[test]
fn a_shard_that_was_run_again_counts_once_and_what_is_missing_is_known() {
    let files = Files::new();
    let mut ours = Database::open(&files.at("ours"), Access::Write).unwrap();
    // The first attempt was killed after more executions than the second one needed.
    let killed =
        forge(&files, "UPDATE campaigns SET ended = NULL; UPDATE slices SET executions = 90");
    ours.merge(&killed).unwrap();
    assert_eq!(ours.parts().unwrap()[0].unfinished, [1]);
    write(&files.at("again"));
    let merged = ours.merge(&files.at("again")).unwrap();
    assert_eq!((merged.there, merged.families.len()), (1, 1));
    ours.merge(&killed).unwrap();
    let [campaign] = ours.campaigns().unwrap().try_into().unwrap();
    assert_eq!(ours.runs(campaign.id).unwrap()[0].executions, 5);
    let [parts] = ours.parts().unwrap().try_into().unwrap();
    assert_eq!((parts.ended.as_slice(), parts.missing()), (&[1][..], vec![(2, 2)]));
}

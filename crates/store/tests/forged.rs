//! Files that somebody has made up: no panic, no SQL of theirs is run, nothing of them is left in ours.
//! `SELVEDGE_FUZZ` says how many; without it there are few.

use rusqlite::Connection;
use selvedge_model::{
    Conditions, CoveredRequirement, Frequency, Growth, Learned, LearnedMetric, MetricReport, Named,
    Part, Place, Report, Requirement, Source, Stopped,
};
use selvedge_store::data::{KeptFinding, NewCampaign, NewRun, PartOf, Shard, TestName};
use selvedge_store::history::Question;
use selvedge_store::{Access, Database, Places, StoreError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file with one campaign.
fn write(file: &Path) {
    let mut database = Database::open(file, Access::Write).unwrap();
    let part = Some(PartOf { shard: Shard { index: 1, count: 2 }, family: 7 });
    let new = NewCampaign { commit: None, toolchain: "rustc".to_owned(), part };
    let campaign = database.begin_campaign(&new).unwrap();
    let text = |text: &str| text.to_owned();
    let test =
        TestName { package: text("a"), target: text("a"), kind: text("lib"), name: text("t") };
    let settings = vec![(text("seed"), text("1"))];
    let new = NewRun { test, build: 1, settings, strategy: text("random"), seed: 1 };
    let run = database.begin_run(campaign, &new).unwrap();
    let slice = database.begin_slice(run, 3).unwrap();
    let at = |line| Named::Place(Place::Line(Source { file: text("src/lib.rs"), line, column: 5 }));
    let part = |is| Part { role: text("then"), is };
    let requirement = |line| Requirement {
        parts: vec![part(at(line)), part(Named::Set(vec![at(line + 1), Named::Nothing]))],
    };
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
    let learned = Learned { executions: 5, steps: 9, metrics: vec![metric], corpus: Vec::new() };
    database.learn(run, slice, &learned, Duration::from_millis(5), &()).unwrap();
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
    database.end_run(run, &report, &()).unwrap();
    let finding = KeptFinding {
        id: text("00000001"),
        kind: text("panic"),
        headline: text("x"),
        json: text("{}"),
        explanation: text("y"),
    };
    database.keep(run, &finding, 3).unwrap();
    database.end_campaign(campaign).unwrap();
    database.close().unwrap();
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

#[test]
fn forged_files_are_read_or_refused_and_ours_stays_whole() {
    let count: u64 = std::env::var("SELVEDGE_FUZZ").map_or(150, |n| n.parse().expect("a number"));
    let files = Files::new();
    let (whole, forged, ours) = (files.at("whole"), files.at("forged"), files.at("ours"));
    write(&whole);
    let bytes = std::fs::read(&whole).unwrap();
    let mut state = 0x5eed_u64;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % n
    };
    let mut merged = 0;
    for number in 0..count {
        let mut changed = bytes.clone();
        for _ in 0..=below(6) {
            let at = below(changed.len());
            match below(6) {
                0 => changed[at] = [0, 1, 0x7f, 0x80, 0xff][below(5)],
                1 => changed[at] ^= 1 << below(8),
                2 => {
                    let length = below(64).min(changed.len() - at);
                    let from = below(changed.len() - length);
                    changed.copy_within(from..from + length, at);
                }
                // The pointers to cells, at the beginning of a page.
                3 => {
                    let at = at / 4096 * 4096 + below(64);
                    changed[at] = below(256) as u8;
                }
                // Text, at the end of a page.
                4 => {
                    if let Some(byte) = changed[at..].iter_mut().find(|b| b.is_ascii_alphanumeric())
                    {
                        *byte = b"0aZ\"{[-9\x1b\xff"[below(10)];
                    }
                }
                _ => changed.truncate(changed.len() - below(changed.len().min(9000))),
            }
            if changed.is_empty() {
                changed.push(0);
            }
        }
        std::fs::write(&forged, &changed).unwrap();
        let _ = read(&forged);
        let mut database = Database::open(&ours, Access::Write).unwrap();
        merged += u64::from(database.merge(&forged).is_ok());
        drop(database);
        if number % 50 == 0 {
            read(&ours).unwrap_or_else(|error| panic!("after {number}: {error}"));
            std::fs::remove_file(&ours).unwrap();
        }
    }
    #[expect(clippy::print_stdout, reason = "the figure that the fuzzer is run for")]
    {
        println!("{merged} of {count} were merged");
    }
    assert!(merged * 20 > count, "hardly any made sense: {merged} of {count}");
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
    ] {
        let file = forge(&files, sql);
        let ours = files.at("ours");
        let error = Database::open(&ours, Access::Write).unwrap().merge(&file);
        assert!(error.is_err(), "{sql}");
        assert_eq!(Database::open(&ours, Access::Read).unwrap().campaigns().unwrap(), []);
    }
    let file =
        forge(&files, "UPDATE slices SET executions = -1; UPDATE slices SET steps = 1 << 62");
    let mut ours = Database::open(&files.at("ours"), Access::Write).unwrap();
    ours.merge(&file).unwrap();
    read(&files.at("ours")).unwrap();
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

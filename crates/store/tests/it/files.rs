//! Files that are none of ours, damaged, or used by several at a time.

use crate::support::{Folder, campaign, covered, news, test, worth_going_on};
use rusqlite::Connection;
use selvedge_model::{Frequency, Learned};
use selvedge_store::{Access, Database, StoreError};
use std::fs;
use std::time::Duration;

#[test]
fn a_file_of_a_newer_version_is_refused_by_name() {
    let folder = Folder::new();
    drop(folder.open("a"));
    let raw = Connection::open(folder.file("a")).unwrap();
    raw.pragma_update(None, "user_version", 77).unwrap();
    for access in [Access::Read, Access::Write] {
        let error = Database::open(&folder.file("a"), access).unwrap_err();
        assert!(matches!(error, StoreError::Newer { found: 77, .. }), "{error}");
        assert!(error.to_string().contains("newer version of Selvedge"), "{error}");
    }
}

#[test]
fn a_file_of_an_older_format_is_read_merged_and_brought_up_to_date() {
    let folder = Folder::new();
    let mut file = folder.open("a");
    let campaign = file.begin_campaign(&campaign()).unwrap();
    let run = file.begin_run(campaign, &test("close")).unwrap();
    let slice = file.begin_slice(run, 0).unwrap();
    let mut learned = news(1, vec![covered(1, Frequency::Once, 1)], &[(1, 1)]);
    file.learn(run, slice, &learned, Duration::ZERO, &()).unwrap();
    drop(file);
    // As the first version wrote it.
    let raw = Connection::open(folder.file("a")).unwrap();
    raw.execute_batch("DROP TABLE corpus; PRAGMA user_version = 1").unwrap();
    let old = Database::open(&folder.file("a"), Access::Read).unwrap();
    old.check().unwrap();
    assert_eq!(old.known(run).unwrap(), learned);
    let mut merged = folder.open("b");
    assert_eq!(merged.merge(&folder.file("a")).unwrap().runs, 1);
    assert_eq!(merged.known(run).unwrap(), learned);
    let mut new = folder.open("a");
    learned.corpus.push(worth_going_on(1));
    new.learn(run, slice, &Learned { executions: 0, ..learned.clone() }, Duration::ZERO, &())
        .unwrap();
    assert_eq!(new.known(run).unwrap().corpus, learned.corpus);
    // One that says it is old and has other tables is refused, as a new one is.
    raw.execute_batch("PRAGMA user_version = 1").unwrap();
    let error = Database::open(&folder.file("a"), Access::Read).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let folder = Folder::new();
    let raw = Connection::open(folder.file("a")).unwrap();
    raw.execute_batch("CREATE TABLE songs (title TEXT)").unwrap();
    let error = Database::open(&folder.file("a"), Access::Write).unwrap_err();
    assert!(matches!(error, StoreError::Foreign(_)), "{error}");
    let count = "SELECT count(*) FROM sqlite_master";
    assert_eq!(raw.query_row(count, [], |row| row.get::<_, i64>(0)).unwrap(), 1);
}

#[test]
fn a_file_that_is_no_database_or_cut_off_is_damaged() {
    let folder = Folder::new();
    fs::write(folder.file("a"), "These are no tables, and it is long enough to be some.".repeat(9))
        .unwrap();
    let error = Database::open(&folder.file("a"), Access::Write).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    let mut file = folder.open("b");
    let campaign = file.begin_campaign(&campaign()).unwrap();
    file.begin_run(campaign, &test("close")).unwrap();
    drop(file);
    let bytes = fs::read(folder.file("b")).unwrap();
    fs::write(folder.file("b"), &bytes[..bytes.len() / 2]).unwrap();
    let opened = Database::open(&folder.file("b"), Access::Write);
    let error = opened.and_then(|file| file.runs(campaign)).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}

#[test]
fn a_file_that_does_not_exist_can_not_be_read() {
    let folder = Folder::new();
    assert!(Database::open(&folder.file("a"), Access::Read).is_err());
    assert!(!folder.file("a").exists());
}

#[test]
fn several_write_to_one_file_at_the_same_time() {
    let folder = Folder::new();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let folder = &folder;
            scope.spawn(move || {
                let mut file = folder.open("a");
                let campaign = file.begin_campaign(&campaign()).unwrap();
                let run = file.begin_run(campaign, &test(&format!("test {writer}"))).unwrap();
                let slice = file.begin_slice(run, 0).unwrap();
                for line in 0..30 {
                    let covered = vec![covered(line, Frequency::Once, u64::from(line))];
                    let learned = news(1, covered, &[(u64::from(line), u64::from(line) + 1)]);
                    file.learn(run, slice, &learned, Duration::ZERO, &()).unwrap();
                }
            });
        }
    });
    let file = Database::open(&folder.file("a"), Access::Read).unwrap();
    let campaigns = file.campaigns().unwrap();
    assert_eq!(campaigns.len(), 4);
    for campaign in campaigns {
        let [run] = file.runs(campaign.id).unwrap().try_into().unwrap();
        assert_eq!(
            (run.executions, file.known(run.id).unwrap().metrics[0].covered.len()),
            (30, 30)
        );
    }
}

//! Files of several machines become one.

use crate::support::{Folder, campaign, covered, news, report, requirement, test};
use rusqlite::Connection;
use selvedge_model::{Frequency, Stopped};
use selvedge_store::data::{CampaignId, KeptFinding, NewCampaign, PartOf, Shard};
use selvedge_store::{Access, Database, Merged, Places, StoreError};
use std::path::Path;
use std::time::Duration;

/// A shard in a file of its own: it has one test of its own, one that all have, and a finding.
fn shard(folder: &Folder, index: u32) -> CampaignId {
    let mut file = folder.open(&format!("shard-{index}"));
    let part = Some(PartOf { shard: Shard { index, count: 3 }, family: 42 });
    let campaign = file.begin_campaign(&NewCampaign { part, ..campaign() }).unwrap();
    for (name, lines) in [("shared".to_owned(), 0..5), (format!("own {index}"), index..index + 3)] {
        let run = file.begin_run(campaign, &test(&name)).unwrap();
        let slice = file.begin_slice(run, u64::from(index)).unwrap();
        let covered = lines.map(|line| covered(line, Frequency::Once, u64::from(line + index)));
        let learned = news(10, covered.collect(), &[(1, 3)]);
        file.learn(run, slice, &learned, Duration::from_millis(5), &()).unwrap();
        file.end_run(run, &report(Stopped::Executions), &()).unwrap();
        let finding = KeptFinding {
            id: format!("{:08x}", index / 2),
            kind: "panic".to_owned(),
            headline: "left == right".to_owned(),
            json: format!("{{\"from\":{index}}}"),
            explanation: String::new(),
        };
        file.keep(run, &finding, 3).unwrap();
    }
    file.end_campaign(campaign).unwrap();
    campaign
}

fn merged(folder: &Folder, name: &str, order: &[u32]) -> Vec<Merged> {
    let mut file = folder.open(name);
    order.iter().map(|index| file.merge(&folder.file(&format!("shard-{index}"))).unwrap()).collect()
}

/// Everything that is in a file, as text that does not depend on numbers given out in it.
fn content(file: &Path) -> String {
    let read = Database::open(file, Access::Read).unwrap();
    let mut text = String::new();
    for campaign in read.campaigns().unwrap() {
        text.push_str(&format!("{campaign:?}\n"));
        for run in read.runs(campaign.id).unwrap() {
            let mut measured = read.measured(run.id, Places::AsSeen).unwrap();
            for metric in &mut measured {
                metric.covered.sort_by(|a, b| a.requirement.cmp(&b.requirement));
            }
            let slices = read.slices(run.id).unwrap();
            text.push_str(&format!("{run:?} {measured:?} {slices:?}\n"));
            text.push_str(&format!("{:?}\n", read.found(run.id).unwrap()));
        }
    }
    for finding in read.findings().unwrap() {
        text.push_str(&format!("{:?}\n", read.finding(&finding).unwrap()));
    }
    text
}

#[test]
fn the_order_does_not_matter_and_twice_is_as_good_as_once() {
    let folder = Folder::new();
    let campaigns = [1, 2, 3].map(|index| shard(&folder, index));
    let done = merged(&folder, "forwards", &[1, 2, 3, 2, 1]);
    let news = |merged: &Merged| (merged.campaigns, merged.runs, merged.findings);
    assert_eq!(done.iter().map(news).collect::<Vec<_>>()[0], (1, 2, 1));
    assert_eq!(done[3..].iter().map(news).collect::<Vec<_>>(), [(0, 0, 0); 2]);
    merged(&folder, "backwards", &[3, 3, 2, 1]);
    let both = content(&folder.file("forwards"));
    assert_eq!(both, content(&folder.file("backwards")));
    let file = Database::open(&folder.file("forwards"), Access::Read).unwrap();
    assert_eq!(file.campaigns().unwrap().len(), 3);
    let own = &file.runs(campaigns[1]).unwrap()[0];
    let [metric] = file.measured(own.id, Places::Lines).unwrap().try_into().unwrap();
    let lines: Vec<_> = metric.covered.iter().map(|one| one.requirement.clone()).collect();
    assert_eq!(lines, [2, 3, 4].map(|line| requirement(line, line + 1)));
    let check: String = Connection::open(folder.file("forwards"))
        .unwrap()
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(check, "ok");
}

#[test]
fn a_merge_of_merges_is_the_merge_of_all() {
    let folder = Folder::new();
    for index in [1, 2, 3] {
        shard(&folder, index);
    }
    merged(&folder, "all", &[1, 2, 3]);
    merged(&folder, "left", &[1, 2]);
    merged(&folder, "right", &[2, 3]);
    let mut both = folder.open("both");
    both.merge(&folder.file("right")).unwrap();
    both.merge(&folder.file("left")).unwrap();
    assert_eq!(content(&folder.file("both")), content(&folder.file("all")));
}

#[test]
fn a_run_that_has_gone_on_since_replaces_what_was_known_of_it_and_not_the_other_way_round() {
    let folder = Folder::new();
    let id = shard(&folder, 1);
    merged(&folder, "before", &[1]);
    let mut file = folder.open("shard-1");
    let run = file.runs(id).unwrap()[1].id;
    let slice = file.begin_slice(run, 99).unwrap();
    let learned = news(5, vec![covered(70, Frequency::Often, 12)], &[(12, 6)]);
    file.learn(run, slice, &learned, Duration::from_millis(5), &()).unwrap();
    drop(file);
    let later = content(&folder.file("shard-1"));
    let mut before = folder.open("before");
    let done = before.merge(&folder.file("shard-1")).unwrap();
    assert_eq!((done.campaigns, done.runs), (0, 1));
    assert_eq!(content(&folder.file("before")), later);
    drop(before);
    merged(&folder, "old", &[1]);
    let mut again = folder.open("shard-1");
    let done = again.merge(&folder.file("before")).unwrap();
    assert_eq!((done.campaigns, done.runs, done.findings), (0, 0, 0));
}

#[test]
fn what_is_no_file_of_ours_is_not_merged() {
    let folder = Folder::new();
    std::fs::write(folder.file("noise"), "n".repeat(4096)).unwrap();
    let mut file = folder.open("a");
    let error = file.merge(&folder.file("noise")).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}

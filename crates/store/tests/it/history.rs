//! What has changed from campaign to campaign.

use crate::support::{Folder, campaign, covered, news, report, requirement, test};
use selvedge_model::{Frequency, Stopped};
use selvedge_store::Database;
use selvedge_store::data::{Commit, KeptFinding, NewCampaign, PartOf, Shard, Tree};
use selvedge_store::history::{Question, State};
use std::time::Duration;

struct Ran<'a> {
    test: &'a str,
    /// Lines of the requirements that were covered.
    lines: &'a [u32],
    found: &'a [&'a str],
}

fn run(file: &mut Database, commit: &str, part: Option<PartOf>, tests: &[Ran<'_>]) {
    let commit = Some(Commit { id: commit.to_owned(), tree: Tree::Clean });
    let campaign = file.begin_campaign(&NewCampaign { commit, part, ..campaign() }).unwrap();
    for Ran { test: name, lines, found } in tests {
        let run = file.begin_run(campaign, &test(name)).unwrap();
        let slice = file.begin_slice(run, 0).unwrap();
        let covered = lines.iter().map(|&line| covered(line, Frequency::Once, 1)).collect();
        let learned = news(10, covered, &[(1, lines.len() as u64)]);
        file.learn(run, slice, &learned, Duration::ZERO, &()).unwrap();
        for id in *found {
            let finding = KeptFinding {
                id: (*id).to_owned(),
                kind: "panic".to_owned(),
                headline: format!("headline of {id}"),
                json: "{}".to_owned(),
                explanation: String::new(),
            };
            file.keep(run, &finding, 1).unwrap();
        }
        let stopped = if found.is_empty() { Stopped::Executions } else { Stopped::Found };
        file.end_run(run, &report(stopped), &()).unwrap();
    }
    file.end_campaign(campaign).unwrap();
}

#[test]
fn findings_are_new_still_there_gone_or_unknown() {
    let folder = Folder::new();
    let mut file = folder.open("a");
    let ran = |test, found| Ran { test, lines: &[1], found };
    run(&mut file, "aaa", None, &[ran("fixed", &["f1"]), ran("old", &["f2"]), ran("two", &["f3"])]);
    run(&mut file, "bbb", None, &[ran("fixed", &[]), ran("old", &["f2"]), ran("two", &["f4"])]);
    // The others were not asked for.
    run(&mut file, "ccc", None, &[ran("old", &["f2"])]);
    let history = file.history(&Question::default()).unwrap();
    let states: Vec<_> = history
        .findings
        .iter()
        .map(|one| (one.id.as_str(), one.state, one.first, one.last, one.explored))
        .collect();
    assert_eq!(
        states,
        [
            ("f1", State::Gone, 0, 0, 1),
            ("f2", State::Still, 0, 2, 2),
            ("f3", State::Unknown, 0, 0, 1),
            ("f4", State::New, 1, 1, 1),
        ]
    );
    let counts: Vec<_> = history.campaigns.iter().map(|one| (one.tests, one.findings)).collect();
    assert_eq!(counts, [(3, 3), (3, 2), (1, 1)]);
    let one = Question { test: Some("fixed".to_owned()), ..Question::default() };
    assert_eq!(file.history(&one).unwrap().findings.len(), 1);
}

#[test]
fn what_is_not_covered_any_more_is_told_and_moved_lines_are_not() {
    let folder = Folder::new();
    let mut file = folder.open("a");
    let ran = |lines| [Ran { test: "close", lines, found: &[] }];
    run(&mut file, "aaa", None, &ran(&[10, 20, 30]));
    run(&mut file, "bbb", None, &ran(&[10, 20]));
    let lost = |question: &Question, file: &Database| -> Vec<_> {
        let history = file.history(question).unwrap();
        history.lost.into_iter().map(|lost| (lost.requirement, lost.before, lost.now)).collect()
    };
    assert_eq!(lost(&Question::default(), &file), [(requirement(30, 31), 0, 1)]);
    // Four lines were added in front.
    run(&mut file, "ccc", None, &ran(&[14, 24]));
    assert_eq!(lost(&Question::default(), &file), []);
    let against = Question { against: Some("aa".to_owned()), ..Question::default() };
    assert_eq!(lost(&against, &file), [(requirement(30, 31), 0, 2)]);
}

#[test]
fn shards_are_one_campaign_and_the_last_time_of_each_counts() {
    let folder = Folder::new();
    let mut file = folder.open("a");
    let part = |index| Some(PartOf { shard: Shard { index, count: 2 }, family: 7 });
    let ran = |lines| [Ran { test: "close", lines, found: &[] }];
    run(&mut file, "aaa", part(1), &ran(&[10, 20]));
    run(&mut file, "aaa", part(2), &ran(&[20, 30]));
    run(&mut file, "aaa", part(1), &ran(&[10]));
    run(&mut file, "bbb", part(1), &ran(&[10]));
    let history = file.history(&Question::default()).unwrap();
    let covered: Vec<_> =
        history.campaigns.iter().map(|one| (one.executions, one.covered["sp"])).collect();
    assert_eq!(covered, [(20, 3), (10, 1)]);
}

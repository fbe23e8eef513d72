//! What is written is read again.

use crate::support::{Folder, campaign, covered, news, report, requirement, test, worth_going_on};
use selvedge_model::{
    CodeAddress, CoveredRequirement, Frequency, Guidance, Learned, Named, Part, Place, Remaining,
    Requirement, Source, Stopped, ThreadId,
};
use selvedge_store::data::{Ending, KeptFinding};
use selvedge_store::{Access, Database, Lines, Places};
use std::time::Duration;

#[test]
fn what_a_run_has_learned_is_there_for_whoever_goes_on() {
    let folder = Folder::new();
    let mut file = folder.open("a");
    let campaign = file.begin_campaign(&campaign()).unwrap();
    let run = file.begin_run(campaign, &test("close")).unwrap();
    let slice = file.begin_slice(run, 7).unwrap();
    let told = [
        news(
            3,
            vec![covered(1, Frequency::Once, 1), covered(2, Frequency::Twice, 2)],
            &[(1, 1), (2, 2)],
        ),
        news(4, vec![covered(1, Frequency::Once, 5), covered(3, Frequency::Often, 4)], &[(4, 3)]),
        news(5, vec![covered(1, Frequency::Twice, 9)], &[]),
    ];
    for learned in &told {
        file.learn(run, slice, learned, Duration::from_millis(12), &()).unwrap();
    }
    // Nobody has said that it is over.
    drop(file);
    let file = Database::open(&folder.file("a"), Access::Read).unwrap();
    assert_eq!(
        file.known(run).unwrap(),
        news(
            12,
            vec![
                covered(1, Frequency::Often, 1),
                covered(2, Frequency::Twice, 2),
                covered(3, Frequency::Often, 4)
            ],
            &[(4, 3)]
        )
    );
    let [kept] = file.campaigns().unwrap().try_into().unwrap();
    assert_eq!((kept.id, kept.ended), (campaign, None));
    let [kept] = file.runs(campaign).unwrap().try_into().unwrap();
    let expected = test("close");
    assert_eq!((kept.executions, kept.steps, kept.milliseconds), (12, 120, 12));
    assert_eq!((kept.test, kept.build, kept.seed), (expected.test, expected.build, expected.seed));
    assert_eq!((kept.settings, kept.ending), (expected.settings, None));
}

#[test]
fn executions_to_go_on_from_are_kept_once_each_as_long_as_there_is_room() {
    let folder = Folder::new();
    let mut file = folder.open("a");
    let campaign = file.begin_campaign(&campaign()).unwrap();
    let run = file.begin_run(campaign, &test("close")).unwrap();
    let other = file.begin_run(campaign, &test("open")).unwrap();
    let slice = file.begin_slice(run, 7).unwrap();
    let mut told = |corpus: Vec<_>| {
        let learned = Learned { corpus, ..Learned::default() };
        file.learn(run, slice, &learned, Duration::ZERO, &()).unwrap();
    };
    told(vec![worth_going_on(1), worth_going_on(2)]);
    told(vec![worth_going_on(2), worth_going_on(3)]);
    let mut long = worth_going_on(4);
    long.chosen = vec![(ThreadId(7), 1); 1 << 18];
    told(vec![long]);
    let mut known = file.known(run).unwrap().corpus;
    known.sort_by_key(|entry| entry.pairs[0].0.source.line);
    assert_eq!(known, [1, 2, 3].map(worth_going_on));
    assert_eq!(file.known(other).unwrap().corpus, []);
    file.check().unwrap();
    // Another file has it after a merge.
    drop(file);
    let mut merged = folder.open("b");
    merged.merge(&folder.file("a")).unwrap();
    assert_eq!(merged.known(run).unwrap().corpus.len(), 3);
}

#[test]
fn what_is_said_at_the_end_is_kept() {
    let folder = Folder::new();
    let mut file = folder.open("a");
    let campaign = file.begin_campaign(&campaign()).unwrap();
    let run = file.begin_run(campaign, &test("close")).unwrap();
    let slice = file.begin_slice(run, 7).unwrap();
    let learned = news(9, vec![covered(1, Frequency::Once, 1)], &[(1, 1)]);
    file.learn(run, slice, &learned, Duration::ZERO, &()).unwrap();
    let mut report = report(Stopped::Saturated);
    let remaining = Remaining {
        metric: "sp".to_owned(),
        covered: 1,
        unseen: 0.5,
        next: 0.25,
        saturated: Some(4),
    };
    report.remaining.push(remaining.clone());
    let uncovered = vec![requirement(50, 51)];
    report.guidance = Some(Guidance { metric: "sp".to_owned(), covered: 11, uncovered });
    file.end_run(run, &report, &()).unwrap();
    file.end_campaign(campaign).unwrap();
    let [kept] = file.runs(campaign).unwrap().try_into().unwrap();
    assert_eq!(kept.ending, Some(Ending::Stopped(Stopped::Saturated)));
    assert_eq!((kept.threads, kept.conditions), (3, report.conditions));
    let [metric] = file.measured(run, Places::Lines).unwrap().try_into().unwrap();
    assert_eq!(metric.covered, learned.metrics[0].covered);
    // One that is said to be uncovered has been covered meanwhile.
    assert_eq!(metric.uncovered, vec![requirement(50, 51), requirement(90, 91)]);
    assert_eq!((metric.remaining, metric.growth.len()), (Some(remaining), 1));
    let summary = metric.summary.unwrap();
    assert_eq!((summary.average, summary.aimed), (2.5, Some(11)));
    assert!(file.campaigns().unwrap()[0].ended.is_some());
}

#[test]
fn a_finding_is_kept_with_all_that_belongs_to_it_and_replaced_by_a_later_one() {
    let folder = Folder::new();
    let mut file = folder.open("a");
    let campaign = file.begin_campaign(&campaign()).unwrap();
    let run = file.begin_run(campaign, &test("close")).unwrap();
    let mut finding = KeptFinding {
        id: "0123abcd".to_owned(),
        kind: "deadlock".to_owned(),
        headline: "two wait".to_owned(),
        json: "{}".to_owned(),
        explanation: "why".to_owned(),
    };
    file.keep(run, &finding, 17).unwrap();
    finding.json = "{ }".to_owned();
    file.keep(run, &finding, 18).unwrap();
    let [found] = file.found(run).unwrap().try_into().unwrap();
    assert_eq!((found.id.as_str(), found.execution), ("0123abcd", 17));
    assert_eq!(file.findings().unwrap(), ["0123abcd"]);
    assert_eq!(file.finding("0123abcd").unwrap(), Some(finding));
    assert_eq!(file.finding("other").unwrap(), None);
}

struct OneLine;

impl Lines for OneLine {
    fn line(&self, address: CodeAddress) -> Option<Source> {
        let file = "src/cell.rs".to_owned();
        (address.0 < 0x100).then_some(Source { file, line: 3, column: 1 })
    }
}

#[test]
fn instructions_are_lines_to_people_and_themselves_to_whoever_goes_on() {
    let folder = Folder::new();
    let mut file = folder.open("a");
    let campaign = file.begin_campaign(&campaign()).unwrap();
    let run = file.begin_run(campaign, &test("close")).unwrap();
    let slice = file.begin_slice(run, 7).unwrap();
    let at = |address, first| {
        let is = Named::Place(Place::Code(CodeAddress(address)));
        let requirement = Requirement { parts: vec![Part { role: String::new(), is }] };
        CoveredRequirement { requirement, frequency: Frequency::Once, first }
    };
    let seen = vec![at(0x10, 1), at(0x20, 2), at(0x1000, 3)];
    let learned = news(3, seen.clone(), &[]);
    file.learn(run, slice, &learned, Duration::ZERO, &OneLine).unwrap();
    assert_eq!(file.known(run).unwrap().metrics[0].covered, seen);
    let [metric] = file.measured(run, Places::Lines).unwrap().try_into().unwrap();
    let shown: Vec<_> =
        metric.covered.iter().map(|covered| covered.requirement.to_string()).collect();
    assert_eq!(shown, ["src/cell.rs:3:1", "code 0x1000"]);
}

#[test]
fn a_test_that_is_explored_again_goes_on_where_it_was() {
    let folder = Folder::new();
    let mut file = folder.open("a");
    let campaign = file.begin_campaign(&campaign()).unwrap();
    let run = file.begin_run(campaign, &test("close")).unwrap();
    for seed in [7, 8] {
        let slice = file.begin_slice(run, seed).unwrap();
        let learned = Learned { executions: 10, steps: 20, ..Learned::default() };
        file.learn(run, slice, &learned, Duration::from_millis(3), &()).unwrap();
        file.end_run(run, &report(Stopped::Time), &()).unwrap();
        assert_eq!(file.begin_run(campaign, &test("close")).unwrap(), run);
    }
    let [kept] = file.runs(campaign).unwrap().try_into().unwrap();
    assert_eq!((kept.executions, kept.milliseconds, kept.ending), (20, 6, None));
    let seeds: Vec<_> = file.slices(run).unwrap().iter().map(|slice| slice.seed).collect();
    assert_eq!(seeds, [7, 8]);
}

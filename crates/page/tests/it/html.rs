//! The page, and the findings in it.

use crate::support::{Shop, at, deadlock, lost_update, maker, tested};
use selvedge_page::data::{Arrow, Finding, Order, Report};
use selvedge_page::sample::{self, Size};
use selvedge_page::{Tested, html};

/// The data as the script of a page sees it.
fn inside(page: &str) -> Report {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(json).unwrap()
}

fn told(found: &selvedge_model::Finding) -> Finding {
    let mut maker = maker();
    let test = maker.test(tested("refund", &[]));
    maker.finding("0badcafe", test, found, None, &Shop);
    maker.finish(&Shop).findings.remove(0)
}

fn row(finding: &Finding, text: &str) -> usize {
    let rows = || finding.rows.iter().map(|row| row.text.as_str());
    rows()
        .rposition(|row| row == text)
        .unwrap_or_else(|| panic!("{:?}", rows().collect::<Vec<_>>()))
}

trait Rposition: Iterator {
    fn rposition(self, fits: impl FnMut(Self::Item) -> bool) -> Option<usize>;
}

impl<I: Iterator> Rposition for I {
    fn rposition(self, mut fits: impl FnMut(I::Item) -> bool) -> Option<usize> {
        let all = self.enumerate().filter_map(|(index, item)| fits(item).then_some(index));
        all.last()
    }
}

#[test]
fn a_deadlock_is_marked_where_locks_are_held_and_waited_for() {
    let finding = told(&deadlock());
    let marked: Vec<_> =
        finding.conflict.iter().map(|&row| finding.rows[row].text.as_str()).collect();
    let expected = ["lock mutex 1", "lock mutex 2", "waits for mutex 2", "waits for mutex 1"];
    assert_eq!(marked, expected);
    assert_eq!(finding.lanes.len(), 3);
}

#[test]
fn arrows_lead_from_a_release_to_the_next_owner_and_from_a_spawn_to_the_start() {
    let finding = told(&deadlock());
    let has = |order| finding.arrows.iter().filter(|arrow| arrow.2 == order).count();
    assert_eq!(has(Order::Spawn), 2, "{:?}", finding.arrows);
    let last_unlock = row(&finding, "unlock mutex 1");
    let last_lock = row(&finding, "lock mutex 1");
    assert!(
        finding.arrows.contains(&Arrow(last_unlock, last_lock, Order::Lock)),
        "{:?} in {:?}",
        finding.arrows,
        finding.rows
    );
}

#[test]
fn a_lost_update_is_marked_by_the_three_accesses_that_lose_it() {
    let finding = told(&lost_update("left: 1, right: 2"));
    let marked: Vec<_> = finding
        .conflict
        .iter()
        .map(|&row| (finding.rows[row].lane, finding.rows[row].text.as_str()))
        .collect();
    let expected =
        [(Some(1), "load 0"), (Some(2), "store 1"), (Some(1), "store 1"), (Some(0), "panic")];
    assert_eq!(marked, expected);
    // The value that the test reads is the last that was written.
    let (store, load) = (row(&finding, "store 1"), row(&finding, "load 1"));
    assert!(finding.arrows.contains(&Arrow(store, load, Order::Value)), "{:?}", finding.arrows);
}

#[test]
fn every_finding_and_every_test_is_in_the_page() {
    let report = sample::report(Size { tests: 7, findings: 40, steps: 60 });
    let page = html(&report).unwrap();
    for finding in &report.findings {
        assert!(page.contains(&format!("href=\"#finding-{}\"", finding.id)), "{}", finding.id);
    }
    for number in 0..report.tests.len() {
        assert!(page.contains(&format!("id=\"test-{number}\"")), "{number}");
    }
    assert_eq!(inside(&page), report, "a small report is in the page as it is");
}

#[test]
fn a_page_needs_nothing_from_elsewhere() {
    let page = html(&sample::report(Size { tests: 2, findings: 2, steps: 20 })).unwrap();
    for loads in ["src=\"", "href=\"http", "url(http", "@import", "fetch(", "XMLHttpRequest"] {
        assert!(!page.contains(loads), "{loads}");
    }
}

#[test]
fn the_page_of_a_large_campaign_is_small_enough() {
    let page = html(&sample::report(Size::LARGE)).unwrap();
    assert!(page.len() < 10_000_000, "{} bytes", page.len());
}

#[test]
fn of_many_requirements_the_page_lists_some_and_counts_all() {
    let report = sample::report(Size { tests: 300, findings: 0, steps: 0 });
    let page = inside(&html(&report).unwrap());
    let metric = |report: &Report| report.tests[299].metrics[0].clone();
    assert!(metric(&page).covered.len() < metric(&report).covered.len());
    assert_eq!(metric(&page).covered_count, metric(&report).covered.len() as u64);
}

#[test]
fn nothing_that_comes_from_a_test_becomes_markup() {
    let evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&";
    let mut found = lost_update(&format!("{evil}\nsecond {evil}"));
    found.threads[1].name = Some(evil.to_owned());
    found.output = evil.to_owned();
    let mut maker = maker();
    let test = maker.test(Tested {
        message: Some(evil.to_owned()),
        warnings: vec![evil.to_owned()],
        ..Tested::unknown(evil, evil)
    });
    maker.finding("0badcafe", test, &found, None, &Shop);
    let page = html(&maker.finish(&Shop)).unwrap();
    assert!(!page.contains("<script>alert"), "markup in the page");
    assert!(!page.contains("<img"), "markup in the page");
    assert_eq!(page.matches("</script>").count(), 2, "the data ends early");
    assert_eq!(inside(&page).tests[0].name, evil);
    assert_eq!(inside(&page).findings[0].printed, evil);
}

#[test]
fn lines_around_places_are_taken_once_and_a_file_that_is_gone_has_none() {
    let mut found = deadlock();
    found.steps[4].at.file = "src/gone.rs".to_owned();
    let mut maker = maker();
    let test = maker.test(tested("refund", &[]));
    maker.finding("0badcafe", test, &found, None, &Shop);
    maker.finding("0badcaff", test, &found, None, &Shop);
    let report = maker.finish(&Shop);
    let shop = report.files.iter().find(|file| file.name == "src/shop.rs").unwrap();
    let lines = shop.excerpts.iter().flat_map(|some| {
        some.lines.iter().enumerate().map(|(index, text)| (some.first + index as u32, text))
    });
    let lines: Vec<_> = lines.collect();
    assert!(lines.is_sorted_by(|a, b| a.0 < b.0), "a line is there twice");
    for (number, text) in lines {
        assert_eq!(*text, format!("line {number} of the shop"));
    }
    assert!(report.places.iter().any(|place| place.line == at(18).line));
    let gone = report.files.iter().find(|file| file.name == "src/gone.rs").unwrap();
    assert!(gone.excerpts.is_empty());
}

//! What tests exercise, measured.

use crate::support::Project;
use std::collections::BTreeMap;

/// Two threads that take two locks, one with the other in hand, and a test with one thread.
const BANK: &str = "\
use std::sync::Mutex;

pub fn transfer(from: &Mutex<i32>, to: &Mutex<i32>) {
    let mut from = from.lock().unwrap();
    let mut to = to.lock().unwrap();
    *from -= 1;
    *to += 1;
}

#[test]
fn transfers() {
    let (a, b) = (Mutex::new(5), Mutex::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| transfer(&a, &b));
        transfer(&a, &b);
    });
    assert_eq!(*b.lock().unwrap(), 2);
}

#[test]
fn alone() {
    assert_eq!(1 + 1, 2);
}
";

#[test]
fn a_table_says_how_much_of_each_metric_was_covered() {
    let project = Project::new("coverage-table", &[("src/lib.rs", BANK)]);
    let ran =
        project.run(["coverage", "--metric", "sp", "--metric", "goodlock", "--metric", "sync"]);
    ran.left_with(0);
    let rows: BTreeMap<&str, Vec<&str>> = ran
        .stdout
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.len() == 5)
        .map(|words| (words[0], words[1..3].to_vec()))
        .collect();
    // Line 4 after line 4 for the one lock; line 5 after line 5, then the assertion, for the other.
    assert_eq!(rows["sp"], ["3", "3"], "{ran}");
    assert_eq!(rows["goodlock"], ["1", "1"], "{ran}");
    // Each of the three places is visited; line 4 blocks and is blocked, and line 5 is known not to
    // have been: whoever comes there has the other lock.
    assert!(ran.stdout.contains("not covered, src/lib.rs:"), "{ran}");
    assert!(ran.stdout.contains("sync     src/lib.rs:5:21, blocked"), "{ran}");
    assert!(!ran.stdout.contains("src/lib.rs:4:25, blocked"), "{ran}");
}

#[test]
fn requirements_are_listed_with_their_lines() {
    let project = Project::new("coverage-list", &[("src/lib.rs", BANK)]);
    let ran = project.run(["coverage", "--metric", "goodlock*:type", "--list", "transfers"]);
    ran.left_with(0);
    let line = "taken at src/lib.rs:4:25, then src/lib.rs:5:21, first mutex, second mutex, by ";
    assert!(ran.stdout.contains(&format!("{line}the test's thread")), "{ran}");
    assert!(ran.stdout.contains(&format!("{line}thread of src/lib.rs:14:15")), "{ran}");
}

#[test]
fn growth_is_exported_for_plots_and_everything_as_json() {
    let project = Project::new("coverage-export", &[("src/lib.rs", BANK)]);
    let files = ["--csv", "growth.csv", "--json", "all.json"];
    project.run(["coverage", "--metric", "sites,hbpair*"].iter().chain(&files)).left_with(0);
    let csv = project.read("growth.csv");
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("binary,test,metric,execution,covered"));
    let mut last: BTreeMap<(&str, &str), (u64, u64)> = BTreeMap::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let [_, test, metric, execution, covered] = fields[..] else { panic!("{line}") };
        let now = (execution.parse().unwrap(), covered.parse().unwrap());
        if let Some(before) = last.insert((test, metric), now) {
            assert!(before.0 < now.0 && before.1 <= now.1, "a curve grows: {csv}");
        }
    }
    assert!(last[&("transfers", "hbpair*")].1 > 1, "{csv}");
    let json = project.read("all.json");
    let tests: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(tests.len(), 2, "{json}");
    assert!(tests.iter().all(|test| test["metrics"].as_array().unwrap().len() == 2), "{json}");
}

#[test]
fn the_quality_of_metrics_is_a_table() {
    let project = Project::new("coverage-quality", &[("src/lib.rs", BANK)]);
    let metrics = ["--metric", "sites", "--metric", "concurpairs"];
    let series = ["--quality", "--series", "20", "--length", "100"];
    let ran = project.run(["coverage", "transfers"].iter().chain(&metrics).chain(&series));
    ran.left_with(0);
    let row = |metric: &str| -> Vec<f64> {
        let table = ran.stdout.split(" transfers, ").nth(1).expect("a table for the test");
        let line = table.lines().find(|line| line.trim_start().starts_with(metric));
        let line = line.unwrap_or_else(|| panic!("no row of {metric}: {ran}"));
        line.split_whitespace().skip(1).map(|word| word.parse().unwrap()).collect()
    };
    // Nearly every execution reaches all places, while the neighbours differ.
    let (sites, pairs) = (row("sites"), row("concurpairs"));
    assert!(sites[1] > pairs[1] && pairs[1] < 100.0, "{ran}");
    assert!(sites[2] < pairs[2], "{ran}");
}

#[test]
fn a_metric_that_does_not_exist_is_refused_with_a_suggestion() {
    let project = Project::new("coverage-unknown", &[("src/lib.rs", BANK)]);
    let ran = project.run(["coverage", "--metric", "hbpairs"]);
    ran.left_with(2).says(&["'hbpairs' will not do", "did you mean 'hbpair'?"]);
}

/// A value that is written and read without a lock, in the order that a flag says.
const HANDED_OVER: &str = "\
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Default)]
pub struct Slot {
    value: UnsafeCell<u64>,
    full: AtomicBool,
}

// SAFETY: The flag says who may use the value.
unsafe impl Sync for Slot {}

impl Slot {
    pub fn put(&self, value: u64) {
        unsafe { *self.value.get() = value };
        self.full.store(true, Ordering::Release);
    }

    pub fn take(&self) -> Option<u64> {
        let full = self.full.load(Ordering::Acquire);
        full.then(|| unsafe { *self.value.get() })
    }
}

#[test]
fn hands_over() {
    let slot: &'static Slot = Box::leak(Box::default());
    let other = std::thread::spawn(move || slot.put(7));
    assert!(slot.take().is_none_or(|value| value == 7));
    other.join().unwrap();
    assert_eq!(slot.take(), Some(7));
}
";

#[test]
fn accesses_to_memory_are_listed_with_their_lines() {
    let project = Project::new("coverage-memory", &[("src/lib.rs", HANDED_OVER)]);
    let ran = project.run(["coverage", "--memory", "--metric", "dupairs", "--list"]);
    ran.left_with(0);
    let pair = |line: &str| {
        line.contains("written at src/lib.rs:15:") && line.contains("read at src/lib.rs:21:")
    };
    assert!(ran.stdout.lines().any(pair), "{ran}");
}

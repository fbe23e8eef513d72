//! Reports of what is kept.

use crate::support::Project;
use serde_json::Value;

/// Two locks that are taken crosswise, and a test in which nothing can go wrong.
const BANK: &str = "\
use std::sync::Mutex;

pub fn transfer(from: &Mutex<i32>, to: &Mutex<i32>) {
    let mut from = from.lock().unwrap();
    let mut to = to.lock().unwrap();
    *from -= 1;
    *to += 1;
}

#[test]
fn crosswise() {
    let (a, b) = (Mutex::new(5), Mutex::new(5));
    std::thread::scope(|scope| {
        scope.spawn(|| transfer(&a, &b));
        transfer(&b, &a);
    });
}

#[test]
fn alone() {
    assert_eq!(1 + 1, 2);
}
";

#[test]
fn every_format_tells_of_the_finding() {
    let project = Project::new("report-formats", &[("src/lib.rs", BANK)]);
    project.run(["coverage", "--metric", "sp"]).left_with(1);
    let id = project.only_finding();

    let ran = project.run(["report", "--format", "json"]);
    ran.left_with(0);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["findings"][0]["id"], id.as_str());
    assert_eq!(report["findings"][0]["in_last_run"], true);
    assert_eq!(report["findings"][0]["kind"], "deadlock");
    let test = |name: &str| {
        let tests = report["tests"].as_array().unwrap();
        tests.iter().find(|test| test["name"] == name).unwrap_or_else(|| panic!("{report}")).clone()
    };
    assert_eq!(test("crosswise")["state"], "found");
    assert_eq!(test("alone")["state"], "once");
    assert_eq!(test("crosswise")["metrics"][0]["name"], "sp");
    let lines = report["files"][0]["excerpts"][0]["lines"].as_array().unwrap();
    assert!(lines.iter().any(|line| line.as_str().unwrap().contains("from.lock()")), "{report}");

    project.run(["report"]).left_with(0).says(&["the report is in", "report.html"]);
    let page = project.read("target/selvedge/report.html");
    assert!(page.contains(&format!("href=\"#finding-{id}\"")), "{}", page.len());

    project.run(["report", "--format", "sarif", "--output", "out/a.sarif"]).left_with(0);
    let sarif: Value = serde_json::from_str(&project.read("out/a.sarif")).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["partialFingerprints"]["selvedge/v1"], id.as_str());

    let lcov = project.run(["report", "--format", "lcov"]);
    assert!(lcov.stdout.contains("SF:src/lib.rs\n") && lcov.stdout.contains("BRDA:4,0,"), "{lcov}");

    let junit = project.run(["report", "--format", "junit"]);
    assert!(junit.stdout.contains("name=\"alone\""), "{junit}");
    assert!(junit.stdout.contains("<failure message=\"deadlock: 2 threads"), "{junit}");

    let github = project.run(["report", "--format", "github"]);
    assert!(github.stdout.starts_with("::error file=src/lib.rs,line="), "{github}");
}

#[test]
fn what_can_not_be_reported_is_said() {
    let project = Project::new("report-nothing", &[("src/lib.rs", BANK)]);
    project.run(["report"]).left_with(4).says(&["nothing has been kept", "cargo selvedge test"]);
    project
        .run(["report", "--format", "json", "--open"])
        .left_with(2)
        .says(&["only the page can be opened"]);
}

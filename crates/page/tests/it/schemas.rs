//! What is written for other programs is as its schema says.

use crate::support::{Shop, deadlock, lost_update, maker, metric, pair, tested};
use selvedge_page::data::Report;
use selvedge_page::sample::{self, Size};
use selvedge_page::{sarif, schema};
use serde_json::Value;
use std::path::Path;

/// The schema of SARIF as OASIS publishes it (here from the package serde-sarif 0.8.0), without its
/// descriptions and without one pattern, of names of languages, that is no regular expression.
const SARIF: &str = include_str!("sarif-2.1.0.json");

fn check(schema: &str, text: &str) {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let value: Value = serde_json::from_str(text).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

fn report() -> Report {
    let metrics = [metric("sp", vec![pair(3, 5)], vec![pair(4, 5)])];
    let mut maker = maker();
    let test = maker.test(tested("refund", &metrics));
    maker.finding("0badcafe", test, &deadlock(), None, &Shop);
    maker.finding("0badcaff", test, &lost_update("left: 1"), Some(false), &Shop);
    maker.finish(&Shop)
}

#[test]
fn the_schema_in_the_repository_is_that_of_the_data() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/report.schema.json");
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&file, schema()).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(
        kept == schema(),
        "{} is out of date; run this test with UPDATE_SCHEMA=1",
        file.display()
    );
}

#[test]
fn reports_are_as_the_schema_says_and_read_back() {
    for report in [report(), sample::report(Size { tests: 6, findings: 4, steps: 200 })] {
        let text = serde_json::to_string(&report).unwrap();
        check(&schema(), &text);
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
    }
}

#[test]
fn the_schema_refuses_what_is_no_report() {
    let schema: Value = serde_json::from_str(&schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut value = serde_json::to_value(report()).unwrap();
    value["tests"][0]["state"] = "glorious".into();
    assert!(!validator.is_valid(&value));
}

#[test]
fn sarif_is_as_its_schema_says() {
    check(SARIF, &sarif(&report()).unwrap());
    check(SARIF, &sarif(&maker().finish(&Shop)).unwrap());
}

#[test]
fn sarif_tells_each_finding_with_a_flow_for_each_thread() {
    let log: Value = serde_json::from_str(&sarif(&report()).unwrap()).unwrap();
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    let deadlock = &results[0];
    assert_eq!(deadlock["ruleId"], "deadlock");
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "deadlock");
    assert_eq!(deadlock["partialFingerprints"]["selvedge/v1"], "0badcafe");
    let place = &deadlock["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/shop.rs");
    assert_eq!(place["region"]["startLine"], 18);
    let flows = deadlock["codeFlows"][0]["threadFlows"].as_array().unwrap();
    assert_eq!(flows.len(), 3);
    assert!(
        deadlock["message"]["text"].as_str().unwrap().contains("cargo selvedge replay 0badcafe")
    );
}

//! Findings in programs that use locks, channels and runtimes of other crates: each is told by the lines of the
//! program. The crates come from the registry, in the versions that the project asks for.

use crate::support::Project;
use std::collections::BTreeMap;

const MANIFEST: &str = include_str!("../../../../fixtures/explained/Cargo.toml");
const LOCK: &str = include_str!("../../../../fixtures/explained/Cargo.lock");
const LIBRARY: &str = include_str!("../../../../fixtures/explained/src/lib.rs");
const SEEDED: &str = include_str!("../../../../fixtures/explained/tests/seeded.rs");

/// The places that the finding of a test has to name: a mark stands at the end of its line, or alone below it.
fn marked(test: &str) -> Vec<String> {
    let files = [("src/lib.rs", LIBRARY), ("tests/seeded.rs", SEEDED)];
    let places = files.into_iter().flat_map(|(file, text)| {
        let lines = text.lines().enumerate();
        let marked = lines.filter(|(_, line)| line.ends_with(&format!("//~ {test}")));
        let number = |(index, line): (usize, &str)| match line.trim().starts_with("//~") {
            true => index,
            false => index + 1,
        };
        marked.map(|line| format!("{file}:{}", number(line))).collect::<Vec<_>>()
    });
    places.collect()
}

/// The explanation of what was found in each test.
fn explanations(project: &Project) -> BTreeMap<String, String> {
    let explanation = |id: String| {
        let kept = project.read(&format!("target/selvedge/findings/{id}/finding.json"));
        let kept: serde_json::Value = serde_json::from_str(&kept).unwrap();
        let text = project.read(&format!("target/selvedge/findings/{id}/explanation.txt"));
        (kept["test"].as_str().unwrap().to_owned(), text)
    };
    project.findings().into_iter().map(explanation).collect()
}

/// Whether a text names a line, in full or by the end of its file's name.
fn names(text: &str, place: &str) -> bool {
    let short = place.rsplit('/').next().unwrap_or(place);
    text.split(|c: char| c.is_whitespace()).any(|word| {
        let word = word.trim_end_matches(')');
        [place, short].iter().any(|place| word == *place || word.starts_with(&format!("{place}:")))
    })
}

#[test]
fn every_finding_names_the_lines_of_the_program() {
    let files = [
        ("Cargo.toml", MANIFEST),
        ("Cargo.lock", LOCK),
        ("src/lib.rs", LIBRARY),
        ("tests/seeded.rs", SEEDED),
    ];
    let project = Project::new("explained", &files);
    let ran = project.run(["test", "--test", "seeded"]);
    let found = explanations(&project);
    let tests = SEEDED.split("fn ").skip(1).filter_map(|text| text.split_once('('));
    let tests: Vec<_> =
        tests.map(|(name, _)| name).filter(|name| !marked(name).is_empty()).collect();
    assert!(tests.len() >= 12, "{tests:?}");
    for test in tests {
        let text = found.get(test).unwrap_or_else(|| panic!("nothing was found in {test}\n{ran}"));
        for place in marked(test) {
            assert!(names(text, &place), "{test} does not name {place}:\n{text}");
        }
    }
    let begins = |test: &str, with: &str| {
        let text = &found[test];
        assert!(text.starts_with(with), "{test} does not begin with {with}:\n{text}");
    };
    begins("shop_sells_and_refunds", "deadlock: 2 threads wait for each other");
    begins("parking_lot_reads_again", "deadlock: 2 threads wait for each other");
    begins("parking_lot_and_std", "deadlock: 2 threads wait for each other");
    begins("parking_lot_double", "double lock: thread 0 (the test) waits for parking_lot Mutex 1");
    begins("relaxed_flag", "data race");
    // Both accesses stand where they happened: the write before the store, the read after the load.
    let race = &found["relaxed_flag"];
    let row = |text: &str| {
        let diagram = race.find("what happened").unwrap();
        race[diagram..].find(text).unwrap_or_else(|| panic!("no {text} in\n{race}"))
    };
    let reason =
        "the first would come before the second if the store at tests/seeded.rs:118:17 were";
    assert!(race.contains(reason), "{race}");
    assert!(row("writes 4 bytes") < row("store 1") && row("load 1") < row("reads 4 bytes"));
    // Two problems of one library at two lines are two problems.
    ran.is_silent_about("the same as");
    // They replay as what they were told as.
    for id in project.findings() {
        project.run(["replay", &id]).left_with(1).says(&["1 of 1 executions failed in this way"]);
    }
}

//! What people and machines are told.

use crate::support::{Project, Ran, sources, without_times};
use quick_xml::Reader;
use quick_xml::events::Event;
use std::collections::BTreeMap;

/// What cargo says when another one is at work.
const BLOCKING: &str = "    Blocking waiting for file lock on package cache\n";

#[test]
fn a_log_is_short_and_always_the_same() {
    let project = Project::new("output", &[("src/lib.rs", sources::RACY)]);
    project.run(["test"]).left_with(1);
    let ran = project.run(["test", "--jobs", "1", "--fresh"]);
    assert_eq!(ran.stdout, "");
    // Which execution meets a finding changes whenever a strategy is tuned.
    let steady = |text: &str| -> Vec<String> {
        let varies = |line: &&str| {
            line.starts_with("found in execution") || line.contains(" executions in ")
        };
        text.lines().filter(|line| !varies(line)).map(str::to_owned).collect()
    };
    // So do others who use cargo at the same time.
    let log = without_times(ran.stderr.trim_start_matches(BLOCKING));
    assert_eq!(steady(&log), steady(include_str!("output/racy.txt")), "\n{ran}");
    ran.says(&["Finished 1 finding, 1 sequential and passed; "]);
}

#[test]
fn a_quiet_log_has_findings_and_the_summary_only() {
    let source =
        "#[test] fn threads() { std::thread::scope(|s| { s.spawn(|| ()); s.spawn(|| ()); }); }\n";
    let project = Project::new("output-quiet", &[("src/lib.rs", source)]);
    project.run(["test"]).left_with(0).says(&["passed output-quiet threads: "]);
    let ran = project.run(["test", "--quiet"]);
    ran.left_with(0).is_silent_about("passed output-quiet");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran}");
}

/// Tests whose messages have what is special in XML, in a terminal and in GitHub's commands.
const SPECIAL: &str = r#"
#[test] fn special() { println!("<b>&\u{1b}[31m\u{0}]]>"); panic!("<a & b>, 100%\nnext: line"); }
#[test] fn plain() {}
#[test] fn dies() {
    std::process::Command::new("sh").args(["-c", "kill -9 $PPID"]).status().unwrap();
    loop { std::thread::yield_now(); }
}
"#;

/// The test cases of a report, by name: the message of what went wrong, if something did.
fn cases(xml: &str) -> BTreeMap<String, Option<String>> {
    let mut reader = Reader::from_str(xml);
    let mut cases = BTreeMap::new();
    let mut current = String::new();
    loop {
        let (Event::Start(element) | Event::Empty(element)) =
            (match reader.read_event().expect("the report is well-formed") {
                Event::Eof => return cases,
                event => event,
            })
        else {
            continue;
        };
        let attribute = |name: &str| {
            let attribute = element.try_get_attribute(name).unwrap()?;
            Some(String::from_utf8_lossy(&attribute.value).into_owned())
        };
        match element.name().as_ref() {
            b"testcase" => {
                current = attribute("name").unwrap();
                cases.insert(current.clone(), None);
            }
            b"failure" | b"error" => {
                cases.insert(current.clone(), attribute("message"));
            }
            _ => {}
        }
    }
}

#[test]
fn reports_for_machines_have_every_test_and_every_finding() {
    let project = Project::new("output-machines", &[("src/lib.rs", SPECIAL)]);
    let mut command = project.command([
        "test",
        "--junit",
        "reports/junit.xml",
        "--json",
        "reports/selvedge.jsonl",
        // Otherwise a process that dies is a finding as well.
        "--set",
        "isolation=off",
    ]);
    command.env("GITHUB_ACTIONS", "true");
    let ran = Ran::of(command);
    ran.left_with(1);
    let cases = cases(&project.read("reports/junit.xml"));
    assert_eq!(cases.len(), 3, "{cases:?}");
    assert_eq!(cases["plain"], None);
    assert!(cases["special"].as_ref().unwrap().contains("panic: &lt;a &amp; b&gt;"), "{cases:?}");
    assert!(cases["dies"].as_ref().unwrap().contains("SIGKILL"), "{cases:?}");

    let lines = project.read("reports/selvedge.jsonl");
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let result = |test: &str| {
        lines.iter().find(|line| line["test"] == test).unwrap_or_else(|| panic!("{lines:?}"))
    };
    assert_eq!(lines.len(), 3);
    assert_eq!(result("plain")["result"], "once");
    assert_eq!(result("special")["result"], "found");
    assert_eq!(result("special")["id"], project.only_finding().as_str());
    assert_eq!(result("special")["binary"], "output-machines");
    assert_eq!(result("dies")["result"], "failed");

    let annotations: Vec<_> = ran.stdout.lines().collect();
    let [annotation] = annotations.as_slice() else { panic!("{ran}") };
    assert!(annotation.starts_with("::error file=src/lib.rs,line=2,col="), "{annotation}");
    assert!(
        annotation.contains("100%25%0Anext: line") || annotation.contains("<a & b>, 100%25"),
        "{annotation}"
    );
}

#[test]
fn a_report_that_can_not_be_written_is_an_error_but_not_the_end() {
    let source = "#[test] fn passes() {}\n";
    let project = Project::new("output-unwritable", &[("src/lib.rs", source), ("occupied", "")]);
    let ran = project.run(["test", "--junit", "occupied/junit.xml"]);
    ran.left_with(70).says(&["1 sequential and passed"]).says(&["error", "occupied"]);
    project.run(["test", "--json", "occupied/lines"]).left_with(70).says(&["error", "occupied"]);
}

#[test]
fn colours_are_for_terminals_unless_somebody_says_otherwise() {
    let project = Project::new("output", &[("src/lib.rs", sources::RACY)]);
    let colourful = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = project.command(["test"].iter().chain(arguments));
        command.envs(variables.iter().copied());
        Ran::of(command).stderr.contains("\u{1b}[")
    };
    assert!(!colourful(&[], &[]));
    assert!(colourful(&[], &[("CARGO_TERM_COLOR", "always")]));
    assert!(colourful(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(!colourful(&["--color=never"], &[("CARGO_TERM_COLOR", "always")]));
    assert!(!colourful(&[], &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]));
}

/// A thread that the C library starts, and nothing else that runs at the same time.
const OUTSIDE: &str = r#"
use std::ffi::c_void;
use std::ptr::{null, null_mut};

unsafe extern "C" {
    fn pthread_create(thread: *mut usize, attributes: *const c_void, start: extern "C" fn(*mut c_void) -> *mut c_void, argument: *mut c_void) -> i32;
    fn pthread_join(thread: usize, result: *mut *mut c_void) -> i32;
}

extern "C" fn nothing(_: *mut c_void) -> *mut c_void { null_mut() }

#[test]
fn starts_a_thread() {
    let mut thread = 0;
    // SAFETY: The function ends by itself, and its thread is waited for.
    unsafe {
        assert_eq!(pthread_create(&mut thread, null(), nothing, null_mut()), 0);
        assert_eq!(pthread_join(thread, null_mut()), 0);
    }
}
"#;

#[test]
fn a_thread_outside_of_control_is_told_of_also_in_a_test_that_is_run_once() {
    let project = Project::new("outside", &[("src/lib.rs", OUTSIDE)]);
    let ran = project.run(["test", "--json", "out.jsonl"]);
    ran.left_with(0).says(&["starts_a_thread: ", "; 1 thread outside of control"]);
    let json = project.read("out.jsonl");
    assert!(json.contains(r#""conditions":"1 thread outside of control"#), "{json}");
}

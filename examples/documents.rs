//! The documents show what the programs really print, and every setting there is.
//!
//! What stands in README.md and in the book between `<!-- begin: … -->` and `<!-- end -->` is
//! written by this test, and compared with what it would write now:
//!
//! - `output NAME`: what the example of that name prints;
//! - `run visits`: what `cargo test` prints of the failing test in `visits.rs`;
//! - `tour TEST`: what `cargo selvedge test` says of that test of the tour;
//! - `source FILE`: the file of this folder;
//! - `settings`: the table of all settings with their defaults;
//! - `exit codes`: the table of the command's exit codes.
//!
//! `UPDATE_DOCS=1 cargo test -p selvedge-examples --test documents` writes instead of comparing.
//! `run` and `tour` start another cargo; they are left out unless `RUN_SLOW_TESTS` or `UPDATE_DOCS`
//! is set. That the flags and settings in the documents exist, the command's own tests check
//! (`crates/cargo-selvedge/src/documents.rs`).

// Elsewhere some of the examples would end the process instead of being explained.
#![cfg(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]

use selvedge::{Builder, Config, OperationKind};
use selvedge_examples::story;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

#[path = "deadlock.rs"]
#[expect(dead_code, reason = "as a module it has no use for its main function")]
mod deadlock;
#[path = "findings.rs"]
#[expect(dead_code, reason = "as a module it has no use for its main function")]
mod findings;
#[path = "lost_update.rs"]
#[expect(dead_code, reason = "as a module it has no use for its main function")]
mod lost_update;
#[path = "lost_wakeup.rs"]
#[expect(dead_code, reason = "as a module it has no use for its main function")]
mod lost_wakeup;
#[path = "mailbox.rs"]
#[expect(dead_code, reason = "as a module it has no use for its main function")]
mod mailbox;
#[path = "metric.rs"]
#[expect(dead_code, reason = "as a module it has no use for its main function")]
mod metric;
/// The defaults for tests that were not written for Selvedge.
#[path = "../crates/mirror/test/src/settings.rs"]
mod unmodified;

const END: &str = "<!-- end -->";

#[test]
fn documents_show_what_is_so() {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let mut outdated = Vec::new();
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        let right = rewritten(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if update && text != right {
            fs::write(&path, right).unwrap();
        } else if !update && settled(&text) != settled(&right) {
            outdated.push(path);
        }
    }
    assert!(
        outdated.is_empty(),
        "{outdated:?} are out of date; run\n\
         UPDATE_DOCS=1 cargo test -p selvedge-examples --test documents"
    );
}

/// The text without what changes whenever a strategy is tuned: which execution met a finding.
fn settled(text: &str) -> Vec<&str> {
    let is_origin = |line: &&str| line.starts_with("found in execution ");
    text.lines().map(|line| if is_origin(&line) { "found" } else { line }).collect()
}

/// README.md and the pages of the book.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let pages = fs::read_dir(root.join("book/src")).unwrap();
    let mut documents: Vec<_> = pages.map(|page| page.unwrap().path()).collect();
    documents.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    documents.push(root.join("README.md"));
    documents.sort();
    documents
}

/// The text with everything between its markers written anew.
fn rewritten(text: &str) -> Result<String, String> {
    let mut right = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        right.push_str(line);
        right.push('\n');
        let marker = line.strip_prefix("<!-- begin: ").and_then(|rest| rest.strip_suffix(" -->"));
        if let Some(what) = marker {
            let mut before = String::new();
            loop {
                match lines.next() {
                    Some(END) => break,
                    Some(line) => writeln!(before, "{line}").unwrap(),
                    None => return Err(format!("'{what}' has no end")),
                }
            }
            right.push_str(&generated(what)?.unwrap_or(before));
            writeln!(right, "{END}").unwrap();
        }
    }
    Ok(right)
}

/// What belongs between the markers; nothing if that is not to be found out now.
fn generated(what: &str) -> Result<Option<String>, String> {
    match what.split_once(' ') {
        Some(("output", name)) => Ok(Some(fenced("text", &output(name)?))),
        Some(("run", "visits")) => Ok(run_visits()?.map(|printed| fenced("text", &printed))),
        Some(("tour", test)) => Ok(tour(test)?.map(|told| fenced("text", &told))),
        Some(("exit", "codes")) => exit_codes().map(Some),
        Some(("source", file)) => {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
            let text = fs::read_to_string(path).map_err(|error| format!("{file}: {error}"))?;
            Ok(Some(fenced("rust,no_run", &text)))
        }
        None if what == "settings" => Ok(Some(settings())),
        _ => Err(format!("nobody knows what '{what}' is")),
    }
}

fn fenced(language: &str, text: &str) -> String {
    format!("```{language}\n{text}```\n")
}

/// Whether to start another cargo.
fn is_slow_allowed() -> bool {
    ["RUN_SLOW_TESTS", "UPDATE_DOCS"].iter().any(|name| std::env::var_os(name).is_some())
}

/// What the command says of a test of the tour.
fn tour(test: &str) -> Result<Option<String>, String> {
    static FINDINGS: OnceLock<Result<Vec<(String, String)>, String>> = OnceLock::new();
    if !is_slow_allowed() {
        return Ok(None);
    }
    let findings = FINDINGS.get_or_init(findings_of_tour).as_ref().map_err(Clone::clone)?;
    let of_test = findings.iter().find(|(name, _)| name == test);
    let (_, told) = of_test.ok_or_else(|| format!("nothing is found in the tour's {test}"))?;
    Ok(Some(format!("{}\n", told.trim_end())))
}

/// The tests of the tour in which something is found, each with its explanation.
fn findings_of_tour() -> Result<Vec<(String, String)>, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tour");
    // What an earlier version has found does not count.
    let _ = fs::remove_dir_all(folder.join("selvedge/findings"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "-p", "cargo-selvedge", "--", "selvedge", "test"])
        .arg("--manifest-path")
        .arg(root.join("tour/Cargo.toml"))
        .arg("--target-dir")
        .arg(&folder)
        .current_dir(root)
        .env("CARGO_TERM_COLOR", "never")
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    let said = || String::from_utf8_lossy(&run.stderr).into_owned();
    let found = fs::read_dir(folder.join("selvedge/findings")).map_err(|_| said())?;
    let read = |file: PathBuf| fs::read_to_string(file).map_err(|error| error.to_string());
    found
        .map(|finding| {
            let finding = finding.map_err(|error| error.to_string())?.path();
            let data = read(finding.join("finding.json"))?;
            let test = data.split("\"test\": \"").nth(1).and_then(|rest| rest.split('"').next());
            let test = test.ok_or_else(|| format!("{} names no test", finding.display()))?;
            Ok((test.to_owned(), read(finding.join("explanation.txt"))?))
        })
        .collect()
}

/// The exit codes, as the command's help has them.
fn exit_codes() -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let source = fs::read_to_string(root.join("crates/cargo-selvedge/src/cli.rs")).unwrap();
    let (_, list) = source.split_once("\nExit codes:\n").ok_or("the help has no exit codes")?;
    let (list, _) = list.split_once("\";").ok_or("the list of exit codes has no end")?;
    let mut table = String::from("| exit code | what it means |\n|---|---|\n");
    for line in list.lines() {
        let (code, meaning) = line.trim().split_once(' ').ok_or("a code has no meaning")?;
        writeln!(table, "| {code} | {} |", meaning.trim()).unwrap();
    }
    Ok(table)
}

/// What the failing test of `visits.rs` prints, up to the panic that ends it.
fn run_visits() -> Result<Option<String>, String> {
    if !is_slow_allowed() {
        return Ok(None);
    }
    let run = Command::new(env!("CARGO"))
        .args(["test", "--test", "visits", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .env("CARGO_TERM_COLOR", "never")
        .env_remove("COLUMNS")
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    let printed = String::from_utf8_lossy(&run.stdout);
    let (_, story) = printed
        .split_once("---- no_visit_is_lost stdout ----\n")
        .ok_or_else(|| format!("{printed}{}", String::from_utf8_lossy(&run.stderr)))?;
    let (story, _) = story.split_once("\nthread '").unwrap_or((story, ""));
    Ok(Some(format!("{}\n", story.trim_end())))
}

/// What an example prints, without the remark that it is one.
fn output(name: &str) -> Result<String, String> {
    let (builder, test): (Builder, fn()) = match name {
        "metric" => return Ok(metric::tell()),
        "deadlock" => (Builder::new(), deadlock::test),
        "lost_update" => (Builder::new(), lost_update::test),
        "lost_wakeup" => (Builder::new(), lost_wakeup::test),
        "mailbox" => (mailbox::builder(), mailbox::test),
        _ => match findings::EXAMPLES.iter().find(|example| example.name == name) {
            Some(example) => ((example.builder)(), example.test),
            None => return Err(format!("there is no example '{name}'")),
        },
    };
    let report = builder.explore(test).map_err(|error| error.to_string())?;
    Ok(story(&report))
}

fn settings() -> String {
    let (defaults, unmodified) = (defaults(), unmodified());
    let mut table = String::from(
        "| setting | takes | default | for unmodified tests | what it does |\n|---|---|---|---|---|\n",
    );
    for setting in Config::SETTINGS {
        let of = |all: &[(&str, &'static str)]| {
            all.iter().find(|(key, _)| *key == setting.key).map(|(_, value)| *value)
        };
        let default =
            of(&defaults).unwrap_or_else(|| panic!("what is the default of {setting:?}?"));
        let other = of(&unmodified).unwrap_or_default();
        let (key, takes, help) = (setting.key, setting.takes, setting.help);
        writeln!(table, "| `{key}` | {takes} | {default} | {other} | {help} |").unwrap();
    }
    table
}

/// The defaults as they would be written. That they are the defaults is checked.
fn defaults() -> Vec<(&'static str, &'static str)> {
    let written = [
        ("strategy", "portfolio"),
        ("executions", "1000"),
        ("time", "10s"),
        ("suite_time", "2m"),
        ("preemptions", "none"),
        ("max_steps", "1000000"),
        ("livelock_steps", "100000000"),
        ("leaked_threads", "report"),
        ("seed", "0"),
        ("stack_size", "2M"),
        ("timeouts", "rare"),
        ("spurious", "rare"),
        ("weak_cas", "rare"),
        ("memory_model", "sc"),
        ("polls", "rare"),
        ("random_bytes", "same"),
        ("clocks", "off"),
        ("check_determinism", "off"),
        ("shrink", "on"),
        ("stall", "10s"),
        ("parallelism", "4"),
        ("isolation", "off"),
        ("memory", "2G"),
        ("own_memory", "512M"),
        ("quarantine", "128M"),
        ("delays", "off"),
        ("leaks", "off"),
        ("races", "off"),
        ("allowed_races", ""),
        ("detectors", "usual"),
        ("confirm", "300"),
        ("confirm_time", "1s"),
        ("metrics", "none"),
        ("thread_sites", "20"),
        ("goldilock_weights", "1/5/5/10"),
        ("saturation", "none"),
        ("series", "none"),
        ("trace", "none"),
        ("trace_size", "64M"),
    ];
    let mut config = Config::default();
    for (key, value) in written {
        config.set(key, value).unwrap();
        assert_eq!(config, Config::default(), "{key} is not {value} by default");
    }
    // These have no value that says so.
    let none = [("replay", "none"), ("slack", "no limit"), ("trap", "none")];
    written.into_iter().chain(none).collect()
}

/// What `cargo selvedge test` begins with where that is something else. That it does is checked.
fn unmodified() -> Vec<(&'static str, &'static str)> {
    let written = [
        ("executions", "20000"),
        ("isolation", "on"),
        ("leaked_threads", "allow"),
        ("livelock_steps", "none"),
        ("polls", "off"),
        ("random_bytes", "vary"),
        ("saturation", "250"),
        ("delays", "20ms"),
    ];
    let mut config = Config { slack: None, ..Config::default() };
    for (key, value) in written {
        config.set(key, value).unwrap();
    }
    if cfg!(target_arch = "x86_64") {
        config.set("weak_cas", "off").unwrap();
    }
    assert_eq!(config, unmodified::defaults(), "the defaults for unmodified tests");
    written.into_iter().chain([("slack", "1ms"), ("weak_cas", "off on x86")]).collect()
}

#[test]
fn the_readme_replays_the_schedule_that_it_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let replays = readme.split("SELVEDGE_REPLAY='").skip(1);
    let mut schedules: Vec<_> = replays.filter_map(|rest| rest.split('\'').next()).collect();
    assert!(schedules.len() > 1, "{schedules:?}");
    schedules.dedup();
    assert_eq!(schedules.len(), 1, "{schedules:?}");
}

#[test]
fn the_reference_of_schedules_names_every_operation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = fs::read_to_string(root.join("book/src/schedules.md")).unwrap();
    for kind in OperationKind::ALL {
        assert!(page.contains(&format!("| `{kind}` |")), "{kind} is missing");
    }
}

/// Every file that is named exists, and so does every function that is said to be in a file:
/// "`Type::function` in `path`".
#[test]
fn the_design_pages_name_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let design = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    // The how-to pages name what will be there; `cargo run -p xtask -- howto` follows them.
    let design = design.filter(|page| page.is_file());
    let mut missing = Vec::new();
    for page in design.chain([root.join("ARCHITECTURE.md")]) {
        let text = fs::read_to_string(&page).unwrap();
        // Whatever stands between two backticks has an odd number.
        let pieces: Vec<&str> = text.split('`').collect();
        for (number, piece) in pieces.iter().enumerate().filter(|(number, _)| number % 2 == 1) {
            let is_path = ["crates/", "fixtures/", "examples/", "benches/", "xtask/"]
                .iter()
                .any(|folder| piece.starts_with(folder));
            if !is_path {
                continue;
            }
            let path = root.join(piece);
            if !path.exists() {
                missing.push((page.clone(), (*piece).to_owned()));
            } else if pieces[number - 1].trim() == "in" {
                let function = pieces[number - 2].rsplit("::").next().unwrap_or_default();
                let source = fs::read_to_string(path).unwrap_or_default();
                if !source.contains(&format!("fn {function}")) {
                    missing.push((page.clone(), format!("{} in {piece}", pieces[number - 2])));
                }
            }
        }
    }
    assert!(missing.is_empty(), "what is named is not there: {missing:#?}");
}

/// The page that everybody reads first stays short.
#[test]
fn the_architecture_fits_into_eighteen_kilobytes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let size = fs::metadata(root.join("ARCHITECTURE.md")).unwrap().len();
    assert!(size <= 18 << 10, "{size} bytes");
}

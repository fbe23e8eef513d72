//! Settings, wherever they come from.

use crate::support::{Project, Ran};

const SOURCE: &str =
    "#[test] fn threads() { std::thread::scope(|s| { s.spawn(|| ()); s.spawn(|| ()); }); }\n";

fn project(name: &str, files: &[(&str, &str)]) -> Project {
    let mut all = vec![("src/lib.rs", SOURCE)];
    all.extend(files);
    Project::new(name, &all)
}

fn manifest(name: &str, metadata: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n{metadata}"
    )
}

#[test]
fn an_unknown_setting_is_named_with_its_place_and_what_may_have_been_meant() {
    let file = project("settings-file", &[("selvedge.toml", "seed = 1\nexecutoins = 5\n")]);
    let ran = file.run(["test"]);
    ran.left_with(2)
        .says(&["selvedge.toml:2: unknown setting 'executoins'; did you mean 'executions'?"]);
    let text = manifest("settings-package", "[package.metadata.selvedge]\nsede = 3\n");
    let package = project("settings-package", &[("Cargo.toml", &text)]);
    let ran = package.run(["test"]);
    ran.left_with(2).says(&[
        "[package.metadata.selvedge] in",
        "Cargo.toml: unknown setting 'sede'",
        "'seed'",
    ]);
    let text = manifest("settings-workspace", "[workspace.metadata.selvedge]\ntiem = \"3s\"\n");
    let workspace = project("settings-workspace", &[("Cargo.toml", &text)]);
    let ran = workspace.run(["test"]);
    ran.left_with(2).says(&[
        "[workspace.metadata.selvedge] in",
        "unknown setting 'tiem'",
        "'time'",
    ]);
    let plain = project("settings-plain", &[]);
    let mut command = plain.command(["test"]);
    command.env("SELVEDGE_STRATEGI", "pos");
    Ran::of(command)
        .left_with(2)
        .says(&["environment variable SELVEDGE_STRATEGI", "did you mean 'strategy'?"]);
    let ran = plain.run(["test", "--set", "stal=1s"]);
    ran.left_with(2).says(&["--set stal=1s: unknown setting 'stal'; did you mean 'stall'?"]);
    let ran = plain.run(["test", "--set", "stall", "--time", "soon", "--strategy", "randon"]);
    ran.left_with(2).says(&["--set stall: '' will not do"]).says(&["--time: 'soon' will not do"]);
    ran.says(&["--strategy", "did you mean 'random'?"]);
}

#[test]
fn files_that_are_no_toml_or_have_other_types_are_named() {
    let bad = project("settings-malformed", &[("selvedge.toml", "seed = \n")]);
    bad.run(["test"]).left_with(2).says(&["selvedge.toml", "error"]);
    let list = project("settings-list", &[("selvedge.toml", "\n[cargo]\nexclude = \"slow\"\n")]);
    list.run(["test"]).left_with(2).says(&["selvedge.toml:3: 'exclude' will not do"]);
    let other = project("settings-table", &[("selvedge.toml", "[carg]\nexclude = []\n")]);
    other.run(["test"]).left_with(2).says(&["selvedge.toml:1: unknown setting 'carg'"]);
    let text = manifest("settings-array", "[package.metadata.selvedge]\nexclude = [3]\n");
    let array = project("settings-array", &[("Cargo.toml", &text)]);
    array.run(["test"]).left_with(2).says(&["'exclude' will not do"]);
}

#[test]
fn a_test_has_its_share_of_the_suites_time_unless_somebody_says_otherwise() {
    let project = project("settings-suite", &[("selvedge.toml", "")]);
    let says = |arguments: &[&str], budget: &str| {
        project.run([&["test"], arguments].concat()).left_with(0).says(&[budget]);
    };
    says(&[], "at most 20000 executions or 10s each, about 2m00s for all");
    says(&["--suite-time", "30s"], "at most 20000 executions or 10s each, about 30.0s for all");
    says(&["--suite-time", "none"], "at most 20000 executions or 10s each");
    says(&["--time", "1s"], "at most 1s each");
    says(&["--executions", "7"], "at most 7 executions or 10s each");
    let wrong = project.run(["test", "--suite-time", "soon"]);
    wrong.left_with(2).says(&["--suite-time: 'soon' will not do; expected a duration"]);
}

#[test]
fn the_later_source_counts() {
    let text = manifest("settings-order", "[package.metadata.selvedge]\nexecutions = 20\n");
    let files = [
        ("Cargo.toml", text.as_str()),
        ("selvedge.toml", "executions = 10\nstrategy = \"random\"\n"),
    ];
    let project = project("settings-order", &files);
    let ran = project.run(["test"]);
    ran.left_with(0).says(&["at most 20 executions or 10s each"]).says(&["threads: 20 executions"]);
    let mut command = project.command(["test"]);
    command.env("SELVEDGE_EXECUTIONS", "30");
    Ran::of(command).left_with(0).says(&["threads: 30 executions"]);
    let mut command = project.command(["test", "--executions", "40", "--set", "time=9s"]);
    command.env("SELVEDGE_EXECUTIONS", "30");
    Ran::of(command)
        .left_with(0)
        .says(&["at most 40 executions or 9s each"])
        .says(&["threads: 40"]);
}

//! README.md and the book speak of this command as it is: every flag, command and setting that
//! they name exists.

use crate::cli::Cargo;
use crate::exit::Exit;
use clap::{Command, CommandFactory};
use selvedge_harness::Selection;
use selvedge_model::Config;
use std::fs;
use std::path::{Path, PathBuf};

/// README.md and the pages of the book, each with its text.
fn documents() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let pages = fs::read_dir(root.join("book/src")).unwrap();
    let mut paths: Vec<_> = pages.map(|page| page.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.extend(["README.md", "CONTRIBUTING.md"].map(|name| root.join(name)));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// What stands behind each `cargo selvedge` in code, up to the end of the code or of the line.
fn calls(text: &str) -> impl Iterator<Item = &str> {
    let installed = text.split("cargo selvedge ").skip(1);
    let from_source = text.split("-- selvedge ").skip(1);
    installed.chain(from_source).filter_map(|rest| rest.split(['\n', '`', '#', '|', ';']).next())
}

/// Every call in the documents that has a flag or begins with a known command.
fn each_call(mut check: impl FnMut(&Path, &Command, &str)) {
    let cargo = Cargo::command();
    let selvedge = cargo.find_subcommand("selvedge").unwrap();
    for (path, text) in documents() {
        for call in calls(&text) {
            let mut words = call.split_whitespace();
            if let Some(command) = words.next().and_then(|word| selvedge.find_subcommand(word)) {
                let inner = words.next().and_then(|word| command.find_subcommand(word));
                check(&path, inner.unwrap_or(command), call);
            }
        }
    }
}

/// Whether a command has a flag.
fn has(command: &Command, flag: &str) -> bool {
    let name = flag.split('=').next().unwrap_or(flag);
    name == "--help"
        || command.get_arguments().any(|argument| {
            argument.get_long().is_some_and(|long| name == format!("--{long}"))
                || argument.get_short().is_some_and(|short| name == format!("-{short}"))
        })
}

#[test]
fn every_flag_in_the_documents_exists() {
    let mut seen = 0;
    each_call(|path, command, call| {
        let (ours, runners) = call.split_once(" -- ").unwrap_or((call, ""));
        for flag in ours.split_whitespace().filter(|word| word.starts_with('-')) {
            assert!(has(command, flag), "{}: {flag} in '{call}'", path.display());
            seen += 1;
        }
        let runners = runners.split_whitespace().map(str::to_owned);
        if let Err(error) = Selection::parse(runners) {
            panic!("{}: '{call}': {error}", path.display());
        }
    });
    assert!(seen > 10, "only {seen} flags were found");
}

#[test]
fn every_setting_in_the_documents_exists() {
    each_call(|path, _, call| {
        for setting in call.split("--set ").skip(1).filter_map(|rest| rest.split(' ').next()) {
            let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
            let set = Config::default().set(key, value);
            assert!(set.is_ok(), "{}: '{call}': {set:?}", path.display());
        }
    });
}

#[test]
fn every_flag_stands_in_the_page_of_the_command() {
    let (_, page) =
        documents().into_iter().find(|(path, _)| path.ends_with("cargo-selvedge.md")).unwrap();
    let cargo = Cargo::command();
    let selvedge = cargo.find_subcommand("selvedge").unwrap();
    for command in selvedge.get_subcommands() {
        assert!(page.contains(&format!("cargo selvedge {}", command.get_name())), "{command}");
        // Those of cargo are named together.
        let own = command
            .get_arguments()
            .filter(|argument| argument.get_help_heading() != Some("What cargo builds"))
            .filter(|argument| !argument.is_hide_set());
        for long in own.filter_map(|argument| argument.get_long()) {
            assert!(page.contains(&format!("--{long}")), "--{long} is missing");
        }
    }
}

#[test]
fn every_exit_code_stands_in_the_page_of_the_command() {
    let (_, page) =
        documents().into_iter().find(|(path, _)| path.ends_with("cargo-selvedge.md")).unwrap();
    let help =
        Cargo::command().find_subcommand("selvedge").unwrap().clone().render_help().to_string();
    let all = [
        Exit::Clean,
        Exit::Findings,
        Exit::Usage,
        Exit::BuildFailed,
        Exit::NothingToRun,
        Exit::Incomplete,
        Exit::Internal,
        Exit::Interrupted,
    ];
    for exit in all {
        let code = exit as u8;
        assert!(page.contains(&format!("| {code} | ")), "{exit:?} is missing in the book");
        assert!(help.contains(&format!("\n  {code} ")), "{exit:?} is missing in the help");
    }
}

#[test]
fn the_help_of_a_command_has_examples_of_that_command() {
    let cargo = Cargo::command();
    let selvedge = cargo.find_subcommand("selvedge").unwrap();
    let help =
        |name: &str| selvedge.find_subcommand(name).unwrap().clone().render_long_help().to_string();
    assert!(help("run-shard").contains("run-shard --shard 1/4"));
    assert!(!help("run-shard").contains("cargo selvedge test queue::"));
    assert!(help("test").contains("cargo selvedge test queue::"));
    assert!(help("test").contains("goldilock_weights"), "the settings are listed");
}

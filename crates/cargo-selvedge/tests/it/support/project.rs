//! A cargo project that is made for a test.

use super::Ran;
use selvedge_store::{Access, Database};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::{env, fs};

/// Environment variables that would change what the command does.
const FOREIGN: [&str; 6] =
    ["SELVEDGE_", "CARGO_TERM_", "CARGO_TARGET_", "CARGO_BUILD_", "RUSTC_", "CARGO_ENCODED_"];
/// And more of them, by their whole names.
const FOREIGN_NAMES: [&str; 8] = [
    "GITHUB_ACTIONS",
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "RUSTFLAGS",
    "RUST_BACKTRACE",
    "COLUMNS",
    "CARGO_INCREMENTAL",
];

/// Builds the mirrors before the first test that needs them.
static KIT: LazyLock<()> = LazyLock::new(|| {
    let project = Project::new("kit", &[("src/lib.rs", "#[test] fn passes() {}\n")]);
    let ran = Ran::of(project.bare_command(["test"]));
    assert_eq!(ran.code, Some(0), "the mirrors are built\n{ran}");
});

/// A project in a folder of its own. What was built in an earlier run of the tests is still there,
/// what was found is not.
#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) folder: PathBuf,
}

/// Another test with the same project may have removed it already, and so may a command that ends.
fn is_gone(removed: std::io::Result<()>) {
    match removed {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => panic!("{error}"),
        _ => {}
    }
}

impl Project {
    /// A project with these files. If there is no manifest among them, it is one package of the
    /// project's name. If there are no settings, they are to explore less than the command does by
    /// itself: what is asserted here does not need more.
    pub(crate) fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("projects").join(name);
        let project = Self { folder };
        let findings = project.folder.join("target/selvedge/findings");
        is_gone(fs::remove_dir_all(findings));
        is_gone(fs::remove_dir_all(project.folder.join("selvedge-regressions")));
        for entry in fs::read_dir(project.folder.join("target/selvedge")).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.to_string_lossy().contains(".sqlite") {
                is_gone(fs::remove_file(path));
            }
        }
        if !files.iter().any(|(path, _)| *path == "Cargo.toml") {
            project.write("Cargo.toml", &manifest(name, "2024"));
        }
        if !files.iter().any(|(path, _)| *path == "selvedge.toml") {
            project.write("selvedge.toml", "executions = 1000\n");
        }
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    /// Writes a file, unless it is there as it should be: cargo would build it again.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        if fs::read_to_string(&path).is_ok_and(|present| present == text) {
            return;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Reads a file.
    pub(crate) fn read(&self, path: &str) -> String {
        let path = self.folder.join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// `cargo selvedge …` in the folder of the project.
    pub(crate) fn command<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Command {
        LazyLock::force(&KIT);
        self.bare_command(arguments)
    }

    fn bare_command<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-selvedge"));
        for (name, _) in env::vars() {
            let foreign = FOREIGN.iter().any(|beginning| name.starts_with(beginning));
            if foreign || FOREIGN_NAMES.contains(&name.as_str()) {
                command.env_remove(name);
            }
        }
        command.env("SELVEDGE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
        command.arg("selvedge").args(arguments).current_dir(&self.folder);
        command
    }

    /// Runs `cargo selvedge …` to its end.
    pub(crate) fn run<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Ran {
        Ran::of(self.command(arguments))
    }

    /// The record of its campaigns.
    pub(crate) fn record(&self) -> Database {
        self.open("target/selvedge/campaigns.sqlite")
    }

    /// A record of campaigns.
    pub(crate) fn open(&self, path: &str) -> Database {
        Database::open(&self.folder.join(path), Access::Read).unwrap()
    }

    /// The names of the findings that have been kept.
    pub(crate) fn findings(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.folder.join("target/selvedge/findings")) else {
            return Vec::new();
        };
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The name of the only finding.
    pub(crate) fn only_finding(&self) -> String {
        let findings = self.findings();
        let [only] = findings.as_slice() else { panic!("{findings:?}") };
        only.clone()
    }
}

/// The manifest of a package without dependencies that is no part of our own workspace.
pub(crate) fn manifest(name: &str, edition: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n\n[workspace]\n"
    )
}

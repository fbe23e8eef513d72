//! The command under test, built from this workspace, and how cargo is called for projects of others.

use crate::Result;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The command, built from this workspace.
#[derive(Debug)]
pub(crate) struct Selvedge {
    /// Where it is.
    program: PathBuf,
    /// Tells one program from another.
    pub(crate) fingerprint: String,
    /// The commit that it was built from, as far as git knows.
    pub(crate) commit: String,
}

/// How the command is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As the tests of this workspace do, so that CI need not build it again.
    Debug,
    /// As users do.
    Release,
}

impl Selvedge {
    /// Builds the command.
    pub(crate) fn build(root: &Path, profile: Profile) -> Result<Self> {
        let mut cargo = cargo();
        cargo.args(["build", "--bin", "cargo-selvedge", "--message-format=json"]);
        match profile {
            Profile::Debug => {}
            Profile::Release => _ = cargo.arg("--release"),
        }
        let text = said(cargo.current_dir(root).stderr(Stdio::inherit()))?;
        let mut executables = text.lines().filter_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            Some(PathBuf::from(message.get("executable")?.as_str()?))
        });
        let built = executables.next_back().ok_or("cargo has not said where the command is")?;
        let mut hasher = DefaultHasher::new();
        fs::read(&built)?.hash(&mut hasher);
        let fingerprint = format!("{:016x}", hasher.finish());
        // The workspace may be built again while the gate runs.
        let program = root.join("target/programs").join(&fingerprint).join("cargo-selvedge");
        if !program.exists() {
            fs::create_dir_all(program.with_file_name(""))?;
            fs::copy(built, &program)?;
        }
        let git = ["describe", "--always", "--dirty", "--exclude=*"];
        let commit = said(Command::new("git").args(git).current_dir(root))
            .unwrap_or_else(|_| "unknown".to_owned());
        Ok(Self { program, fingerprint, commit: commit.trim().to_owned() })
    }

    /// `cargo selvedge test`, as a user calls it.
    pub(crate) fn test(&self, manifest: &Path, target: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(["selvedge", "test"]);
        for_project(&mut command, manifest, target);
        command
    }
}

/// The compiler that projects are built with.
pub(crate) fn compiler() -> Result<String> {
    Ok(said(Command::new("rustc").arg("--version"))?.trim().to_owned())
}

/// `cargo test`, as a user calls it.
pub(crate) fn cargo_test(manifest: &Path, target: &Path) -> Command {
    let mut command = cargo();
    command.arg("test");
    for_project(&mut command, manifest, target);
    command
}

fn cargo() -> Command {
    Command::new(env!("CARGO"))
}

fn for_project(command: &mut Command, manifest: &Path, target: &Path) {
    command.arg("--manifest-path").arg(manifest).arg("--target-dir").arg(target);
    // What cargo has set up for this chore is not meant for the project.
    for (variable, _) in std::env::vars_os() {
        let name = variable.to_string_lossy();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&variable);
        }
    }
    command.env("CARGO_TERM_COLOR", "never").env_remove("RUST_BACKTRACE");
}

/// What a program writes to its standard output.
fn said(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?.wait_with_output()?;
    if !output.status.success() {
        return Err(format!("{:?} has failed: {}", command.get_program(), output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

//! A copy of the project, built by plain cargo.

use super::candidates::{Candidate, kind};
use crate::cargo_args::CargoArgs;
use crate::project::Toolchain;
use anyhow::Context;
use cargo_metadata::Message;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};
use std::ffi::OsString;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A binary with tests.
#[derive(Clone, Debug)]
pub(crate) struct TestBinary {
    package: String,
    kind: String,
    target: String,
    /// Where it is.
    pub(crate) executable: PathBuf,
}

/// What cargo has made.
#[derive(Debug, Default)]
pub(crate) struct Built {
    binaries: Vec<TestBinary>,
    /// What the compiler had to say.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What cargo itself said.
    said: String,
}

impl Built {
    /// The binary in which a test is.
    pub(crate) fn binary(&self, candidate: &Candidate) -> Option<&TestBinary> {
        self.binaries.iter().find(|binary| {
            binary.package == candidate.package
                && binary.kind == candidate.kind
                && binary.target == candidate.target
        })
    }

    /// The errors of the compiler.
    pub(crate) fn errors(&self) -> Vec<&Diagnostic> {
        let is_error = |diagnostic: &&Diagnostic| {
            matches!(diagnostic.level, DiagnosticLevel::Error | DiagnosticLevel::Ice)
        };
        self.diagnostics.iter().filter(is_error).collect()
    }

    /// All that went wrong, as people read it.
    pub(crate) fn explain(&self) -> String {
        let errors = self.errors();
        let texts: Vec<_> = errors.iter().filter_map(|e| e.rendered.as_deref()).collect();
        if texts.is_empty() { self.said.trim_end().to_owned() } else { texts.join("\n") }
    }
}

/// A project to build.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job<'a> {
    /// Who builds it.
    pub(crate) toolchain: &'a Toolchain,
    /// With which flags.
    pub(crate) cargo: &'a CargoArgs,
    /// The root of the copy.
    pub(crate) root: &'a Path,
    /// The manifest, below that root.
    pub(crate) manifest: &'a Path,
    /// Where the result goes.
    pub(crate) target: &'a Path,
}

/// Builds the tests. Whether that worked is for the caller to see in the errors: with some of them there are
/// no binaries, or not all.
pub(crate) fn build(job: Job<'_>) -> anyhow::Result<Built> {
    let mut cargo = Command::new(&job.toolchain.cargo);
    cargo.args(["test", "--no-run", "--no-fail-fast", "--message-format=json"]);
    cargo.arg("--target-dir").arg(job.target);
    cargo.arg("--manifest-path").arg(job.root.join(job.manifest));
    // The library is added to what is locked.
    let locked = ["--locked", "--frozen"];
    cargo.args(job.cargo.flags().into_iter().filter(|flag| !locked.contains(&flag.as_str())));
    cargo.env_remove("CARGO_TARGET_DIR").current_dir(job.root);
    tolerate_warnings(&mut cargo);
    cargo.stdin(Stdio::null()).stdout(Stdio::piped());
    let said = tempfile::NamedTempFile::new()?;
    cargo.stderr(said.reopen()?);
    let mut child = cargo.spawn().context("can not run cargo")?;
    let stdout = child.stdout.take().context("cargo's output was asked for")?;
    let mut built = Built::default();
    for message in Message::parse_stream(BufReader::new(stdout)) {
        match message? {
            Message::CompilerMessage(message) => built.diagnostics.push(message.message),
            Message::CompilerArtifact(artifact) if artifact.profile.test => {
                let Some(executable) = artifact.executable else { continue };
                built.binaries.push(TestBinary {
                    package: package_name(&artifact.manifest_path),
                    kind: kind(&artifact.target).to_owned(),
                    target: artifact.target.name,
                    executable: executable.into_std_path_buf(),
                });
            }
            _ => {}
        }
    }
    let status = child.wait()?;
    built.said = fs_err::read_to_string(said.path())?;
    if !status.success() && built.errors().is_empty() {
        anyhow::bail!("cargo can not build a copy of the project:\n{}", built.said.trim_end());
    }
    Ok(built)
}

/// A copy has warnings that the original has not, which must not be errors.
fn tolerate_warnings(cargo: &mut Command) {
    const CAP: &str = "--cap-lints=warn";
    match std::env::var_os("RUSTFLAGS").filter(|flags| !flags.is_empty()) {
        Some(mut flags) => {
            flags.push(OsString::from(format!(" {CAP}")));
            cargo.env("RUSTFLAGS", flags);
        }
        None => {
            cargo.args(["--config", &format!("build.rustflags=[\"{CAP}\"]")]);
        }
    }
}

/// The name of the package with this manifest.
fn package_name(manifest: &cargo_metadata::camino::Utf8Path) -> String {
    let text = std::fs::read_to_string(manifest).unwrap_or_default();
    let table: Option<toml::Table> = text.parse().ok();
    let name =
        table.and_then(|table| Some(table.get("package")?.get("name")?.as_str()?.to_owned()));
    name.unwrap_or_default()
}

//! The project under test and the toolchain that builds it.

use crate::cargo_args::CargoArgs;
use crate::exit::{Exit, Failure};
use anyhow::Context;
use cargo_metadata::{Metadata, MetadataCommand, Package, PackageId};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Cargo and the compiler that it uses.
#[derive(Clone, Debug)]
pub(crate) struct Toolchain {
    /// The cargo that has called us.
    pub(crate) cargo: OsString,
    /// What `rustc -vV` says.
    pub(crate) version: String,
}

impl Toolchain {
    /// The toolchain that is in use in this folder.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = Command::new(&rustc).arg("-vV").output();
        let output = output.with_context(|| format!("can not run {}", rustc.display()))?;
        let version = String::from_utf8(output.stdout).context("rustc -vV prints no text")?;
        Ok(Self { cargo, version })
    }

    /// The name that the compiler gives to this machine's kind.
    pub(crate) fn host(&self) -> &str {
        self.field("host: ").unwrap_or("unknown")
    }

    /// `rustc 1.95.0 …`.
    pub(crate) fn release(&self) -> &str {
        self.version.lines().next().unwrap_or("an unknown compiler")
    }

    fn field(&self, name: &str) -> Option<&str> {
        self.version.lines().find_map(|line| line.strip_prefix(name))
    }
}

/// The project, as cargo sees it.
#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) metadata: Metadata,
    /// Where everything of ours is kept.
    pub(crate) folder: PathBuf,
}

impl Project {
    /// Asks cargo.
    pub(crate) fn find(
        toolchain: &Toolchain,
        manifest: Option<&Path>,
        target_dir: Option<&Path>,
        flags: &[String],
    ) -> anyhow::Result<Self> {
        let mut command = MetadataCommand::new();
        let mut flags = flags.to_vec();
        flags.extend(["--filter-platform".to_owned(), toolchain.host().to_owned()]);
        command.cargo_path(PathBuf::from(&toolchain.cargo)).other_options(flags);
        if let Some(manifest) = manifest {
            command.manifest_path(manifest);
        }
        let metadata = command.exec().map_err(|error| match error {
            cargo_metadata::Error::CargoMetadata { stderr } => {
                let text = stderr.trim().trim_start_matches("error: ").to_owned();
                let exit = if text.starts_with("could not find `Cargo.toml`") {
                    Exit::Usage
                } else {
                    Exit::BuildFailed
                };
                Failure::with(exit, text)
            }
            other => other.into(),
        })?;
        let target = match target_dir {
            Some(folder) => std::path::absolute(folder)?,
            None => metadata.target_directory.clone().into_std_path_buf(),
        };
        Ok(Self { metadata, folder: target.join("selvedge") })
    }

    /// Asks cargo about the project that the arguments name.
    pub(crate) fn of(toolchain: &Toolchain, args: &CargoArgs) -> anyhow::Result<Self> {
        Self::find(
            toolchain,
            args.manifest_path.as_deref(),
            args.target_dir.as_deref(),
            &args.shared(),
        )
    }

    /// The root of the workspace.
    pub(crate) fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// A package of the project or one that it depends on.
    pub(crate) fn package(&self, id: &PackageId) -> Option<&Package> {
        self.metadata.packages.iter().find(|package| package.id == *id)
    }

    /// Where findings are kept.
    pub(crate) fn findings(&self) -> PathBuf {
        self.folder.join("findings")
    }

    /// Where campaigns are kept.
    pub(crate) fn campaigns(&self) -> PathBuf {
        self.folder.join("campaigns.sqlite")
    }

    /// Where traces are kept.
    pub(crate) fn traces(&self) -> PathBuf {
        self.folder.join("traces")
    }

    /// The folders in which the compiler's relative file names may begin.
    pub(crate) fn source_folders(&self) -> Vec<PathBuf> {
        let mut folders = vec![self.root().to_owned()];
        folders.extend(registries());
        for package in &self.metadata.packages {
            if let Some(folder) = package.manifest_path.parent() {
                folders.push(folder.as_std_path().to_owned());
            }
        }
        folders
    }
}

/// The folders to which cargo unpacks packages of registries. Names of files in them are written
/// relative to these, so that schedules and ids are the same on every machine.
pub(crate) fn registries() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    let home =
        home.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")));
    let sources = home.map(|home| home.join("registry/src"));
    let Some(Ok(entries)) = sources.map(std::fs::read_dir) else { return Vec::new() };
    let mut folders: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    folders
}

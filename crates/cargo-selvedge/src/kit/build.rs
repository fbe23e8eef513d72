//! Builds the kit, if it is not there.

use super::{Kit, sources};
use crate::exit::{Exit, Failure};
use crate::output::Status;
use crate::project::Toolchain;
use anyhow::Context;
use cargo_metadata::{Message, TargetKind};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The packages whose libraries the compiler is given.
const PACKAGES: [&str; 3] = ["selvedge-as-std", "selvedge-as-core", "selvedge-test"];

/// Makes the libraries different from copies of the same crates in the user's project.
const METADATA: &str = "-Cmetadata=selvedge-kit -Cforce-frame-pointers=yes";

/// The file that says that the kit is complete, and where its libraries are.
const COMPLETE: &str = "kit.json";

/// The folder of the kit for a toolchain: the same for every project, another one for every
/// toolchain and version of this command.
pub(crate) fn place(toolchain: &Toolchain) -> anyhow::Result<PathBuf> {
    let mut hasher = DefaultHasher::new();
    (toolchain.version.as_str(), sources::hash(), METADATA).hash(&mut hasher);
    Ok(cache()?.join("kit").join(format!("{:016x}", hasher.finish())))
}

/// Whether the kit is there, in words.
pub(crate) fn state(toolchain: &Toolchain) -> anyhow::Result<String> {
    let folder = place(toolchain)?;
    Ok(match read(&folder) {
        Some(_) => format!("built, in {}", folder.display()),
        None => "not built yet; the first `cargo selvedge test` does that".to_owned(),
    })
}

/// Where this user keeps what can be made again.
fn cache() -> anyhow::Result<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    variable("SELVEDGE_CACHE")
        .or_else(|| variable("XDG_CACHE_HOME").map(|cache| cache.join("selvedge")))
        .or_else(|| variable("HOME").map(|home| home.join(".cache/selvedge")))
        .context("no place for the mirrors: neither SELVEDGE_CACHE nor HOME is set")
}

/// The kit for a toolchain; built if it is not there yet. `flags` are cargo's, such as
/// `--offline`.
pub(crate) fn build(toolchain: &Toolchain, flags: &[String]) -> anyhow::Result<Kit> {
    let folder = place(toolchain)?;
    if let Some(kit) = read(&folder) {
        return Ok(kit);
    }
    Status::Building.say(&format!(
        "the mirrors of std for {} (once, about half a minute)",
        toolchain.release()
    ));
    sources::unpack(&folder)
        .with_context(|| format!("can not write to {}; set SELVEDGE_CACHE", folder.display()))?;
    let kit = compile(toolchain, &folder, flags)?;
    fs_err::write(folder.join(COMPLETE), serde_json::to_string_pretty(&kit)?)?;
    Ok(kit)
}

/// The kit in a folder, if it is complete.
fn read(folder: &Path) -> Option<Kit> {
    let text = std::fs::read_to_string(folder.join(COMPLETE)).ok()?;
    serde_json::from_str(&text).ok().filter(Kit::is_there)
}

fn compile(toolchain: &Toolchain, folder: &Path, flags: &[String]) -> anyhow::Result<Kit> {
    let target = folder.join("target");
    let mut cargo = Command::new(&toolchain.cargo);
    cargo.args(["build", "--release", "--quiet", "--message-format=json-render-diagnostics"]);
    cargo.args(
        flags
            .iter()
            .filter(|flag| *flag == "--offline" || *flag == "--frozen")
            .map(|_| "--offline"),
    );
    for package in PACKAGES {
        cargo.args(["-p", package]);
    }
    // What the user has set up for the project is not meant for the kit.
    for variable in [
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_BUILD_TARGET",
        "CARGO_BUILD_RUSTC_WRAPPER",
    ] {
        cargo.env_remove(variable);
    }
    cargo.env("RUSTFLAGS", METADATA).env("CARGO_TARGET_DIR", &target);
    cargo.env("RUSTC_WRAPPER", "");
    cargo.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = cargo.spawn().context("can not run cargo")?;
    let stdout = child.stdout.take().context("cargo's output was asked for")?;
    let mut libraries = Vec::new();
    for message in Message::parse_stream(BufReader::new(stdout)) {
        if let Message::CompilerArtifact(artifact) = message?
            && artifact.target.kind.contains(&TargetKind::Lib)
            && let Some(file) = artifact.filenames.iter().find(|f| f.extension() == Some("rlib"))
        {
            libraries.push((artifact.target.name.clone(), file.clone()));
        }
    }
    if !child.wait()?.success() {
        return Err(Failure::with(
            Exit::BuildFailed,
            format!(
                "the mirrors of std do not compile with {}; supported is Rust {} and later",
                toolchain.release(),
                env!("CARGO_PKG_RUST_VERSION"),
            ),
        ));
    }
    let library = |package: &str| {
        let name = package.replace('-', "_");
        let found = libraries.iter().find(|(target, _)| *target == name);
        found
            .map(|(_, file)| file.clone().into_std_path_buf())
            .with_context(|| format!("cargo did not say where {package} is"))
    };
    let [std, core, test] = PACKAGES;
    Ok(Kit {
        std: library(std)?,
        core: library(core)?,
        test: library(test)?,
        dependencies: target.join("release/deps"),
    })
}

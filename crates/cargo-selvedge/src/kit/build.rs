//! Builds the kit, if it is not there.

use super::{Kit, sources};
use crate::exit::{Exit, Failure};
use crate::output::Status;
use crate::project::Toolchain;
use anyhow::Context;
use cargo_metadata::{Message, TargetKind};
use std::collections::hash_map::DefaultHasher;
use std::fs::{File, TryLockError};
use std::hash::{Hash, Hasher};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// The packages whose libraries the compiler is given.
const PACKAGES: [&str; 3] = ["selvedge-as-std", "selvedge-as-core", "selvedge-test"];

/// What harnesses of generated tests are linked with, besides.
const INTERPRETER: &str = "selvedge-interpret";

/// Makes the libraries different from copies of the same crates in the user's project, and the
/// names of our files different from those of the user's. The engine is told that it is part of the kit: its code is not to be inlined into the user's, which is
/// compiled for debugging or with the memory layer.
const METADATA: &str = "-Cmetadata=selvedge-kit -Cforce-frame-pointers=yes --cfg=selvedge_kit \
                        --remap-path-prefix=crates/=selvedge-kit/";

/// The file that says that the kit is complete, and where its libraries are.
const COMPLETE: &str = "kit.json";

/// The file that is locked by whoever builds the kit.
const LOCK: &str = "lock";

/// Beginnings of environment variables by which users set up the build of their own projects.
const NOT_FOR_THE_KIT: [&str; 6] = [
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_BUILD_",
    "CARGO_PROFILE_",
    "CARGO_TARGET_",
];

/// What cargo says when it can not get at packages.
const NO_NETWORK: [&str; 6] = [
    "--offline was specified",
    "unable to update registry",
    "failed to download",
    "failed to query replaced source registry",
    "Could not resolve host",
    "no matching package named",
];

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
    let _alone = lock(&folder)?;
    // Whoever had the lock before may have built it.
    if let Some(kit) = read(&folder) {
        return Ok(kit);
    }
    sources::unpack(&folder).with_context(|| format!("can not write to {}", folder.display()))?;
    Status::Building.say(&format!(
        "the mirrors of std for {} (once, about half a minute)",
        toolchain.release()
    ));
    let kit = compile(toolchain, &folder, flags)?;
    fs_err::write(folder.join(COMPLETE), serde_json::to_string_pretty(&kit)?)?;
    Ok(kit)
}

/// Waits until nobody else builds the kit; what is returned keeps the others waiting.
fn lock(folder: &Path) -> anyhow::Result<File> {
    let file = fs_err::create_dir_all(folder)
        .and_then(|()| fs_err::File::create(folder.join(LOCK)))
        .with_context(|| format!("can not write to {}; set SELVEDGE_CACHE", folder.display()))?
        .into_file();
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        Status::Blocking.say("waiting for another command that builds the mirrors of std");
    }
    file.lock().with_context(|| format!("can not lock {}", folder.display()))?;
    Ok(file)
}

/// The kit in a folder, if it is complete.
fn read(folder: &Path) -> Option<Kit> {
    let text = std::fs::read_to_string(folder.join(COMPLETE)).ok()?;
    serde_json::from_str(&text).ok().filter(Kit::is_there)
}

fn compile(toolchain: &Toolchain, folder: &Path, flags: &[String]) -> anyhow::Result<Kit> {
    let mut child = cargo(toolchain, folder, flags).spawn().context("can not run cargo")?;
    let stdout = child.stdout.take().context("cargo's output was asked for")?;
    let mut stderr = child.stderr.take().context("cargo's errors were asked for")?;
    let errors = thread::spawn(move || {
        let mut text = Vec::new();
        // What can not be read is not shown; that the build has failed is known anyway.
        let _ = stderr.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let mut libraries = Vec::new();
    for message in Message::parse_stream(BufReader::new(stdout)) {
        if let Message::CompilerArtifact(artifact) = message?
            && artifact.target.kind.contains(&TargetKind::Lib)
            && let Some(file) = artifact.filenames.iter().find(|f| f.extension() == Some("rlib"))
        {
            libraries.push((artifact.target.name.clone(), file.clone().into_std_path_buf()));
        }
    }
    let success = child.wait()?.success();
    let errors = errors.join().unwrap_or_default();
    if !success {
        anstream::eprint!("{errors}");
        return Err(Failure::with(Exit::BuildFailed, why(toolchain, &errors)));
    }
    let library = |package: &str| {
        let name = package.replace('-', "_");
        let found = libraries.iter().find(|(target, _)| *target == name);
        found
            .map(|(_, file)| file.clone())
            .with_context(|| format!("cargo did not say where {package} is"))
    };
    let [std, core, test] = PACKAGES;
    let std = library(std)?;
    let dependencies = std.parent().context("a library lies in a folder")?.join("deps");
    let (core, test) = (library(core)?, library(test)?);
    let parts = libraries.into_iter().filter(|(name, _)| name.starts_with("selvedge_")).collect();
    let empty = folder.join("empty.rs");
    fs_err::write(&empty, "//! Left empty: the kit has this crate already.\n")?;
    Ok(Kit { std, core, test, dependencies, parts, empty })
}

/// Cargo, building the kit.
fn cargo(toolchain: &Toolchain, folder: &Path, flags: &[String]) -> Command {
    let mut cargo = Command::new(&toolchain.cargo);
    cargo.args(["build", "--release", "--quiet", "--message-format=json-render-diagnostics"]);
    if flags.iter().any(|flag| flag == "--offline" || flag == "--frozen") {
        cargo.arg("--offline");
    }
    for package in PACKAGES.into_iter().chain([INTERPRETER]) {
        cargo.args(["-p", package]);
    }
    // What the user has set up for the project is not meant for the kit.
    for (variable, _) in std::env::vars_os() {
        let name = variable.to_string_lossy();
        if NOT_FOR_THE_KIT.iter().any(|beginning| name.starts_with(beginning)) {
            cargo.env_remove(&variable);
        }
    }
    cargo.env("RUSTFLAGS", METADATA).env("CARGO_TARGET_DIR", folder.join("target"));
    cargo.env("RUSTC_WRAPPER", "");
    cargo.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    cargo
}

/// Why the kit could not be built, and what to do, as far as can be told from cargo's words.
fn why(toolchain: &Toolchain, errors: &str) -> String {
    if NO_NETWORK.iter().any(|words| errors.contains(words)) {
        return "the mirrors of std need a few crates from crates.io when they are built, which is \
                once for each toolchain.\n\
                Run `cargo selvedge test` once with access to the network and without --offline. A \
                machine without one can be given\n\
                the folder that SELVEDGE_CACHE names (by default ~/.cache/selvedge) from another \
                one, in the same place and with the same toolchain."
            .to_owned();
    }
    format!(
        "the mirrors of std do not compile with {}; supported is Rust {} and later",
        toolchain.release(),
        env!("CARGO_PKG_RUST_VERSION"),
    )
}

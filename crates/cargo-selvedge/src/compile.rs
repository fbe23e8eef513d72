//! The project, compiled against the mirrors.

mod blame;
mod library;

pub(crate) use library::{Library, library};

use crate::cargo_args::CargoArgs;
use crate::exit::{Exit, Failure};
use crate::kit::{self, Kit};
use crate::memory_layer::{MemoryLayer, file_name};
use crate::output::{Status, colour, note};
use crate::project::{Project, Toolchain, registries};
use crate::run::{Variables, of_package};
use crate::unit;
use crate::wrapper::Orders;
use anyhow::Context;
use blame::Natively;
use cargo_metadata::{Artifact, Message, PackageId, TargetKind};
use std::collections::BTreeMap;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A binary with tests in it.
#[derive(Clone, Debug)]
pub(crate) struct Binary {
    /// Where it is.
    pub(crate) executable: PathBuf,
    /// The package that it belongs to.
    pub(crate) package: PackageId,
    /// The name of that package.
    pub(crate) package_name: String,
    /// The folder of that package, in which its tests run.
    pub(crate) folder: PathBuf,
    /// The folder of the workspace, which names of its files are relative to.
    pub(crate) root: PathBuf,
    /// The name of cargo's target.
    pub(crate) target: String,
    /// What kind of target it is: `lib`, `bin`, `test`, `example`.
    pub(crate) kind: String,
    /// What cargo puts into the environment of its tests.
    pub(crate) environment: Variables,
    /// Why its tests can not be run under control, if they can not.
    pub(crate) outside: Option<String>,
}

impl Binary {
    /// How people name it: `queue` for the library, `queue::tests/close` for an integration test.
    pub(crate) fn label(&self) -> String {
        label(&self.package_name, &self.kind, &self.target)
    }
}

/// How people name a binary with tests, by its package and cargo's target.
pub(crate) fn label(package: &str, kind: &str, target: &str) -> String {
    match kind {
        "lib" | "proc-macro" => package.to_owned(),
        kind => format!("{package}::{kind}/{target}"),
    }
}

impl Binary {
    /// Its label as the name of a file.
    pub(crate) fn file_name(&self) -> String {
        self.label().replace("::", "-").replace('/', "-")
    }
}

/// Crates of our own: a project that uses the library explores with it, and the library must not
/// be explored itself.
pub(crate) const OURS: [&str; 13] = [
    "selvedge",
    "selvedge_campaign",
    "selvedge_engine",
    "selvedge_front",
    "selvedge_harness",
    "selvedge_macros",
    "selvedge_model",
    "selvedge_observe",
    "selvedge_real",
    "selvedge_report",
    "selvedge_spec",
    "selvedge_std",
    "selvedge_strategy",
];

/// Has cargo build the tests of the project. Crates that are named in `uninstrumented` are
/// compiled as they are, those that `memory` names with the memory layer.
pub(crate) fn compile(
    toolchain: &Toolchain,
    project: &Project,
    args: &CargoArgs,
    uninstrumented: &[String],
    memory: &MemoryLayer,
) -> anyhow::Result<Vec<Binary>> {
    check_target(toolchain, args)?;
    let kit = kit::build(toolchain, &args.shared())?;
    let target = build_folder(toolchain, project, uninstrumented, memory)?;
    let mut cargo = cargo_test(toolchain, args, &target);
    cargo.arg("--message-format=json-diagnostic-rendered-ansi");
    cargo.args(["--target", toolchain.host()]);
    orders(project, kit, uninstrumented, memory).give(&mut cargo)?;
    cargo.stdout(Stdio::piped());
    let mut child = cargo.spawn().context("can not run cargo")?;
    let stdout = child.stdout.take().context("cargo's output was asked for")?;
    let mut binaries = Vec::new();
    let mut scripts = BTreeMap::new();
    let mut errors = blame::Errors::default();
    for message in Message::parse_stream(BufReader::new(stdout)) {
        match message? {
            Message::CompilerArtifact(artifact) => {
                binaries.extend(binary(project, artifact, uninstrumented)?);
            }
            Message::BuildScriptExecuted(script) => {
                scripts.insert(script.package_id.clone(), script);
            }
            Message::CompilerMessage(message) => {
                if let Some(text) = &message.message.rendered {
                    anstream::eprint!("{text}");
                }
                errors.add(&message);
            }
            _ => {}
        }
    }
    if child.wait()?.success() {
        // Cargo reports them as they are ready, which differs from call to call.
        let key = |binary: &Binary| {
            let Binary { package, kind, target, .. } = binary.clone();
            (package, kind, target)
        };
        binaries.sort_by_cached_key(key);
        for binary in &mut binaries {
            if let Some(package) = project.package(&binary.package) {
                binary.environment = of_package(package, scripts.get(&binary.package));
            }
        }
        return Ok(binaries);
    }
    let natively = natively(toolchain, project, args);
    Err(Failure::with(Exit::BuildFailed, errors.explain(natively, memory)))
}

/// The folder of a build with these flags.
fn build_folder(
    toolchain: &Toolchain,
    project: &Project,
    uninstrumented: &[String],
    memory: &MemoryLayer,
) -> anyhow::Result<PathBuf> {
    let place = kit::place(toolchain)?;
    let key = place.file_name().context("the kit has a folder of its own")?;
    // Cargo does not know of the flags that the wrapper adds, so whatever changes them gets
    // another folder.
    let key = format!("{}-{:016x}", key.to_string_lossy(), unit::fingerprint());
    let mut target = project.folder.join("build").join(key);
    if !uninstrumented.is_empty() {
        target.push(format!("without-{}", file_name(uninstrumented)));
    }
    target.extend(memory.folder());
    Ok(target)
}

/// What the compiler's wrapper is to do in a project.
fn orders(project: &Project, kit: Kit, uninstrumented: &[String], memory: &MemoryLayer) -> Orders {
    Orders {
        kit,
        inner: inner_wrapper(),
        untouched: uninstrumented.iter().map(|name| name.replace('-', "_")).collect(),
        root: project.root().to_owned(),
        memory: memory.clone(),
        remap: remap(),
    }
}

/// Asks cargo to build the tests without us.
fn natively(toolchain: &Toolchain, project: &Project, args: &CargoArgs) -> Natively {
    Status::Checking.say("whether `cargo test` builds these tests without Selvedge");
    let mut cargo = cargo_test(toolchain, args, &project.folder.join("build/plain"));
    cargo.arg("--quiet").stdout(Stdio::null()).stderr(Stdio::null());
    match cargo.status().is_ok_and(|status| status.success()) {
        true => Natively::Builds,
        false => Natively::Fails,
    }
}

/// Tests are run here, so they are built for this machine. Who asks for another one on the command
/// line is refused; who has configured one is told.
fn check_target(toolchain: &Toolchain, args: &CargoArgs) -> anyhow::Result<()> {
    let host = toolchain.host();
    match &args.target {
        Some(target) if target != host => {
            let text = format!("tests are run on this machine: --target can only be {host}");
            return Err(Failure::with(Exit::Usage, text));
        }
        _ => {}
    }
    let configured = cargo_config2::Config::load().ok().and_then(|config| config.build.target);
    for target in configured.iter().flatten().filter(|target| target.triple() != host) {
        note(&format!(
            "the project is configured for {}; its tests are built for this machine ({host})",
            target.triple()
        ));
    }
    Ok(())
}

/// Cargo, building tests without running them.
fn cargo_test(toolchain: &Toolchain, args: &CargoArgs, target: &Path) -> Command {
    let mut cargo = Command::new(&toolchain.cargo);
    cargo.args(["test", "--no-run"]).arg("--target-dir").arg(target).args(args.flags());
    if let Some(manifest) = &args.manifest_path {
        cargo.arg("--manifest-path").arg(manifest);
    }
    cargo.env_remove("CARGO_TARGET_DIR").stdin(Stdio::null());
    if let Some(when) = colour::for_cargo() {
        cargo.env("CARGO_TERM_COLOR", when);
    }
    cargo
}

/// The binary with tests that cargo has built, if that is what it has built.
fn binary(
    project: &Project,
    artifact: Artifact,
    uninstrumented: &[String],
) -> anyhow::Result<Option<Binary>> {
    let (true, Some(executable)) = (artifact.profile.test, artifact.executable) else {
        return Ok(None);
    };
    let package = project.package(&artifact.package_id);
    let folder = package.and_then(|package| package.manifest_path.parent());
    let kind = artifact.target.kind.first().map_or_else(String::new, kind_name);
    let outside = if kind == "proc-macro" {
        Some("a procedural macro is compiled for the compiler, not for tests".to_owned())
    } else if uninstrumented.iter().any(|name| same_crate(name, &artifact.target.name)) {
        Some("it is listed as uninstrumented in the settings".to_owned())
    } else if !has_our_runner(executable.as_std_path())? {
        Some("it does not use Rust's test harness (`harness = false`)".to_owned())
    } else {
        None
    };
    Ok(Some(Binary {
        executable: executable.into_std_path_buf(),
        package_name: package.map_or_else(String::new, |package| package.name.to_string()),
        folder: folder.map_or_else(|| project.root().to_owned(), |f| f.as_std_path().to_owned()),
        root: project.root().to_owned(),
        package: artifact.package_id,
        kind,
        target: artifact.target.name,
        environment: Variables::new(),
        outside,
    }))
}

/// Whether a binary would answer us. Looked up in the file, since to run what is not a test may
/// do anything. What is looked for stands among the constants, near the beginning, so that the whole
/// file is read only if it is not there.
fn has_our_runner(executable: &Path) -> anyhow::Result<bool> {
    const PIECE: usize = 1 << 20;
    let mark = &selvedge_harness::MARK;
    let mut file = fs_err::File::open(executable)?;
    let mut piece = Vec::new();
    loop {
        // The mark may begin in one piece and end in the next.
        piece.drain(..piece.len().saturating_sub(mark.len()));
        let read = Read::by_ref(&mut file).take(PIECE as u64).read_to_end(&mut piece)?;
        if memchr::memmem::find(&piece, mark).is_some() {
            return Ok(true);
        }
        if read == 0 {
            return Ok(false);
        }
    }
}

/// Whether two names are those of one crate, which the compiler and cargo write differently.
fn same_crate(a: &str, b: &str) -> bool {
    a.replace('-', "_") == b.replace('-', "_")
}

fn kind_name(kind: &TargetKind) -> String {
    match kind {
        TargetKind::RLib | TargetKind::DyLib | TargetKind::CDyLib | TargetKind::StaticLib => {
            "lib".to_owned()
        }
        other => other.to_string(),
    }
}

/// The wrapper that the user has configured, which we have to call in our turn.
fn inner_wrapper() -> Option<String> {
    let wrapper = cargo_config2::Config::load().ok()?.build.rustc_wrapper?;
    Some(wrapper.to_str()?.to_owned()).filter(|wrapper| !wrapper.is_empty())
}

/// Files of packages are named without the part that differs from machine to machine.
fn remap() -> Vec<(String, String)> {
    let folders = registries().into_iter();
    folders.map(|folder| (format!("{}/", folder.display()), String::new())).collect()
}

#[cfg(test)]
mod tests {
    use super::OURS;
    use cargo_metadata::MetadataCommand;

    #[test]
    fn all_that_the_library_is_made_of_is_left_alone() {
        let metadata = MetadataCommand::new().no_deps().exec().expect("cargo knows this workspace");
        let ours = |name: &str| metadata.packages.iter().find(|package| package.name == name);
        let mut found = vec!["selvedge".to_owned()];
        let mut next = 0;
        while let Some(package) = found.get(next).and_then(|name| ours(name)) {
            let used = package.dependencies.iter().filter(|used| {
                used.kind != cargo_metadata::DependencyKind::Development
                    && ours(&used.name).is_some()
            });
            let new: Vec<_> = used.map(|used| used.name.clone()).collect();
            found.extend(new.into_iter().filter(|name| !found.contains(name)).collect::<Vec<_>>());
            next += 1;
        }
        for name in found {
            assert!(OURS.contains(&name.replace('-', "_").as_str()), "{name} is not listed");
        }
    }
}

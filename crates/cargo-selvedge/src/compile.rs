//! The project, compiled against the mirrors.

use crate::cargo_args::CargoArgs;
use crate::exit::{Exit, Failure};
use crate::kit;
use crate::project::{Project, Toolchain, registries};
use crate::wrapper::Orders;
use anyhow::Context;
use cargo_metadata::{Message, PackageId, TargetKind};
use std::io::BufReader;
use std::path::PathBuf;
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
    /// The name of cargo's target.
    pub(crate) target: String,
    /// What kind of target it is: `lib`, `bin`, `test`, `example`.
    pub(crate) kind: String,
}

impl Binary {
    /// How people name it: `queue` for the library, `queue::tests/close` for an integration test.
    pub(crate) fn label(&self) -> String {
        match self.kind.as_str() {
            "lib" | "proc-macro" => self.package_name.clone(),
            kind => format!("{}::{kind}/{}", self.package_name, self.target),
        }
    }
}

/// Crates of our own: a project that uses the library explores with it, and the library must not
/// be explored itself.
pub(crate) const OURS: [&str; 9] = [
    "selvedge",
    "selvedge_campaign",
    "selvedge_engine",
    "selvedge_harness",
    "selvedge_macros",
    "selvedge_model",
    "selvedge_report",
    "selvedge_std",
    "selvedge_strategy",
];

/// Has cargo build the tests of the project.
pub(crate) fn compile(
    toolchain: &Toolchain,
    project: &Project,
    args: &CargoArgs,
    uninstrumented: &[String],
) -> anyhow::Result<Vec<Binary>> {
    let kit = kit::build(toolchain, &args.shared())?;
    let place = kit::place(toolchain)?;
    let key = place.file_name().context("the kit has a folder of its own")?;
    // Cargo does not know of the flags that the wrapper adds, so whatever changes them gets
    // another folder.
    let mut target = project.folder.join("build").join(key);
    if !uninstrumented.is_empty() {
        target.push(format!("without-{}", uninstrumented.join("-")));
    }
    let mut cargo = Command::new(&toolchain.cargo);
    cargo.args(["test", "--no-run", "--message-format=json-render-diagnostics"]);
    cargo.args(["--target", toolchain.host()]).arg("--target-dir").arg(&target);
    cargo.args(args.flags());
    if let Some(manifest) = &args.manifest_path {
        cargo.arg("--manifest-path").arg(manifest);
    }
    let untouched = uninstrumented.iter().map(|name| name.replace('-', "_"));
    let orders = Orders {
        kit,
        inner: inner_wrapper(project),
        untouched: untouched.chain(OURS.map(str::to_owned)).collect(),
        remap: remap(),
    };
    orders.give(&mut cargo)?;
    cargo.env_remove("CARGO_TARGET_DIR").stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = cargo.spawn().context("can not run cargo")?;
    let stdout = child.stdout.take().context("cargo's output was asked for")?;
    let mut binaries = Vec::new();
    for message in Message::parse_stream(BufReader::new(stdout)) {
        let Message::CompilerArtifact(artifact) = message? else { continue };
        let (true, Some(executable)) = (artifact.profile.test, artifact.executable) else {
            continue;
        };
        let package = project.package(&artifact.package_id);
        let folder = package.and_then(|package| package.manifest_path.parent());
        binaries.push(Binary {
            executable: executable.into_std_path_buf(),
            package_name: package.map_or_else(String::new, |package| package.name.to_string()),
            folder: folder
                .map_or_else(|| project.root().to_owned(), |f| f.as_std_path().to_owned()),
            package: artifact.package_id,
            kind: artifact.target.kind.first().map_or_else(String::new, kind_name),
            target: artifact.target.name,
        });
    }
    if !child.wait()?.success() {
        return Err(Failure::with(
            Exit::BuildFailed,
            "the tests do not compile against the mirrors of std\n\
             If they do with `cargo test`, the errors above name the item of std that is missing \
             in the mirrors;\nplease report it. A crate can be compiled as it is if it is listed as \
             `uninstrumented` in selvedge.toml.",
        ));
    }
    Ok(binaries)
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
fn inner_wrapper(project: &Project) -> Option<String> {
    let config = cargo_config2::Config::load_with_cwd(project.root()).ok()?;
    let wrapper = config.build.rustc_wrapper?;
    Some(wrapper.to_str()?.to_owned()).filter(|wrapper| !wrapper.is_empty())
}

/// Files of packages are named without the part that differs from machine to machine.
fn remap() -> Vec<(String, String)> {
    let folders = registries().into_iter();
    folders.map(|folder| (format!("{}/", folder.display()), String::new())).collect()
}

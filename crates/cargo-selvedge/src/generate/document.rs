//! Asks rustdoc what a crate has.

use crate::cargo_args::CargoArgs;
use crate::exit::{Exit, Failure};
use crate::output::Status;
use crate::project::{Project, Toolchain};
use anyhow::Context;
use cargo_metadata::{Package, TargetKind};
use selvedge_generate::Documented;
use std::process::{Command, Stdio};

/// What the library of a package has.
///
/// Rustdoc's JSON is there in stable toolchains, but has to be asked for as if it were not.
pub(crate) fn document(
    toolchain: &Toolchain,
    project: &Project,
    args: &CargoArgs,
    package: &Package,
) -> anyhow::Result<Documented> {
    let is_library = |kind: &TargetKind| matches!(kind, TargetKind::Lib | TargetKind::RLib);
    let library = package.targets.iter().find(|target| target.kind.iter().any(is_library));
    let Some(library) = library else {
        let text = format!("{} has no library whose types could be tested", package.name);
        return Err(Failure::with(Exit::NothingToRun, text));
    };
    Status::Checking.say(&format!("what {} {} has", package.name, package.version));
    let folder = project.folder.join("generate/doc");
    let mut cargo = Command::new(&toolchain.cargo);
    cargo.args(["rustdoc", "--lib", "--quiet", "--package"]);
    cargo.arg(format!("{}@{}", package.name, package.version));
    cargo.arg("--target-dir").arg(&folder).args(args.shared()).args(args.build_flags());
    if let Some(manifest) = &args.manifest_path {
        cargo.arg("--manifest-path").arg(manifest);
    }
    cargo.args(["--", "-Zunstable-options", "--output-format=json", "--cap-lints=allow"]);
    cargo.env("RUSTC_BOOTSTRAP", "1").env_remove("CARGO_TARGET_DIR").stdin(Stdio::null());
    if !cargo.status().context("can not run cargo")?.success() {
        let text = format!("rustdoc can not document {}; see its errors above", package.name);
        return Err(Failure::with(Exit::BuildFailed, text));
    }
    let file = folder.join("doc").join(format!("{}.json", library.name.replace('-', "_")));
    let json = fs_err::read_to_string(file)?;
    Ok(Documented::read(&json)?)
}

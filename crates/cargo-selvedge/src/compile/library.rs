//! A library, compiled against the mirrors, for harnesses of generated tests.

use super::{Natively, blame, build_folder, check_target, colour, orders};
use crate::cargo_args::CargoArgs;
use crate::exit::{Exit, Failure};
use crate::kit::{self, Kit};
use crate::memory_layer::MemoryLayer;
use crate::project::{Project, Toolchain};
use anyhow::Context;
use cargo_metadata::{Message, Package};
use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A library that a harness can be linked with.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    /// The name of the crate.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) file: PathBuf,
    /// Where what it is made of can be found, as arguments of the compiler.
    pub(crate) search: Vec<String>,
    /// The mirrors that it was compiled against.
    pub(crate) kit: Kit,
}

/// Generated tests run thousands of times a second, so that a little optimisation pays.
const OPT_LEVEL: (&str, &str) = ("CARGO_PROFILE_DEV_OPT_LEVEL", "1");

/// Has cargo build the library of a package of the project, or of one that the project depends on.
pub(crate) fn library(
    toolchain: &Toolchain,
    project: &Project,
    args: &CargoArgs,
    package: &Package,
) -> anyhow::Result<Library> {
    check_target(toolchain, args)?;
    let memory = MemoryLayer::Off;
    let kit = kit::build(toolchain, &args.shared())?;
    let target = build_folder(toolchain, project, &[], &memory)?.join("generate");
    let mut cargo = Command::new(&toolchain.cargo);
    cargo
        .args(["build", "--lib", "--package"])
        .arg(format!("{}@{}", package.name, package.version));
    cargo.arg("--target-dir").arg(&target).args(args.shared()).args(args.build_flags());
    if let Some(manifest) = &args.manifest_path {
        cargo.arg("--manifest-path").arg(manifest);
    }
    cargo
        .arg("--message-format=json-diagnostic-rendered-ansi")
        .args(["--target", toolchain.host()]);
    cargo.env_remove("CARGO_TARGET_DIR").env(OPT_LEVEL.0, OPT_LEVEL.1);
    if let Some(when) = colour::for_cargo() {
        cargo.env("CARGO_TERM_COLOR", when);
    }
    orders(project, kit.clone(), &[], &memory).give(&mut cargo)?;
    let mut child =
        cargo.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("can not run cargo")?;
    let stdout = child.stdout.take().context("cargo's output was asked for")?;
    let mut errors = blame::Errors::default();
    let (mut file, mut name, mut search) = (None, String::new(), Vec::new());
    for message in Message::parse_stream(BufReader::new(stdout)) {
        match message? {
            Message::CompilerArtifact(artifact) => {
                let rlib = artifact.filenames.iter().find(|file| file.extension() == Some("rlib"));
                if artifact.package_id == package.id
                    && let Some(rlib) = rlib
                {
                    file = Some(rlib.clone().into_std_path_buf());
                    name = artifact.target.name.replace('-', "_");
                }
            }
            Message::BuildScriptExecuted(script) => {
                for path in script.linked_paths {
                    search.extend(["-L".to_owned(), path.to_string()]);
                }
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
    if !child.wait()?.success() {
        let text = errors.explain(Natively::Fails, &memory);
        return Err(Failure::with(Exit::BuildFailed, text));
    }
    let Some(file) = file else {
        let text = format!("{} has no library whose types could be tested", package.name);
        return Err(Failure::with(Exit::NothingToRun, text));
    };
    let folder = file.parent().context("a library lies in a folder")?;
    // Procedural macros lie with what is built for the compiler.
    let profile = folder.file_name().unwrap_or_default();
    for folder in [folder.join("deps"), target.join(profile).join("deps")] {
        search.extend(["-L".to_owned(), format!("dependency={}", folder.display())]);
    }
    Ok(Library { name, file, search, kit })
}

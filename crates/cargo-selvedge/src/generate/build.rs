//! Compiles a harness, without what does not compile.

use crate::compile::Library;
use crate::project::Toolchain;
use anyhow::Context;
use selvedge_generate::{Harness, Learned};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// More rounds would be odd: each takes out all that the compiler complains about.
const ROUNDS: usize = 12;

/// A harness that can be run.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) harness: Harness,
    pub(crate) executable: PathBuf,
}

/// What the compiler says.
#[derive(Deserialize)]
struct Diagnostic {
    message: String,
    level: String,
    #[serde(default)]
    spans: Vec<Spanned>,
}

#[derive(Deserialize)]
struct Spanned {
    file_name: String,
    line_start: usize,
    is_primary: bool,
}

/// Whether the compiler writes a program or only looks whether it could.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Emit {
    Nothing,
    Program,
}

/// Compiles a harness in a folder of its own. The error is why that can not be done.
pub(crate) fn build(
    toolchain: &Toolchain,
    library: &Library,
    mut harness: Harness,
    folder: &Path,
) -> anyhow::Result<Result<Built, String>> {
    fs_err::create_dir_all(folder)?;
    let (source, executable) = (folder.join("harness.rs"), folder.join("harness"));
    for _ in 0..ROUNDS {
        fs_err::write(&source, harness.source())?;
        let errors = compile(toolchain, library, (&source, &executable), Emit::Nothing)?;
        if errors.is_empty() {
            if harness.constructors().is_empty() || harness.calls().is_empty() {
                return Ok(Err(why_nothing(&harness)));
            }
            let errors = compile(toolchain, library, (&source, &executable), Emit::Program)?;
            return Ok(match errors.first() {
                Some((_, words)) => Err(format!("its harness does not link: {words}")),
                None => Ok(Built { harness, executable }),
            });
        }
        if harness.learn(&errors) == Learned::Nothing {
            let words = errors.first().map_or("", |(_, words)| words);
            return Ok(Err(format!("its harness does not compile: {words}")));
        }
    }
    Ok(Err(format!("its harness does not compile in {ROUNDS} rounds")))
}

fn why_nothing(harness: &Harness) -> String {
    match harness.constructors().is_empty() {
        true => {
            let refused = harness.refused_constructors();
            let words = refused.first().map_or("", |(_, words)| words);
            format!("none of its constructors can be called: {words}")
        }
        false => "none of its methods can be called".to_owned(),
    }
}

/// Errors, by the lines of the harness that they point at.
fn compile(
    toolchain: &Toolchain,
    library: &Library,
    (source, executable): (&Path, &Path),
    emit: Emit,
) -> anyhow::Result<Vec<(usize, String)>> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args([
        "--crate-name",
        "selvedge_generated",
        "--edition",
        "2024",
        "--crate-type",
        "bin",
    ]);
    command.args(["--error-format=json", "--cap-lints=allow", "--target", toolchain.host()]);
    command.args(["-Copt-level=1", "-Cdebuginfo=line-tables-only", "-Cdebug-assertions=on"]);
    command.arg("--extern").arg(format!("{}={}", library.name, library.file.display()));
    command.args(&library.search).args(library.kit.harness_flags());
    match emit {
        Emit::Nothing => {
            command.arg("--emit=metadata").arg("-o").arg(executable.with_extension("rmeta"))
        }
        Emit::Program => command.arg("--emit=link").arg("-o").arg(executable),
    };
    let output = command.arg(source).output().context("can not run rustc")?;
    if output.status.success() {
        return Ok(Vec::new());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let diagnostics = text.lines().filter_map(|line| serde_json::from_str::<Diagnostic>(line).ok());
    let mut errors = Vec::new();
    for diagnostic in diagnostics.filter(|one| one.level == "error") {
        let here = |span: &&Spanned| Path::new(&span.file_name) == source;
        let spans: Vec<_> = diagnostic.spans.iter().filter(here).collect();
        let primary = spans.iter().find(|span| span.is_primary).or(spans.first());
        errors.push((primary.map_or(0, |span| span.line_start), diagnostic.message));
    }
    Ok(errors)
}

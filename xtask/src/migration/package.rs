//! A crate as it is published, in a folder of its own.

use super::subject::Subject;
use crate::Result;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where everything of the study is.
pub(crate) fn folder(root: &Path) -> PathBuf {
    root.join("target/migration")
}

/// Where packages are built.
pub(crate) fn builds(root: &Path) -> PathBuf {
    folder(root).join("build")
}

/// Deletes what was built: the builds of all packages together would fill a disk.
pub(crate) fn clean(root: &Path) -> Result<()> {
    let builds = builds(root);
    if builds.exists() {
        fs::remove_dir_all(builds)?;
    }
    Ok(())
}

/// Puts a fresh copy of the package into a folder below `target` and gives back its manifest.
pub(crate) fn unpack(root: &Path, subject: &Subject) -> Result<PathBuf> {
    let name = format!("{}-{}", subject.name, subject.version);
    let project = folder(root).join("fetch").join(&name);
    let package = folder(root).join("packages").join(&name);
    fetch(&project, subject)?;
    if package.exists() {
        fs::remove_dir_all(&package)?;
    }
    copy(&published(&project, subject)?, &package)?;
    let manifest = package.join("Cargo.toml");
    stand_alone(&manifest)?;
    Ok(manifest)
}

/// Has cargo bring the package, by a project that depends on it.
fn fetch(project: &Path, subject: &Subject) -> Result<()> {
    fs::create_dir_all(project.join("src"))?;
    fs::write(project.join("src/lib.rs"), "")?;
    let Subject { name, version, .. } = subject;
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{name} = \"={version}\"\n\n[workspace]\n"
    );
    fs::write(project.join("Cargo.toml"), manifest)?;
    cargo(project, &["fetch", "--quiet"]).map(drop)
}

/// Where cargo has put the package.
fn published(project: &Path, subject: &Subject) -> Result<PathBuf> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    #[derive(Deserialize)]
    struct Package {
        name: String,
        version: String,
        manifest_path: PathBuf,
    }
    let text = cargo(project, &["metadata", "--format-version", "1", "--offline"])?;
    let metadata: Metadata = serde_json::from_str(&text)?;
    let package = metadata
        .packages
        .into_iter()
        .find(|package| package.name == subject.name && package.version == subject.version);
    let package = package.ok_or_else(|| format!("cargo has not brought {}", subject.name))?;
    let folder = package.manifest_path.parent().ok_or("a manifest is in a folder")?;
    Ok(folder.to_owned())
}

/// Keeps cargo from taking the package for a part of this workspace, below whose folder it lies.
fn stand_alone(manifest: &Path) -> Result<()> {
    let mut text = fs::read_to_string(manifest)?;
    if !text.lines().any(|line| line.trim_end() == "[workspace]") {
        text.push_str("\n[workspace]\n");
        fs::write(manifest, text)?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn cargo(project: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(project)
        .stdin(Stdio::null())
        .output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cargo {} has failed:\n{said}", arguments.join(" ")).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

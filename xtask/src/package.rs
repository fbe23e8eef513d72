//! A crate as it is published, in a folder of its own.

use crate::Result;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A published version of a crate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Package<'a> {
    /// Its name in the registry.
    pub(crate) name: &'a str,
    /// The exact version.
    pub(crate) version: &'a str,
}

/// What a file lists under `[[crate]]`, in its order.
pub(crate) fn read_list<T: DeserializeOwned>(root: &Path, file: &str) -> Result<Vec<T>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, bound = "T: DeserializeOwned")]
    struct List<T> {
        #[serde(rename = "crate")]
        crates: Vec<T>,
    }
    let text = fs::read_to_string(root.join(file))
        .map_err(|error| format!("failed to read {file}: {error}"))?;
    let list: List<T> = toml::from_str(&text).map_err(|error| format!("{file}: {error}"))?;
    Ok(list.crates)
}

/// Puts a fresh copy of the package below a folder, as a project of its own, and gives back its manifest.
pub(crate) fn unpack(folder: &Path, package: Package<'_>) -> Result<PathBuf> {
    let manifest = unpack_member(folder, package)?;
    stand_alone(&manifest)?;
    Ok(manifest)
}

/// Puts a fresh copy of the package below a folder and gives back its manifest.
pub(crate) fn unpack_member(folder: &Path, package: Package<'_>) -> Result<PathBuf> {
    let name = format!("{}-{}", package.name, package.version);
    let project = folder.join("fetch").join(&name);
    let copied = folder.join("packages").join(&name);
    fetch(&project, package)?;
    if copied.exists() {
        fs::remove_dir_all(&copied)?;
    }
    copy(&published(&project, package)?, &copied)?;
    Ok(copied.join("Cargo.toml"))
}

/// Has cargo bring the package, by a project that depends on it.
fn fetch(project: &Path, package: Package<'_>) -> Result<()> {
    fs::create_dir_all(project.join("src"))?;
    fs::write(project.join("src/lib.rs"), "")?;
    let Package { name, version } = package;
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{name} = \"={version}\"\n\n[workspace]\n"
    );
    fs::write(project.join("Cargo.toml"), manifest)?;
    cargo(project, &["fetch", "--quiet"]).map(drop)
}

/// Where cargo has put the package.
fn published(project: &Path, package: Package<'_>) -> Result<PathBuf> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Known>,
    }
    #[derive(Deserialize)]
    struct Known {
        name: String,
        version: String,
        manifest_path: PathBuf,
    }
    let text = cargo(project, &["metadata", "--format-version", "1", "--offline"])?;
    let metadata: Metadata = serde_json::from_str(&text)?;
    let mut known = metadata.packages.into_iter();
    let found = known.find(|known| known.name == package.name && known.version == package.version);
    let found = found.ok_or_else(|| format!("cargo has not brought {}", package.name))?;
    let folder = found.manifest_path.parent().ok_or("a manifest is in a folder")?;
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

/// Copies a folder with all that is in it.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
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

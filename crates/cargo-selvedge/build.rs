//! Packs the sources of everything that is linked into users' test processes into the command, so
//! that it can build them for whatever toolchain it meets.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The packages of the kit, by their folders below `crates`.
const PACKAGES: [&str; 17] = [
    "spec",
    "model",
    "engine",
    "strategy",
    "observe",
    "campaign",
    "report",
    "harness",
    "mirror/std",
    "front",
    "mirror/libc",
    "mirror/memory",
    "mirror/allocator",
    "mirror/as-std",
    "mirror/as-core",
    "mirror/test",
    "interpret",
];

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let root = here.ancestors().nth(2).expect("the package lies in crates/cargo-selvedge");
    let mut files = vec![("Cargo.toml".to_owned(), workspace(root)?)];
    files.push(("Cargo.lock".to_owned(), read(&root.join("Cargo.lock"))?));
    for package in PACKAGES {
        let folder = root.join("crates").join(package);
        let name = format!("crates/{package}");
        files.push((format!("{name}/Cargo.toml"), manifest(&folder.join("Cargo.toml"))?));
        add_sources(&folder.join("src"), &format!("{name}/src"), &mut files)?;
    }
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    let mut text = format!("pub(super) const HASH: u64 = {};\n", hasher.finish());
    text.push_str("pub(super) const FILES: &[(&str, &str)] = &[\n");
    for (name, content) in &files {
        writeln!(text, "    ({name:?}, {content:?}),").expect("a string takes everything");
    }
    text.push_str("];\n");
    fs::write(PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("kit.rs"), text)
}

fn read(path: &Path) -> io::Result<String> {
    println!("cargo::rerun-if-changed={}", path.display());
    fs::read_to_string(path)
}

/// The manifest of a workspace that has the packages of the kit only.
fn workspace(root: &Path) -> io::Result<String> {
    let text = read(&root.join("Cargo.toml"))?;
    let shared = text.find("[workspace.package]").expect("the workspace has shared settings");
    let profiles = text.find("# The engine is linked").unwrap_or(text.len());
    let members: Vec<_> = PACKAGES.iter().map(|package| format!("crates/{package}")).collect();
    Ok(format!(
        "[workspace]\nresolver = \"3\"\nmembers = {members:?}\n\n{}\n",
        &text[shared..profiles]
    ))
}

/// A manifest without what only tests need.
fn manifest(path: &Path) -> io::Result<String> {
    let text = read(path)?;
    let mut kept = String::new();
    let mut skipping = false;
    for line in text.lines() {
        if line.starts_with('[') {
            skipping = line.starts_with("[dev-dependencies");
        }
        if !skipping {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    Ok(kept)
}

/// All source files of a folder, in the order of their names.
fn add_sources(folder: &Path, name: &str, files: &mut Vec<(String, String)>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            add_sources(&path, &name, files)?;
        } else if name.ends_with(".rs") {
            files.push((name, read(&path)?));
        }
    }
    Ok(())
}

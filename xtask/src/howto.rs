//! Follows the how-to pages literally: what they say is done to a copy of the sources, and the tests that they end with
//! must pass there.
//!
//! A page is Markdown with three kinds of code block. `rust new PATH` is a new file, `diff PATH` a change of one that
//! there is, `rust test PATH` a test that shows the new thing. A change is a diff without numbers: its lines without
//! plus must stand in the file once. All pages are followed in one copy, which is compiled once.

use crate::Result;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages, with how many files each may touch.
const PAGES: [(&str, usize); 5] =
    [("operation", 4), ("finding", 4), ("metric", 2), ("detector", 2), ("strategy", 2)];

/// What a workspace needs to be compiled.
const COPIED: [&str; 7] =
    ["Cargo.toml", "Cargo.lock", "crates", "fixtures", "examples", "benches", "xtask"];

/// One thing to do.
enum Deed {
    /// Write a file.
    New { path: String, text: String },
    /// Change a file.
    Change { path: String, before: String, after: String },
    /// Write a file that shows the new thing.
    Test { path: String, text: String },
}

/// What the sources become.
struct Followed {
    /// Files that are new or changed, with their text.
    files: Vec<(PathBuf, String)>,
    /// The names of the tests.
    tests: Vec<String>,
}

/// Does what all pages say, in memory. Fails if a page does not fit the sources or touches too many files.
fn plan(root: &Path) -> Result<Followed> {
    let mut deeds = Vec::new();
    for (page, most) in PAGES {
        let name = format!("docs/howto/{page}.md");
        let text =
            fs::read_to_string(root.join(&name)).map_err(|error| format!("{name}: {error}"))?;
        let of_page = read(&text).map_err(|error| format!("{name}: {error}"))?;
        let touched: BTreeSet<&str> = of_page
            .iter()
            .filter_map(|deed| match deed {
                Deed::New { path, .. } | Deed::Change { path, .. } => Some(path.as_str()),
                Deed::Test { .. } => None,
            })
            .collect();
        if touched.is_empty() || touched.len() > most {
            return Err(format!("{name} touches {} files, of at most {most}", touched.len()).into());
        }
        deeds.extend(of_page.into_iter().map(|deed| (name.clone(), deed)));
    }
    let mut tests = Vec::new();
    let mut done: Vec<(PathBuf, String)> = Vec::new();
    for (page, deed) in deeds {
        let current = |path: &str, done: &[(PathBuf, String)]| {
            let known = done.iter().find(|(other, _)| other == Path::new(path));
            known.map_or_else(|| fs::read_to_string(root.join(path)), |(_, text)| Ok(text.clone()))
        };
        let (path, text) = match deed {
            Deed::New { path, text } if !root.join(&path).exists() => (path, text),
            Deed::New { path, .. } => return Err(format!("{page}: {path} exists").into()),
            Deed::Test { path, text } => {
                let stem = Path::new(&path).file_stem().and_then(|stem| stem.to_str());
                tests.push(stem.ok_or("a test has no name")?.to_owned());
                (path, text)
            }
            Deed::Change { path, before, after } => {
                let old =
                    current(&path, &done).map_err(|error| format!("{page}: {path}: {error}"))?;
                if old.matches(&before).count() != 1 {
                    return Err(format!("{page}: this is not once in {path}:\n{before}").into());
                }
                (path, old.replacen(&before, &after, 1))
            }
        };
        let path = PathBuf::from(path);
        done.retain(|(other, _)| *other != path);
        done.push((path, text));
    }
    Ok(Followed { files: done, tests })
}

/// Follows all pages in a copy, and runs the tests.
pub(crate) fn follow(root: &Path) -> Result<()> {
    let copy = root.join("target/howto");
    let Followed { files: done, tests } = plan(root)?;
    let mut files = Vec::new();
    for part in COPIED {
        collect(root, Path::new(part), &mut files)?;
    }
    for file in files.iter().filter(|file| !done.iter().any(|(path, _)| path == *file)) {
        write(&copy.join(file), &fs::read(root.join(file))?)?;
    }
    for (path, text) in &done {
        write(&copy.join(path), text.as_bytes())?;
        files.push(path.clone());
    }
    forget_others(&copy, &files)?;
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["test", "--locked", "-p", "selvedge"]).current_dir(&copy);
    // Not into the workspace's own folder: cargo would take what it builds here for what it has built there.
    cargo.env("CARGO_TARGET_DIR", copy.join("target"));
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
    for test in &tests {
        cargo.args(["--test", test]);
    }
    match cargo.status()?.success() {
        true => Ok(()),
        false => {
            Err(format!("the pages do not work as they are written; see {}", copy.display()).into())
        }
    }
}

/// What a page says, in order.
fn read(page: &str) -> Result<Vec<Deed>> {
    let mut deeds = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let text = || block.iter().map(|line| format!("{line}\n")).collect::<String>();
        match info.split(' ').collect::<Vec<_>>()[..] {
            ["rust", "new", path] => deeds.push(Deed::New { path: path.to_owned(), text: text() }),
            ["rust", "test", path] => {
                deeds.push(Deed::Test { path: path.to_owned(), text: text() })
            }
            ["diff", path] => {
                for hunk in block.split(|line| *line == "@@") {
                    let of = |signs: [char; 2]| -> String {
                        let sides =
                            hunk.iter().filter(|line| line.is_empty() || line.starts_with(signs));
                        sides.map(|line| format!("{}\n", line.get(1..).unwrap_or(""))).collect()
                    };
                    let (before, after) = (of([' ', '-']), of([' ', '+']));
                    deeds.push(Deed::Change { path: path.to_owned(), before, after });
                }
            }
            _ => return Err(format!("'{info}' is no block that can be followed").into()),
        }
    }
    Ok(deeds)
}

/// All files below, without what was built.
fn collect(root: &Path, path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if root.join(path).is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(root.join(path))? {
        let entry = entry?;
        if entry.file_name() != "target" && !entry.file_type()?.is_symlink() {
            collect(root, &path.join(entry.file_name()), files)?;
        }
    }
    Ok(())
}

/// Writes a file if it differs, so that cargo compiles only what has changed.
fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(file).is_ok_and(|found| found == bytes) {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(file, bytes)?)
}

/// Removes what an earlier copy had.
fn forget_others(copy: &Path, files: &[PathBuf]) -> Result<()> {
    let mut found = Vec::new();
    collect(copy, Path::new(""), &mut found)?;
    let wanted: BTreeSet<&PathBuf> = files.iter().collect();
    for file in found.iter().filter(|file| !wanted.contains(file)) {
        fs::remove_file(copy.join(file))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_fit_the_sources_and_touch_few_files() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let followed = plan(root).unwrap();
        assert_eq!(followed.tests.len(), PAGES.len());
    }

    #[test]
    fn a_page_is_read_as_it_is_written() {
        let page = "Text.\n\n```rust new a.rs\nfn a() {}\n```\n\n```diff b.rs\n fn b() {\n+    a();\n }\n@@\n-old\n+new\n```\n";
        let deeds = read(page).unwrap();
        assert_eq!(deeds.len(), 3);
        assert!(
            matches!(&deeds[0], Deed::New { path, text } if path == "a.rs" && text == "fn a() {}\n")
        );
        assert!(matches!(&deeds[1], Deed::Change { before, after, .. }
            if before == "fn b() {\n}\n" && after == "fn b() {\n    a();\n}\n"));
        assert!(
            matches!(&deeds[2], Deed::Change { before, after, .. } if before == "old\n" && after == "new\n")
        );
        assert!(read("```sh\nls\n```\n").is_err());
    }
}

//! Manifests: those of copies, whose paths have to lead to the originals, and the dependency on the
//! library.

use anyhow::Context;
use std::path::{Component, Path, PathBuf};
use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// Where the library is taken from.
#[derive(Clone, Debug)]
pub(crate) enum Library {
    /// From its sources.
    Path(PathBuf),
    /// From the registry.
    Version(String),
}

impl Library {
    /// The one that was asked for, else the one that this program was built with, if it is still there.
    pub(crate) fn find(asked: Option<&Path>) -> anyhow::Result<Self> {
        if let Some(path) = asked {
            let path = std::path::absolute(path)?;
            anyhow::ensure!(
                path.join("Cargo.toml").is_file(),
                "--selvedge-path: there is no package in {}",
                path.display()
            );
            return Ok(Self::Path(path));
        }
        let built_with = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../selvedge"));
        Ok(match built_with.canonicalize() {
            Ok(path) if path.join("Cargo.toml").is_file() => Self::Path(path),
            _ => Self::Version(env!("CARGO_PKG_VERSION").to_owned()),
        })
    }

    fn value(&self) -> Value {
        match self {
            Self::Path(path) => {
                let mut table = InlineTable::new();
                table.insert("path", path.display().to_string().into());
                Value::InlineTable(table)
            }
            Self::Version(version) => version.clone().into(),
        }
    }
}

/// Which manifest it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The root of the workspace.
    pub(crate) root: &'a Path,
    /// The manifest, below the root.
    pub(crate) file: &'a Path,
}

/// The manifest of a copy. With a library if the package uses it.
pub(crate) fn moved(
    text: &str,
    place: Place<'_>,
    library: Option<&Library>,
) -> anyhow::Result<String> {
    let path = place.root.join(place.file);
    let mut document: DocumentMut =
        text.parse().with_context(|| format!("can not read {}", path.display()))?;
    let folder = path.parent().unwrap_or(place.root).to_owned();
    lead_outside(document.as_table_mut(), &folder, place.root, Within::Nothing);
    if place.file == Path::new("Cargo.toml") && !document.contains_key("workspace") {
        document.insert("workspace", Item::Table(Table::new()));
    }
    if let Some(library) = library {
        add(&mut document, library);
    }
    Ok(document.to_string())
}

/// The user's manifest with the dependency; nothing if it has it already.
pub(crate) fn with_library(text: &str, library: &Library) -> anyhow::Result<Option<String>> {
    let mut document: DocumentMut = text.parse()?;
    Ok(add(&mut document, library).then(|| document.to_string()))
}

/// Adds the dependency unless it is there. Says whether it was added.
fn add(document: &mut DocumentMut, library: &Library) -> bool {
    let has = |section: &str| {
        let table = document.get(section).and_then(Item::as_table_like);
        table.is_some_and(|table| table.contains_key("selvedge"))
    };
    if has("dev-dependencies") || has("dependencies") || has("dev_dependencies") {
        return false;
    }
    let section = document.entry("dev-dependencies").or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(false);
        Item::Table(table)
    });
    if let Some(section) = section.as_table_like_mut() {
        section.insert("selvedge", Item::Value(library.value()));
    }
    true
}

/// What kind of table is being looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    Nothing,
    Dependencies,
}

/// Makes paths of dependencies that are not in the workspace absolute.
fn lead_outside(table: &mut dyn TableLike, folder: &Path, root: &Path, within: Within) {
    for (key, item) in table.iter_mut() {
        let key = key.get().to_owned();
        if within == Within::Dependencies
            && key == "path"
            && let Some(path) = item.as_str()
        {
            let full = normal(&folder.join(path));
            if !full.starts_with(root) {
                *item = Item::Value(full.display().to_string().into());
            }
            continue;
        }
        let inner = match key.as_str() {
            key if key.ends_with("dependencies") || key == "patch" || key == "replace" => {
                Within::Dependencies
            }
            _ => within,
        };
        if let Some(table) = item.as_table_like_mut() {
            lead_outside(table, folder, root, inner);
        }
    }
}

/// A path without `..`, as far as its text says.
fn normal(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                result.pop();
            }
            Component::CurDir => {}
            other => result.push(other),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::{Library, Place, moved, with_library};
    use std::path::Path;

    fn library() -> Library {
        Library::Path("/tools/selvedge".into())
    }

    #[test]
    fn paths_that_lead_out_of_the_workspace_are_made_absolute() {
        let text = "[package]\nname = \"a\"\n\n[dependencies]\nb = { path = \"../b\" }\n\
                    c = { path = \"crates/c\" }\n";
        let place = Place { root: Path::new("/projects/a"), file: Path::new("Cargo.toml") };
        let text = moved(text, place, None).unwrap();
        assert!(text.contains("b = { path = \"/projects/b\" }"), "{text}");
        assert!(text.contains("c = { path = \"crates/c\" }"), "{text}");
        assert!(text.contains("[workspace]"), "{text}");
    }

    #[test]
    fn the_library_is_added_once_and_comments_stay() {
        let text =
            "# Mine.\n[package]\nname = \"a\" # really\n\n[dev-dependencies]\nrand = \"0.9\"\n";
        let once = with_library(text, &library()).unwrap().expect("it was not there");
        assert!(once.starts_with("# Mine.\n[package]\nname = \"a\" # really\n"), "{once}");
        assert!(once.ends_with("selvedge = { path = \"/tools/selvedge\" }\n"), "{once}");
        assert_eq!(with_library(&once, &library()).unwrap(), None);
    }
}

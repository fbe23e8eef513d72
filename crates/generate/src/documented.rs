//! What rustdoc knows of a crate.
//!
//! Rustdoc writes it as JSON, whose format has a version of its own. Macros, features, re-exports and auto traits are all
//! done with there, which no parser of sources could say.

use rustdoc_types::{Crate, FORMAT_VERSION, Id, Item, ItemEnum, Visibility};
use std::collections::{BTreeMap, BTreeSet};

/// Modules are followed so deep at most: some re-export their own parents.
const DEPTH: usize = 7;

/// The documentation of a crate can not be used.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// It is not what it should be.
    #[error("rustdoc's JSON can not be read: {0}")]
    NoJson(#[from] serde_json::Error),
    /// It is that of another toolchain.
    #[error(
        "rustdoc's JSON has format {found}, and this version of the command knows format {FORMAT_VERSION} (Rust 1.95); \
         use that toolchain, such as `cargo +1.95 selvedge generate`"
    )]
    OtherFormat {
        /// The format that it has.
        found: u64,
    },
}

/// A crate, as rustdoc sees it.
#[derive(Debug)]
pub struct Documented {
    krate: Crate,
    /// The shortest path by which each public item can be named.
    public: BTreeMap<u32, Vec<String>>,
}

impl Documented {
    /// Reads what rustdoc has written.
    pub fn read(json: &str) -> Result<Self, DocumentError> {
        #[derive(serde::Deserialize)]
        struct Version {
            format_version: u64,
        }
        let Version { format_version: found } = serde_json::from_str(json)?;
        if found != u64::from(FORMAT_VERSION) {
            return Err(DocumentError::OtherFormat { found });
        }
        let krate: Crate = serde_json::from_str(json)?;
        let root = krate.root;
        let mut documented = Self { krate, public: BTreeMap::new() };
        let name = documented.name().to_owned();
        documented.walk(root, &[name], &mut BTreeSet::new());
        Ok(documented)
    }

    /// The name of the crate.
    pub fn name(&self) -> &str {
        self.item(self.krate.root).and_then(|root| root.name.as_deref()).unwrap_or_default()
    }

    pub(crate) fn item(&self, id: Id) -> Option<&Item> {
        self.krate.index.get(&id)
    }

    /// Public items with the paths by which they can be named, in the order of these.
    pub(crate) fn public(&self) -> impl Iterator<Item = (Id, String)> {
        let mut items: Vec<_> =
            self.public.iter().map(|(id, path)| (Id(*id), path.join("::"))).collect();
        items.sort_by(|a, b| a.1.cmp(&b.1));
        items.into_iter()
    }

    /// The path by which an item can be named from outside. Nothing if there is none.
    pub(crate) fn path(&self, id: Id) -> Option<String> {
        if let Some(path) = self.public.get(&id.0) {
            return Some(path.join("::"));
        }
        let summary = self.krate.paths.get(&id).filter(|summary| summary.crate_id != 0)?;
        Some(public_std(&summary.path))
    }

    /// Whether an item is one of this crate's own.
    pub(crate) fn is_own(&self, id: Id) -> bool {
        self.item(id).is_some_and(|item| item.crate_id == 0)
    }

    fn walk(&mut self, module: Id, path: &[String], seen: &mut BTreeSet<(u32, usize)>) {
        if path.len() > DEPTH || !seen.insert((module.0, path.len())) {
            return;
        }
        let Some(ItemEnum::Module(inner)) = self.item(module).map(|item| &item.inner) else {
            return;
        };
        for id in inner.items.clone() {
            let Some(item) = self.item(id) else { continue };
            let name = item.name.clone().unwrap_or_default();
            match &item.inner {
                ItemEnum::Use(used) => {
                    let (glob, target, name) = (used.is_glob, used.id, used.name.clone());
                    match target {
                        Some(target) if glob => self.walk(target, path, seen),
                        Some(target) => self.note(target, path, &name, seen),
                        None => {}
                    }
                }
                _ if item.visibility == Visibility::Public => self.note(id, path, &name, seen),
                _ => {}
            }
        }
    }

    fn note(&mut self, id: Id, path: &[String], name: &str, seen: &mut BTreeSet<(u32, usize)>) {
        let path: Vec<_> = path.iter().cloned().chain([name.to_owned()]).collect();
        match self.item(id).map(|item| &item.inner) {
            Some(ItemEnum::Module(_)) => self.walk(id, &path, seen),
            Some(_) | None => {
                let known = self.public.get(&id.0);
                if known.is_none_or(|known| path.len() < known.len()) {
                    self.public.insert(id.0, path);
                }
            }
        }
    }
}

/// The path of an item of the standard library as it can be named: rustdoc knows the private one.
fn public_std(path: &[String]) -> String {
    const FLAT: [&str; 6] = ["ops", "iter", "cmp", "future", "convert", "fmt"];
    let mut path: Vec<&str> = path.iter().map(String::as_str).collect();
    if let Some(first @ (&mut "core" | &mut "alloc")) = path.first_mut() {
        *first = "std";
    }
    if path.len() > 3 && path[0] == "std" && FLAT.contains(&path[1]) {
        path = vec![path[0], path[1], path[path.len() - 1]];
    }
    path.join("::")
}

#[cfg(test)]
mod tests {
    use super::{Documented, public_std};

    #[test]
    fn the_format_of_another_toolchain_is_refused_by_its_number() {
        let error = Documented::read("{\"format_version\": 9999}").unwrap_err().to_string();
        assert!(error.contains("format 9999") && error.contains("1.95"), "{error}");
        assert!(Documented::read("no JSON").is_err());
    }

    #[test]
    fn items_of_the_standard_library_are_named_as_they_can_be() {
        let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(public_std(&path("core::ops::arith::Shl")), "std::ops::Shl");
        assert_eq!(public_std(&path("alloc::vec::Vec")), "std::vec::Vec");
        assert_eq!(public_std(&path("futures::Stream")), "futures::Stream");
    }
}

//! Which paths mean `std::thread::sleep`, as far as `use` declarations of the file say.

use std::collections::BTreeMap;
use syn::{ItemUse, UseTree};

/// Names that are in scope in a module or a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// What a name stands for.
    known: BTreeMap<String, Vec<String>>,
    /// Whether everything of the module around is in scope, too.
    sees_around: bool,
}

impl Names {
    /// Those of a module. A block sees what is around it anyway.
    pub(super) fn of_module() -> Self {
        Self::default()
    }

    /// Those of a block.
    pub(super) fn of_block() -> Self {
        Self { sees_around: true, ..Self::default() }
    }

    /// Takes a declaration into account.
    pub(super) fn declare(&mut self, item: &ItemUse) {
        self.tree(&item.tree, &mut Vec::new());
    }

    /// Says that a name is something of the file's own.
    pub(super) fn define(&mut self, name: &str) {
        self.known.entry(name.to_owned()).or_insert_with(|| vec!["self".into(), name.into()]);
    }

    fn tree(&mut self, tree: &UseTree, prefix: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.tree(&path.tree, prefix);
                prefix.pop();
            }
            UseTree::Name(name) if name.ident == "self" => {
                if let Some(last) = prefix.last() {
                    self.known.insert(last.clone(), prefix.clone());
                }
            }
            UseTree::Name(name) => self.bind(name.ident.to_string(), prefix, &name.ident),
            UseTree::Rename(rename) if rename.ident == "self" => {
                self.known.insert(rename.rename.to_string(), prefix.clone());
            }
            UseTree::Rename(rename) => {
                self.bind(rename.rename.to_string(), prefix, &rename.ident);
            }
            UseTree::Glob(_) => {
                if prefix.last().is_some_and(|last| last == "super") {
                    self.sees_around = true;
                }
                if prefix.iter().eq(["std", "thread"]) {
                    for name in ["sleep", "sleep_ms"] {
                        let path = ["std", "thread", name].map(str::to_owned).to_vec();
                        self.known.entry(name.to_owned()).or_insert(path);
                    }
                }
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.tree(tree, prefix));
            }
        }
    }

    fn bind(&mut self, name: String, prefix: &[String], ident: &syn::Ident) {
        let mut path = prefix.to_vec();
        path.push(ident.to_string());
        self.known.insert(name, path);
    }
}

/// Whether a path is that of `std::thread::sleep` or of its predecessor, where these names are in scope,
/// the innermost last. A module `thread` of the project's own that has such a function passes it on, as
/// those do that choose between `std` and a model checker; whether it really sleeps, the logs tell.
pub(super) fn is_sleep(path: &syn::Path, scopes: &[Names]) -> bool {
    let segments: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let path = resolve(segments, scopes);
    let [.., module, function] = path.as_slice() else { return false };
    module == "thread" && (function == "sleep" || function == "sleep_ms")
}

/// Replaces the first segment as long as a declaration says what it stands for.
fn resolve(mut path: Vec<String>, scopes: &[Names]) -> Vec<String> {
    let mut scopes = scopes;
    while let Some((innermost, around)) = scopes.split_last() {
        let Some(first) = path.first() else { break };
        if first == "std" || first == "self" || first == "crate" {
            break;
        }
        if first == "super" {
            path.remove(0);
            scopes = around;
            continue;
        }
        if let Some(known) = innermost.known.get(first) {
            let mut full = known.clone();
            full.extend(path.drain(1..));
            path = full;
            if path.first().is_some_and(|first| first == "super") {
                continue;
            }
            // `use std::thread as t;` and `use t::sleep;` in the same scope.
            if innermost.known.get(&path[0]).is_none_or(|again| again[0] == path[0]) {
                break;
            }
            continue;
        }
        if !innermost.sees_around {
            break;
        }
        scopes = around;
    }
    path
}

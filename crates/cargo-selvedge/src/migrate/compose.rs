//! The files of a copy: the originals with the edits of all tests that are being migrated.

use super::candidates::Found;
use super::copy::Changed;
use super::work::Work;
use selvedge_migrate::edit::{Edit, apply};
use selvedge_migrate::instrument::{Tails, instrument};
use selvedge_migrate::rewrite::{Edits, Sleeps};
use selvedge_migrate::source::{FileId, first_item};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The files in which tests tell what they do.
pub(crate) fn logged(found: &Found, works: &[Work], tails: &BTreeMap<FileId, Tails>) -> Changed {
    let meant: BTreeSet<_> = works
        .iter()
        .filter(|work| work.is_open())
        .map(|work| found.sources.body(work.candidate.test.body).file)
        .collect();
    let mut edits = Edits::new();
    // Helpers may stand in other files than tests.
    for (file, _) in found.sources.files() {
        if let Some(&tails) = tails.get(&file)
            && !meant.is_empty()
        {
            edits.insert(file, instrument(&found.sources, file, tails));
        }
    }
    changed(found, edits)
}

/// The files with migrated tests.
pub(crate) fn migrated(found: &Found, works: &[Work], sleeps: Sleeps) -> Changed {
    let mut edits = Edits::new();
    let open = works.iter().filter(|work| work.is_open() && !work.is_absorbed());
    for migration in open.filter_map(|work| work.united.as_ref().or(work.migration.as_ref())) {
        for (file, more) in migration.edits(&found.sources, sleeps) {
            edits.entry(file).or_default().extend(more);
        }
    }
    changed(found, edits)
}

/// Carries edits out, and declares the library where that is needed.
pub(crate) fn changed(found: &Found, edits: Edits) -> Changed {
    let mut changed: Changed = edits
        .into_iter()
        .filter(|(_, edits)| !edits.is_empty())
        .map(|(id, edits)| {
            let file = found.sources.file(id);
            (file.path.clone(), apply(&file.text, &edits))
        })
        .collect();
    if !changed.is_empty() {
        for root in &found.old_roots {
            declare(found, root, &mut changed);
        }
    }
    changed
}

/// Declares the library in the root of a crate of the first edition, which does not know its dependencies
/// otherwise.
fn declare(found: &Found, root: &PathBuf, changed: &mut Changed) {
    const DECLARATION: &str = "#[cfg(test)]\nextern crate selvedge;\n";
    let Some((_, file)) = found.sources.files().find(|(_, file)| file.path == *root) else {
        return;
    };
    let text = changed.get(root).unwrap_or(&file.text);
    if text.contains("extern crate selvedge;") {
        return;
    }
    let text = apply(text, &[Edit::insert(first_item(text), DECLARATION)]);
    changed.insert(root.clone(), text);
}

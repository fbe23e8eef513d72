//! Where the objects of the table were created, which is what tells one mutex from another.

use crate::account::{Block, Fact};
use crate::fold::Row;
use crate::names::{Names, is_foreign};
use crate::page::Page;
use crate::relevant::key;
use selvedge_model::{Finding, ObjectKind, Source};
use std::collections::BTreeMap;

/// Writes a line for each object whose place of creation is known.
pub(super) fn write(page: &mut Page<'_>, finding: &Finding, names: &Names<'_>, rows: &[Row]) {
    let facts: Vec<_> = created(finding, names, rows)
        .into_iter()
        .map(|(text, at)| Fact { text, at: Some(at) })
        .collect();
    if !facts.is_empty() {
        page.blocks(&[Block { subject: "created at".to_owned(), facts, ..Block::default() }]);
    }
}

/// The objects of the rows whose place of creation is known, with that place.
pub(super) fn created<'a>(
    finding: &'a Finding,
    names: &Names<'_>,
    rows: &[Row],
) -> Vec<(String, &'a Source)> {
    let mut objects = BTreeMap::new();
    for row in rows {
        if let Row::Step(index) = *row
            && let Some(object) = &finding.steps[index].object
            && let Some(created) = &object.created
            && object.kind != ObjectKind::Thread
            && !is_foreign(created)
            && (created.is_own() || finding.stacks.known.is_empty())
        {
            objects.insert(key(object), (object, created));
        }
    }
    objects.values().map(|(object, created)| (names.object(object), *created)).collect()
}

//! What nobody needs any more when sleeps are gone: imports and small functions, as the compiler says.

use super::Session;
use super::copy::Changed;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticSpan};
use selvedge_migrate::edit::{Edit, apply, begins_line, line_end, line_start};
use selvedge_migrate::source::function_around;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// So often the compiler is asked again: what was used by something unused is unused, too.
const ROUNDS: usize = 5;

impl Session<'_> {
    /// Removes what the migrated files do not need any more and the originals did. `before` is what the
    /// compiler said of the originals.
    pub(super) fn tidy(
        &self,
        mut changed: Changed,
        before: &[Diagnostic],
    ) -> anyhow::Result<Changed> {
        let known: BTreeSet<_> = before.iter().filter_map(identity).collect();
        for _ in 0..ROUNDS {
            let built = self.build("has no sleeps", &changed)?;
            let new = built.diagnostics.iter().filter(|diagnostic| {
                identity(diagnostic).is_some_and(|identity| !known.contains(&identity))
            });
            let mut edits: BTreeMap<PathBuf, Vec<Edit>> = BTreeMap::new();
            for (path, edit) in new.flat_map(|diagnostic| self.removals(diagnostic, &changed)) {
                let edits = edits.entry(path).or_default();
                if !edits.iter().any(|other| other.at == edit.at) {
                    edits.push(edit);
                }
            }
            if edits.is_empty() {
                break;
            }
            for (path, edits) in edits {
                if let Some(text) = changed.get_mut(&path) {
                    *text = apply(text, &edits);
                }
            }
        }
        Ok(changed)
    }

    /// What to remove for a warning.
    fn removals(&self, diagnostic: &Diagnostic, changed: &Changed) -> Vec<(PathBuf, Edit)> {
        let text_of = |span: &DiagnosticSpan| {
            let file = self.file_of(&span.file_name)?;
            let path = self.found.sources.file(file).path.clone();
            let text = changed.get(&path)?;
            Some((path, text))
        };
        match diagnostic.code.as_ref().map(|code| code.code.as_str()) {
            Some("unused_imports") => {
                let spans = diagnostic.children.iter().flat_map(|child| &child.spans);
                spans
                    .filter(|span| span.suggested_replacement.as_deref() == Some(""))
                    .filter_map(|span| {
                        let (path, text) = text_of(span)?;
                        let range = span.byte_start as usize..span.byte_end as usize;
                        Some((path, Edit::delete(whole_lines(text, range))))
                    })
                    .collect()
            }
            Some("dead_code") if diagnostic.message.starts_with("function ") => {
                let primary = diagnostic.spans.iter().filter(|span| span.is_primary);
                primary
                    .filter_map(|span| {
                        let (path, text) = text_of(span)?;
                        let function = function_around(text, span.byte_start as usize)?;
                        let mut range = whole_lines(text, function.range);
                        // And one of the blank lines around it.
                        if text[range.end..].starts_with('\n') {
                            range.end += 1;
                        }
                        Some((path, Edit::delete(range)))
                    })
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

/// A range with its lines, if there is nothing else in them.
fn whole_lines(text: &str, mut range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    // The compiler's ranges of whole declarations have their line breaks in them.
    range.end = range.start + text[range.clone()].trim_end().len();
    let end = line_end(text, range.end);
    if begins_line(text, range.start) && text[range.end..end].trim().is_empty() {
        line_start(text, range.start)..end
    } else {
        range
    }
}

/// What a warning is about, wherever its lines have gone: its code, its file and its message.
fn identity(diagnostic: &Diagnostic) -> Option<(String, PathBuf, String)> {
    let code = diagnostic.code.as_ref()?.code.clone();
    let span = diagnostic.spans.iter().find(|span| span.is_primary)?;
    let file = Path::new(&span.file_name).to_owned();
    Some((code, file, diagnostic.message.clone()))
}

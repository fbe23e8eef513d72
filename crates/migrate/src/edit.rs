//! Edits of a text by byte offsets, which leave everything else as it is.

use std::ops::Range;

/// Replaces a part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty if something is added.
    pub at: Range<usize>,
    /// By what.
    pub text: String,
}

impl Edit {
    /// Adds a text.
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Self { at: at..at, text: text.into() }
    }

    /// Takes a part away.
    pub fn delete(at: Range<usize>) -> Self {
        Self { at, text: String::new() }
    }
}

/// Carries edits out. Those at the same offset come in the order in which they are given.
///
/// # Panics
///
/// If two of them overlap and both add something, which would be a mistake of whoever made them.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.at.start, edit.at.end));
    let mut result = String::with_capacity(text.len() + 64 * edits.len());
    let mut done = 0;
    for edit in sorted {
        let start = if edit.text.is_empty() { edit.at.start.max(done) } else { edit.at.start };
        assert!(start >= done, "edits overlap at byte {start}");
        result.push_str(&text[done..start]);
        result.push_str(&edit.text);
        done = edit.at.end.max(done);
    }
    result.push_str(&text[done..]);
    result
}

/// The spaces with which the line of an offset begins.
pub fn indentation(text: &str, offset: usize) -> &str {
    let line = &text[line_start(text, offset)..];
    let width = line.find(|c: char| c != ' ' && c != '\t').unwrap_or(line.len());
    &line[..width]
}

/// Where the line of an offset begins.
pub fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |at| at + 1)
}

/// Whether nothing but spaces stands before an offset in its line.
pub fn begins_line(text: &str, offset: usize) -> bool {
    text[line_start(text, offset)..offset].trim().is_empty()
}

/// The end of the line of an offset, its line break included.
pub fn line_end(text: &str, offset: usize) -> usize {
    text[offset..].find('\n').map_or(text.len(), |at| offset + at + 1)
}

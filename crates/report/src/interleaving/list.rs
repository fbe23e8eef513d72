//! One row below the other, each with its thread: for many threads and narrow pages.

use super::{Item, Role};
use crate::line::{Line, Tone};
use crate::names::Names;
use crate::page::Page;
use crate::words::{clip, width};
use selvedge_model::ThreadPath;

/// Longer names of threads are cut.
const WIDEST_LABEL: usize = 24;
/// Longer texts do not push the source text of all others to the right.
const WIDEST_TEXT: usize = 36;

pub(super) fn write(
    page: &mut Page<'_>,
    names: &Names<'_>,
    threads: &[&ThreadPath],
    items: &[Item<'_>],
) {
    let label = |item: &Item<'_>| {
        item.thread.map(|path| clip(&names.label(path), WIDEST_LABEL)).unwrap_or_default()
    };
    let widest = |of: &dyn Fn(&Item<'_>) -> usize| items.iter().map(of).max().unwrap_or(0);
    let place_column = 4 + widest(&|item| width(&label(item))) + 2;
    let text_column = place_column + widest(&|item| width(&item.place)) + 2;
    let source_column = text_column + widest(&|item| width(&item.text)).min(WIDEST_TEXT) + 2;
    let mut previous = None;
    for item in items {
        let thread = threads.iter().position(|path| Some(*path) == item.thread);
        let mut line = Line::default();
        if item.role != Role::End && thread.is_some() && previous.is_some_and(|p| p != thread) {
            line.put(2, "▸", Tone::Faint);
        }
        let tone = match (item.role, thread) {
            (Role::End | Role::Race, _) => Tone::Bad,
            (Role::Step | Role::Release, Some(thread)) => Tone::Thread(thread),
            _ => Tone::Faint,
        };
        line.put(4, &label(item), tone);
        line.put(place_column, &item.place, Tone::Faint);
        line.put(text_column, &item.text, tone);
        if let Some(source) = &item.source {
            let column = source_column.max(line.end() + 2);
            let source = source.fit(page.width().saturating_sub(column)).unwrap_or_default();
            line.put(column, &source, Tone::Faint);
        }
        page.line(&line);
        if item.role != Role::End && thread.is_some() {
            previous = Some(thread);
        }
    }
}

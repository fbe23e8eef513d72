//! A column for each thread, time goes down. A line shows who lives, an arrow where control goes.
//!
//! ```text
//!              0 (the test)   1               2
//!                             shop.rs:33      shop.rs:34
//!  shop.rs:33  spawn 1
//!  shop.rs:34  spawn 2        │
//!  shop.rs:17  ├────────────▸ lock mutex 1    │
//!  shop.rs:26  │              ├─────────────▸ lock mutex 2
//! ```
//!
//! A row has only one text, so a long one may run over the lines to its right.

use super::lives::Lives;
use super::{Item, Role};
use crate::line::{Line, Tone};
use crate::names::Names;
use crate::page::Page;
use crate::words::{clip, clip_start, width};
use selvedge_model::{Finding, ThreadPath};

/// Room between the texts of neighbouring columns: an arrow's head fits in.
const GAP: usize = 3;
/// Columns are pressed together to this to have room for source text…
const NARROW: usize = 15;
/// …and to this to fit at all.
const NARROWEST: usize = 9;
/// Columns are made wide enough for as much of the place of a spawn.
const SHORT_PLACE: usize = 12;
/// Room that is left for source text if possible, in the order of preference.
const SOURCE: [usize; 2] = [40, 24];

/// Where things stand in a line.
struct Layout {
    /// For each thread.
    columns: Vec<usize>,
    source: usize,
}

/// Writes the table if there is room for it, and says whether there was.
pub(super) fn write(
    page: &mut Page<'_>,
    finding: &Finding,
    names: &Names<'_>,
    threads: &[&ThreadPath],
    items: &[Item<'_>],
) -> bool {
    let headers: Vec<[String; 2]> =
        threads.iter().map(|path| header(finding, names, path)).collect();
    let Some(layout) = layout(page.width(), threads, &headers, items) else { return false };
    // Places are cut where they have no room: the rows of the spawns have them whole.
    for part in 0..2 {
        let mut line = Line::default();
        for (thread, header) in headers.iter().enumerate() {
            let start = layout.columns[thread];
            let end = layout.columns.get(thread + 1).map_or(page.width(), |next| next - 1);
            let room = end.saturating_sub(start);
            match part {
                0 => line.put(start, &clip(&header[part], room), Tone::Strong),
                _ => line.put(start, &clip_start(&header[part], room), Tone::Faint),
            }
        }
        if line.end() > 0 {
            page.line(&line);
        }
    }
    let lives = Lives::of(finding, threads);
    for (item, text) in items.iter().zip(texts(threads, items)) {
        let line = row(page.width(), &layout, &lives, &text, item);
        page.line(&line);
    }
    true
}

/// The name of a thread, and where it was spawned.
fn header(finding: &Finding, names: &Names<'_>, path: &ThreadPath) -> [String; 2] {
    let report = names.position(path).map(|position| &finding.threads[position]);
    let spawned = report.and_then(|report| report.spawned.as_ref());
    [names.label(path), spawned.map(|at| names.short(at)).unwrap_or_default()]
}

/// Finds columns such that no text is cut, with room for source text and arrows if possible.
fn layout(
    total: usize,
    threads: &[&ThreadPath],
    headers: &[[String; 2]],
    items: &[Item<'_>],
) -> Option<Layout> {
    let texts = texts(threads, items);
    let mut natural: Vec<usize> = headers
        .iter()
        .map(|[name, place]| width(name).max(width(place).min(SHORT_PLACE)))
        .collect();
    // Rows about how threads end, or about several threads, may run over the lines to their right.
    for text in texts.iter().filter(|text| text.is_own && text.role != Role::End) {
        natural[text.column] = natural[text.column].max(text.width);
    }
    let first = 2 + items.iter().map(|item| width(&item.place)).max().unwrap_or(0) + 2;
    let widest = natural.iter().max().copied().unwrap_or(0).max(NARROW);
    let capped = |cap: usize| {
        let columns = natural.iter().scan(first, |next, &natural| {
            let column = *next;
            *next += natural.min(cap) + GAP;
            Some(column)
        });
        Layout::new(columns.collect(), &texts)
    };
    let rooms: &[usize] = match items.iter().any(|item| item.source.is_some()) {
        true => &SOURCE,
        false => &[0],
    };
    let fits = |layout: &Layout| texts.iter().all(|text| layout.end(text) <= total);
    let with_source = rooms.iter().find_map(|room| {
        let mut layouts = (NARROW..=widest).rev().map(capped);
        layouts.find(|it| fits(it) && it.source + room <= total + GAP && it.has_arrows(&texts))
    });
    let narrow = || (NARROWEST..=widest).rev().map(capped).filter(&fits);
    with_source.or_else(|| narrow().find(|it| it.has_arrows(&texts))).or_else(|| narrow().next())
}

/// What a row asks of a layout.
struct Text {
    column: usize,
    /// Whether it speaks of the thread of that column.
    is_own: bool,
    width: usize,
    role: Role,
    /// The column from which control came, if it came from another one.
    from: Option<usize>,
}

fn texts(threads: &[&ThreadPath], items: &[Item<'_>]) -> Vec<Text> {
    let mut previous = None;
    let text = |item: &Item<'_>| {
        let thread = threads.iter().position(|path| Some(*path) == item.thread);
        let from = previous.filter(|_| item.role != Role::End && thread.is_some());
        let from = from.filter(|&from| Some(from) != thread);
        // A row at the bottom is no step: nothing was handed over.
        if item.role != Role::End {
            previous = thread.or(previous);
        }
        let (column, is_own) = (thread.unwrap_or(0), thread.is_some());
        Text { column, is_own, width: width(&item.text), role: item.role, from }
    };
    items.iter().map(text).collect()
}

impl Layout {
    fn new(columns: Vec<usize>, texts: &[Text]) -> Self {
        let steps = texts.iter().filter(|text| text.role.is_step());
        let end = steps.map(|text| columns[text.column] + text.width).max().unwrap_or(0);
        let source = end.max(columns.last().map_or(0, |last| last + 1)) + GAP;
        Self { columns, source }
    }

    fn end(&self, text: &Text) -> usize {
        self.columns[text.column] + text.width
    }

    /// Whether each arrow to the left has room between the text and where it comes from.
    fn has_arrows(&self, texts: &[Text]) -> bool {
        texts.iter().all(|text| match text.from {
            Some(from) if from > text.column => self.end(text) + 1 < self.columns[from],
            _ => true,
        })
    }
}

fn row(total: usize, layout: &Layout, lives: &Lives, text: &Text, item: &Item<'_>) -> Line {
    let mut line = Line::with(2, &item.place, Tone::Faint);
    for (other, &column) in layout.columns.iter().enumerate() {
        if lives.alive(other, item.step) {
            line.put(column, "│", Tone::Faint);
        }
    }
    if let Some(from) = text.from {
        arrow(&mut line, layout, lives, (from, text), item.step);
    }
    let tone = match item.role {
        Role::End | Role::Race => Tone::Bad,
        Role::Step | Role::Release => Tone::Thread(text.column),
        Role::Fold => Tone::Faint,
    };
    // The blank keeps a line that the text runs into at a distance.
    line.put(layout.columns[text.column], &format!("{} ", item.text), tone);
    // What says how a thread ended may be long; its place was quoted with the facts already.
    if let Some(source) = &item.source
        && layout.end(text) < layout.source
    {
        let source = source.fit(total.saturating_sub(layout.source)).unwrap_or_default();
        line.put(layout.source, &source, Tone::Faint);
    }
    line
}

/// Draws the way that control took from one column to the text in another one.
fn arrow(line: &mut Line, layout: &Layout, lives: &Lives, (from, to): (usize, &Text), step: usize) {
    let (tail, start) = (layout.columns[from], layout.columns[to.column]);
    let goes_on = lives.alive(from, step);
    let (range, end) = if tail < start {
        line.put(start - 2, "▸ ", Tone::Faint);
        (tail + 1..start - 2, if goes_on { "├" } else { "╰" })
    } else {
        let head = layout.end(to) + 1;
        if head >= tail {
            return;
        }
        line.put(head, "◂", Tone::Faint);
        (head + 1..tail, if goes_on { "┤" } else { "╯" })
    };
    for column in range {
        let other = layout.columns.iter().position(|&other| other == column);
        let crosses = other.is_some_and(|other| lives.alive(other, step));
        line.put(column, if crosses { "┼" } else { "─" }, Tone::Faint);
    }
    line.put(tail, end, Tone::Faint);
}

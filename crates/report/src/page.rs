//! The text that is being written.

use crate::account::{Account, Block};
use crate::line::{Line, Tone};
use crate::names::full;
use crate::plain::{plain, plain_lines};
use crate::printed::{CHARACTERS, shortened};
use crate::words::{clip_around, count, width, wrap};
use crate::{Sources, Style};
use selvedge_model::{CodeAddress, Source};

/// Less source text than this says nothing.
const LEAST_SOURCE: usize = 16;
/// If source text does not fit beside the facts and has less room than this, it goes below them.
const GOOD_SOURCE: usize = 40;
/// From so many columns on, places stand beside facts even if they run over the end of the line.
const ROOMY: usize = 100;
/// Longer facts do not push the places of all others to the right.
const WIDEST_FACT: usize = 44;

/// So many lines are shown that belong to the headline.
const MOST_DETAILS: usize = 40;

/// A line of source, and the character in it that is meant.
pub(crate) struct Excerpt {
    text: String,
    focus: usize,
}

impl Excerpt {
    /// As much as fits, unless that is too little to be of use.
    pub(crate) fn fit(&self, columns: usize) -> Option<String> {
        let enough = columns >= LEAST_SOURCE.min(width(&self.text));
        enough.then(|| clip_around(&self.text, self.focus, columns))
    }
}

/// The text so far, and how it is to look.
pub(crate) struct Page<'a> {
    style: Style,
    sources: &'a dyn Sources,
    text: String,
}

impl<'a> Page<'a> {
    pub(crate) fn new(style: Style, sources: &'a dyn Sources) -> Self {
        Self { style, sources, text: String::new() }
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// How many columns there are.
    pub(crate) fn width(&self) -> usize {
        self.style.width
    }

    pub(crate) fn line(&mut self, line: &Line) {
        line.write(self.style.colour, &mut self.text);
    }

    pub(crate) fn text(&mut self, indent: usize, text: &str, tone: Tone) {
        self.line(&Line::with(indent, text, tone));
    }

    /// A line of any length without colours, quicker than as cells.
    pub(crate) fn long_text(&mut self, indent: usize, text: &str) {
        let line = format!("{:indent$}{}\n", "", plain(text));
        self.text.push_str(&plain_lines(&line));
    }

    pub(crate) fn blank(&mut self) {
        self.line(&Line::default());
    }

    /// The line of source at a place, if it is known and says anything.
    pub(crate) fn excerpt(&self, at: &Source) -> Option<Excerpt> {
        let line = self.sources.line(&at.file, at.line)?.replace('\t', " ");
        let indent = width(&line) - width(line.trim_start());
        let focus = (at.column as usize).saturating_sub(1 + indent);
        let text = line.trim().to_owned();
        (!text.is_empty()).then_some(Excerpt { text, focus })
    }

    pub(crate) fn headline(&mut self, account: &Account<'_>) {
        let mut line = Line::with(0, account.kind, Tone::Bad);
        let title = shortened(&account.title, CHARACTERS);
        line.put(line.end(), &format!(": {title}"), Tone::Strong);
        self.line(&line);
        for detail in account.details.iter().take(MOST_DETAILS) {
            self.text(0, &shortened(detail, CHARACTERS), Tone::Strong);
        }
        if let Some(more) = account.details.len().checked_sub(MOST_DETAILS).filter(|&n| n > 0) {
            self.text(0, &format!("… {} more", count(more as u64, "line")), Tone::Faint);
        }
    }

    /// Facts, with their places below each other.
    pub(crate) fn blocks(&mut self, blocks: &[Block<'_>]) {
        const INDENT: usize = 4;
        if blocks.is_empty() {
            return;
        }
        self.blank();
        let facts = || blocks.iter().flat_map(|block| &block.facts);
        let located = || facts().filter_map(|fact| Some((fact, fact.at?)));
        let text = located().map(|(fact, _)| width(&fact.text)).filter(|&w| w <= WIDEST_FACT).max();
        let place_column = INDENT + text.unwrap_or(0) + 2;
        let place = located().map(|(_, at)| width(&full(at))).max();
        let source_column = place_column + place.unwrap_or(0) + 2;
        let room = self.width().saturating_sub(source_column);
        let whole = |at| self.excerpt(at).is_none_or(|excerpt| width(&excerpt.text) <= room);
        let beside = room >= GOOD_SOURCE || located().all(|(_, at)| whole(at));
        for block in blocks {
            self.text(2, &block.subject, Tone::Plain);
            for fact in &block.facts {
                let mut line = Line::with(INDENT, &fact.text, Tone::Plain);
                let mut below = Line::default();
                if let Some(at) = fact.at {
                    let place = full(at);
                    let column = place_column.max(line.end() + 2);
                    if column + width(&place) > self.width() && self.width() < ROOMY {
                        // Both are too wide for one line.
                        self.line(&line);
                        line = Line::with(INDENT + 2, &place, Tone::Faint);
                    } else {
                        line.put(column, &place, Tone::Faint);
                    }
                    let column =
                        if beside { source_column.max(line.end() + 2) } else { INDENT + 2 };
                    let excerpt = self.excerpt(at);
                    let source = excerpt.and_then(|e| e.fit(self.width().saturating_sub(column)));
                    let target = if beside { &mut line } else { &mut below };
                    target.put(column, &source.unwrap_or_default(), Tone::Faint);
                }
                self.line(&line);
                if below.end() > 0 {
                    self.line(&below);
                }
            }
            self.calls(INDENT, block.calls);
            for caller in block.callers {
                self.text(INDENT, &format!("in {caller}"), Tone::Faint);
            }
        }
    }

    /// Calls, by name as far as they are known; the others by their addresses in the program.
    fn calls(&mut self, indent: usize, calls: &[CodeAddress]) {
        let named: Vec<_> = calls.iter().flat_map(|&call| self.sources.code(call)).collect();
        for call in &named {
            self.text(indent, &format!("in {call}"), Tone::Faint);
        }
        if named.is_empty() && !calls.is_empty() {
            let addresses: Vec<_> = calls.iter().map(CodeAddress::to_string).collect();
            self.paragraph(indent, "called from ", &addresses.join(" "), Tone::Faint);
        }
    }

    /// Remarks, in the manner of the compiler.
    pub(crate) fn notes(&mut self, notes: &[String]) {
        if notes.is_empty() {
            return;
        }
        self.blank();
        for note in notes {
            self.paragraph(2, "= note: ", note, Tone::Plain);
        }
    }

    /// Text of any length, broken between words, after a mark that stands out to the left.
    pub(crate) fn paragraph(&mut self, indent: usize, mark: &str, text: &str, tone: Tone) {
        let column = indent + width(mark);
        for (number, part) in wrap(text, self.width().saturating_sub(column)).iter().enumerate() {
            let mut line = Line::with(column, part, tone);
            if number == 0 {
                line.put(indent, mark, tone);
            }
            self.line(&line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoSources;

    #[test]
    fn nothing_that_a_test_printed_is_a_command_to_a_ci_system() {
        let mut page = Page::new(Style::default(), &NoSources);
        page.long_text(2, "::error::x");
        page.text(2, "::add-mask::y", Tone::Plain);
        page.long_text(0, "a ##[group]b");
        page.text(0, "a ##[group]b", Tone::Plain);
        let lines = ["\\  ::error::x", "\\  ::add-mask::y", "a # #[group]b", "a # #[group]b", ""];
        assert_eq!(page.finish(), lines.join("\n"));
    }
}

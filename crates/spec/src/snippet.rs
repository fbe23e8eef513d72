//! Mistakes shown in the text that they are in.

use crate::{Error, Errors, Span};
use std::fmt::Write;

impl Errors {
    /// All mistakes with the lines that they are in, as a compiler shows them. `name` says where the
    /// text is from.
    pub fn render(&self, text: &str, name: &str) -> String {
        let lines = Lines::of(text);
        let shown: Vec<_> = self.0.iter().map(|error| render(error, &lines, name)).collect();
        shown.join("\n")
    }
}

/// A line without what ends it, and where it begins.
struct Line<'a> {
    start: usize,
    text: &'a str,
}

struct Lines<'a>(Vec<Line<'a>>);

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let mut start = 0;
        let lines = text.split('\n').map(|line| {
            let at = start;
            start += line.len() + 1;
            Line { start: at, text: line.strip_suffix('\r').unwrap_or(line) }
        });
        Self(lines.collect())
    }

    /// The index of the line that a byte is in.
    fn index(&self, byte: usize) -> usize {
        self.0.partition_point(|line| line.start <= byte).saturating_sub(1)
    }
}

impl Line<'_> {
    /// The part of the line before this byte of the text.
    fn until(&self, byte: usize) -> &str {
        let mut end = byte.saturating_sub(self.start).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        &self.text[..end]
    }
}

/// A part of the text with what is said about it.
struct Mark<'a> {
    span: Span,
    sign: char,
    text: &'a str,
}

fn render(error: &Error, lines: &Lines<'_>, name: &str) -> String {
    let mut marks =
        vec![Mark { span: error.span, sign: '^', text: error.label.as_deref().unwrap_or("") }];
    marks.extend(error.labels.iter().map(|label| Mark {
        span: label.span,
        sign: '-',
        text: &label.text,
    }));
    let mut shown: Vec<usize> = marks.iter().flat_map(|mark| lines_of(mark, lines)).collect();
    shown.sort_unstable();
    shown.dedup();
    let widest = shown.last().map_or(1, |last| (last + 1).to_string().len());
    let first = lines.index(error.span.start);
    let column = lines.0[first].until(error.span.start).chars().count() + 1;

    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(out, "error: {}", error.message);
    let _ = writeln!(out, "{:widest$}--> {name}:{}:{column}", "", first + 1);
    let _ = writeln!(out, "{:widest$} |", "");
    let mut last = None;
    for index in shown {
        if last.is_some_and(|last| last + 1 < index) {
            let _ = writeln!(out, "...");
        }
        last = Some(index);
        let line = &lines.0[index];
        let _ = writeln!(out, "{:>widest$} | {}", index + 1, visible(line.text));
        for mark in &marks {
            if let Some(row) = underline(mark, index, lines) {
                let _ = writeln!(out, "{:widest$} | {row}", "");
            }
        }
    }
    if let Some(help) = &error.help {
        let _ = writeln!(out, "{:widest$} |", "");
        let _ = writeln!(out, "{:widest$} = help: {help}", "");
    }
    out
}

/// The first and the last line of a mark; all of them if they are few.
fn lines_of(mark: &Mark<'_>, lines: &Lines<'_>) -> Vec<usize> {
    let first = lines.index(mark.span.start);
    let last = lines.index(mark.span.end.saturating_sub(1).max(mark.span.start));
    match last - first {
        0..4 => (first..=last).collect(),
        _ => vec![first, last],
    }
}

/// What stands below a line for a mark, if the mark is about it.
fn underline(mark: &Mark<'_>, index: usize, lines: &Lines<'_>) -> Option<String> {
    let of_mark = lines_of(mark, lines);
    if !of_mark.contains(&index) {
        return None;
    }
    let line = &lines.0[index];
    let before = line.until(mark.span.start);
    let marked = &line.until(mark.span.end)[before.len()..];
    // What a mark goes over in its later lines begins with blanks.
    let blank = match index == of_mark[0] {
        true => "",
        false => &marked[..marked.len() - marked.trim_start().len()],
    };
    let space = width(before) + width(blank);
    let marked = width(&marked[blank.len()..]).max(1);
    let sign = mark.sign.to_string();
    let text = match of_mark.last() == Some(&index) {
        true => mark.text,
        false => "",
    };
    let row = format!("{:space$}{} {text}", "", sign.repeat(marked));
    Some(row.trim_end().to_owned())
}

/// A tab takes as much room, wherever it is.
const TAB: &str = "    ";

/// A line as it is shown: nothing in it moves the cursor in ways of its own.
fn visible(line: &str) -> String {
    let mut shown = String::new();
    for c in line.chars() {
        match c {
            '\t' => shown.push_str(TAB),
            c if is_invisible(c) => shown.push(char::REPLACEMENT_CHARACTER),
            c => shown.push(c),
        }
    }
    shown
}

/// How many columns a text takes as it is shown.
fn width(text: &str) -> usize {
    let of = |c| match c {
        '\t' => TAB.len(),
        c if is_invisible(c) => 1,
        c if is_mark(c) => 0,
        c if is_wide(c) => 2,
        _ => 1,
    };
    text.chars().map(of).sum()
}

/// Control characters, and those that change the direction of writing.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// What combines with the character before it.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}')
}

/// What takes two columns: East Asian scripts and pictures.
fn is_wide(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{303e}' | '\u{3041}'..='\u{a4cf}'
        | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}' | '\u{1f680}'..='\u{1f6ff}' | '\u{1f900}'..='\u{1f9ff}'
        | '\u{1fa70}'..='\u{1faff}' | '\u{20000}'..='\u{3fffd}')
}

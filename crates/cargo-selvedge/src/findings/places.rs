//! Places of sources, named so that they stay the same when lines move.
//!
//! A line is named by its file, the function that it stands in, its text without spaces and comments,
//! and which of the equal lines of that function it is; a place in it by what stands before it. So
//! whatever is added, removed, renamed or moved elsewhere leaves the name as it is.
//!
//! What changes a name: an edit of the line itself, another name of its function, and an equal line
//! before it in the same function.

use crate::symbols::Symbols;
use selvedge_migrate::source::functions;
use selvedge_model::{CodeAddress, NamedProblem, Problem, Source, Whereabouts};
use selvedge_report::{SourceFiles, Sources};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// So many calls of the test's own code name a place: the innermost, and who called it.
const CALLS: usize = 2;

/// Names places.
pub(crate) struct PlaceNames<'a> {
    files: &'a SourceFiles,
    symbols: Option<&'a Symbols<'a>>,
    known: RefCell<BTreeMap<String, Vec<Line>>>,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    /// The function around it, if there is one.
    function: Option<String>,
    /// Its text without spaces and comments.
    text: String,
    /// Which one it is of the equal lines of its function.
    ordinal: usize,
    /// The text as it is.
    whole: String,
}

impl<'a> PlaceNames<'a> {
    /// By the sources as they are now, and by debug information for instructions.
    pub(crate) fn new(files: &'a SourceFiles, symbols: Option<&'a Symbols<'a>>) -> Self {
        Self { files, symbols, known: RefCell::default() }
    }

    /// A problem with names for its places.
    pub(crate) fn name(&self, problem: &Problem) -> NamedProblem {
        problem.named(|place| match place {
            Whereabouts::Line(source) => vec![self.place(source)],
            Whereabouts::Calls(frames) => self.calls(frames),
        })
    }

    /// The innermost calls of the test's own code; without any, whatever is known.
    fn calls(&self, frames: &[CodeAddress]) -> Vec<String> {
        let own = |symbols: &Symbols<'_>| -> Vec<Source> {
            frames.iter().flat_map(|&frame| symbols.own_places(frame)).take(CALLS).collect()
        };
        match self.symbols.map(own).as_deref() {
            Some([innermost, callers @ ..]) => {
                let callers = callers.iter().map(|caller| self.line(caller));
                std::iter::once(self.place(innermost)).chain(callers).collect()
            }
            Some([]) | None => {
                let place = |frame: &CodeAddress| self.symbols?.place(*frame);
                let place = frames.iter().find_map(place).map(|source| self.place(&source));
                let address = || frames.first().map(|frame| format!("code {frame}"));
                place.or_else(address).into_iter().collect()
            }
        }
    }

    /// A place: its line, and what stands before it there.
    fn place(&self, source: &Source) -> String {
        let Some(line) = self.find(source) else { return source.to_string() };
        let before = source.column.saturating_sub(1) as usize;
        let before = line.whole.chars().take(before).filter(|c| !c.is_whitespace()).count();
        format!("{} +{before}", self.line(source))
    }

    /// A line. One that can not be read has its number for a name.
    fn line(&self, source: &Source) -> String {
        let Some(Line { function, text, ordinal, .. }) = self.find(source) else {
            return format!("{}:{}", source.file, source.line);
        };
        format!("{} {} {text} #{ordinal}", source.file, function.as_deref().unwrap_or("-"))
    }

    fn find(&self, source: &Source) -> Option<Line> {
        let mut known = self.known.borrow_mut();
        if !known.contains_key(&source.file) {
            let text = self.files.text(&source.file).unwrap_or_default();
            known.insert(source.file.clone(), read(&text));
        }
        let lines = known.get(&source.file)?;
        lines.get((source.line as usize).checked_sub(1)?).cloned()
    }
}

/// The lines of a file.
fn read(text: &str) -> Vec<Line> {
    let functions = functions(text);
    let mut lines: Vec<Line> = Vec::new();
    let mut seen: BTreeMap<(Option<String>, String), usize> = BTreeMap::new();
    let mut offset = 0;
    for whole in text.split_inclusive('\n') {
        let begin = offset + (whole.len() - whole.trim_start().len());
        offset += whole.len();
        // The innermost one begins last.
        let around = functions.iter().filter(|function| function.range.contains(&begin));
        let function = around.max_by_key(|function| function.range.start);
        let function = function.map(|function| function.name.clone());
        let text = code_of_line(whole);
        let ordinal = seen.entry((function.clone(), text.clone())).or_default();
        *ordinal += 1;
        lines.push(Line { function, text, ordinal: *ordinal, whole: whole.to_owned() });
    }
    lines
}

/// The code of a line, without spaces and without the comment at its end.
fn code_of_line(line: &str) -> String {
    let mut text = String::new();
    let mut characters = line.chars().peekable();
    let mut quoted = false;
    while let Some(character) = characters.next() {
        match character {
            '\\' if quoted => {
                text.push(character);
                text.extend(characters.next());
            }
            '"' => {
                quoted = !quoted;
                text.push(character);
            }
            '/' if !quoted && characters.peek() == Some(&'/') => break,
            space if space.is_whitespace() => {}
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "fn add(n: &mut u32) {
    *n += 1; // once
    let s = \"http://\";
    *n += 1;
}

impl Queue<u8> {
    fn add(&self) {
        *n += 1;
    }
}
";

    /// The names of all lines of a text with this in them.
    fn names(text: &str, part: &str) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("lib.rs"), text).expect("it can be written");
        let files = SourceFiles::new([folder.path().to_owned()]);
        let places = PlaceNames::new(&files, None);
        let at = |(index, line): (usize, &str)| {
            let column = line.find(part)? as u32 + 1;
            let source = Source { file: "lib.rs".to_owned(), line: index as u32 + 1, column };
            Some(places.place(&source))
        };
        text.lines().enumerate().filter_map(at).collect()
    }

    #[test]
    fn equal_lines_are_told_apart_by_function_and_order() {
        let names = names(BEFORE, "n += 1");
        assert_eq!(
            names,
            [
                "lib.rs add *n+=1; #1 +1",
                "lib.rs add *n+=1; #2 +1",
                "lib.rs Queue<u8>::add *n+=1; #1 +1"
            ]
        );
    }

    #[test]
    fn names_stay_when_other_lines_come_and_go() {
        let after = format!(
            "//! A comment.\nfn other() {{\n    *n += 1;\n}}\n{}",
            BEFORE
                .replace("    let s", "\n    // Why?\n    let x = 1;\n  let s")
                .replace("// once", "")
        );
        let mut others = names(&after, "n += 1");
        assert_eq!(others.remove(0), "lib.rs other *n+=1; #1 +1");
        assert_eq!(others, names(BEFORE, "n += 1"));
    }

    #[test]
    fn a_text_that_does_not_parse_has_names_too() {
        let broken = format!("fn (\n{BEFORE}");
        assert_eq!(names(&broken, "n += 1")[2], "lib.rs - *n+=1; #3 +1");
        assert_eq!(names(BEFORE, "http"), ["lib.rs add lets=\"http://\"; #1 +6"]);
    }
}

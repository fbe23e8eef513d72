//! Explanations as people see them, one file a group of kinds, and the tools to write them.

mod build;
mod drawn;
mod failed;
mod infeasible;
mod layout;
mod memory;
mod phrases;
mod selection;
mod waiting;
mod warned;

use crate::{Colour, Context, Sources, Style, explain};
use selvedge_model::Finding;

/// Source text by line number, whatever the file.
pub(crate) struct Lines(pub(crate) &'static [(u32, &'static str)]);

impl Sources for Lines {
    fn line(&self, _file: &str, line: u32) -> Option<String> {
        self.0.iter().find(|(number, _)| *number == line).map(|(_, text)| (*text).to_owned())
    }
}

const CONTEXT: Context<'_> = Context { test: Some("shop::refund"), kept: None };
pub(crate) const PLAIN: Style = Style { colour: Colour::Plain, width: 100 };

/// Checks the whole explanation. The expected text begins with an empty line, for looks.
#[track_caller]
pub(crate) fn check(finding: &Finding, style: Style, sources: &dyn Sources, expected: &str) {
    let actual = explain(finding, CONTEXT, style, sources);
    check_text(&actual, expected);
}

/// Checks a text and shows where it differs.
#[track_caller]
pub(crate) fn check_text(actual: &str, expected: &str) {
    let expected = expected.strip_prefix('\n').expect("an empty line first");
    assert!(actual == expected, "{}\nall of it:\n{actual}", difference(expected, actual));
}

/// The lines that differ: those that were expected with `-`, those that came with `+`.
fn difference(expected: &str, actual: &str) -> String {
    let (expected, actual): (Vec<_>, Vec<_>) =
        (expected.lines().collect(), actual.lines().collect());
    let mut difference = String::from("the explanation differs:\n");
    for index in 0..expected.len().max(actual.len()) {
        let (old, new) = (expected.get(index), actual.get(index));
        if old != new {
            let sides =
                [old.map(|line| format!("- {line}\n")), new.map(|line| format!("+ {line}\n"))];
            difference.extend(sides.into_iter().flatten());
        }
    }
    difference
}

#[test]
fn the_difference_shows_what_was_expected_and_what_came() {
    let text = difference("a\nb\nc\n", "a\nx\n");
    assert_eq!(text, "the explanation differs:\n- b\n+ x\n- c\n");
}

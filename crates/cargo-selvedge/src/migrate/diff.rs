//! Differences as people read them.

use anstyle::{AnsiColor, Style};
use similar::{ChangeTag, TextDiff};
use std::fmt::Write;
use std::path::Path;

/// What changes in a file, with three lines around it.
pub(crate) fn diff(path: &Path, before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let (red, green) = (AnsiColor::Red.on_default(), AnsiColor::Green.on_default());
    let (bold, cyan) = (Style::new().bold(), AnsiColor::Cyan.on_default());
    let path = path.display();
    let mut text = format!("{bold}--- {path}{bold:#}\n{bold}+++ {path}{bold:#}\n");
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        let _ = writeln!(text, "{cyan}{}{cyan:#}", hunk.header());
        for change in hunk.iter_changes() {
            let line = change.value().trim_end_matches('\n');
            let _ = match change.tag() {
                ChangeTag::Delete => writeln!(text, "{red}-{line}{red:#}"),
                ChangeTag::Insert => writeln!(text, "{green}+{line}{green:#}"),
                ChangeTag::Equal => writeln!(text, " {line}"),
            };
        }
    }
    text
}

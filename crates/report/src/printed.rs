//! What the test printed on the way.

use crate::line::Tone;
use crate::page::Page;
use crate::words::count;
use selvedge_model::Finding;
use std::borrow::Cow;

/// At most so many lines are shown, the last ones.
const LINES: usize = 30;

/// At most so many characters of a line are shown, the first ones.
pub(crate) const CHARACTERS: usize = 1_000;

/// Writes the last lines, if there are any.
pub(crate) fn write(page: &mut Page<'_>, finding: &Finding) {
    let lines: Vec<_> = finding.output.lines().collect();
    if lines.is_empty() {
        return;
    }
    let left_out = lines.len().saturating_sub(LINES);
    page.blank();
    page.text(0, "what the test printed:", Tone::Strong);
    page.blank();
    if left_out > 0 {
        page.text(2, &format!("… {} before", count(left_out as u64, "line")), Tone::Faint);
    }
    for line in &lines[left_out..] {
        page.long_text(2, &shortened(line, CHARACTERS));
    }
}

/// As much of a line as people read.
pub(crate) fn shortened(line: &str, characters: usize) -> Cow<'_, str> {
    match line.char_indices().nth(characters) {
        None => Cow::Borrowed(line),
        Some((end, _)) => {
            let left_out = line[end..].chars().count() as u64;
            Cow::Owned(format!("{}… {} more", &line[..end], count(left_out, "character")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_end_is_cut_between_characters() {
        assert_eq!(shortened(&"é".repeat(CHARACTERS), CHARACTERS), "é".repeat(CHARACTERS));
        let cut = shortened(&"é".repeat(CHARACTERS + 2), CHARACTERS).into_owned();
        assert_eq!(cut, format!("{}… 2 characters more", "é".repeat(CHARACTERS)));
    }
}

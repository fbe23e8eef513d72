//! What the test printed on the way.

use crate::line::Tone;
use crate::page::Page;
use crate::words::count;
use selvedge_model::Finding;

/// At most so many lines are shown, the last ones.
const LINES: usize = 30;

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
        page.long_text(2, line);
    }
}

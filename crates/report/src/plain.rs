//! Text that others have written, made fit for a terminal and for the log of a CI system.
//!
//! Names of threads and tests, messages of panics and whatever a test prints may contain anything, and
//! a finding may come from elsewhere. Control characters would move the cursor, colour what follows or
//! turn it around; a line that begins with `::` would be a command to GitHub Actions.

/// A character that does nothing but to be seen.
pub(crate) fn visible(character: char) -> char {
    let turns = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if character.is_control() || turns { '\u{fffd}' } else { character }
}

/// Whether a line would be a command to a CI system.
pub(crate) fn is_command(line: &str) -> bool {
    line.trim_start().starts_with("::") || line.contains("##[")
}

/// A text that is to stand in one line.
pub fn plain(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// A text of several lines. Tabs stay as well.
pub fn plain_lines(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if is_command(line) {
            plain.push('\\');
        }
        let line = if is_command(line) { line.replace("##[", "# #[") } else { line.to_owned() };
        plain.extend(line.chars().map(|character| match character {
            '\n' | '\t' => character,
            other => visible(other),
        }));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_take_for_more_becomes_visible() {
        assert_eq!(plain("a\x1b[2J\tb\nc\u{9b}d\u{202e}e\x7f"), "a�[2J�b�c�d�e�");
        assert_eq!(plain_lines("a\tb\r\nc\x07"), "a\tb�\nc�");
        assert_eq!(plain("ünï→"), "ünï→");
    }

    #[test]
    fn no_line_is_a_command_to_a_ci_system() {
        assert_eq!(plain_lines("left\n  ::error::x\na::b"), "left\n\\  ::error::x\na::b");
        assert!(!is_command(&plain_lines("x ##[set-env]y")), "{}", plain_lines("x ##[set-env]y"));
    }
}

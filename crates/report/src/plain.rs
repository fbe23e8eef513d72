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

/// What stands before and in a line so that a CI system takes it for none of its commands.
pub(crate) struct Tamed {
    /// To be put before it.
    pub(crate) before: &'static str,
    /// The positions, in characters, after which a blank breaks a command up.
    pub(crate) breaks: Vec<usize>,
}

/// What has to be done to a line.
pub(crate) fn tame(line: &[char]) -> Tamed {
    let blank = |character: &&char| character.is_whitespace();
    let begins = line.iter().skip_while(blank).take(2).eq(&[':', ':']);
    let breaks = line.windows(3).enumerate().filter(|(_, three)| three == &['#', '#', '[']);
    Tamed { before: if begins { "\\" } else { "" }, breaks: breaks.map(|(at, _)| at).collect() }
}

/// A text that is to stand in one line.
pub fn plain(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// A text of several lines. Tabs stay as well.
pub fn plain_lines(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let line: Vec<char> = line
            .chars()
            .map(|character| match character {
                '\n' | '\t' => character,
                other => visible(other),
            })
            .collect();
        let Tamed { before, breaks } = tame(&line);
        plain.push_str(before);
        let mut breaks = breaks.into_iter().peekable();
        for (at, character) in line.into_iter().enumerate() {
            plain.push(character);
            if breaks.next_if_eq(&at).is_some() {
                plain.push(' ');
            }
        }
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
        assert_eq!(plain_lines("x ##[set-env]y ###["), "x # #[set-env]y ## #[");
    }
}

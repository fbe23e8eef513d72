//! Splitting Rust text at places that are not inside brackets.

/// The byte positions of `text` that are outside all brackets, with the character at each.
///
/// An opening bracket counts as outside, its closing partner as inside. The `>` of `->` is no
/// bracket.
fn outside(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut depth = 0_usize;
    let mut before = ' ';
    text.char_indices().filter(move |&(_, character)| {
        let visible = depth == 0;
        match character {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if before == '-' => {}
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = character;
        visible
    })
}

/// Splits at every comma outside brackets; empty pieces, such as the one after a last comma, are
/// dropped.
pub(super) fn split_commas(text: &str) -> Vec<&str> {
    split_at_char(text, ',')
}

/// Splits at every `+` outside brackets.
pub(super) fn split_bounds(text: &str) -> Vec<&str> {
    split_at_char(text, '+')
}

fn split_at_char(text: &str, separator: char) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, character) in outside(text) {
        if character == separator {
            pieces.push(text[start..at].trim());
            start = at + separator.len_utf8();
        }
    }
    pieces.push(text[start..].trim());
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Splits at the first occurrence of `word` outside brackets, or gives `None`.
pub(super) fn split_once<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    outside(text)
        .map(|(at, _)| at)
        .find(|&at| text[at..].starts_with(word))
        .map(|at| (text[..at].trim(), text[at + word.len()..].trim()))
}

/// For text that begins with a bracket: what is inside it, and what follows it.
pub(super) fn take_group(text: &str) -> Option<(&str, &str)> {
    let open = text.chars().next().filter(|first| "([{<".contains(*first))?;
    let after = outside(text).nth(1).map_or(text.len(), |(at, _)| at);
    let inside = text.get(open.len_utf8()..after.checked_sub(1)?)?;
    Some((inside.trim(), text[after..].trim()))
}

/// Replaces `word` where it stands as a whole identifier.
pub(super) fn replace_word(text: &str, word: &str, by: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let joined =
            |character: char| character.is_alphanumeric() || character == '_' || character == '\'';
        let before = result.chars().chain(rest[..at].chars()).next_back();
        let after = rest[at + word.len()..].chars().next();
        let whole = !before.is_some_and(joined) && !after.is_some_and(joined);
        result.push_str(&rest[..at]);
        result.push_str(if whole { by } else { word });
        rest = &rest[at + word.len()..];
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_commas_respects_brackets_and_arrows() {
        assert_eq!(
            split_commas("T, F: FnOnce(u8, u8) -> Vec<T, A>, "),
            ["T", "F: FnOnce(u8, u8) -> Vec<T, A>"]
        );
    }

    #[test]
    fn split_once_skips_what_is_inside_brackets() {
        assert_eq!(
            split_once("From<fn() -> A = B> = C", " = "),
            Some(("From<fn() -> A = B>", "C"))
        );
        assert_eq!(split_once("Clone", " for "), None);
    }

    #[test]
    fn take_group_finds_the_partner() {
        assert_eq!(take_group("<T, F: Fn() -> T> Lazy<T>"), Some(("T, F: Fn() -> T", "Lazy<T>")));
        assert_eq!(take_group("(&self)"), Some(("&self", "")));
        assert_eq!(take_group("none"), None);
    }

    #[test]
    fn replace_word_leaves_longer_words_alone() {
        assert_eq!(replace_word("Self, SelfRef, &Self", "Self", "T"), "T, SelfRef, &T");
    }
}

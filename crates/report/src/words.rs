//! Small pieces of English.

use std::fmt::Display;

/// `1 thread`, `2 threads`.
pub(crate) fn count(number: impl Into<u64>, noun: &str) -> String {
    match number.into() {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

/// `1`, `1 and 2`, `1, 2 and 3`.
pub(crate) fn list<T: Display>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [one] => one.to_string(),
        [most @ .., last] => {
            let most: Vec<_> = most.iter().map(T::to_string).collect();
            format!("{} and {last}", most.join(", "))
        }
    }
}

/// A size in memory, exactly: `64 KiB`, `1000 bytes`.
pub(crate) fn bytes(number: usize) -> String {
    const UNITS: [(usize, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match UNITS.iter().find(|(unit, _)| number >= *unit && number.is_multiple_of(*unit)) {
        Some((unit, name)) => format!("{} {name}", number / unit),
        None => count(number as u64, "byte"),
    }
}

/// How many columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.chars().count()
}

/// The text if it fits, otherwise as much of it as does, with a mark.
pub(crate) fn clip(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let kept: String = text.chars().take(columns.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// The text if it fits, otherwise the end of it that does, with a mark.
pub(crate) fn clip_start(text: &str, columns: usize) -> String {
    match width(text).checked_sub(columns) {
        None | Some(0) => text.to_owned(),
        Some(over) => format!("…{}", text.chars().skip(over + 1).collect::<String>()),
    }
}

/// The text if it fits, otherwise a part of it in which the given character can be seen.
pub(crate) fn clip_around(text: &str, focus: usize, columns: usize) -> String {
    // So much of what follows the character makes it recognisable.
    const TAIL: usize = 8;
    if width(text) <= columns || focus + TAIL < columns {
        return clip(text, columns);
    }
    let start = (focus + TAIL + 2).saturating_sub(columns).max(focus.saturating_sub(columns / 2));
    let rest: String = text.chars().skip(start + 1).collect();
    format!("…{}", clip(&rest, columns.saturating_sub(1)))
}

/// The text in lines that fit, broken between words; a word that is too long stays whole.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_nouns_agree() {
        assert_eq!(count(1u32, "thread"), "1 thread");
        assert_eq!(count(0u32, "thread"), "0 threads");
        assert_eq!(list(&["1", "2", "2.1"]), "1, 2 and 2.1");
        assert_eq!(list(&["1"]), "1");
    }

    #[test]
    fn sizes_are_exact() {
        assert_eq!(bytes(2 << 20), "2 MiB");
        assert_eq!(bytes((2 << 20) + 1), "2097153 bytes");
        assert_eq!(bytes(48 << 10), "48 KiB");
    }

    #[test]
    fn the_end_of_a_place_is_what_tells_it_apart() {
        assert_eq!(clip_start("philosophers.rs:20", 12), "…phers.rs:20");
        assert_eq!(clip_start("shop.rs:20", 12), "shop.rs:20");
    }

    #[test]
    fn the_character_in_question_stays_visible() {
        let text = "let mut stock = self.stock.lock().unwrap();";
        let focus = text.find("lock()").unwrap();
        assert_eq!(clip_around(text, focus, 43), text);
        assert_eq!(clip_around(text, focus, 40), "let mut stock = self.stock.lock().unwra…");
        assert_eq!(clip_around(text, focus, 24), "…self.stock.lock().unwr…");
        assert_eq!(clip_around(text, 0, 10), "let mut s…");
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("one two three", 6), ["one", "two", "three"]);
        assert_eq!(wrap("indivisible", 4), ["indivisible"]);
    }

    #[test]
    fn a_clipped_text_is_as_wide_as_allowed_and_says_so() {
        assert_eq!(clip("self.stock.lock()", 17), "self.stock.lock()");
        assert_eq!(clip("self.stock.lock()", 16), "self.stock.lock…");
        assert_eq!(clip("let a = 1;", 5), "let…");
    }
}

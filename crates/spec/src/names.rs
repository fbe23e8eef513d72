//! Which names can be written as they are, and which need quotes.

use crate::EventName;

/// The events that every thread has. Nothing else can have these names.
const IMPLICIT: [(&str, EventName); 4] = [
    ("start", EventName::Start),
    ("end", EventName::End),
    ("block", EventName::Block),
    ("unblock", EventName::Unblock),
];

/// The event that every thread has, if the word is one.
pub(crate) fn implicit(word: &str) -> Option<EventName> {
    let (_, event) = IMPLICIT.iter().find(|(name, _)| *name == word)?;
    Some(event.clone())
}

/// The names of the events that every thread has.
pub(crate) fn implicit_names() -> impl Iterator<Item = &'static str> {
    IMPLICIT.iter().map(|(name, _)| *name)
}

/// Whether a word can begin so.
pub(crate) fn begins_word(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// Whether a word can go on so.
pub(crate) fn is_in_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Whether the text is a word that can begin a name.
fn is_ident(text: &str) -> bool {
    text.starts_with(begins_word) && text.chars().all(is_in_word)
}

/// Whether an event's name reads back without quotes.
pub(crate) fn is_plain_event(name: &str) -> bool {
    name.split("::").all(is_ident) && implicit(name).is_none()
}

/// Whether a thread's name reads back without quotes.
pub(crate) fn is_plain_thread(name: &str) -> bool {
    let mut parts = name.split("::").flat_map(|part| part.split('-'));
    parts.next().is_some_and(is_ident)
        && parts.all(|part| !part.is_empty() && part.chars().all(is_in_word))
}

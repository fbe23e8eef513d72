//! What a test prints, kept with the execution that printed it.
//!
//! A test is run a thousand times and its output is of interest once, if it fails. So what
//! controlled threads print goes here and becomes part of the finding.

use crate::context::Controlled;
use std::fmt::{self, Write};

/// At most this much is kept of an execution; what comes later is counted.
const KEPT: usize = 1 << 20;

/// What the threads of an execution have printed, in the order in which they did.
#[derive(Default)]
pub(crate) struct Output {
    text: String,
    left_out: u64,
}

impl Output {
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.left_out = 0;
    }

    fn push(&mut self, text: &str) {
        // Once something is left out, so is all that comes later.
        let room = if self.left_out == 0 { KEPT - self.text.len() } else { 0 };
        let mut fits = text.len().min(room);
        while !text.is_char_boundary(fits) {
            fits -= 1;
        }
        self.text.push_str(&text[..fits]);
        self.left_out += (text.len() - fits) as u64;
    }

    /// All of it, with a note if something was left out.
    pub(crate) fn to_text(&self) -> String {
        let mut text = self.text.clone();
        if self.left_out > 0 {
            // Writing to a string does not fail.
            let _ = write!(text, "\n[{} more bytes were printed]\n", self.left_out);
        }
        text
    }
}

impl Controlled {
    /// Prints for the running thread. To print is nothing that other threads notice.
    pub fn print(self, arguments: fmt::Arguments<'_>) {
        // The text is made first, since making it may run code of the user's.
        match arguments.as_str() {
            Some(text) => self.execution().output.push(text),
            None => {
                let text = arguments.to_string();
                self.execution().output.push(&text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT, Output};

    #[test]
    fn what_does_not_fit_is_counted_and_no_character_is_cut() {
        let mut output = Output::default();
        output.push(&"x".repeat(KEPT - 1));
        output.push("é!");
        output.push("more");
        let text = output.to_text();
        assert!(text.starts_with(&"x".repeat(KEPT - 1)));
        assert!(text.ends_with("\n[7 more bytes were printed]\n"), "{}", &text[KEPT - 1..]);
    }
}

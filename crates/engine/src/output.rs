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
    /// Bytes, since what goes to a file may be cut in the middle of a character.
    text: Vec<u8>,
    left_out: u64,
}

impl Output {
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.left_out = 0;
    }

    fn push(&mut self, bytes: &[u8]) {
        // Once something is left out, so is all that comes later.
        let room = if self.left_out == 0 { KEPT - self.text.len() } else { 0 };
        let mut fits = bytes.len().min(room);
        while fits < bytes.len() && fits > 0 && !begins_character(bytes[fits]) {
            fits -= 1;
        }
        self.text.extend_from_slice(&bytes[..fits]);
        self.left_out += (bytes.len() - fits) as u64;
    }

    /// All of it, with a note if something was left out.
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.text).into_owned();
        if self.left_out > 0 {
            // Writing to a string does not fail.
            let _ = write!(text, "\n[{} more bytes were printed]\n", self.left_out);
        }
        text
    }
}

/// Whether a byte of UTF-8 is the first of a character.
const fn begins_character(byte: u8) -> bool {
    byte & 0b1100_0000 != 0b1000_0000
}

/// How much had been printed at some time.
#[derive(Clone, Copy, Debug)]
pub struct Printed(usize);

impl Controlled {
    /// Prints for the running thread. To print is nothing that other threads notice.
    pub fn print(self, arguments: fmt::Arguments<'_>) {
        // The text is made first, since making it may run code of the user's.
        match arguments.as_str() {
            Some(text) => self.print_bytes(text.as_bytes()),
            None => {
                let text = arguments.to_string();
                self.print_bytes(text.as_bytes());
            }
        }
    }

    /// Prints bytes for the running thread, which need not be text.
    pub fn print_bytes(self, bytes: &[u8]) {
        let execution = &mut *self.execution();
        execution.time.works();
        execution.account.output.push(bytes);
    }

    /// How much the execution has printed so far.
    pub fn printed(self) -> Printed {
        Printed(self.execution().account.output.text.len())
    }

    /// What the execution has printed since then, as far as it is kept.
    pub fn printed_since(self, then: Printed) -> String {
        let execution = self.execution();
        let bytes = execution.account.output.text.get(then.0..).unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT, Output};

    #[test]
    fn what_does_not_fit_is_counted_and_no_character_is_cut() {
        let mut output = Output::default();
        output.push("x".repeat(KEPT - 1).as_bytes());
        output.push("é!".as_bytes());
        output.push(b"more");
        let text = output.to_text();
        assert!(text.starts_with(&"x".repeat(KEPT - 1)));
        assert!(text.ends_with("\n[7 more bytes were printed]\n"), "{}", &text[KEPT - 1..]);
    }

    #[test]
    fn a_character_may_come_in_two_pieces_and_what_is_no_text_is_marked() {
        let mut output = Output::default();
        let [first, second] = *"é".as_bytes() else { panic!("it has two bytes") };
        output.push(&[first]);
        output.push(&[second, 0xff]);
        assert_eq!(output.to_text(), "é\u{fffd}");
    }
}

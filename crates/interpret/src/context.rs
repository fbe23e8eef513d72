//! What a call of a harness is given: the object, arguments, a place for its result.

use crate::gate;
use crate::object::Object;
use crate::value::V;
use crate::world::{Arguments, world};
use std::fmt;

/// Given to each call.
pub struct Context {
    pub(crate) object: Object,
    pub(crate) arguments: Arguments,
    pub(crate) slot: usize,
    pub(crate) stepper: Stepper,
}

/// Where others may come in although a call is not over.
#[derive(Clone, Copy)]
pub struct Stepper {
    /// The thread of the test; nothing before and after the threads.
    pub(crate) thread: Option<usize>,
    pub(crate) patience: Patience,
}

/// Whether a future that is to be polled once is polled until it is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    UntilReady,
    Once,
}

impl Stepper {
    /// Lets others in.
    pub fn step(self) {
        if let Some(thread) = self.thread {
            gate::pass(thread);
        }
    }
}

impl Context {
    /// A part, borrowed together with others.
    pub fn shared<T: 'static>(&self, part: usize) -> Option<&'static T> {
        self.object.shared(part)
    }

    /// A part, borrowed alone.
    pub fn exclusive<T: 'static>(&self, part: usize) -> Option<&'static mut T> {
        self.object.exclusive(part)
    }

    /// A part, taken away.
    pub fn take<T: 'static>(&self, part: usize) -> Option<T> {
        self.object.take(part)
    }

    /// A new value.
    pub fn value(&self, argument: usize) -> V {
        V::new(self.arguments.get(argument))
    }

    /// A number.
    pub fn number(&self, argument: usize) -> u64 {
        self.arguments.get(argument)
    }

    /// Lets others in where the call asks for it.
    pub fn stepper(&self) -> Stepper {
        self.stepper
    }

    /// The part was taken away by an earlier call.
    pub fn gone(&mut self) {
        self.put(format_args!("gone"));
    }

    /// Keeps what the call has returned.
    pub fn put(&mut self, text: fmt::Arguments<'_>) {
        let text = without_addresses(&text.to_string());
        world().keep(self.slot, &text);
    }
}

/// Addresses tell nothing and differ from execution to execution: what follows `0x` is cut out.
fn without_addresses(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::with_capacity(text.len());
    while let Some(found) = rest.find("0x") {
        kept.push_str(&rest[..found + 2]);
        rest = rest[found + 2..].trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::without_addresses;

    #[test]
    fn addresses_are_cut_out_of_texts() {
        assert_eq!(without_addresses("a 0x7f00 b 0xab"), "a 0x b 0x");
        assert_eq!(without_addresses("nothing"), "nothing");
    }
}

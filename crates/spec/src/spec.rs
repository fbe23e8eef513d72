//! From a text to a schedule.

use crate::{Errors, Spec, check, parse};

impl Spec {
    /// Reads a schedule and checks whether it makes sense. All mistakes are told at once.
    pub fn parse(text: &str) -> Result<Self, Errors> {
        let parse::Parsed { mut orderings, bare, mut errors } = parse::parse(text);
        check::resolve(&mut orderings, &bare, &mut errors);
        errors.extend(check::check(&orderings));
        Errors::check(errors)?;
        Ok(Self { orderings })
    }

    /// Reads a schedule without a thought to what it means. `[x]` is taken to be about an event.
    pub fn parse_syntax(text: &str) -> Result<Self, Errors> {
        let parse::Parsed { orderings, errors, .. } = parse::parse(text);
        Errors::check(errors)?;
        Ok(Self { orderings })
    }

    /// Whether the schedule can be enforced. What happens by itself, when a thread becomes blocked
    /// or ceases to be, can be checked but nobody can make it wait.
    pub fn enforceable(&self) -> Result<(), Errors> {
        Errors::check(check::unenforceable(&self.orderings))
    }
}

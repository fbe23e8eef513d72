//! From a text to a schedule.

use crate::monitor::{Feasible, feasible};
use crate::{Error, Errors, Spec, check, parse};

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

    /// Whether there can be an execution like this at all. [`Spec::parse`] has found what events
    /// contradict; this looks for what states do (`[@t]`, `!f`), by trying. It takes longer, and
    /// is meant for those who read a schedule once, such as the compiler.
    pub fn feasible(&self) -> Result<(), Errors> {
        if feasible(self) == Feasible::Perhaps {
            return Ok(());
        }
        // Those that are not needed for the contradiction are left out one by one.
        let mut part = self.clone();
        for ordering in &self.orderings {
            let mut without = part.clone();
            without.orderings.retain(|other| other != ordering);
            if !without.orderings.is_empty() && feasible(&without) == Feasible::No {
                part = without;
            }
        }
        let (first, others) = part.orderings.split_first().expect("something contradicts");
        let error = match others.is_empty() {
            true => Error::new(first.span, format!("no execution can be like `{first}`")),
            false => Error::new(first.span, "no execution can be like all of these orderings"),
        };
        let error =
            others.iter().fold(error, |error, other| error.and(other.span, "and like this"));
        Err(Errors(vec![error]))
    }
}

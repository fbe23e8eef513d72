//! What is to be said of an execution that is over.

use super::{Monitor, Seen, Violation};

impl Monitor {
    /// Whether the execution was as the schedule says; if not, in words, what was wrong with it.
    /// `violations` are all that [`step`](Self::step) has told.
    ///
    /// # Errors
    ///
    /// The text, whose first line says the most important thing.
    pub fn verdict(&self, violations: &[Violation], seen: &Seen<'_>) -> Result<(), String> {
        let unmet = self.unmet();
        let violations = violations.iter().map(|violation| self.explain_violation(violation));
        let unmet = unmet.iter().map(|unmet| self.explain_unmet(unmet, seen));
        let told: Vec<_> = violations.chain(unmet).collect();
        if told.is_empty() { Ok(()) } else { Err(told.join("\n")) }
    }
}

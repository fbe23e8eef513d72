//! What is to be said of an execution that is over.

use super::{Happened, Monitor, Place, Unmet, Violation};
use std::fmt;

/// So many events are told around one that should not have happened, on either side.
const AROUND: usize = 4;

impl Monitor {
    /// Whether the execution was as the schedule says; if not, in words, what was wrong with it.
    /// `violations` are all that [`step`](Self::step) has told.
    pub fn verdict(&self, violations: &[Violation]) -> Result<(), String> {
        let unmet = self.unmet();
        if violations.is_empty() && unmet.is_empty() {
            return Ok(());
        }
        let told = violations.iter().map(|violation| self.explain(violation));
        let told: Vec<_> = told.chain(unmet.iter().map(ToString::to_string)).collect();
        Err(told.join("\n"))
    }

    /// A violation with what happened around it.
    fn explain(&self, violation: &Violation) -> String {
        let Violation { ordering, event, missing, position } = violation;
        let mut text = format!("{event} does not keep `{ordering}`: it needs {missing}");
        let history = self.history();
        let first = position.saturating_sub(AROUND);
        let last = history.len().min(position + AROUND + 1);
        if first > 0 {
            text.push_str("\n    …");
        }
        for (index, happened) in history.iter().enumerate().take(last).skip(first) {
            let mark = if index == *position { '>' } else { ' ' };
            text.push_str(&format!("\n  {mark} {happened}"));
        }
        if last < history.len() {
            text.push_str("\n    …");
        }
        text
    }
}

impl fmt::Display for Happened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of ", self.event)?;
        match &self.name {
            Some(name) => write!(f, "thread '{name}'")?,
            None => write!(f, "thread {}", self.thread.0)?,
        }
        match &self.place {
            Some(Place { file, line, column }) => write!(f, " at {file}:{line}:{column}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { event, times, ordering } = self;
        match times {
            0 => write!(f, "`{event}` never happened, which `{ordering}` names"),
            1 => write!(f, "`{event}`, which `{ordering}` names, happened only once"),
            _ => write!(f, "`{event}`, which `{ordering}` names, happened only {times} times"),
        }
    }
}

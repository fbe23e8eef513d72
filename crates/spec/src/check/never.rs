//! Conditions that always hold or never do, whatever happens.

use crate::moments::{About, about};
use crate::{Error, EventName, EventRef, Formula, FormulaKind, Occurrence, Ordering, ThreadName};

pub(super) fn check(ordering: &Ordering, all: &[Ordering], errors: &mut Vec<Error>) {
    Check { right: &ordering.event, all, errors }.condition(&ordering.condition);
}

struct Check<'a> {
    /// The event of the ordering.
    right: &'a EventRef,
    all: &'a [Ordering],
    errors: &'a mut Vec<Error>,
}

impl Check<'_> {
    fn condition(&mut self, formula: &Formula) {
        match &formula.kind {
            FormulaKind::Event(event) => self.itself(event),
            FormulaKind::BlockEvent(event) => self.blocked_itself(event),
            FormulaKind::Any(parts) => parts.iter().for_each(|part| self.condition(part)),
            FormulaKind::All(parts) => match about(formula) {
                Ok(About::Several) => parts.iter().for_each(|part| self.condition(part)),
                Ok(_) => self.moment(parts),
                Err(_) => {}
            },
            FormulaKind::Blocked(_) | FormulaKind::Not(_) | FormulaKind::Ordered(..) => {}
        }
    }

    /// `a -> a`.
    fn itself(&mut self, event: &EventRef) {
        let holds = match (event.occurrence, self.right.occurrence) {
            (Occurrence::Nth(a), Occurrence::Nth(b)) => a == b,
            (Occurrence::FIRST, Occurrence::Every) => true,
            _ => false,
        };
        if !(holds && event.name == self.right.name && event.thread == self.right.thread) {
            return;
        }
        let right = self.right;
        let message =
            format!("`{event}` has always happened when `{right}` does: this orders nothing");
        let error = Error::new(event.span, message);
        self.errors.push(error.and(right.span, "this is the same event"));
    }

    /// `[a@t] -> b@t`: nobody does anything while they are blocked.
    fn blocked_itself(&mut self, event: &EventRef) {
        let right = self.right;
        if event.name == EventName::End {
            let message = format!("no thread is blocked after `{event}`");
            self.errors.push(Error::new(event.span, message));
            return;
        }
        // At this moment it becomes blocked.
        if right.name == EventName::Block {
            return;
        }
        let same_event = event.name == right.name
            && event.thread == right.thread
            && event.occurrence == right.occurrence;
        let same_thread = event.thread.as_ref().filter(|thread| {
            right.thread.as_ref() == Some(thread) && !is_name_of_several(thread, self.all)
        });
        let who = match same_thread {
            Some(thread) => format!("thread `{thread}`"),
            None if same_event => "a thread".to_owned(),
            None => return,
        };
        let message = format!("{who} is never blocked at the moment at which it does something");
        let error = Error::new(event.span, message)
            .here("after this its thread is to be blocked")
            .and(right.span, "at the moment of this");
        self.errors.push(match same_event {
            true => error,
            false => error.help("if several threads have this name, give them different ones"),
        });
    }

    /// `a@t && [@t]`.
    fn moment(&mut self, parts: &[Formula]) {
        for part in parts {
            let FormulaKind::Event(event) = &part.kind else { continue };
            let Some(thread) = &event.thread else { continue };
            if event.name == EventName::Block || is_name_of_several(thread, self.all) {
                continue;
            }
            let Some(blocked) = parts.iter().find(|part| is_blocked(part, thread)) else {
                continue;
            };
            let message = format!(
                "thread `{thread}` is never blocked at the moment at which it does something"
            );
            let error = Error::new(blocked.span, message);
            self.errors.push(error.here("it is to be blocked").and(event.span, "at this moment"));
        }
        for part in parts {
            if let FormulaKind::BlockEvent(event) = &part.kind {
                self.blocked_itself(event);
            }
        }
    }
}

fn is_blocked(formula: &Formula, thread: &ThreadName) -> bool {
    matches!(&formula.kind, FormulaKind::Blocked(blocked) if blocked == thread)
}

/// Whether the schedule itself says that several threads have the name.
pub(crate) fn is_name_of_several(thread: &ThreadName, all: &[Ordering]) -> bool {
    let mut several = false;
    let mut see = |event: &EventRef| {
        several |= matches!(event.name, EventName::Start | EventName::End)
            && event.thread.as_ref() == Some(thread)
            && event.occurrence != Occurrence::FIRST;
    };
    for ordering in all {
        super::each_event(&ordering.condition, &mut see);
        see(&ordering.event);
    }
    several
}

//! Texts for people about what is not as it should be. Whoever runs the threads, the texts
//! are these.

use super::conditions::{Event, EventAt, written};
use super::tell::Wrong;
use super::{Happened, Letter, Monitor, Place, Unmet, Violation};
use crate::names::implicit_names;
use crate::nearest::nearest;
use crate::{EventName, ThreadName};
use std::fmt::Write;

/// So many events are shown on each side of the one in question.
const AROUND: usize = 6;

/// A thread that stands before an event that may not happen yet.
#[derive(Clone, Debug)]
pub struct Held<'a> {
    /// What it is about to do.
    pub letter: Letter<'a>,
    /// Where, if it is known.
    pub place: Option<Place>,
}

/// What there was in an execution, whether the schedule mentions it or not.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen<'a> {
    /// The named events that happened, with the names of their threads.
    pub events: &'a [(&'a str, Option<&'a str>)],
    /// The names of threads.
    pub threads: &'a [&'a str],
}

impl Monitor {
    /// Tells of a violation: the ordering, what happened and what should have happened before,
    /// with their places, and what happened around. To be asked after the execution, when it is
    /// known whether the other event came later.
    pub fn explain_violation(&self, violation: &Violation) -> String {
        let Violation { ordering, event, missing, position, wrong, others } = violation;
        let name = &event.event;
        let (when, should) = match wrong {
            Wrong::Condition => ("early", format!("it should have waited for {missing}")),
            Wrong::Promise => ("late", format!("every `{name}` should have happened before")),
        };
        let mut out = format!("`{name}` happened too {when}: the schedule says `{ordering}`\n");
        // Writing to a string does not fail.
        let _ = writeln!(out, "  `{name}` happened {}", by(event));
        let _ = writeln!(out, "  {should}");
        for other in others {
            let _ = writeln!(out, "  {}", self.explain_other(other, *position));
        }
        self.explain_history(&mut out, Some(*position));
        out
    }

    /// Where the event is that another should have waited for.
    fn explain_other(&self, at: &EventAt, position: usize) -> String {
        let name = self.rules.name(at);
        let Some(occurred) = self.state.occurred(at) else {
            return format!("`{name}` did not happen later either");
        };
        let place = match self.state.history.get(occurred.position) {
            Some(happened) => by(happened),
            None => "long after what is shown".to_owned(),
        };
        match occurred.position < position {
            true => format!("`{name}` had happened before, {place}"),
            false => format!("`{name}` happened later, {place}"),
        }
    }

    /// Tells why nobody can go on: which events wait for what. `others` says what the other threads
    /// do, one line each.
    pub fn explain_held(&self, held: &[Held<'_>], others: &[String]) -> String {
        let mut out = String::from("the schedule can not be kept: nobody can go on\n");
        for Held { letter, place } in held {
            let event = written(letter);
            let who = who(letter.name, letter.thread.0);
            let place = place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
            let needs: Vec<_> = self.needs(letter).iter().map(ToString::to_string).collect();
            let needs = match needs.is_empty() {
                true => "nothing".to_owned(),
                false => needs.join(", and for "),
            };
            let _ = writeln!(out, "  `{event}` by {who}{place} waits for {needs}");
        }
        for other in others {
            let _ = writeln!(out, "  {other}");
        }
        self.explain_history(&mut out, None);
        out
    }

    /// Tells of an event that never happened, and what may have been meant.
    pub fn explain_unmet(&self, unmet: &Unmet, seen: &Seen<'_>) -> String {
        let Event { name, thread } = &self.rules.events[unmet.at.event];
        let mut out = unmet.to_string();
        // What happened too few times is named as it should be.
        if unmet.times == 0
            && let Some(hint) = hint(name, thread.as_ref(), seen)
        {
            out.push_str("; ");
            out.push_str(&hint);
        }
        out
    }

    /// What happened, around a position or at the end.
    fn explain_history(&self, out: &mut String, position: Option<usize>) {
        let history = &self.state.history;
        if history.is_empty() {
            out.push_str("nothing that the schedule mentions has happened\n");
            return;
        }
        let middle = position.unwrap_or(history.len());
        let from = middle.saturating_sub(AROUND).min(history.len());
        let to = (middle + AROUND + 1).min(history.len());
        out.push_str("what happened, of what the schedule mentions:\n");
        if from > 0 {
            let _ = writeln!(out, "    … {from} before");
        }
        for (index, happened) in history[from..to].iter().enumerate() {
            let sign = match position == Some(from + index) {
                true => '>',
                false => ' ',
            };
            let _ = writeln!(out, "  {sign} `{}` {}", happened.event, by(happened));
        }
        if to < self.state.length {
            let _ = writeln!(out, "    … {} after", self.state.length - to);
        }
    }
}

/// Who it happened to, and where.
fn by(happened: &Happened) -> String {
    let who = who(happened.name.as_deref(), happened.thread.0);
    match &happened.place {
        Some(place) => format!("by {who} at {place}"),
        None => format!("by {who}"),
    }
}

fn who(name: Option<&str>, number: u32) -> String {
    match name {
        Some(name) => format!("thread `{name}`"),
        None => format!("thread {number}, which has no name"),
    }
}

/// What may have been meant instead of an event that never happened.
fn hint(name: &EventName, thread: Option<&ThreadName>, seen: &Seen<'_>) -> Option<String> {
    if let Some(ThreadName(thread)) = thread
        && seen.threads.iter().all(|seen| seen != thread)
    {
        // Whatever the event is: nobody has this name.
        return Some(match nearest(thread, seen.threads.iter().copied()) {
            Some(other) => format!("no thread is named `{thread}`; did you mean `{other}`?"),
            None => format!("no thread is named `{thread}`"),
        });
    }
    let name = match (name, thread) {
        (EventName::Named(name), _) => name,
        (EventName::Start, Some(thread)) => {
            return Some(format!("`{thread}` got its name after it had started"));
        }
        _ => return None,
    };
    let happened: Vec<_> = seen.events.iter().filter(|(event, _)| event == name).collect();
    let Some((_, other)) = happened.first() else {
        let other = nearest(name, seen.events.iter().map(|(event, _)| *event));
        let implicit = || Some((nearest(name, implicit_names())?, thread?));
        return match (other, implicit()) {
            (Some(other), _) => Some(format!("did you mean `{other}`, which happened?")),
            (None, Some((event, thread))) => Some(format!("did you mean `{event}@{thread}`?")),
            (None, None) => None,
        };
    };
    let ThreadName(thread) = thread?;
    if happened.iter().any(|(_, by)| *by == Some(thread)) {
        return None;
    }
    Some(match other {
        Some(other) => format!("`{name}` happened by thread `{other}`"),
        None => format!("`{name}` happened by a thread that has no name"),
    })
}

//! What there is to say when a schedule did not happen.

use super::looks::Looks;
use super::scheduled::{Doing, Scheduled, State, Thread, WaitsAt};
use crate::failure::{NeverBlocked, thread_name};
use crate::{Failure, HeldThread, OtherThread, Standstill, WhatItDoes};
use selvedge_spec::{Action, EventName, EventRef, Formula, FormulaKind};

impl Scheduled {
    /// Nobody can go on.
    pub(crate) fn standstill(&self, state: &State, looks: &Looks) -> Failure {
        let mut held = Vec::new();
        let mut others = Vec::new();
        for (key, thread) in state.threads.iter().enumerate() {
            let key = key as u32;
            let name = thread_name(thread.name.as_deref(), key);
            match &thread.doing {
                Doing::Held { action, place } => held.push(HeldThread {
                    thread: name,
                    event: written(*action),
                    place: place.clone(),
                    needs: state.monitor.needs(&state.letter(key, *action)),
                }),
                Doing::Ended { .. } => {}
                _ => others.push(OtherThread {
                    thread: name,
                    does: thread.does(looks.is_elsewhere(key)),
                    last: thread.last.clone().map(|(event, place)| (event.to_owned(), place)),
                }),
            }
        }
        Failure::Infeasible(Standstill {
            held,
            others,
            never_blocked: self.never_blocked(state, looks),
            happened: state.monitor.history().to_vec(),
        })
    }

    /// Events after which the schedule wants a thread to block that has not.
    fn never_blocked(&self, state: &State, looks: &Looks) -> Vec<NeverBlocked> {
        let mut wanted = Vec::new();
        for ordering in &self.spec.orderings {
            block_events(&ordering.condition, &mut wanted);
        }
        let mut found = Vec::new();
        for event in wanted {
            let EventName::Named(name) = &event.name else { continue };
            for (key, thread) in state.threads.iter().enumerate() {
                let is_it = |(performed, blocks): &(&str, u32)| {
                    performed == name && *blocks == thread.blocks
                };
                if thread.performed.iter().any(is_it) {
                    found.push(NeverBlocked {
                        thread: thread_name(thread.name.as_deref(), key as u32),
                        event: event.to_string(),
                        does: thread.does(looks.is_elsewhere(key as u32)),
                    });
                }
            }
        }
        found
    }

    /// The test has ended without events that the schedule names.
    pub(crate) fn never_occurred(&self, state: &State) -> Failure {
        let unmet = state.monitor.unmet();
        let mut meant = Vec::new();
        for missing in unmet.iter().filter(|missing| missing.times == 0) {
            let name = missing.event.split(['@', '#']).next().unwrap_or_default();
            let happened = state.unmentioned.iter().map(|other| (distance(name, other), other));
            if let Some((_, other)) = happened.min().filter(|(far, _)| *far <= name.len() / 3) {
                meant.push((name.to_owned(), (*other).to_owned()));
            }
        }
        Failure::NeverOccurred { unmet, meant, happened: state.monitor.history().to_vec() }
    }

    /// What happened is not as the schedule says.
    pub(crate) fn violated(&self, state: &State) -> Failure {
        Failure::Violated {
            violations: state.violations.clone(),
            happened: state.monitor.history().to_vec(),
        }
    }
}

impl Thread {
    fn does(&self, is_elsewhere: bool) -> WhatItDoes {
        match &self.doing {
            Doing::Running if is_elsewhere => WhatItDoes::WaitsForWorld,
            Doing::Running => WhatItDoes::Runs,
            Doing::Held { .. } => WhatItDoes::IsHeld,
            Doing::Waiting(waiting) => match waiting.at {
                WaitsAt::Futex(_) => WhatItDoes::IsBlocked,
                WaitsAt::Join => WhatItDoes::Joins,
                WaitsAt::World => WhatItDoes::WaitsForWorld,
            },
            Doing::Asleep { .. } => WhatItDoes::Sleeps,
            Doing::Ended { .. } => WhatItDoes::HasEnded,
        }
    }
}

/// The letter as a schedule would write it.
fn written(action: Action<'_>) -> String {
    match action {
        Action::Event(name) => name,
        Action::Start => "start",
        Action::End => "end",
        Action::Block => "block",
        Action::Unblock => "unblock",
    }
    .to_owned()
}

/// The events of the formula after which a thread is to block.
fn block_events<'a>(formula: &'a Formula, found: &mut Vec<&'a EventRef>) {
    match &formula.kind {
        FormulaKind::BlockEvent(event) => found.push(event),
        FormulaKind::Event(_) | FormulaKind::Blocked(_) => {}
        FormulaKind::Not(formula) => block_events(formula, found),
        FormulaKind::All(parts) | FormulaKind::Any(parts) => {
            parts.iter().for_each(|part| block_events(part, found));
        }
        FormulaKind::Ordered(first, second) => {
            block_events(first, found);
            block_events(second, found);
        }
    }
}

/// How many letters have to be changed, added or taken away to make one name of the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<_> = other.chars().collect();
    let mut row: Vec<_> = (0..=other.len()).collect();
    for (above, letter) in one.chars().enumerate() {
        let mut before = row[0];
        row[0] = above + 1;
        for (index, second) in other.iter().enumerate() {
            let changed = before + usize::from(letter != *second);
            before = row[index + 1];
            row[index + 1] = changed.min(row[index] + 1).min(before + 1);
        }
    }
    row[other.len()]
}

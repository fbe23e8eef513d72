//! What there is to say when a schedule did not happen.

use super::looks::Looks;
use super::scheduled::{Doing, ScheduleState, Scheduled, WaitsAt};
use crate::Failure;
use selvedge_spec::{EventName, EventRef, Formula, FormulaKind, Held, Seen};

impl Scheduled {
    /// What is to be said when the test is over.
    pub(crate) fn verdict(&self, state: &ScheduleState) -> Result<(), Failure> {
        let names: Vec<_> =
            state.threads.iter().filter_map(|thread| thread.name.as_deref()).collect();
        let events: Vec<_> =
            state.events.iter().map(|(event, thread)| (*event, thread.as_deref())).collect();
        let seen = Seen { events: &events, threads: &names };
        state.monitor.verdict(&state.violations, &seen).map_err(|text| {
            match state.violations.is_empty() {
                true => Failure::NeverOccurred(text),
                false => Failure::Violated(text),
            }
        })
    }

    /// Nobody can go on.
    pub(crate) fn standstill(&self, state: &ScheduleState, looks: &Looks) -> Failure {
        let mut held = Vec::new();
        let mut others = self.never_blocked(state, looks);
        for key in state.keys() {
            let thread = state.thread(key);
            match &thread.doing {
                Doing::Held { action, place } => {
                    held.push(Held { letter: state.letter(key, *action), place: place.clone() });
                }
                Doing::Ended { .. } => {}
                _ => {
                    let (who, does) = (state.who(key), state.does(key, looks));
                    others.push(match &thread.last {
                        Some((event, place)) => format!("{who} {does}, after `{event}` at {place}"),
                        None => format!("{who} {does}"),
                    });
                }
            }
        }
        if held.is_empty() {
            others.push("no thread is held by the schedule: the test itself is stuck".to_owned());
        }
        Failure::Infeasible(state.monitor.explain_held(&held, &others))
    }

    /// Tells of events after which the schedule wants a thread to block that has not.
    fn never_blocked(&self, state: &ScheduleState, looks: &Looks) -> Vec<String> {
        let mut wanted = Vec::new();
        for ordering in &self.spec.orderings {
            block_events(&ordering.condition, &mut wanted);
        }
        let mut told = Vec::new();
        for event in wanted {
            let EventName::Named(name) = &event.name else { continue };
            for key in state.keys() {
                let thread = state.thread(key);
                if thread.performed.get(name.as_str()) == Some(&thread.blocks) {
                    let (who, does) = (state.who(key), state.does(key, looks));
                    told.push(format!("{who} never blocked after `{event}`: it {does}"));
                }
            }
        }
        told.dedup();
        told
    }
}

impl ScheduleState {
    /// What the thread is called in texts.
    fn who(&self, key: u32) -> String {
        match &self.thread(key).name {
            Some(name) => format!("thread `{name}`"),
            None => format!("thread {key}, which has no name,"),
        }
    }

    /// What the thread does.
    fn does(&self, key: u32, looks: &Looks) -> &'static str {
        match &self.thread(key).doing {
            Doing::Running if looks.is_elsewhere(key) => "waits for the operating system",
            Doing::Running => "is still running",
            Doing::Held { .. } => "is held",
            Doing::Waiting(waiting) => match (waiting.at, waiting.until) {
                (WaitsAt::Futex(_), None) => "is blocked",
                (WaitsAt::Futex(_), Some(_)) => "is blocked, with a timeout",
                (WaitsAt::Join, _) => "waits for another thread to end",
                (WaitsAt::World, _) => "waits for the operating system",
            },
            Doing::Asleep { .. } => "sleeps",
            Doing::Ended { .. } => "has ended",
        }
    }
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

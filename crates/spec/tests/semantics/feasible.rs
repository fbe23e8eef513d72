//! A schedule is called contradictory exactly if no execution has all of its events in an order that
//! satisfies it. For orderings of events; whether states can come about depends on the program.

use crate::ALL;
use crate::generate::{Numbers, schedules};
use crate::model::{APART, Threads};
use selvedge_spec::{
    Action, EventName, EventRef, Formula, FormulaKind, Letter, Monitor, Occurrence, Ordering,
    Permission, Span, Spec, ThreadKey,
};
use std::num::NonZeroU32;

const EVENTS: [&str; 4] = ["a", "b", "c", "d"];

fn event(numbers: &mut Numbers) -> EventRef {
    let name = EventName::Named(numbers.one_of(&EVENTS).to_owned());
    let number = 1 + u32::from(numbers.below(4) == 0);
    let occurrence = Occurrence::Nth(NonZeroU32::new(number).expect("not 0"));
    EventRef { name, thread: None, occurrence, span: Span::default() }
}

fn formula(numbers: &mut Numbers, depth: usize) -> Formula {
    let parts =
        |numbers: &mut Numbers| (0..2).map(|_| formula(numbers, depth - 1)).collect::<Vec<_>>();
    let kind = match numbers.below(if depth == 0 { 1 } else { 3 }) {
        0 => FormulaKind::Event(event(numbers)),
        1 => FormulaKind::All(parts(numbers)),
        _ => FormulaKind::Any(parts(numbers)),
    };
    Formula { kind, span: Span::default() }
}

fn spec(numbers: &mut Numbers) -> Spec {
    let orderings = (0..2 + numbers.below(3)).map(|_| {
        let depth = numbers.below(3);
        Ordering {
            condition: formula(numbers, depth),
            event: event(numbers),
            span: Span::default(),
        }
    });
    Spec { orderings: orderings.collect() }
}

/// Whether there is an order in which all that the schedule needs happens. No event happens more
/// than twice: no number is larger.
fn is_feasible(monitor: &Monitor, counts: [u32; 4]) -> bool {
    if monitor.unmet().is_empty() {
        return true;
    }
    EVENTS.iter().enumerate().any(|(index, name)| {
        let letter = Letter { action: Action::Event(name), thread: ThreadKey(0), name: None };
        let mut next = monitor.clone();
        let mut counts = counts;
        counts[index] += 1;
        counts[index] <= 2 && next.step(&letter, None).is_empty() && is_feasible(&next, counts)
    })
}

#[test]
fn contradictions_are_exactly_what_no_execution_satisfies() {
    let mut numbers = Numbers::new(5);
    let (mut contradictory, mut sensible) = (0, 0);
    while contradictory < 150 || sensible < 150 {
        let spec = spec(&mut numbers);
        let text = spec.to_string();
        let is_feasible = is_feasible(&Monitor::new(&spec), [0; 4]);
        match Spec::parse(&text) {
            Ok(_) => {
                assert!(is_feasible, "no execution satisfies `{text}`");
                sensible += 1;
            }
            Err(errors) => {
                let cyclic = |error: &selvedge_spec::Error| error.message.contains("no execution");
                if errors.0.iter().any(cyclic) {
                    assert!(!is_feasible, "there are executions of `{text}`: {errors}");
                    contradictory += 1;
                } else {
                    assert!(is_feasible, "only this was said of `{text}`: {errors}");
                }
            }
        }
    }
}

/// Whether one of the traces of at most so many letters that go on from here has all that the
/// schedule needs.
fn is_met(monitor: &Monitor, threads: &Threads, length: usize) -> bool {
    if monitor.unmet().is_empty() {
        return true;
    }
    length > 0
        && threads.next(&ALL).iter().any(|letter| {
            let mut monitor = monitor.clone();
            let mut threads = threads.clone();
            threads.step(letter);
            monitor.permission(letter) != Permission::NotYet
                && monitor.step(letter, None).is_empty()
                && is_met(&monitor, &threads, length - 1)
        })
}

#[test]
fn what_is_called_infeasible_never_is_met() {
    let mut infeasible = 0;
    for spec in schedules(6, 600) {
        if spec.feasible().is_err() {
            infeasible += 1;
            let is_met = is_met(&Monitor::new(&spec), &Threads::new(APART), 4);
            assert!(!is_met, "there are executions of `{spec}`");
        }
    }
    assert!(infeasible > 5, "{infeasible} schedules are infeasible");
}

#[test]
fn what_is_met_somewhere_is_called_feasible() {
    let mut numbers = Numbers::new(7);
    let mut met = 0;
    for spec in schedules(8, 200) {
        for _ in 0..20 {
            let mut monitor = Monitor::new(&spec);
            let mut threads = Threads::new(APART);
            for _ in 0..30 {
                let next = threads.next(&ALL);
                let permitted = |letter: &Letter<'_>| {
                    monitor.permission(letter) != Permission::NotYet && letter.action != Action::End
                };
                let mut can: Vec<_> = next.iter().copied().filter(permitted).collect();
                if can.is_empty() || numbers.below(12) == 0 {
                    can = next;
                }
                let Some(letter) = (!can.is_empty()).then(|| numbers.one_of(&can)) else { break };
                threads.step(&letter);
                if !monitor.step(&letter, None).is_empty() {
                    break;
                }
                if monitor.unmet().is_empty() {
                    met += 1;
                    assert!(spec.feasible().is_ok(), "there are executions of `{spec}`");
                    break;
                }
            }
        }
    }
    assert!(met > 500, "{met} executions");
}

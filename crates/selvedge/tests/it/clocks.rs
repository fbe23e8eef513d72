//! Happens-before, as observers see it: order where there is some, and no order where there is none.

mod atomics;
mod sync;

use selvedge::{Effect, OperationKind, Rate, Toggle};
use selvedge_engine::{Ending, Engine, Settings, Usage, Watch};
use selvedge_model::{Clock, Config, Event, Moment, Observer, Progress, Strategy, ThreadId};
use selvedge_strategy::Exhaustive;
use std::sync::Arc;

/// More executions than any of the programs has.
const MANY: usize = 100_000;

/// What happened in an execution, each event with what its thread had seen then.
#[derive(Default)]
struct Trace {
    events: Vec<(Event, Clock)>,
}

impl Observer for Trace {
    fn begin(&mut self) {
        self.events.clear();
    }

    fn event(&mut self, event: &Event, moment: &Moment<'_>) {
        self.events.push((*event, moment.clock.clone()));
    }
}

/// An event of a trace.
#[derive(Clone, Copy)]
struct At<'a> {
    event: &'a Event,
    clock: &'a Clock,
    position: usize,
}

impl At<'_> {
    /// Whether this event is ordered before the other one, by the observer's rule.
    fn is_before(self, other: Self) -> bool {
        let thread = self.event.thread;
        other.clock.of(thread) >= self.clock.of(thread) && self.position != other.position
    }

    fn effect(self) -> Effect {
        self.event.effect
    }

    /// Whether it came first in this execution, by order or by chance.
    fn came_before(self, other: Self) -> bool {
        self.position < other.position
    }
}

/// How two events lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    Before,
    After,
    Unordered,
}

fn order(a: At<'_>, b: At<'_>) -> Order {
    match (a.is_before(b), b.is_before(a)) {
        (true, false) => Order::Before,
        (false, true) => Order::After,
        (false, false) => Order::Unordered,
        (true, true) => panic!("two events can not both come before the other"),
    }
}

impl Trace {
    fn all(&self) -> impl Iterator<Item = At<'_>> {
        self.events.iter().enumerate().map(|(position, (event, clock))| At {
            event,
            clock,
            position,
        })
    }

    /// The only event of this kind of the thread.
    #[track_caller]
    fn only(&self, thread: u32, kind: OperationKind) -> At<'_> {
        let mut events = self.of(thread, kind);
        match (events.next(), events.next()) {
            (Some(event), None) => event,
            (first, _) => panic!(
                "thread {thread}: {} {kind}",
                if first.is_none() { "no" } else { "more than one" }
            ),
        }
    }

    /// The events of this kind of the thread.
    fn of(&self, thread: u32, kind: OperationKind) -> impl Iterator<Item = At<'_>> {
        let fits =
            move |event: &Event| event.thread == ThreadId(thread) && event.operation.kind == kind;
        self.all().filter(move |at| fits(at.event))
    }
}

/// Runs every execution of a program and looks at each.
fn every_execution(program: impl Fn() + Sync, mut look: impl FnMut(&Trace)) {
    let config = Config { clocks: Toggle::On, spurious: Rate::Off, ..Config::default() };
    let settings = Settings { sharing: Usage::StopAlways, ..Settings::new(&config) };
    let mut engine = Engine::new(settings, Arc::new(Watch::default()));
    let mut strategy = Exhaustive::new(None);
    for _ in 0..MANY {
        if strategy.begin() == Progress::Exhausted {
            return;
        }
        let mut trace = Trace::default();
        let outcome = engine.run(&program, &mut strategy, Some(&mut trace));
        assert_eq!(*outcome.ending(), Ending::Passed);
        assert_eq!(outcome.record().events.len(), trace.events.len());
        look(&trace);
    }
    panic!("the program has too many executions");
}

/// How two events of a program lie to each other in each of its executions, the ones that `pick`
/// chooses; executions in which it chooses none are left out.
fn orders(
    program: impl Fn() + Sync,
    pick: impl for<'a> Fn(&'a Trace) -> Option<(At<'a>, At<'a>)>,
) -> Vec<Order> {
    let mut seen = Vec::new();
    every_execution(program, |trace| seen.extend(pick(trace).map(|(a, b)| order(a, b))));
    assert!(!seen.is_empty(), "no execution has the two events");
    seen.sort();
    seen.dedup();
    seen
}

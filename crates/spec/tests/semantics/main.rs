//! The monitor means what the reference says, and who asks it for permission keeps the schedule.

mod enforce;
mod feasible;
mod generate;
mod model;
mod reference;

use generate::{Numbers, schedules};
use model::{ALIKE, APART, Names, Threads};
use reference::is_violated_by_last;
use selvedge_spec::{
    Action, EventRef, Formula, FormulaKind, Letter, Monitor, Occurrence, Permission, Spec,
};

/// Everything that can happen in the models.
const ALL: [Action<'static>; 7] = [
    Action::Event("a"),
    Action::Event("b"),
    Action::Event("c"),
    Action::Start,
    Action::End,
    Action::Block,
    Action::Unblock,
];

/// So many traces are compared for each schedule, more or less.
const TRACES: usize = 4_000;

/// What the schedule mentions, and one thing more.
fn alphabet(monitor: &Monitor) -> Vec<Action<'static>> {
    let names = [Some("t"), Some("u"), None];
    let is_mentioned =
        |action: &Action<'_>| names.iter().any(|name| monitor.mentions(*action, *name));
    let mut mentioned: Vec<_> = ALL.into_iter().filter(is_mentioned).collect();
    // Who is blocked is part of a trace only if the schedule asks for it.
    let other = ALL[..5].iter().find(|action| !mentioned.contains(action));
    mentioned.extend(other);
    mentioned
}

/// A monitor that gets all letters and one that gets those that the schedule mentions.
#[derive(Clone)]
struct Monitors {
    of_all: Monitor,
    of_mentioned: Monitor,
}

struct Walk<'a> {
    spec: &'a Spec,
    alphabet: Vec<Action<'static>>,
    trace: Vec<Letter<'static>>,
    compared: usize,
    violations: usize,
}

impl<'a> Walk<'a> {
    fn new(spec: &'a Spec) -> (Self, Monitors) {
        let monitor = Monitor::new(spec);
        let alphabet = alphabet(&monitor);
        let walk = Walk { spec, alphabet, trace: Vec::new(), compared: 0, violations: 0 };
        (walk, Monitors { of_all: monitor.clone(), of_mentioned: monitor })
    }

    fn show(&self) -> String {
        let letters = self.trace.iter().map(|letter| {
            let name = letter.name.unwrap_or("?");
            format!("{:?}@{name}/{}", letter.action, letter.thread.0)
        });
        format!("{} on {}", self.spec, letters.collect::<Vec<_>>().join(" "))
    }

    /// Compares one step. Whether the trace is violated by it.
    fn compare(&mut self, monitors: &mut Monitors, letter: Letter<'static>) -> bool {
        self.trace.push(letter);
        let expected = is_violated_by_last(self.spec, &self.trace);
        let Monitors { of_all, of_mentioned } = monitors;
        let permission = of_all.permission(&letter);
        let is_violated = !of_all.step(&letter, None).is_empty();
        assert_eq!(is_violated, expected, "{}", self.show());
        assert_eq!(permission == Permission::NotYet, expected, "permission: {}", self.show());
        if of_mentioned.mentions(letter.action, letter.name) {
            let is_violated = !of_mentioned.step(&letter, None).is_empty();
            assert_eq!(is_violated, expected, "of what is mentioned: {}", self.show());
        } else {
            assert!(!expected, "not mentioned: {}", self.show());
        }
        self.compared += 1;
        self.violations += usize::from(expected);
        expected
    }

    /// Every trace of at most so many letters that goes on from here. What comes after a violation
    /// does not matter.
    fn every(&mut self, monitors: &Monitors, threads: &Threads, length: usize) {
        if length == 0 {
            return;
        }
        for letter in threads.next(&self.alphabet) {
            let mut monitors = monitors.clone();
            if !self.compare(&mut monitors, letter) {
                let mut threads = threads.clone();
                threads.step(&letter);
                self.every(&monitors, &threads, length - 1);
            }
            self.trace.pop();
        }
    }

    /// A trace of at most so many letters.
    fn some(&mut self, mut monitors: Monitors, names: Names, length: usize, numbers: &mut Numbers) {
        let mut threads = Threads::new(names);
        for _ in 0..length {
            let next = threads.next(&self.alphabet);
            if next.is_empty() {
                break;
            }
            let letter = numbers.one_of(&next);
            threads.step(&letter);
            if self.compare(&mut monitors, letter) {
                break;
            }
        }
        self.trace.clear();
    }
}

/// Compares on every trace up to a length. The length grows until there are many traces.
fn compare_on_every_trace(spec: &Spec, names: Names) -> Walk<'_> {
    let mut length = 2;
    loop {
        let (mut walk, monitors) = Walk::new(spec);
        walk.every(&monitors, &Threads::new(names), length);
        let growth = walk.alphabet.len();
        if walk.compared * growth > TRACES || length == 7 {
            return walk;
        }
        length += 1;
    }
}

fn compare_all(seed: u64, names: Names) {
    let mut compared = 0;
    let mut violated = 0;
    for spec in &schedules(seed, 150) {
        let walk = compare_on_every_trace(spec, names);
        compared += walk.compared;
        violated += usize::from(walk.violations > 0);
    }
    assert!(compared > 150_000, "{compared} traces");
    assert!(violated > 100, "{violated} schedules were violated");
}

#[test]
fn generated_schedules_mean_what_the_reference_says_of_threads_with_different_names() {
    compare_all(1, APART);
}

#[test]
fn generated_schedules_mean_what_the_reference_says_of_threads_with_the_same_name() {
    compare_all(2, ALIKE);
}

#[test]
fn generated_schedules_mean_what_the_reference_says_of_long_traces() {
    let mut numbers = Numbers::new(3);
    for spec in &schedules(3, 400) {
        for _ in 0..15 {
            let names = numbers.one_of(&[APART, ALIKE]);
            let (mut walk, monitors) = Walk::new(spec);
            walk.some(monitors, names, 24, &mut numbers);
        }
    }
}

/// Corners that are seldom met by chance.
const CORNERS: [&str; 18] = [
    "a -> b",
    "a && b -> c",
    "a || b -> c",
    "a#* -> b",
    "a#* -> b#*",
    "(a#* || b#*) -> c",
    "(a#* && b#*) -> c",
    "(a#* && b) || (b#* && a) -> c#*",
    "a#* -> a#2",
    "a@t#* || b -> c",
    "[a] -> b",
    "[a#2] && b -> c",
    "[a] && [@u] -> b",
    "([a] || [b]) && ![@u] -> c",
    "[@t] -> c",
    "[@t] -> end@u",
    "(a && ([u] || !(start@u -> a))) -> b@u",
    "(b@u && ([t] || (end@t -> b@u))) -> b@u",
];

#[test]
fn corners_mean_what_the_reference_says() {
    for text in CORNERS {
        let spec = Spec::parse(text).unwrap_or_else(|errors| panic!("{}", errors.render(text, "")));
        for names in [APART, ALIKE] {
            let walk = compare_on_every_trace(&spec, names);
            assert!(walk.violations > 0, "{text}");
        }
    }
}

/// What there is in schedules, for the test that the generated ones have all of it.
#[derive(Default, Debug)]
struct Kinds {
    block_events: usize,
    blocked: usize,
    negations: usize,
    conjunctions: usize,
    disjunctions: usize,
    nested: usize,
    numbered: usize,
    every: usize,
    every_before: usize,
    tagged: usize,
}

impl Kinds {
    fn see(&mut self, formula: &Formula) {
        match &formula.kind {
            FormulaKind::Event(event) => {
                self.every_before += usize::from(event.occurrence == Occurrence::Every);
                self.see_event(event);
            }
            FormulaKind::BlockEvent(event) => {
                self.block_events += 1;
                self.see_event(event);
            }
            FormulaKind::Blocked(_) => self.blocked += 1,
            FormulaKind::Not(formula) => {
                self.negations += 1;
                self.see(formula);
            }
            FormulaKind::All(parts) => {
                self.conjunctions += 1;
                parts.iter().for_each(|part| self.see(part));
            }
            FormulaKind::Any(parts) => {
                self.disjunctions += 1;
                parts.iter().for_each(|part| self.see(part));
            }
            FormulaKind::Ordered(first, second) => {
                self.nested += 1;
                self.see(first);
                self.see(second);
            }
        }
    }

    fn see_event(&mut self, event: &EventRef) {
        self.tagged += usize::from(event.thread.is_some());
        match event.occurrence {
            Occurrence::FIRST => {}
            Occurrence::Nth(_) => self.numbered += 1,
            Occurrence::Every => self.every += 1,
        }
    }
}

#[test]
fn generated_schedules_have_every_operator() {
    let mut kinds = Kinds::default();
    for ordering in
        schedules(1, 150).iter().chain(&schedules(2, 150)).flat_map(|spec| &spec.orderings)
    {
        kinds.see(&ordering.condition);
        kinds.see_event(&ordering.event);
    }
    let Kinds {
        block_events,
        blocked,
        negations,
        conjunctions,
        disjunctions,
        nested,
        numbered,
        every,
        every_before,
        tagged,
    } = kinds;
    let all = [
        block_events,
        blocked,
        negations,
        conjunctions,
        disjunctions,
        nested,
        numbered,
        every,
        every_before,
        tagged,
    ];
    assert!(all.iter().all(|count| *count >= 20), "{kinds:?}");
}

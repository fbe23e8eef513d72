//! Findings with stacks as debug information would know them.

use super::{Stack, locks};
use crate::symbols::{Frame, Whose};
use selvedge_model::{
    Age, CallStacks, Effect, Finding, FindingKind, ObjectKind, ObjectName, OperationKind, Replayed,
    Schedule, Source, StackNumber, Step, ThreadPath, ThreadReport, Wait,
};

fn at(file: &str, line: u32) -> Source {
    Source { file: file.to_owned(), line, column: 1 }
}

/// A finding that is being told, step by step.
struct Story {
    finding: Finding,
    stacks: Vec<Stack>,
}

impl Story {
    /// Two threads, of which one spawns the other.
    fn new() -> Self {
        let thread = |path: &str| ThreadReport {
            path: path.parse().expect("a path"),
            name: None,
            spawned: None,
        };
        let finding = Finding {
            kind: FindingKind::Stuck { waits: Vec::new(), notifies: Vec::new() },
            schedule: "selvedge/1".parse::<Schedule>().expect("a schedule"),
            steps: Vec::new(),
            before: 0,
            unrecorded: 0,
            threads: vec![thread("0"), thread("1")],
            panics: Vec::new(),
            output: String::new(),
            execution: 1,
            strategy: "random".to_owned(),
            replayed: Replayed::Yes,
            stacks: CallStacks { threads: vec![None, None], ..CallStacks::default() },
        };
        Self { finding, stacks: Vec::new() }
    }

    /// The stack of `RawMutex::method`, or of something that it calls, at a line of the workspace.
    fn stack(&mut self, method: &str, calls: Option<&str>, line: u32) -> StackNumber {
        let frame =
            |function: String, at| Frame { function: Some(function), at, whose: Whose::Program };
        let library = |function| frame(function, at("parking_lot-0.12.5/src/raw_mutex.rs", 1));
        let mutex = "parking_lot::raw_mutex::RawMutex";
        let called = calls.map(|name| library(format!("{mutex}::{name}")));
        let entry = library(format!("<{mutex} as lock_api::mutex::RawMutex>::{method}"));
        let own = frame("shop::sell".to_owned(), at("src/shop.rs", line));
        self.stacks.push(Stack { frames: called.into_iter().chain([entry, own]).collect() });
        StackNumber(self.stacks.len() as u32 - 1)
    }

    fn step(&mut self, thread: &str, lock: u32, call: (&str, Option<&str>, u32), effect: Effect) {
        let number = self.stack(call.0, call.1, call.2);
        let object = ObjectName { kind: ObjectKind::Atomic, number: lock, created: None };
        self.finding.steps.push(Step {
            thread: thread.parse().expect("a path"),
            kind: OperationKind::AtomicCas,
            object: Some(object),
            second: None,
            at: at("parking_lot-0.12.5/src/raw_mutex.rs", 1),
            effect,
            age: Age::ONLY,
        });
        self.finding.stacks.steps.push(Some(number));
    }

    fn takes(&mut self, thread: &str, lock: u32, line: u32) {
        self.step(thread, lock, ("lock", None, line), Effect::Changed { from: 0, to: 1 });
    }

    /// The thread finds the lock taken and waits.
    fn waits(&mut self, thread: usize, lock: u32, line: u32) {
        let path = self.finding.threads[thread].path.to_string();
        self.step(&path, lock, ("lock", None, line), Effect::Kept(1));
        self.step(
            &path,
            lock,
            ("lock", Some("lock_slow"), line),
            Effect::Changed { from: 1, to: 3 },
        );
        let number = self.stack("lock", Some("lock_slow"), line);
        self.finding.stacks.threads[thread] = Some(number);
        let FindingKind::Stuck { waits, .. } = &mut self.finding.kind else { unreachable!() };
        waits.push(Wait {
            thread: self.finding.threads[thread].clone(),
            kind: OperationKind::FutexWoken,
            object: None,
            at: at("src/shop.rs", line),
            for_threads: Vec::new(),
            holds: Vec::new(),
        });
    }

    fn told(mut self) -> Finding {
        locks::explain(&mut self.finding, &self.stacks);
        self.finding
    }
}

fn holders(finding: &Finding) -> Vec<(u32, ThreadPath)> {
    let locks = finding.stacks.locks.iter();
    locks.flat_map(|lock| lock.holders.iter().map(|by| (lock.atomic, by.thread.clone()))).collect()
}

#[test]
fn threads_that_wait_for_each_others_locks_are_a_deadlock() {
    let mut story = Story::new();
    story.takes("0", 1, 10);
    story.takes("1", 2, 20);
    story.waits(0, 2, 11);
    story.waits(1, 1, 21);
    let finding = story.told();
    let FindingKind::Deadlock { cycle } = &finding.kind else { panic!("{:?}", finding.kind) };
    assert_eq!(cycle.len(), 2);
    let lines: Vec<_> = finding.stacks.locks.iter().map(|lock| &lock.holders[0].at).collect();
    assert_eq!(lines, [&Some(at("src/shop.rs", 10)), &Some(at("src/shop.rs", 20))]);
}

#[test]
fn a_thread_that_takes_its_own_lock_again_is_a_double_lock() {
    let mut story = Story::new();
    story.takes("0", 1, 10);
    story.waits(0, 1, 11);
    let finding = story.told();
    assert!(matches!(finding.kind, FindingKind::DoubleLock { .. }), "{:?}", finding.kind);
}

#[test]
fn a_lock_that_was_given_back_is_held_by_nobody() {
    let mut story = Story::new();
    story.takes("0", 1, 10);
    story.step("0", 1, ("unlock", None, 12), Effect::Changed { from: 1, to: 0 });
    story.waits(1, 1, 21);
    let finding = story.told();
    assert_eq!(holders(&finding), []);
    assert!(matches!(finding.kind, FindingKind::Stuck { .. }));
}

#[test]
fn of_a_lock_that_is_used_in_an_unknown_way_nothing_is_claimed() {
    let mut story = Story::new();
    story.takes("0", 1, 10);
    story.takes("1", 2, 20);
    story.step("1", 1, ("try_lock_for", None, 30), Effect::Kept(1));
    story.waits(0, 2, 11);
    story.waits(1, 1, 21);
    let finding = story.told();
    assert_eq!(holders(&finding), [(2, "1".parse().expect("a path"))]);
    assert!(matches!(finding.kind, FindingKind::Stuck { .. }), "{:?}", finding.kind);
}

#[test]
fn of_an_execution_that_is_told_in_part_nothing_is_claimed() {
    let mut story = Story::new();
    story.finding.before = 1;
    story.takes("0", 1, 10);
    story.waits(0, 1, 11);
    let finding = story.told();
    assert!(finding.stacks.locks.is_empty());
    assert!(matches!(finding.kind, FindingKind::Stuck { .. }));
}

//! Written schedules under control: what can not be kept is found, seen again and made short, whatever
//! the strategy.

use crate::help::{exhaustive, finding, portfolio, silent};
use selvedge::sync::atomic::{AtomicU32, Ordering::SeqCst};
use selvedge::sync::mpsc::channel;
use selvedge::sync::{Arc, Condvar, Mutex};
use selvedge::{
    Builder, Finding, FindingKind, GuidedMetric, Replayed, Stopped, StrategyName, Toggle, event,
    thread,
};
use std::collections::VecDeque;

/// Blocks who takes from it while it is empty.
#[derive(Default)]
struct Queue {
    items: Mutex<VecDeque<u32>>,
    changed: Condvar,
}

impl Queue {
    fn add(&self, item: u32) {
        self.items.lock().unwrap().push_back(item);
        self.changed.notify_all();
    }

    fn take(&self) -> u32 {
        let items = self.items.lock().unwrap();
        let mut items = self.changed.wait_while(items, |items| items.is_empty()).unwrap();
        items.pop_front().unwrap()
    }
}

/// The test of the first figure of the paper that schedules come from.
fn take_with_add() {
    let queue = Arc::new(Queue::default());
    let theirs = Arc::clone(&queue);
    let adds = thread::spawn(move || {
        theirs.add(1);
        event!(finished_add1);
        event!(starting_add2);
        theirs.add(2);
    });
    event!(starting_take1);
    assert_eq!(queue.take(), 1);
    event!(starting_take2);
    assert_eq!(queue.take(), 2);
    adds.join().unwrap();
}

const KEPT: &str = "finished_add1 -> starting_take1, [starting_take2] -> starting_add2";

/// Who adds does not block.
const NOT_KEPT: &str = "[finished_add1] -> starting_take1";

fn strategies() -> impl Iterator<Item = StrategyName> {
    use StrategyName::{
        Exhaustive, Guided, Pct, Portfolio, Pos, Random, RoundRobin, Surw, Tsa, TsaH, Urw,
    };
    [Portfolio, Random, Pct(2), Pct(3), Pos, Surw, Urw, Tsa, TsaH, RoundRobin, Exhaustive]
        .into_iter()
        .chain(GuidedMetric::ALL.map(Guided))
}

/// Runs a program along the schedule of a finding, by way of its text.
#[track_caller]
fn again(found: &Finding, written: &str, program: impl Fn() + Send + Sync + 'static) -> Finding {
    let text = found.schedule.to_string();
    let report = Builder::new().set("replay", &text).schedule(written).explore(program).unwrap();
    assert_eq!((report.executions, &report.stopped), (1, &Stopped::Found), "{text}");
    report.finding.expect("what has stopped it")
}

#[test]
fn every_strategy_keeps_the_schedule() {
    for strategy in strategies() {
        let report = silent(portfolio(300).strategy(strategy).schedule(KEPT), take_with_add);
        assert!(report.executions > 1, "{strategy}");
    }
}

#[test]
fn ten_thousand_of_ten_thousand_executions_keep_the_schedule() {
    for strategy in [StrategyName::Random, StrategyName::Pct(3), StrategyName::Portfolio] {
        let builder = portfolio(10_000).strategy(strategy).schedule(KEPT);
        let report = silent(builder, || {
            // Not seen by the engine: what the test itself notes has to agree with the schedule.
            let order = Arc::new(std::sync::Mutex::new(Vec::new()));
            let note = |order: &std::sync::Mutex<Vec<_>>, what| order.lock().unwrap().push(what);
            let queue = Arc::new(Queue::default());
            let (theirs, their_order) = (Arc::clone(&queue), Arc::clone(&order));
            let adds = thread::spawn(move || {
                theirs.add(1);
                note(&their_order, "finished_add1");
                event!(finished_add1);
                event!(starting_add2);
                note(&their_order, "starting_add2");
                theirs.add(2);
            });
            event!(starting_take1);
            note(&order, "starting_take1");
            assert_eq!(queue.take(), 1);
            note(&order, "starting_take2");
            event!(starting_take2);
            assert_eq!(queue.take(), 2);
            adds.join().unwrap();
            let expected = ["finished_add1", "starting_take1", "starting_take2", "starting_add2"];
            assert_eq!(*order.lock().unwrap(), expected);
        });
        assert_eq!(report.executions, 10_000, "{strategy}");
    }
}

#[test]
fn all_interleavings_of_a_schedule_are_proved() {
    let report = silent(exhaustive(1_000_000).schedule(KEPT), take_with_add);
    assert_eq!(report.stopped, Stopped::Exhausted);
    let free = silent(exhaustive(1_000_000), take_with_add);
    assert!(report.executions < free.executions, "{} {}", report.executions, free.executions);
}

#[test]
fn what_can_not_be_kept_is_found_by_every_strategy_and_replays() {
    for strategy in strategies() {
        for shrink in [Toggle::On, Toggle::Off] {
            let builder = portfolio(1_000).strategy(strategy).shrink(shrink);
            let found = finding(builder.schedule(NOT_KEPT), take_with_add);
            assert_eq!(found.kind.name(), "infeasible", "{strategy}");
            assert_eq!(found.replayed, Replayed::Yes, "{strategy}");
            let again = again(&found, NOT_KEPT, take_with_add);
            assert_eq!((&again.kind, &again.steps), (&found.kind, &found.steps), "{strategy}");
        }
    }
}

#[test]
fn the_explanation_says_who_is_held_and_why() {
    let found = finding(portfolio(100).schedule(NOT_KEPT), take_with_add);
    let text = selvedge::report::explain(
        &found,
        selvedge::report::Context::default(),
        selvedge::report::Style::default(),
        &selvedge::report::NoSources,
    );
    for line in [
        "infeasible schedule: 1 thread is held for ever",
        "the schedule: [finished_add1] -> starting_take1",
        "is held before starting_take1",
        "finished_add1 of thread 1",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// Two add to a number that is no atomic one; whether both count depends on the order.
fn lost_update() {
    let number = Arc::new(AtomicU32::new(0));
    let theirs = Arc::clone(&number);
    let other = thread::spawn(move || {
        let read = theirs.load(SeqCst);
        event!(other_has_read);
        theirs.store(read + 1, SeqCst);
        event!(other_has_written);
    });
    event!(main_reads);
    let read = number.load(SeqCst);
    event!(main_writes);
    number.store(read + 1, SeqCst);
    other.join().unwrap();
    assert_eq!(number.load(SeqCst), 2);
}

#[test]
fn a_schedule_makes_a_test_fail_or_pass_in_every_execution() {
    let wrong = "other_has_read -> main_reads, main_writes -> other_has_written";
    let report = exhaustive(10_000).schedule(wrong).explore(lost_update).unwrap();
    let found = report.finding.expect("an update is lost");
    assert!(matches!(found.kind, FindingKind::Panic(_)));
    assert_eq!(again(&found, wrong, lost_update).steps, found.steps);
    let right = exhaustive(10_000).schedule("other_has_written -> main_reads");
    assert_eq!(silent(right, lost_update).stopped, Stopped::Exhausted);
}

#[test]
fn whoever_only_checks_finds_the_other_order_and_it_replays() {
    let check = |builder: Builder| builder.check_schedule("other_has_written -> main_reads");
    let program = || {
        let (sender, receiver) = channel();
        let other = thread::spawn(move || {
            event!(other_has_written);
            sender.send(()).unwrap();
        });
        event!(main_reads);
        receiver.recv().unwrap();
        other.join().unwrap();
    };
    let found = finding(check(portfolio(1_000)), program);
    let FindingKind::Panic(panic) = &found.kind else { panic!("{:?}", found.kind) };
    assert!(panic.message.contains("other_has_written -> main_reads"), "{}", panic.message);
    let text = found.schedule.to_string();
    let report = check(Builder::new().set("replay", &text)).explore(program).unwrap();
    assert_eq!(report.finding.expect("it was found").steps, found.steps);
}

#[test]
fn whoever_explores_under_control_is_explored_from_outside() {
    // As under `cargo selvedge test`, where the command's engine runs what the library was to run.
    let nested = |schedule: &'static str| {
        move || Builder::new().schedule(schedule).executions(1_000).check(lost_update)
    };
    let right = silent(portfolio(100), nested("other_has_written -> main_reads"));
    assert_eq!((right.executions, right.threads), (100, 2));
    let found = finding(portfolio(100), nested("other_has_read -> main_reads"));
    assert!(matches!(found.kind, FindingKind::Panic(_)), "{:?}", found.kind);
}

//! Seeing a finding again.

use super::{abba, lost_update};
use crate::help::{finding, outcomes, panic_message, portfolio};
use selvedge::sync::atomic::Ordering::SeqCst;
use selvedge::sync::atomic::{AtomicU32, AtomicU64};
use selvedge::sync::mpsc::channel;
use selvedge::sync::{Arc, Condvar, Mutex};
use selvedge::{
    Builder, Choice, Finding, GuidedMetric, Rate, Replayed, Stopped, StrategyName, Toggle, thread,
};
use std::time::Duration;

/// Runs a program along the schedule of a finding, by way of its text.
#[track_caller]
fn again(found: &Finding, program: impl Fn() + Send + Sync + 'static) -> Finding {
    let text = found.schedule.to_string();
    let report = Builder::new().set("replay", &text).explore(program).unwrap();
    assert_eq!((report.executions, &report.stopped), (1, &Stopped::Found), "{text}");
    report.finding.expect("what has stopped it")
}

#[test]
fn a_replay_shows_the_same_finding_with_the_same_steps() {
    for program in [lost_update, abba] {
        for shrink in [Toggle::On, Toggle::Off] {
            let found = finding(portfolio(1_000).shrink(shrink), program);
            assert_eq!(found.replayed, Replayed::Yes);
            for _ in 0..2 {
                let again = again(&found, program);
                assert_eq!(again.kind, found.kind);
                assert_eq!(again.steps, found.steps);
                assert_eq!(again.threads, found.threads);
                assert_eq!(again.panics, found.panics);
                assert_eq!(again.schedule, found.schedule);
            }
        }
    }
}

#[test]
fn every_strategy_finds_the_lost_update_and_its_finding_replays() {
    use StrategyName::{
        Exhaustive, Guided, Pct, Portfolio, Pos, Random, RoundRobin, Surw, Tsa, TsaH, Urw,
    };
    let guided = GuidedMetric::ALL.map(Guided);
    let others =
        [Portfolio, Random, Pct(2), Pct(3), Pos, Surw, Urw, Tsa, TsaH, RoundRobin, Exhaustive];
    for strategy in others.into_iter().chain(guided) {
        let found = finding(portfolio(1_000).strategy(strategy).shrink(Toggle::Off), lost_update);
        assert_eq!(found.replayed, Replayed::Yes, "{strategy}");
        assert_eq!(again(&found, lost_update).steps, found.steps, "{strategy}");
    }
}

#[test]
fn replay_panics_with_what_went_wrong() {
    let found = finding(portfolio(1_000), lost_update);
    let text = found.schedule.to_string();
    let message = panic_message(|| selvedge::replay(&text, lost_update));
    assert!(message.contains("an update was lost"), "{message}");
}

#[test]
fn replaying_the_undisturbed_course_passes_silently() {
    selvedge::replay("selvedge/1", lost_update);
    let report = Builder::new().set("replay", "selvedge/1").explore(lost_update).unwrap();
    assert_eq!((report.executions, report.stopped), (1, Stopped::Replayed));
}

/// The program fails only because of such a choice, which its schedule names.
#[track_caller]
fn replays(builder: Builder, choice: fn(&Choice) -> bool, program: fn()) {
    let found = finding(builder, program);
    let decisions = &found.schedule.decisions;
    assert!(decisions.iter().any(|decision| choice(&decision.choice)), "{}", found.schedule);
    assert_eq!(again(&found, program).steps, found.steps);
}

#[test]
fn a_timeout_is_part_of_the_schedule() {
    replays(
        portfolio(1_000),
        |choice| *choice == Choice::Timeout,
        || {
            let (sender, receiver) = channel();
            let producer = thread::spawn(move || sender.send(1).unwrap());
            receiver.recv_timeout(Duration::from_secs(1)).unwrap();
            producer.join().unwrap();
        },
    );
}

#[test]
fn a_spurious_wake_up_is_part_of_the_schedule() {
    replays(
        portfolio(1_000),
        |choice| *choice == Choice::Spurious,
        || {
            let flag = Arc::new((Mutex::new(false), Condvar::new()));
            let theirs = Arc::clone(&flag);
            let raiser = thread::spawn(move || {
                *theirs.0.lock().unwrap() = true;
                theirs.1.notify_one();
            });
            let mut raised = flag.0.lock().unwrap();
            if !*raised {
                raised = flag.1.wait(raised).unwrap();
            }
            assert!(*raised);
            drop(raised);
            raiser.join().unwrap();
        },
    );
}

#[test]
fn a_weak_failure_is_part_of_the_schedule() {
    replays(
        // A test without a second thread is repeated only if faults are asked for.
        portfolio(1_000).weak_cas(Rate::Eager),
        |choice| *choice == Choice::WeakFailure,
        || {
            let value = AtomicU32::new(0);
            value.compare_exchange_weak(0, 1, SeqCst, SeqCst).unwrap();
        },
    );
}

/// Two threads wait in the order of their numbers; says which one a notification wakes.
fn woken_first() -> usize {
    // Who has come to wait and who has been woken, a bell to wake them and one for progress.
    let room = Arc::new((Mutex::new((0, Vec::new())), Condvar::new(), Condvar::new()));
    let sleepers = [0, 1].map(|number| {
        let room = Arc::clone(&room);
        thread::spawn(move || {
            let (state, bell, progress) = &*room;
            let mut people = progress.wait_while(state.lock().unwrap(), |p| p.0 != number).unwrap();
            people.0 += 1;
            progress.notify_all();
            people = bell.wait(people).unwrap();
            people.1.push(number);
            progress.notify_all();
        })
    });
    let (state, bell, progress) = &*room;
    let mut people = progress.wait_while(state.lock().unwrap(), |p| p.0 < 2).unwrap();
    for woken in 1..=2 {
        bell.notify_one();
        people = progress.wait_while(people, |p| p.1.len() < woken).unwrap();
    }
    let first = people.1[0];
    drop(people);
    sleepers.into_iter().for_each(|sleeper| sleeper.join().unwrap());
    first
}

#[test]
fn the_waiter_that_is_woken_is_part_of_the_schedule() {
    let calm = portfolio(1_000).spurious(Rate::Off);
    replays(calm, |choice| *choice == Choice::Wake(1), || assert_eq!(woken_first(), 0));
}

/// What else a program does, none of which concerns what its schedule is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edit {
    /// Nothing.
    None,
    /// Operations on objects of its own, before, between and after those that matter.
    Private,
    /// As before, and another thread that minds its own business.
    Bystander,
}

/// The lost update with more going on.
fn edited(edit: Edit) {
    let counter = Arc::new(AtomicU32::new(0));
    let theirs = Arc::clone(&counter);
    let something_else = move || {
        if edit != Edit::None {
            let log = AtomicU64::new(0);
            (0..3).for_each(|n| log.store(n, SeqCst));
            drop(Mutex::new(0).lock().unwrap());
        }
    };
    something_else();
    let adder = thread::spawn(move || {
        something_else();
        let seen = theirs.load(SeqCst);
        something_else();
        theirs.store(seen + 1, SeqCst);
        something_else();
    });
    let bystander = (edit == Edit::Bystander).then(|| {
        thread::spawn(|| {
            let (sender, receiver) = channel();
            sender.send(1).unwrap();
            assert_eq!(receiver.recv(), Ok(1));
        })
    });
    let seen = counter.load(SeqCst);
    something_else();
    counter.store(seen + 1, SeqCst);
    adder.join().unwrap();
    bystander.into_iter().for_each(|bystander| bystander.join().unwrap());
    assert_eq!(counter.load(SeqCst), 2, "an update was lost");
}

#[test]
fn a_schedule_survives_edits_that_do_not_touch_its_operations() {
    let edits = [(Edit::None, Edit::Private), (Edit::None, Edit::Bystander)];
    for (old, new) in edits.into_iter().chain([(Edit::Private, Edit::Bystander)]) {
        for seed in 0..10 {
            let before = finding(portfolio(1_000).seed(seed), move || edited(old));
            let after = again(&before, move || edited(new));
            assert!(after.kind.same_problem(&before.kind), "{}", before.schedule);
            assert!(after.steps.len() > before.steps.len(), "the edited program does more");
        }
    }
}

#[test]
fn a_schedule_works_for_every_setting_of_the_exploration() {
    // The schedule alone says what happens, whatever the settings say about faults.
    let found = finding(portfolio(1_000), lost_update);
    let text = found.schedule.to_string();
    for rate in [Rate::Off, Rate::Eager] {
        let builder = Builder::new().timeouts(rate).spurious(rate).weak_cas(rate).seed(99);
        let report = builder.set("replay", &text).explore(lost_update).unwrap();
        assert_eq!(report.finding.expect("the lost update").steps, found.steps);
    }
}

#[test]
fn a_schedule_holds_the_same_for_programs_with_random_hashing() {
    // Whatever order a hash map has, the operations are the same.
    let program = || {
        let words = std::collections::HashMap::from([("a", 1), ("b", 2), ("c", 3), ("d", 4)]);
        let order: Vec<_> = words.keys().copied().collect();
        lost_update();
        order
    };
    let run = || outcomes(portfolio(200).seed(3), program);
    let ((_, first), (_, second)) = (run(), run());
    assert_eq!(first.executions, second.executions);
    assert_eq!(first.steps, second.steps);
    assert!(first.finding.is_some());
    assert_eq!(first.finding, second.finding);
}

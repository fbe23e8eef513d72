//! Whoever lets threads do only what is permitted keeps the schedule, whatever the threads are about
//! to do.

use crate::generate::{EVENTS, Numbers, schedules};
use crate::model::{ALIKE, APART, Names};
use crate::reference::is_violated;
use selvedge_spec::{Action, Letter, Monitor, Permission, Spec, ThreadKey};

/// What each thread does, one after the other.
type Programs = [Vec<Action<'static>>; 3];

fn programs(numbers: &mut Numbers) -> Programs {
    std::array::from_fn(|_| {
        let mut program = vec![Action::Start];
        for _ in 0..numbers.below(6) {
            match numbers.below(4) {
                0 => program.extend([Action::Block, Action::Unblock]),
                _ => program.push(Action::Event(numbers.one_of(&EVENTS))),
            }
        }
        program.push(Action::End);
        program
    })
}

struct Run {
    trace: Vec<Letter<'static>>,
    /// Whether all programs came to their end.
    is_complete: bool,
    /// How often something happened only because nothing else could.
    when_quiet: usize,
}

/// Lets the threads do what they are permitted, in some order.
fn run(spec: &Spec, programs: &Programs, names: Names, numbers: &mut Numbers) -> Run {
    let mut monitor = Monitor::new(spec);
    let mut at = [0; 3];
    let mut trace = Vec::new();
    let mut when_quiet = 0;
    loop {
        let next = (0..3).filter_map(|index| {
            let action = *programs[index].get(at[index])?;
            let thread = ThreadKey(u32::try_from(index).expect("three"));
            Some((index, Letter { action, thread, name: names[index] }))
        });
        let next: Vec<_> = next.collect();
        let permitted = |permission: Permission| {
            let is_permitted = |letter: &Letter<'_>| match letter.action {
                // These happen by themselves.
                Action::Block | Action::Unblock => permission == Permission::Now,
                _ => monitor.permission(letter) == permission,
            };
            next.iter().filter(|(_, letter)| is_permitted(letter)).copied().collect::<Vec<_>>()
        };
        let mut can = permitted(Permission::Now);
        if can.is_empty() {
            can = permitted(Permission::WhenQuiet);
            when_quiet += usize::from(!can.is_empty());
        }
        if can.is_empty() {
            return Run { trace, is_complete: next.is_empty(), when_quiet };
        }
        let (index, letter) = numbers.one_of(&can);
        at[index] += 1;
        let violations = monitor.step(&letter, None);
        assert!(violations.is_empty(), "{spec}: {violations:?}");
        trace.push(letter);
    }
}

#[test]
fn what_is_permitted_never_violates_the_schedule() {
    let mut numbers = Numbers::new(4);
    let specs: Vec<_> =
        schedules(4, 500).into_iter().filter(|spec| spec.enforceable().is_ok()).collect();
    assert!(specs.len() > 250, "{} schedules", specs.len());
    let mut complete = 0;
    let mut when_quiet = 0;
    for spec in &specs {
        for _ in 0..10 {
            let names = numbers.one_of(&[APART, ALIKE]);
            let run = run(spec, &programs(&mut numbers), names, &mut numbers);
            assert!(!is_violated(spec, &run.trace), "{spec}: {:?}", run.trace);
            complete += usize::from(run.is_complete);
            when_quiet += run.when_quiet;
        }
    }
    // The property says nothing if everything is held for ever.
    assert!(complete > specs.len(), "{complete} executions came to their end");
    assert!(when_quiet > 50, "{when_quiet} promises were made");
}

#[test]
fn every_occurrence_before_an_event_is_let_go_first() {
    let spec = Spec::parse("a#* -> b").expect("it is a schedule");
    let programs = [vec![Action::Event("b")], vec![Action::Event("a"), Action::Event("a")], vec![]];
    for seed in 0..20 {
        let run = run(&spec, &programs, APART, &mut Numbers::new(seed));
        let actions: Vec<_> = run.trace.iter().map(|letter| letter.action).collect();
        assert_eq!(actions, [Action::Event("a"), Action::Event("a"), Action::Event("b")]);
    }
}

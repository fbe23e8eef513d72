//! Runs a table and collects what is told.

use selvedge_harness::{GenerateOrder, GenerateSummary, Judging, Level, Steering, Told, Violation};
use selvedge_interpret::{
    Call, Context, Effect, Failing, Polling, Receiver, Results, Role, Table, explore,
};
use std::time::Duration;

/// What came of a table.
pub(crate) struct Came {
    pub(crate) violations: Vec<Violation>,
    pub(crate) summary: GenerateSummary,
}

impl Came {
    pub(crate) fn findings(&self) -> Vec<&Violation> {
        self.violations.iter().filter(|one| one.level == Level::Finding).collect()
    }
}

pub(crate) fn order(tests: u64) -> GenerateOrder {
    GenerateOrder {
        seed: 1,
        time: Duration::from_secs(600),
        tests,
        schedules: 10,
        steering: Steering::Covering,
        judging: Judging::On,
        length: None,
        findings: 1,
        without: Vec::new(),
    }
}

pub(crate) fn run(table: &'static Table, order: &GenerateOrder) -> Came {
    let (mut violations, mut summary) = (Vec::new(), None);
    explore(table, order, |told| {
        match told {
            Told::Found(violation) => violations.push(*violation),
            Told::Done(done) => summary = Some(*done),
            Told::Trying(_) | Told::Testing(_) | Told::Alive(_) => {}
        }
        Ok(())
    })
    .expect("nobody refuses to listen");
    Came { violations, summary: summary.expect("it comes to its end") }
}

/// A call that borrows the object and promises everything.
pub(crate) const fn call(
    name: &'static str,
    arguments: &'static [Role],
    call: fn(&mut Context),
) -> Call {
    Call {
        name,
        arguments,
        part: 0,
        receiver: Receiver::Shared,
        results: Results::Exact,
        effect: Effect::Atomic,
        failing: Failing::ForAReason,
        polling: Polling::No,
        call,
    }
}

//! A coverage metric of one's own: at which places a lock came straight from another thread.

use selvedge::coverage::{Facts, Found, Metric, PartKind, tuple};
use selvedge::sync::{Arc, Mutex};
use selvedge::{Builder, StrategyName, thread};
use std::collections::BTreeMap;

/// Counts hand-overs: (place, lock) is covered when somebody else had the lock last.
#[derive(Default)]
struct HandOvers {
    /// Who took each lock last.
    last: BTreeMap<u32, u32>,
}

impl Metric for HandOvers {
    fn name(&self) -> String {
        "hand-overs".to_owned()
    }

    fn parts(&self) -> Vec<PartKind> {
        vec![PartKind::Site("taken at"), PartKind::Object("from another thread:")]
    }

    fn begin(&mut self) {
        self.last.clear();
    }

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        for fact in facts.locks() {
            let before = self.last.insert(fact.object, fact.thread);
            if before.is_some_and(|thread| thread != fact.thread) {
                found.add(tuple([fact.site, fact.object]));
            }
        }
    }
}

fn transfer() {
    let accounts = Arc::new([Mutex::new(10), Mutex::new(0)]);
    let theirs = Arc::clone(&accounts);
    let other = thread::spawn(move || *theirs[1].lock().unwrap() += 5);
    *accounts[0].lock().unwrap() -= 5;
    *accounts[1].lock().unwrap() += 5;
    other.join().unwrap();
    assert_eq!(*accounts[1].lock().unwrap(), 10);
}

#[expect(clippy::print_stdout, reason = "an example prints what it has found")]
fn main() {
    print!("{}", tell());
}

/// What the metric has seen of the transfer.
pub(crate) fn tell() -> String {
    let builder = Builder::new().strategy(StrategyName::Exhaustive).metric(|| {
        let metric: Box<dyn Metric> = Box::new(HandOvers::default());
        metric
    });
    let report = builder.explore(transfer).expect("the settings are right");
    let mut text = String::new();
    for metric in &report.coverage {
        text += &format!("{}: {} covered\n", metric.metric, metric.covered.len());
        for requirement in &metric.covered {
            text += &format!("  {requirement}\n");
        }
    }
    text
}

//! Warnings.

use super::{Lines, PLAIN, check_text};
use crate::{untold, warning};
use selvedge_model::{
    Confidence, DetectorName, ObjectKind, ObjectName, OperationKind, Place, Role, Schedule, Source,
    ThreadPath, ThreadReport, Treatment, Trouble, Warning,
};

fn role(thread: u32, does: &str, mutex: u32, line: u32) -> Role {
    let name = (thread == 1).then(|| "seller".to_owned());
    Role {
        thread: ThreadReport { path: ThreadPath::main().child(thread), name, spawned: None },
        does: does.to_owned(),
        kind: Some(OperationKind::MutexLock),
        object: Some(ObjectName { kind: ObjectKind::Mutex, number: mutex, created: None }),
        at: Place::Line(Source { file: "src/shop.rs".to_owned(), line, column: 5 }),
    }
}

fn predicted(treatment: Treatment) -> Warning {
    Warning {
        kind: Trouble::Deadlock,
        detector: DetectorName::Deadlock,
        summary: "2 threads can come to wait for each other".to_owned(),
        witness: vec![
            role(1, "holds", 1, 3),
            role(1, "waits for", 2, 4),
            role(2, "holds", 2, 8),
            role(2, "waits for", 1, 9),
        ],
        confidence: Confidence::Predicted,
        treatment,
    }
}

#[test]
fn a_prediction_says_who_does_what_and_what_was_tried() {
    let text = warning(
        &predicted(Treatment::Unconfirmed { executions: 300 }),
        PLAIN,
        &Lines(&[(4, "let stock = self.stock.lock().unwrap();")]),
    );
    check_text(
        &text,
        "
warning: predicted deadlock: 2 threads can come to wait for each other

  thread 1 'seller'
    holds mutex 1      src/shop.rs:3:5
    waits for mutex 2  src/shop.rs:4:5  let stock = self.stock.lock().unwrap();
  thread 2
    holds mutex 2      src/shop.rs:8:5
    waits for mutex 1  src/shop.rs:9:5

  = note: no execution failed like this: 300 executions tried to bring it about (detector deadlock)
",
    );
}

#[test]
fn what_has_become_a_finding_is_told_by_the_finding() {
    let warnings = [
        predicted(Treatment::Untried),
        predicted(Treatment::Confirmed { schedule: Schedule::default() }),
    ];
    assert_eq!(untold(&warnings).count(), 1);
}

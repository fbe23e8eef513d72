//! Blocks that are meant to happen in one go, variables that belong together, and who waits long.

use super::{Program, after_many, both};
use selvedge::sync::atomic::{AtomicU32, Ordering::SeqCst};
use selvedge::sync::{Arc, Mutex};
use selvedge::{Confidence, Trouble, Warning, atomically, belong_together, thread};

fn told(detector: &str, program: Program) -> Vec<Warning> {
    let report = after_many(detector, program);
    assert!(report.finding.is_none(), "{:?}", report.finding);
    report.warnings
}

#[track_caller]
fn one(detector: &str, program: Program, confidence: Confidence) -> Warning {
    let mut warnings = told(detector, program);
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    let warning = warnings.remove(0);
    assert_eq!((warning.kind, warning.confidence), (Trouble::AtomicityViolation, confidence));
    warning
}

#[track_caller]
fn is_silent(detector: &str, program: Program) {
    let warnings = told(detector, program);
    assert!(warnings.is_empty(), "{warnings:#?}");
}

/// Looks, gives the lock back, and changes.
fn in_two_sections(balance: &Mutex<u32>) {
    atomically(|| {
        let seen = *balance.lock().unwrap();
        *balance.lock().unwrap() = seen + 1;
    });
}

fn in_one_section(balance: &Mutex<u32>) {
    atomically(|| {
        let mut balance = balance.lock().unwrap();
        *balance += 1;
    });
}

#[test]
fn a_block_that_gives_its_lock_back_in_the_middle_does_not_reduce() {
    let warning = one(
        "reduction",
        || both(Mutex::new(0), in_two_sections, in_one_section),
        Confidence::Predicted,
    );
    let does: Vec<_> = warning.witness.iter().map(|role| role.does.as_str()).collect();
    assert_eq!(does, ["begins a block", "lets others see a part of it with", "then goes on with"]);
}

#[test]
fn two_uses_of_an_unprotected_atomic_do_not_reduce() {
    one(
        "reduction",
        || {
            both(
                AtomicU32::new(0),
                |hits| atomically(|| hits.store(hits.load(SeqCst) + 1, SeqCst)),
                |hits| hits.store(9, SeqCst),
            );
        },
        Confidence::Predicted,
    );
}

#[test]
fn blocks_with_one_section_or_one_use_reduce() {
    is_silent("reduction", || both(Mutex::new(0), in_one_section, in_one_section));
    is_silent("reduction", || {
        both(
            AtomicU32::new(0),
            |hits| atomically(|| _ = hits.fetch_add(1, SeqCst)),
            |hits| atomically(|| _ = hits.fetch_add(1, SeqCst)),
        );
    });
}

#[test]
fn nested_locks_and_protected_atomics_reduce() {
    is_silent("reduction", || {
        both(
            (Mutex::new(()), Mutex::new(()), AtomicU32::new(0)),
            |(a, b, hits)| {
                atomically(|| {
                    let _a = a.lock().unwrap();
                    let _b = b.lock().unwrap();
                    hits.store(hits.load(SeqCst) + 1, SeqCst);
                });
            },
            |(a, _, hits)| {
                let _a = a.lock().unwrap();
                hits.store(hits.load(SeqCst) + 1, SeqCst);
            },
        );
    });
}

#[test]
fn a_section_that_takes_an_inner_lock_twice_is_told_without_marks() {
    one(
        "reduction",
        || {
            both(
                (Mutex::new(()), Mutex::new(0)),
                |(outer, inner)| {
                    let _outer = outer.lock().unwrap();
                    let seen = *inner.lock().unwrap();
                    *inner.lock().unwrap() = seen + 1;
                },
                |(_, inner)| *inner.lock().unwrap() += 1,
            );
        },
        Confidence::Predicted,
    );
    is_silent("reduction", || {
        both(
            (Mutex::new(()), Mutex::new(0), Mutex::new(0)),
            |(outer, one, two)| {
                let _outer = outer.lock().unwrap();
                *one.lock().unwrap() += 1;
                *two.lock().unwrap() += 1;
            },
            |(_, one, _)| *one.lock().unwrap() += 1,
        );
    });
}

#[test]
fn a_block_that_another_one_came_into_is_no_transaction() {
    let warning = one(
        "velodrome",
        || {
            both(
                Mutex::new(0),
                |balance| {
                    atomically(|| {
                        drop(balance.lock().unwrap());
                        drop(balance.lock().unwrap());
                    });
                },
                |balance| drop(balance.lock().unwrap()),
            );
        },
        Confidence::Happened,
    );
    assert!(warning.summary.contains("atomicity.rs"), "{}", warning.summary);
}

#[test]
fn two_blocks_that_come_into_each_other_are_no_transactions() {
    let warnings = told("velodrome", || {
        both(
            (AtomicU32::new(0), AtomicU32::new(0)),
            |(a, b)| {
                atomically(|| {
                    a.store(1, SeqCst);
                    b.store(1, SeqCst);
                });
            },
            |(a, b)| {
                atomically(|| {
                    a.store(2, SeqCst);
                    b.store(2, SeqCst);
                });
            },
        );
    });
    assert!(!warnings.is_empty());
    assert!(warnings.iter().all(|warning| warning.confidence == Confidence::Happened));
}

#[test]
fn blocks_that_only_look_like_interrupted_are_transactions() {
    // Others read what the block reads, or come in between without touching what it uses.
    is_silent("velodrome", || {
        both(
            (AtomicU32::new(0), AtomicU32::new(0)),
            |(a, _)| atomically(|| _ = a.load(SeqCst) + a.load(SeqCst)),
            |(a, b)| {
                atomically(|| {
                    a.load(SeqCst);
                    b.store(1, SeqCst);
                });
            },
        );
    });
    is_silent("velodrome", || both(Mutex::new(0), in_one_section, in_one_section));
}

#[test]
fn a_message_out_of_a_block_and_back_is_no_transaction() {
    one(
        "velodrome",
        || {
            let (question, questions) = selvedge::sync::mpsc::channel();
            let (answer, answers) = selvedge::sync::mpsc::channel();
            let server = thread::spawn(move || {
                questions.recv().unwrap();
                answer.send(()).unwrap();
            });
            atomically(|| {
                question.send(()).unwrap();
                answers.recv().unwrap();
            });
            server.join().unwrap();
        },
        Confidence::Happened,
    );
}

#[test]
fn a_part_of_what_belongs_together_is_seen() {
    let warning = one(
        "atomic-sets",
        || {
            let range = Arc::new((AtomicU32::new(0), AtomicU32::new(9)));
            belong_together(&[&range.0, &range.1]);
            let theirs = Arc::clone(&range);
            let reader = thread::spawn(move || {
                atomically(|| theirs.0.load(SeqCst) + theirs.1.load(SeqCst));
            });
            atomically(|| {
                range.0.store(10, SeqCst);
                range.1.store(19, SeqCst);
            });
            reader.join().unwrap();
        },
        Confidence::Happened,
    );
    assert!(warning.summary.contains("W1 R1' R2' W2") || warning.summary.contains("R1 W1' W2' R2"));
}

#[test]
fn what_belongs_together_under_a_lock_is_whole() {
    is_silent("atomic-sets", || {
        let range = Arc::new((Mutex::new(()), AtomicU32::new(0), AtomicU32::new(9)));
        belong_together(&[&range.1, &range.2]);
        let shift = |range: Arc<(Mutex<()>, AtomicU32, AtomicU32)>| {
            atomically(|| {
                let _lock = range.0.lock().unwrap();
                range.1.fetch_add(10, SeqCst);
                range.2.fetch_add(10, SeqCst);
            });
        };
        let theirs = Arc::clone(&range);
        let other = thread::spawn(move || shift(theirs));
        shift(Arc::clone(&range));
        other.join().unwrap();
    });
}

#[test]
fn variables_that_do_not_belong_together_may_be_seen_apart() {
    is_silent("atomic-sets", || {
        let pair = Arc::new((AtomicU32::new(0), AtomicU32::new(9)));
        belong_together(&[&pair.0]);
        let theirs = Arc::clone(&pair);
        let reader = thread::spawn(move || theirs.0.load(SeqCst) + theirs.1.load(SeqCst));
        atomically(|| {
            pair.0.store(10, SeqCst);
            pair.1.store(19, SeqCst);
        });
        reader.join().unwrap();
    });
}

type Point = (Mutex<()>, AtomicU32, AtomicU32);

#[test]
fn a_point_that_is_set_as_a_whole_and_read_in_parts() {
    one(
        "views",
        || {
            both(
                Point::default(),
                |(lock, x, y)| {
                    let _lock = lock.lock().unwrap();
                    x.store(1, SeqCst);
                    y.store(1, SeqCst);
                },
                |(lock, x, y)| {
                    let x = {
                        let _lock = lock.lock().unwrap();
                        x.load(SeqCst)
                    };
                    let _lock = lock.lock().unwrap();
                    _ = x + y.load(SeqCst);
                },
            );
        },
        Confidence::Predicted,
    );
}

#[test]
fn views_that_contain_each_other_are_consistent() {
    is_silent("views", || {
        both(
            Point::default(),
            |(lock, x, y)| {
                let _lock = lock.lock().unwrap();
                x.store(1, SeqCst);
                y.store(1, SeqCst);
            },
            |(lock, x, y)| {
                {
                    let _lock = lock.lock().unwrap();
                    x.load(SeqCst);
                }
                let _lock = lock.lock().unwrap();
                _ = x.load(SeqCst) + y.load(SeqCst);
            },
        );
    });
}

#[test]
fn a_thread_that_never_gets_the_lock_is_told_of() {
    let warnings = selvedge::Builder::new()
        .strategy(selvedge::StrategyName::Pct(3))
        .executions(8)
        .set("detectors", "progress")
        .explore(|| {
            both(
                Mutex::new(0),
                |state| (0..200).for_each(|_| *state.lock().unwrap() += 1),
                |state| (0..200).for_each(|_| *state.lock().unwrap() += 1),
            );
        })
        .unwrap()
        .warnings;
    assert!(!warnings.is_empty());
    assert!(warnings.iter().all(|warning| warning.kind == Trouble::Starvation));
    let quiet = || both(Mutex::new(0), in_one_section, in_one_section);
    is_silent("progress", quiet);
}

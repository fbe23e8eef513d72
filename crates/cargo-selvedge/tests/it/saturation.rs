//! When an exploration stops, and what is said of how much was tried.

use crate::support::Project;
use std::collections::BTreeMap;

const TESTS: &str = r#"
#[cfg(test)]
mod tests {
    use std::sync::{Mutex, RwLock, mpsc};
    use std::thread;

    #[test]
    fn wrong_order() {
        let all = Mutex::new(vec![]);
        thread::scope(|s| for i in 0..4 { let all = &all; s.spawn(move || all.lock().unwrap().push(i)); });
        assert_ne!(all.into_inner().unwrap(), [3, 2, 1, 0]);
    }

    #[test]
    fn wrong_abba() {
        let (a, b, c) = (Mutex::new(0), Mutex::new(0), RwLock::new(0));
        let (a, b, c) = (&a, &b, &c);
        thread::scope(|s| {
            s.spawn(move || { let _x = a.lock().unwrap(); let _y = b.lock().unwrap(); });
            for _ in 0..2 {
                s.spawn(move || for _ in 0..2 { *c.write().unwrap() += 1 });
            }
            let _y = b.lock().unwrap();
            let _x = a.lock().unwrap();
        })
    }

    /// Stuck if the other sender comes first: nobody receives.
    #[test]
    fn wrong_full() {
        let (t, r) = mpsc::sync_channel(1);
        let m = Mutex::new(0);
        thread::scope(|s| {
            let t2 = t.clone();
            s.spawn(move || { let _ = t2.send(1); });
            for _ in 0..2 {
                s.spawn(|| for _ in 0..2 { *m.lock().unwrap() += 1 });
            }
            for _ in 0..2 { *m.lock().unwrap() += 1; }
            t.send(3).unwrap();
            drop(r);
        })
    }

    fn pushed(times: usize) -> Vec<usize> {
        let m = Mutex::new(vec![]);
        thread::scope(|s| for i in 0..3 {
            let m = &m;
            s.spawn(move || for _ in 0..times { m.lock().unwrap().push(i) });
        });
        m.into_inner().unwrap()
    }

    #[test]
    fn wrong_first_wins() { assert_ne!(pushed(3)[0], 2, "the third thread came first"); }

    #[test]
    fn right_many() { assert_eq!(pushed(3).len(), 9); }

    #[test]
    fn right_few() { assert_eq!(pushed(1).len(), 3); }

    #[test]
    fn right_alone() { assert_eq!(1 + 1, 2); }

    #[test]
    fn right_waits() {
        let (lock, set) = (Mutex::new(false), std::sync::Condvar::new());
        thread::scope(|s| {
            s.spawn(|| { *lock.lock().unwrap() = true; set.notify_one(); });
            let mut guard = lock.lock().unwrap();
            while !*guard { guard = set.wait(guard).unwrap(); }
        });
    }
}
"#;

const WRONG: [&str; 4] = ["wrong_order", "wrong_abba", "wrong_full", "wrong_first_wins"];

fn project() -> Project {
    Project::new("saturation", &[("src/lib.rs", TESTS)])
}

/// What the lines of JSON say of each test.
fn verdicts(text: &str) -> BTreeMap<String, String> {
    let of = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let word = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
        (word("test").rsplit("::").next().unwrap().to_owned(), word("verdict"))
    };
    text.lines().map(of).collect()
}

#[test]
fn it_ends_nothing_that_it_can_not_judge_and_each_verdict_has_its_name() {
    let project = project();
    let ran = project.run(["test", "--json", "out/lines", "--junit", "out/junit.xml"]);
    ran.left_with(1);
    let told = verdicts(&project.read("out/lines"));
    for wrong in WRONG {
        assert_eq!(told[wrong], "found", "{wrong}\n{ran}");
    }
    let names = ["right_many", "right_few", "right_alone", "right_waits"].map(|name| &*told[name]);
    assert_eq!(names, ["budget-used-up", "saturated", "once", "saturated"], "{ran}");
    ran.says(&["passed", "right_many", "1000 executions, budget used up"]);
    ran.says(&["passed", "right_few", "saturated after", "6 orders of operations, none new since"]);
    ran.says(&["; explored: 2 saturated (nothing new for long), 1 until the budget was used up"]);
    let junit = project.read("out/junit.xml");
    for verdict in ["budget-used-up", "saturated", "once"] {
        let property = format!("name=\"selvedge.verdict\" value=\"{verdict}\"");
        assert!(junit.contains(&property), "{property}\n{junit}");
    }
}

#[test]
fn a_search_of_all_schedules_is_not_ended_before_it_has_found_what_there_is() {
    let project = project();
    let flags = ["--strategy", "exhaustive", "--executions", "1000000", "--time", "60s"];
    let ran = project.run(["test", "wrong_full", "wrong_first_wins"].iter().chain(&flags));
    ran.left_with(1).says(&["FOUND", "wrong_full"]).says(&["FOUND", "wrong_first_wins"]);
    let flags = flags.iter().chain(&["--json", "out/searched"]);
    let ran = project.run(["test", "right_few", "right_waits"].iter().chain(flags));
    let told = verdicts(&project.read("out/searched"));
    ran.left_with(0).says(&["right_few", "exhausted: all interleavings"]);
    assert_eq!(told["right_few"], "exhausted");
    // One that wakes for no reason is tried in each execution, and not two.
    ran.says(&["right_waits", "exhausted within bounds", "spurious wake-up"]);
    assert_eq!(told["right_waits"], "exhausted-within-bounds");
}

//! Tests with written schedules: the library, beside the engine that runs the tests.

use crate::support::Project;

/// A queue, the test of it in the paper that schedules come from, and tests that are wrong.
const SOURCE: &str = r#"
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};

/// Blocks who takes from it while it is empty.
#[derive(Default)]
pub struct Queue { items: Mutex<VecDeque<u32>>, changed: Condvar }

impl Queue {
    pub fn add(&self, item: u32) {
        self.items.lock().unwrap().push_back(item);
        self.changed.notify_all();
    }

    pub fn take(&self) -> u32 {
        let items = self.items.lock().unwrap();
        self.changed.wait_while(items, |items| items.is_empty()).unwrap().pop_front().unwrap()
    }

    /// Forgets that the queue may be empty again by the time it is woken.
    pub fn take_carelessly(&self) -> u32 {
        let mut items = self.items.lock().unwrap();
        if items.is_empty() {
            items = self.changed.wait(items).unwrap();
        }
        items.pop_front().expect("nobody has taken it")
    }
}

#[cfg(test)]
mod tests {
    use super::Queue;
    use selvedge::event;
    use std::sync::Arc;
    use std::thread;

    fn take_with_add() {
        let queue = Arc::new(Queue::default());
        let theirs = queue.clone();
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

    #[selvedge::test(
        schedule = "finished_add1 -> starting_take1, [starting_take2] -> starting_add2"
    )]
    fn takes_wait_for_adds() {
        take_with_add();
    }

    #[selvedge::test(schedule = "[starting_take1] -> starting_add2, finished_add1 -> starting_take1")]
    fn nobody_blocks_there() {
        take_with_add();
    }

    #[selvedge::test(check = "finished_add1 -> starting_take1")]
    fn the_order_is_not_always_this() {
        take_with_add();
    }

    #[selvedge::test(schedule(
        one_waits = "[taking@first] -> adding, added -> taking@second",
        both_wait = "[taking@first] && [taking@second] -> adding",
    ))]
    fn two_take_one() {
        let queue = Arc::new(Queue::default());
        let take = |name: &str| {
            let queue = queue.clone();
            let takes = move || {
                event!(taking);
                queue.take_carelessly()
            };
            thread::Builder::new().name(name.to_owned()).spawn(takes).unwrap()
        };
        let takes = [take("first"), take("second")];
        event!(adding);
        queue.add(1);
        event!(added);
        if selvedge::schedule::is("both_wait") {
            queue.add(2);
        } else {
            queue.add(2);
        }
        takes.into_iter().for_each(|take| drop(take.join().unwrap()));
    }
}
"#;

fn project(name: &str) -> Project {
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/../selvedge");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dev-dependencies]\nselvedge = {{ path = {library:?} }}\n\n[workspace]\n"
    );
    // The versions are those that the rest of the workspace is tested with.
    let lock = include_str!("../../../../Cargo.lock");
    let files = [("Cargo.toml", &*manifest), ("Cargo.lock", lock), ("src/lib.rs", SOURCE)];
    Project::new(name, &files)
}

#[test]
fn a_schedule_is_kept_in_every_execution() {
    let project = project("written");
    let ran = project.run(["test", "takes_wait_for_adds"]);
    ran.left_with(0).says(&["1 explored and passed"]);
    let infeasible = project.run(["test", "nobody_blocks_there"]);
    infeasible.left_with(1).says(&["infeasible schedule: 1 thread is held for ever"]);
    println!("{infeasible}");
    project.run(["replay", &project.only_finding(), "--times", "10"]).says(&["10 of 10"]);
}

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

    #[selvedge::test(schedule = "[finished_add1] -> starting_take1")]
    fn nobody_blocks_there() {
        take_with_add();
    }

    #[selvedge::test]
    fn explored_by_whoever_runs_it() {
        take_with_add();
    }

    #[selvedge::test(check = "finished_add1 -> starting_take1")]
    fn the_order_is_not_always_this() {
        take_with_add();
    }

    fn two_take() {
        let queue = Arc::new(Queue::default());
        let take = |name: &str| {
            let queue = queue.clone();
            let takes = move || {
                event!(taking);
                let item = queue.take_carelessly();
                event!(taken);
                item
            };
            thread::Builder::new().name(name.to_owned()).spawn(takes).unwrap()
        };
        let takes = [take("first"), take("second")];
        event!(adding);
        queue.add(1);
        event!(adding_again);
        queue.add(2);
        let taken: u32 = takes.into_iter().map(|take| take.join().unwrap()).sum();
        assert_eq!(taken, 3);
    }

    #[selvedge::test(schedule(
        one_waits = "[taking@first] -> adding, taken@first -> taking@second",
        both_wait = "[taking@first] && [taking@second] -> adding",
    ))]
    fn careless() {
        assert!(selvedge::schedule::is("one_waits") || selvedge::schedule::is("both_wait"));
        two_take();
    }
}
"#;

/// One project for all of it: the library has to be compiled for each.
fn project() -> Project {
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/../selvedge");
    let manifest = format!(
        "[package]\nname = \"written\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dev-dependencies]\nselvedge = {{ path = {library:?} }}\n\n[workspace]\n"
    );
    let files = [("Cargo.toml", &*manifest), ("src/lib.rs", SOURCE)];
    let project = Project::new("written", &files);
    if !project.folder.join("Cargo.lock").exists() {
        // The versions are those that the rest of the workspace is tested with.
        project.write("Cargo.lock", include_str!("../../../../Cargo.lock"));
    }
    project
}

/// The finding is seen again ten times of ten.
fn replays(project: &Project) {
    project.run(["replay", &project.only_finding(), "--times", "10"]).says(&["10 of 10"]);
}

#[test]
fn schedules_are_kept_and_checked_by_the_engine_that_runs_the_tests() {
    let kept = project().run(["test", "takes_wait_for_adds"]);
    kept.left_with(0).says(&["1 explored and passed"]);

    let explored = project().run(["test", "explored_by_whoever_runs_it"]);
    explored.left_with(0).says(&["1 explored and passed"]);

    let not_kept = project();
    let ran = not_kept.run(["test", "nobody_blocks_there"]);
    ran.left_with(1).says(&["infeasible schedule: 1 thread is held for ever"]);
    ran.says(&["is held before starting_take1", "src/lib.rs"]);
    replays(&not_kept);

    // Of two schedules, one shows what is wrong with the program.
    let wrong = project();
    let ran = wrong.run(["test", "careless"]);
    ran.left_with(1).says(&["1 finding, 1 explored and passed"]);
    ran.says(&["careless::both_wait"]).says(&["nobody has taken it"]);
    replays(&wrong);

    let checked = project();
    let ran = checked.run(["test", "the_order_is_not_always_this"]);
    ran.left_with(1).says(&["finished_add1 -> starting_take1"]);
    replays(&checked);
}

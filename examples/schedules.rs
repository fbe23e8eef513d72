//! The queue's test with a schedule for each of its two scenarios.

#[path = "queue/src/lib.rs"]
#[expect(unreachable_pub, reason = "it is the library of a project of its own")]
mod queue;

use queue::BoundedQueue;
use selvedge::event;
use std::sync::Arc;
use std::thread;

#[selvedge::test(schedule(
    take_waits = "finished_add1 -> starting_take1, [starting_take2] -> starting_add2",
    take_finds = "finished_add1 -> starting_take1, finished_take1 -> starting_add2,
                      finished_add2 -> starting_take2",
))]
fn take_with_add() {
    let queue = Arc::new(BoundedQueue::new(1));
    let adding = Arc::clone(&queue);
    let add_thread = thread::spawn(move || {
        adding.add(1);
        event!(finished_add1);
        event!(starting_add2);
        adding.add(2);
        event!(finished_add2);
    });
    event!(starting_take1);
    assert_eq!(queue.take(), 1);
    assert!(queue.is_empty());
    event!(finished_take1);
    event!(starting_take2);
    assert_eq!(queue.take(), 2);
    assert!(queue.is_empty());
    add_thread.join().unwrap();
}

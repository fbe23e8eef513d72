use queue::BoundedQueue;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

#[test]
fn take_waits_for_an_add() {
    let queue = Arc::new(BoundedQueue::new(1));
    let adding = Arc::clone(&queue);
    let add_thread = thread::spawn(move || {
        adding.add(1);
        thread::sleep(Duration::from_millis(100));
        adding.add(2);
    });
    thread::sleep(Duration::from_millis(50));
    assert_eq!(queue.take(), 1);
    assert!(queue.is_empty());
    assert_eq!(queue.take(), 2);
    assert!(queue.is_empty());
    add_thread.join().unwrap();
}

#[test]
fn take_finds_what_was_added() {
    let queue = Arc::new(BoundedQueue::new(1));
    let adding = Arc::clone(&queue);
    let add_thread = thread::spawn(move || {
        adding.add(1);
        thread::sleep(Duration::from_millis(100));
        adding.add(2);
    });
    thread::sleep(Duration::from_millis(50));
    assert_eq!(queue.take(), 1);
    assert!(queue.is_empty());
    thread::sleep(Duration::from_millis(100));
    assert_eq!(queue.take(), 2);
    assert!(queue.is_empty());
    add_thread.join().unwrap();
}

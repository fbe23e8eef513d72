use std::sync::{Arc, Mutex};
use std::thread;

#[test]
fn numbers_behind_a_lock() {
    let numbers = Arc::new(Mutex::new(numbers::boxed(3)));
    let other = Arc::clone(&numbers);
    let pusher = thread::spawn(move || other.lock().unwrap().push(1));
    assert_eq!(numbers::first(&numbers.lock().unwrap()), 0);
    pusher.join().unwrap();
}

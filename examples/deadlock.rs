//! Two transfers in opposite directions, each with the lock that the other one needs.
//!
//!     cargo run -p selvedge-examples --example deadlock

use selvedge::Builder;
use selvedge::sync::{Arc, Mutex};
use selvedge::thread;

/// The bug: the order of the locks depends on the direction of the transfer.
fn transfer(from: &Mutex<u32>, to: &Mutex<u32>, amount: u32) {
    let mut from = from.lock().unwrap();
    let mut to = to.lock().unwrap();
    *from -= amount;
    *to += amount;
}

/// Two transfers at the same time.
pub(crate) fn test() {
    let accounts = Arc::new([Mutex::new(100), Mutex::new(100)]);
    let there = Arc::clone(&accounts);
    let there = thread::Builder::new()
        .name("there".to_owned())
        .spawn(move || transfer(&there[0], &there[1], 30))
        .unwrap();
    let back = Arc::clone(&accounts);
    let back = thread::Builder::new()
        .name("back".to_owned())
        .spawn(move || transfer(&back[1], &back[0], 50))
        .unwrap();
    there.join().unwrap();
    back.join().unwrap();
    let total: u32 = accounts.iter().map(|account| *account.lock().unwrap()).sum();
    assert_eq!(total, 200);
}

/// Explores the test.
pub(crate) fn main() {
    let command = "cargo run -p selvedge-examples --example deadlock";
    selvedge_examples::show(command, Builder::new(), test);
}

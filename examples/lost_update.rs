//! A deposit that gets lost: the balance is read under one lock and written under another.
//!
//!     cargo run -p selvedge-examples --example lost_update

use selvedge::Builder;
use selvedge::sync::Mutex;
use selvedge::thread;

struct Account {
    balance: Mutex<u32>,
}

impl Account {
    fn balance(&self) -> u32 {
        *self.balance.lock().unwrap()
    }

    /// The bug: between the two locks another deposit may come and go.
    fn deposit(&self, amount: u32) {
        let balance = self.balance();
        *self.balance.lock().unwrap() = balance + amount;
    }
}

/// Two deposits at the same time.
pub(crate) fn test() {
    let account = Account { balance: Mutex::new(0) };
    thread::scope(|scope| {
        scope.spawn(|| account.deposit(10));
        scope.spawn(|| account.deposit(20));
    });
    assert_eq!(account.balance(), 30, "a deposit was lost");
}

/// Explores the test.
pub(crate) fn main() {
    let command = "cargo run -p selvedge-examples --example lost_update";
    selvedge_examples::show(command, Builder::new(), test);
}

//! A mailbox for one letter, without a bug, and the proof: every schedule of its test passes.
//!
//!     cargo run -p selvedge-examples --example mailbox

use selvedge::sync::{Condvar, Mutex};
use selvedge::thread;
use selvedge::{Builder, StrategyName};

#[derive(Default)]
struct Mailbox {
    letter: Mutex<Option<u32>>,
    changed: Condvar,
}

impl Mailbox {
    fn put(&self, letter: u32) {
        let full = |slot: &mut Option<u32>| slot.is_some();
        let mut slot = self.changed.wait_while(self.letter.lock().unwrap(), full).unwrap();
        *slot = Some(letter);
        self.changed.notify_all();
    }

    fn take(&self) -> u32 {
        let mut slot = self.letter.lock().unwrap();
        loop {
            if let Some(letter) = slot.take() {
                self.changed.notify_all();
                return letter;
            }
            slot = self.changed.wait(slot).unwrap();
        }
    }
}

/// Two letters, from one thread to another.
pub(crate) fn test() {
    let mailbox = Mailbox::default();
    thread::scope(|scope| {
        scope.spawn(|| (1..=2).for_each(|letter| mailbox.put(letter)));
        assert_eq!((mailbox.take(), mailbox.take()), (1, 2), "the letters came in another order");
    });
}

/// All schedules, however many there are.
pub(crate) fn builder() -> Builder {
    Builder::new().strategy(StrategyName::Exhaustive).executions(u64::MAX)
}

/// Explores the test.
pub(crate) fn main() {
    let command = "cargo run -p selvedge-examples --example mailbox";
    selvedge_examples::show(command, builder(), test);
}

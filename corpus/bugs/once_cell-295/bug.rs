//! once_cell up to 1.21.3 with the feature `parking_lot`: <https://github.com/matklad/once_cell/issues/295>
//!
//! `OnceCell::wait` is woken by an initialisation that fails as well, does not look again, and returns a value that was never
//! written.

use once_cell::sync::OnceCell;
use std::thread;

#[test]
fn whoever_waits_gets_the_value_of_the_second_attempt() {
    let cell: OnceCell<Box<u32>> = OnceCell::new();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| **cell.wait());
        assert!(cell.get_or_try_init(|| Err("no such file")).is_err());
        cell.set(Box::new(7)).unwrap();
        assert_eq!(waiting.join().unwrap(), 7);
    });
}

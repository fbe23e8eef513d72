//! once_cell up to 1.21.3 with the feature `parking_lot`: <https://github.com/matklad/once_cell/issues/295>
//!
//! `OnceCell::wait` is woken by an initialisation that panics as well, does not look again, and returns a value that was never
//! written.

use once_cell::sync::OnceCell;
use std::panic::catch_unwind;
use std::thread;

#[test]
fn whoever_waits_gets_the_value_of_the_second_attempt() {
    let cell: OnceCell<Box<u32>> = OnceCell::new();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| **cell.wait());
        let failed = catch_unwind(|| cell.get_or_init(|| panic!("out of luck")));
        assert!(failed.is_err());
        cell.set(Box::new(7)).unwrap();
        assert_eq!(waiting.join().unwrap(), 7);
    });
}

//! internment 0.3.12 and 0.3.13: <https://rustsec.org/advisories/RUSTSEC-2020-0017.html>
//!
//! Who drops the last `ArcIntern` of a value counts it down and then takes the lock of the table. If another thread interns the
//! value in between and drops it again, it is freed there, and the first thread looks at its count in freed memory.

use internment::ArcIntern;
use std::thread;

#[test]
fn two_threads_intern_the_same_name() {
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assert_eq!(ArcIntern::new("name".to_owned()).as_str(), "name"));
        }
    });
}

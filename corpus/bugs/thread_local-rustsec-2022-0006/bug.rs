//! thread_local 1.1.3: <https://rustsec.org/advisories/RUSTSEC-2022-0006.html>
//!
//! An iterator loads the pointer to a bucket with a relaxed load: it need not see what was written to the bucket before the pointer
//! was stored.

use std::sync::Mutex;
use std::thread;
use thread_local::ThreadLocal;

#[test]
fn an_iterator_sees_whole_values_only() {
    let names = ThreadLocal::new();
    thread::scope(|scope| {
        // The first two threads find buckets that are there from the beginning.
        scope.spawn(|| names.get_or(|| Mutex::new("second".to_owned())));
        scope.spawn(|| names.get_or(|| Mutex::new("third".to_owned())));
        names.get_or(|| Mutex::new("first".to_owned()));
        assert!(names.iter().all(|name| name.lock().unwrap().len() >= 5));
    });
}

//! The times of files, compared with the clock and with each other, as tests of caches and locks do.

#![cfg(test)]

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, SystemTime};

/// A file that another thread has written, and that is removed in the end.
struct Written(PathBuf);

impl Written {
    fn new(name: &str) -> Self {
        let written = Self(std::env::temp_dir().join(format!("{name}-{}", std::process::id())));
        written.write();
        written
    }

    fn write(&self) {
        let path = self.0.clone();
        thread::spawn(move || fs::write(path, "content").unwrap()).join().unwrap();
    }

    fn modified(&self) -> SystemTime {
        fs::metadata(&self.0).unwrap().modified().unwrap()
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        fs::remove_file(&self.0).unwrap();
    }
}

#[test]
fn a_file_was_written_before_now() {
    let before = SystemTime::now();
    let file = Written::new("before-now");
    // The kernel's calendar may be some milliseconds behind its clock.
    assert!(file.modified() + Duration::from_millis(20) >= before);
    assert!(file.modified() <= SystemTime::now());
}

#[test]
fn what_is_written_later_is_newer() {
    let file = Written::new("newer");
    let first = file.modified();
    thread::sleep(Duration::from_millis(50));
    file.write();
    assert!(file.modified() > first);
}

#[test]
fn a_file_grows_old_and_is_fresh_when_it_is_written_again() {
    let limit = Duration::from_secs(2);
    let file = Written::new("old");
    let is_fresh = || file.modified().elapsed().unwrap() < limit;
    assert!(is_fresh());
    thread::sleep(2 * limit);
    assert!(!is_fresh());
    file.write();
    assert!(is_fresh());
}

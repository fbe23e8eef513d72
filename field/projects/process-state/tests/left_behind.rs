//! Each of these passes by itself. An execution must not see what an earlier one has left behind.

use std::env;
use std::thread;

fn two_threads() {
    thread::scope(|scope| {
        scope.spawn(|| ());
        scope.spawn(|| ());
    });
}

#[test]
fn the_working_directory() {
    let folder = env::current_dir().unwrap();
    assert!(folder.ends_with("process-state"), "{folder:?}");
    two_threads();
    env::set_current_dir("/").unwrap();
}

#[test]
fn a_variable_of_the_environment() {
    assert!(env::var("LEFT_BEHIND").is_err());
    two_threads();
    // SAFETY: the other threads have ended.
    unsafe { env::set_var("LEFT_BEHIND", "1") };
}

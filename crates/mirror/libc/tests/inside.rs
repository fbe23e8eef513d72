//! A process knows whether it was started by one that is under control. A binary of its own, since
//! the environment is that of the whole process.

#![cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]

use std::process::Command;

#[test]
fn a_process_that_a_test_process_has_started_knows_that() {
    let inside = selvedge_libc::is_started_from_inside();
    if inside {
        // This is the child, below. Its own children are inside as well.
        assert!(selvedge_libc::is_started_from_inside());
        return;
    }
    let own = std::env::current_exe().unwrap();
    let child = Command::new(own).arg("--nocapture").env("RUST_BACKTRACE", "0").output().unwrap();
    assert!(child.status.success(), "{child:?}");
    // Without the mark it would have started a child again, and that one another, and so on; with
    // a mark of the command's own settings it would have been told that there is no such setting.
    let marked: Vec<_> = std::env::vars().filter(|(name, _)| name.contains("_INSIDE")).collect();
    assert_eq!(marked, [("_SELVEDGE_INSIDE".to_owned(), "1".to_owned())]);
}

//! Tests find around them what they find under `cargo test`.

use crate::support::Project;

const SOURCE: &str = r#"
#![cfg(test)]
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

#[test]
fn arguments() {
    assert_eq!(env::args().count(), 1);
}

#[test]
fn variables() {
    assert_eq!(env::var("CARGO_PKG_NAME").unwrap(), "surroundings");
    assert_eq!(env::var("CARGO_PKG_VERSION_MAJOR").unwrap(), "0");
    assert_eq!(env::var("CARGO_PKG_AUTHORS").unwrap(), "A <a@b.c>:D");
    assert!(env::var("CARGO_MANIFEST_PATH").unwrap().ends_with("Cargo.toml"));
    assert_eq!(env::var("FROM_BUILD").unwrap(), "17");
    assert!(fs::metadata(env::var("OUT_DIR").unwrap()).unwrap().is_dir());
    assert!(env::vars().all(|(name, _)| !name.contains("WORKER")));
}

/// A name that no other test of this process has. Natively that is enough.
fn temporary(use_it: impl Fn(&std::path::Path)) {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::SeqCst);
    let folder = env::temp_dir().join("surroundings").join(number.to_string());
    fs::create_dir_all(&folder).unwrap();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "somebody else is here");
    use_it(&folder);
    fs::remove_dir_all(&folder).unwrap();
}

fn exercise() {
    temporary(|folder| {
        let file = folder.join("file");
        thread::scope(|scope| {
            scope.spawn(|| fs::write(&file, "1").unwrap());
        });
        assert_eq!(fs::read_to_string(&file).unwrap(), "1");
    });
}

#[test] fn temporary_1() { exercise() }
#[test] fn temporary_2() { exercise() }
#[test] fn temporary_3() { exercise() }
#[test] fn temporary_4() { exercise() }
#[test] fn temporary_5() { exercise() }
#[test] fn temporary_6() { exercise() }
"#;

const MANIFEST: &str = r#"[package]
name = "surroundings"
version = "0.1.0"
edition = "2024"
authors = ["A <a@b.c>", "D"]

[workspace]
"#;

#[test]
fn tests_find_their_surroundings_as_under_cargo_test() {
    let build = "fn main() { println!(\"cargo:rustc-env=FROM_BUILD=17\"); }";
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", SOURCE), ("build.rs", build)];
    let project = Project::new("surroundings", &files);
    let ran = project.run(["test", "-j", "4", "--set", "isolation=fork", "--executions", "200"]);
    ran.left_with(0).says(&["Finished "]).is_silent_about("FOUND");
}

/// Each waits for a child that takes a while, and would give up after longer than it takes.
const CHILDREN: &str = r#"
#![cfg(test)]
use std::process::{Child, Command};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use std::thread;

const PATIENCE: Duration = Duration::from_secs(20);

fn child() -> Child {
    Command::new("sleep").arg("0.2").spawn().unwrap()
}

fn wait(pause: fn()) {
    let mut child = child();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < PATIENCE, "gave up");
        pause();
    }
    assert!(began.elapsed() >= Duration::from_millis(150), "{:?}", began.elapsed());
}

#[test] fn sleeps() { wait(|| thread::sleep(Duration::from_millis(10))) }
#[test] fn spins() { wait(|| ()) }
#[test] fn yields() { wait(thread::yield_now) }

#[test]
fn is_told() {
    let (sender, receiver) = channel();
    let waiter = thread::spawn(move || {
        child().wait().unwrap();
        let _ = sender.send(());
    });
    receiver.recv_timeout(PATIENCE).expect("gave up");
    waiter.join().unwrap();
}

#[test]
fn does_not_wait_for_one_that_has_ended() {
    let mut child = Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    thread::sleep(Duration::from_secs(3600));
}
"#;

#[test]
fn the_clock_does_not_run_away_from_child_processes() {
    let project = Project::new("children", &[("src/lib.rs", CHILDREN)]);
    let ran = project.run(["test", "--executions", "3", "--set", "timeouts=off"]);
    ran.left_with(0).says(&["Finished "]).is_silent_about("FOUND");
}

//! Logs of tests with sleeps. One test: what it sets in the environment is for the whole process.

mod common;

use common::spawn;
use selvedge_real::log;
use std::fs;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// An entry without its time.
fn entries(text: &str) -> Vec<(u32, &str, &str)> {
    text.lines()
        .map(|line| {
            let fields: Vec<_> = line.split('\t').collect();
            let [time, thread, kind, info] = fields[..] else { panic!("{line}") };
            assert!(time.parse::<u64>().is_ok(), "{line}");
            (thread.parse().unwrap(), kind, info)
        })
        .collect()
}

fn logged() {
    let _log = log::begin("module::test");
    log::call(1);
    let other = spawn("a thread with a long name", move || {
        log::call(2);
        thread::spawn(|| {}).join().unwrap();
        log::returned(2);
    });
    log::returned(1);
    log::call(3);
    let begin = Instant::now();
    thread::sleep(Duration::from_millis(30));
    log::returned(3);
    let (_sender, receiver) = mpsc::channel::<()>();
    receiver.recv_timeout(Duration::from_millis(10)).unwrap_err();
    assert!(begin.elapsed() >= Duration::from_millis(40));
    other.join().unwrap();
}

#[test]
fn logs_say_what_threads_do() {
    let folder = std::env::temp_dir().join(format!("selvedge-real-log-{}", std::process::id()));
    // SAFETY: No other thread of this process looks at the environment.
    unsafe {
        std::env::set_var("SELVEDGE_LOG", &folder);
        std::env::set_var("SELVEDGE_TIME_SCALE", "5");
    }
    let begin = Instant::now();
    logged();
    assert!(begin.elapsed() >= Duration::from_millis(200), "five times slower");
    logged();
    let panicked = std::panic::catch_unwind(|| {
        let _log = log::begin("module::test");
        panic!("the test fails");
    });
    assert!(panicked.is_err());
    // Not a test that is logged.
    log::call(99);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["module-test.0.log", "module-test.1.log", "module-test.2.failed"]);
    let text = fs::read_to_string(folder.join("module-test.0.log")).unwrap();
    let entries = entries(&text);
    let of = |thread| entries.iter().filter(move |entry| entry.0 == thread).collect::<Vec<_>>();
    assert_eq!(
        of(0),
        [
            &(0, "call", "1"),
            &(0, "thread_start", "1"),
            &(0, "return", "1"),
            &(0, "call", "3"),
            &(0, "sleep_call", "30000000"),
            &(0, "sleep_return", ""),
            &(0, "return", "3"),
            &(0, "block_call", "timed"),
            &(0, "block_return", ""),
            &(0, "block_call", "untimed"),
            &(0, "block_return", ""),
        ],
        "{text}"
    );
    assert_eq!(
        of(1),
        [
            &(1, "thread_begin", "a thread with a long name"),
            &(1, "call", "2"),
            &(1, "thread_start", "2"),
            &(1, "block_call", "untimed"),
            &(1, "block_return", ""),
            &(1, "return", "2"),
            &(1, "thread_end", ""),
        ],
        "{text}"
    );
    assert_eq!(of(2), [&(2, "thread_begin", ""), &(2, "thread_end", "")], "{text}");
    fs::remove_dir_all(folder).unwrap();
}

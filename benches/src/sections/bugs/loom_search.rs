//! The search with loom, in a process of its own: loom aborts when it finds a deadlock.

use crate::child::{answer, ask};
use crate::engines::loom;
use crate::figures::NONE;
use crate::program::find;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

/// The name of the job of searching with loom.
pub(crate) const JOB: &str = "loom-bug";

/// The cell of a search with loom, in another process.
pub(super) fn search(name: &str, preemptions: &str, seconds: &str) -> String {
    let lines = ask(&[JOB, name, preemptions, seconds], Stdio::null());
    let mut lines = lines.iter().map(|line| line.iter().map(String::as_str).collect::<Vec<_>>());
    match (lines.next().as_deref(), lines.next().as_deref()) {
        (Some(["found", executions]), Some(["survived"])) => (*executions).to_owned(),
        (Some(["found", executions]), _) => format!("{executions} †"),
        (Some(["exhausted", executions]), _) => format!("none in all {executions}"),
        (Some(["gave up", executions]), _) => format!("{NONE} ({executions})"),
        _ => "no answer".to_owned(),
    }
}

/// Searches with loom in this process.
pub(crate) fn job(arguments: &[&str]) -> Option<()> {
    let &[name, preemptions, seconds] = arguments else { return None };
    let time = Duration::from_secs(seconds.parse().ok()?);
    let counter = Arc::new(AtomicU64::new(0));
    let said = Once::new();
    let counted = Arc::clone(&counter);
    // loom may abort while the first panic unwinds, so the hook is the last chance to tell.
    std::panic::set_hook(Box::new(move |_| {
        said.call_once(|| answer(&["found", &counted.load(Ordering::Relaxed).to_string()]));
    }));
    let program = find(loom::buggy::ALL, name);
    let began = Instant::now();
    let searched = catch_unwind(AssertUnwindSafe(|| {
        loom::explore(program, preemptions.parse().ok(), time, &counter);
    }));
    let executions = counter.load(Ordering::Relaxed).to_string();
    match searched {
        Err(_) => answer(&["survived"]),
        Ok(()) if began.elapsed() < time => answer(&["exhausted", &executions]),
        Ok(()) => answer(&["gave up", &executions]),
    }
    Some(())
}

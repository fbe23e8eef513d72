//! Threads of the process that no group looks after.
//!
//! A pool that another test has started may be what a test waits for, and its threads belong to a
//! group that is over. So it is known which threads belong to a test that still runs; all others are
//! outsiders.

use super::os::{Activity, look};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Whether a test still runs.
#[derive(Clone, Debug)]
pub(crate) struct Open(Arc<AtomicBool>);

impl Open {
    pub(crate) fn new() -> Self {
        Self(Arc::new(AtomicBool::new(true)))
    }

    /// It does not any more.
    pub(crate) fn close(&self) {
        self.0.store(false, Ordering::Release);
    }
}

/// The threads that groups look after, by the kernel's numbers.
static INSIDERS: Mutex<BTreeMap<libc::pid_t, Open>> = Mutex::new(BTreeMap::new());

fn insiders() -> MutexGuard<'static, BTreeMap<libc::pid_t, Open>> {
    INSIDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn caller() -> libc::pid_t {
    // SAFETY: Has no preconditions.
    unsafe { libc::gettid() }
}

/// The calling thread belongs to a test.
pub(crate) fn enter(open: &Open) {
    insiders().insert(caller(), open.clone());
}

/// The calling thread does not any more.
pub(crate) fn leave() {
    insiders().remove(&caller());
}

/// Whether no other test is looked after by a group.
pub(crate) fn is_alone(open: &Open) -> bool {
    insiders()
        .values()
        .all(|other| Arc::ptr_eq(&other.0, &open.0) || !other.0.load(Ordering::Acquire))
}

/// Whether some outsider runs.
pub(crate) fn is_any_running() -> bool {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return false };
    let insiders = insiders();
    let is_inside = |tid| insiders.get(&tid).is_some_and(|open| open.0.load(Ordering::Acquire));
    threads.flatten().any(|thread| {
        let tid = thread.file_name().to_str().and_then(|name| name.parse().ok());
        tid.is_some_and(|tid| !is_inside(tid) && look(tid) == Activity::Runs)
    })
}

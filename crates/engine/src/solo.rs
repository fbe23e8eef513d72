//! One at a time: for tests that share a static.
//!
//! Tests of one process may run in parallel, each with an engine of its own. If two of them use
//! the same object at the same time (it can only be a static), neither is under control any more.
//! The one that notices gives its execution up, waits until no other engine is running, and then
//! has the process to itself until its campaign ends; the others wait meanwhile.

use crate::object::other_engines_run;
use crate::progress::Watch;
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

crate::kept! {
    /// Held by the one that is alone.
    static ALONE: Mutex<()> = Mutex::new(());
    /// How many want to be alone or are.
    static WANTED: AtomicUsize = AtomicUsize::new(0);
}

/// How often and in which distance the others are looked at until they have stopped.
const LOOKS: u32 = 10_000;
/// See [`LOOKS`].
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

thread_local! {
    static MINE: RefCell<Option<Solo>> = const { RefCell::new(None) };
}

struct Solo {
    _alone: MutexGuard<'static, ()>,
}

impl Drop for Solo {
    fn drop(&mut self) {
        WANTED.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whether another campaign has the process to itself or wants it. Asked by an engine that has
/// just announced that it runs: either it sees the other one or the other one sees it.
#[inline]
pub(crate) fn must_wait() -> bool {
    WANTED.load(Ordering::SeqCst) > 0 && MINE.with_borrow(Option::is_none)
}

/// Waits until the others may run again. The caller must not be running.
#[cold]
pub(crate) fn wait_for_turn(watch: &Watch) {
    watch.while_waiting(|| drop(ALONE.lock().unwrap_or_else(PoisonError::into_inner)));
}

/// Gets the process for the calling thread's engines alone. Says whether that worked: it does not
/// if another engine does not come to the end of its execution.
pub fn go_solo(watch: &Watch) -> bool {
    watch.while_waiting(try_solo)
}

fn try_solo() -> bool {
    if MINE.with_borrow(Option::is_some) {
        return false;
    }
    WANTED.fetch_add(1, Ordering::SeqCst);
    let solo = Solo { _alone: ALONE.lock().unwrap_or_else(PoisonError::into_inner) };
    for _ in 0..LOOKS {
        if !other_engines_run() {
            MINE.with_borrow_mut(|mine| *mine = Some(solo));
            return true;
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
    false
}

/// Lets the others go on.
pub fn end_solo() {
    MINE.with_borrow_mut(|mine| *mine = None);
}

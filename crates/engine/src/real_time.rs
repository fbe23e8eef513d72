//! Time while the test has company outside: child processes that run.
//!
//! Virtual time takes no time, and what a child does takes some. A test that waits for its child for at
//! most ten seconds would see them pass before the child has begun. So for as long as a child of the
//! execution runs, the clock keeps the pace of the real one: whoever looks at it sees what has really
//! passed, and it jumps to a deadline only when that much time has really passed, or nobody is left
//! outside. A deadline that is further away than [`LONGEST`] is not waited for.
//!
//! Children of children are not known, nor are programs that the test did not start.

use crate::execution::Execution;
use crate::outside_threads::apart;
use crate::process_state::ProcessPart;
use std::time::{Duration, Instant};

/// For so long a deadline is really waited for.
const LONGEST: Duration = Duration::from_secs(30);
/// So often it is looked whether the children still run.
const SLICE: Duration = Duration::from_millis(2);

impl Execution {
    /// Whether a child that the execution has started still runs.
    pub(crate) fn has_running_child(&self) -> bool {
        let children = self.journal.made().iter().filter_map(|part| match *part {
            ProcessPart::Child(child) => Some(child),
            ProcessPart::Timer(_) => None,
        });
        apart(|| children.into_iter().any(runs))
    }

    /// Lets the time until a deadline really pass, for as long as there is a child that runs. Says
    /// whether something came from outside meanwhile; then the clock shows how long that took.
    #[cold]
    pub(crate) fn wait_with_children(&mut self, deadline: u64) -> bool {
        let began = real_clock();
        let most = Duration::from_nanos(deadline - self.time.now).min(LONGEST);
        while self.has_running_child() {
            let left = most.saturating_sub(began.elapsed());
            if left.is_zero() || self.watch.interrupted().is_some() {
                return false;
            }
            let watch = std::sync::Arc::clone(&self.watch);
            if watch.while_waiting(|| self.look_outside_or_sleep(left.min(SLICE))) {
                let passed = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
                self.time.now = self.time.now.saturating_add(passed).min(deadline);
                return true;
            }
        }
        false
    }

    /// How many nanoseconds have really passed since this was last asked, if a child runs.
    #[cold]
    pub(crate) fn passed_beside_child(&mut self) -> Option<u64> {
        if !self.has_running_child() {
            self.time.real = None;
            return None;
        }
        let now = real_clock();
        let before = self.time.real.replace(now);
        let passed = before.map_or(Duration::ZERO, |before| now - before);
        Some(u64::try_from(passed.as_nanos()).unwrap_or(u64::MAX).max(1))
    }
}

/// The time of the machine.
fn real_clock() -> Instant {
    apart(Instant::now)
}

/// Whether a process that nobody has waited for has not ended.
#[cfg(all(target_os = "linux", not(miri)))]
fn runs(child: i32) -> bool {
    let mut info = std::mem::MaybeUninit::<libc::siginfo_t>::zeroed();
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: The information lives as long as the call, and is zero before it: so is its signal unless
    // the child has ended. A number that is no child's is an error.
    unsafe {
        libc::waitid(libc::P_PID, child as libc::id_t, info.as_mut_ptr(), options) == 0
            && info.assume_init().si_signo == 0
    }
}

/// Elsewhere nobody stands in front of the C library, so no child is known.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn runs(_: i32) -> bool {
    false
}

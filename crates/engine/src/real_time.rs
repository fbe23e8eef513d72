//! Time while the test has company outside: child processes that run.
//!
//! Virtual time takes no time, and what a child does takes some. A test that waits for its child for at
//! most ten seconds would see them pass before the child has begun. So for as long as a child of the
//! execution runs, the clock keeps the pace of the real one: whoever looks at it sees what has really
//! passed, and it jumps to a deadline only when that much time has really passed, or nobody is left
//! outside. A deadline that is further away than [`LONGEST`] is not waited for. What a thread really waits
//! for something from outside takes time as well.
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
    /// Whether a child that the execution has started still runs. Forgets those that were waited for.
    fn has_running_child(&mut self) -> bool {
        let mut any = false;
        apart(|| {
            self.world.journal.retain(|part| match *part {
                ProcessPart::Child(child) => match life(child) {
                    Life::Running => {
                        any = true;
                        true
                    }
                    Life::Ended => true,
                    Life::Gone => false,
                },
                ProcessPart::Timer(_) => true,
            });
        });
        any
    }

    /// Lets the time until a deadline really pass, for as long as there is a child that runs. Says
    /// whether something came from outside meanwhile; then the clock shows how long that took.
    #[cold]
    pub(crate) fn wait_with_children(&mut self, deadline: u64) -> bool {
        let began = real_clock();
        let most = Duration::from_nanos(deadline - self.time.now).min(LONGEST);
        while self.has_running_child() {
            let left = most.saturating_sub(began.elapsed());
            if left.is_zero() || self.partners.watch.interrupted().is_some() {
                return false;
            }
            let watch = std::sync::Arc::clone(&self.partners.watch);
            if watch.while_waiting(|| self.look_outside_or_sleep(left.min(SLICE))) {
                self.has_passed(began.elapsed().min(most));
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
#[expect(clippy::disallowed_methods, reason = "what comes from outside takes real time")]
pub(crate) fn real_clock() -> Instant {
    apart(Instant::now)
}

/// What has become of a child.
#[cfg_attr(not(all(target_os = "linux", not(miri))), expect(dead_code, reason = "none is known"))]
enum Life {
    Running,
    /// Nobody has waited for it.
    Ended,
    /// Somebody has waited for it.
    Gone,
}

#[cfg(all(target_os = "linux", not(miri)))]
fn life(child: i32) -> Life {
    let mut info = std::mem::MaybeUninit::<libc::siginfo_t>::zeroed();
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: The information lives as long as the call, and is zero before it: so is its signal unless
    // the child has ended. A number that is no child's is an error.
    unsafe {
        match libc::waitid(libc::P_PID, child as libc::id_t, info.as_mut_ptr(), options) {
            0 if info.assume_init().si_signo == 0 => Life::Running,
            0 => Life::Ended,
            _ => Life::Gone,
        }
    }
}

/// Elsewhere nobody stands in front of the C library, so no child is known.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn life(_: i32) -> Life {
    Life::Gone
}

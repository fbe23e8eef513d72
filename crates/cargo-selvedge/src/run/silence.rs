//! How long a test process is waited for that says nothing.
//!
//! A machine that is busy or was suspended makes everybody slow: time counts for little while the
//! process could run or uses a processor, and the time between two looks counts for no more than it
//! should be.

use std::fs;
use std::time::{Duration, Instant};

/// So often somebody looks.
pub(super) const LOOK: Duration = Duration::from_secs(1);
/// While the process works, this part of the time counts: one that works and says nothing, for ever, is
/// not waited for for ever.
const WORKING: u32 = 10;

/// The silence of a process.
pub(super) struct Silence {
    process: u32,
    counted: Duration,
    looked: Instant,
    ticks: u64,
}

impl Silence {
    /// Begins now.
    pub(super) fn of(process: u32) -> Self {
        let ticks = effort(process).ticks;
        Self { process, counted: Duration::ZERO, looked: Instant::now(), ticks }
    }

    /// How much of it counts, by now.
    pub(super) fn look(&mut self) -> Duration {
        let since = std::mem::replace(&mut self.looked, Instant::now()).elapsed();
        let now = effort(self.process);
        let works = now.is_ready || now.ticks > self.ticks;
        self.ticks = now.ticks;
        self.count(since, works)
    }

    fn count(&mut self, since: Duration, works: bool) -> Duration {
        let since = since.min(LOOK * 2);
        self.counted += if works { since / WORKING } else { since };
        self.counted
    }
}

/// What a process has done.
struct Effort {
    /// The processor time that it has used, in ticks of the kernel.
    ticks: u64,
    /// Whether one of its threads could run, or waits for a disk.
    is_ready: bool,
}

fn effort(process: u32) -> Effort {
    let mut all = Effort { ticks: 0, is_ready: false };
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return all };
    for thread in threads.flatten() {
        let Ok(facts) = fs::read_to_string(thread.path().join("stat")) else { continue };
        // The name of the thread, in parentheses, may have anything in it.
        let Some((_, facts)) = facts.rsplit_once(") ") else { continue };
        let mut facts = facts.split_whitespace();
        all.is_ready |= facts.next().is_some_and(|state| state == "R" || state == "D");
        // The time in user code and that in the kernel, fields 14 and 15 of the whole.
        let times = facts.skip(10).take(2).filter_map(|ticks| ticks.parse::<u64>().ok());
        all.ticks += times.sum::<u64>();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_counts_for_little_while_the_process_works() {
        let mut silence = Silence::of(std::process::id());
        assert_eq!(silence.count(LOOK, false), LOOK);
        assert_eq!(silence.count(LOOK, true), LOOK + LOOK / WORKING);
        // A suspended machine is no evidence.
        assert!(silence.count(Duration::from_secs(3600), false) <= LOOK * 4);
    }

    #[test]
    fn whoever_looks_is_at_work() {
        assert!(effort(std::process::id()).is_ready);
    }
}

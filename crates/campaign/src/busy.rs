//! Whether a thread that makes no step computes, or waits for something.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// The kernel counts the time of a processor in this unit.
const TICK: Duration = Duration::from_millis(10);

/// Where the system tells how much a thread has computed.
pub(crate) struct Work {
    file: PathBuf,
}

impl Work {
    /// That of the calling thread, if the system tells.
    pub(crate) fn of_this_thread() -> Option<Self> {
        let thread = fs::read_link("/proc/thread-self").ok()?;
        Some(Self { file: PathBuf::from("/proc").join(thread).join("stat") })
    }

    /// For how long the thread has had a processor.
    pub(crate) fn done(&self) -> Option<Duration> {
        let text = fs::read_to_string(&self.file).ok()?;
        // The name comes second, in parentheses, and may have any character in it.
        let (_, fields) = text.rsplit_once(')')?;
        // The user's time is field 14 of all, the system's comes next; the first one here is number 3.
        let ticks = fields.split_ascii_whitespace().skip(11).take(2);
        let ticks: Option<u32> = ticks.map(|field| field.parse::<u32>().ok()).sum();
        ticks.map(|ticks| TICK * ticks)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::clock::wall_clock;

    #[test]
    fn who_computes_is_told_from_who_sleeps() {
        let work = Work::of_this_thread().unwrap();
        let before = work.done().unwrap();
        std::thread::sleep(Duration::from_millis(200));
        let slept = work.done().unwrap();
        let began = wall_clock();
        while began.elapsed() < Duration::from_millis(400) {}
        let computed = work.done().unwrap();
        assert!(slept - before < Duration::from_millis(50));
        assert!(computed - slept > Duration::from_millis(50));
    }
}

//! Whether anybody works on what an execution waits for, as far as the kernel knows.
//!
//! On a busy machine a thread that is ready to run may not run for seconds, and one that computes comes to
//! no operation for minutes. Neither stands still. So those who wait for an execution do not go by the
//! clock but by what the kernel says of its thread, of the processes that this one has started, and, if
//! the test has threads that are not under control, of those: who is ready to run, waits for a disk or
//! has used a processor is at work.

/// What was done so far by those on whom an execution depends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// How much processor time they have used, in ticks of the kernel (hundredths of a second).
    pub ticks: u64,
    /// Whether one of them could run at this moment, or waits for a disk.
    pub is_ready: bool,
}

/// Whose effort counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workers {
    /// The process.
    pub(crate) process: i32,
    /// Its thread that runs the executions.
    pub(crate) thread: i32,
    /// Whether its other threads count as well.
    pub(crate) others: Others,
}

/// Whether a test has threads that are not under control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Others {
    None,
    Some,
}

#[cfg(target_os = "linux")]
pub(crate) use linux::effort;

/// Elsewhere nothing is known, and the clock has to do.
#[cfg(not(target_os = "linux"))]
pub(crate) fn effort(_: Workers) -> Effort {
    Effort::default()
}

#[cfg(target_os = "linux")]
mod linux {
    use super::{Effort, Others, Workers};
    use std::fs;

    /// Children of children of children count, but not for ever.
    const DEPTH: u32 = 4;

    /// What the workers have done so far. The caller's own thread does not count.
    pub(crate) fn effort(workers: Workers) -> Effort {
        let Workers { process, thread, others } = workers;
        let mut sum = Effort::default();
        let own = match others {
            Others::None => vec![thread],
            // SAFETY: Asking for the number of the calling thread has no preconditions.
            Others::Some => threads(process, unsafe { libc::gettid() }),
        };
        for thread in own {
            add(&mut sum, &format!("/proc/{process}/task/{thread}/stat"));
            add_children(&mut sum, process, thread, DEPTH);
        }
        sum
    }

    fn threads(process: i32, but: i32) -> Vec<i32> {
        let Ok(all) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
        let numbers = all.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        numbers.filter(|&thread| thread != but).collect()
    }

    fn add_children(sum: &mut Effort, process: i32, thread: i32, depth: u32) {
        let list = fs::read_to_string(format!("/proc/{process}/task/{thread}/children"));
        let Ok(list) = list else { return };
        for child in list.split_whitespace().filter_map(|number| number.parse().ok()) {
            add(sum, &format!("/proc/{child}/stat"));
            if depth > 0 {
                let grandchildren = threads(child, 0);
                grandchildren.into_iter().for_each(|t| add_children(sum, child, t, depth - 1));
            }
        }
    }

    /// Adds what a line of facts says; nothing if who it is about has ended.
    fn add(sum: &mut Effort, file: &str) {
        let Ok(facts) = fs::read_to_string(file) else { return };
        // The name of the thread, in parentheses, may have anything in it.
        let Some((_, facts)) = facts.rsplit_once(") ") else { return };
        let mut facts = facts.split_whitespace();
        sum.is_ready |= facts.next().is_some_and(|state| state == "R" || state == "D");
        // The time in user code and that in the kernel, fields 14 and 15 of the whole.
        let times = facts.skip(10).take(2).filter_map(|ticks| ticks.parse::<u64>().ok());
        sum.ticks += times.sum::<u64>();
    }
}

#[cfg(all(test, target_os = "linux", not(miri)))]
#[expect(clippy::disallowed_methods, reason = "what is measured are threads of the system")]
mod tests {
    use super::{Others, Workers, effort};
    use std::hint::black_box;
    use std::sync::mpsc::channel;

    fn here(thread: i32, others: Others) -> Workers {
        Workers { process: std::process::id() as i32, thread, others }
    }

    #[test]
    fn a_thread_that_waits_is_told_from_one_that_computes() {
        // SAFETY: Asking for the number of the calling thread has no preconditions.
        let number = || unsafe { libc::gettid() };
        let (tell, told) = channel();
        let (end, ended) = channel::<()>();
        let waits = std::thread::spawn({
            let tell = tell.clone();
            move || {
                tell.send(number()).unwrap();
                let _ = ended.recv();
            }
        });
        let waiter = here(told.recv().unwrap(), Others::None);
        // It may not have come so far yet.
        while effort(waiter).is_ready {}
        drop(end);
        waits.join().unwrap();
        let (end, ended) = channel::<()>();
        let computes = std::thread::spawn(move || {
            tell.send(number()).unwrap();
            while ended.try_recv() != Err(std::sync::mpsc::TryRecvError::Disconnected) {
                black_box(());
            }
        });
        let computer = here(told.recv().unwrap(), Others::None);
        let before = effort(computer);
        while effort(computer).ticks < before.ticks + 3 {}
        assert!(effort(here(number(), Others::Some)).ticks >= before.ticks + 3);
        drop(end);
        computes.join().unwrap();
    }
}

//! Why a test with a schedule fails.

use selvedge_spec::{Happened, Need, Place, Unmet, Violation};
use std::fmt;

/// Why a test with a schedule fails, other than by a panic of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Schedules on real threads are not available here; says why, and what to do instead.
    Unavailable(String),
    /// Nobody can go on, or nobody has for long.
    Infeasible(Standstill),
    /// The test has ended without events that the schedule needs.
    NeverOccurred {
        /// The events.
        unmet: Vec<Unmet>,
        /// For some of them, what may have been meant.
        meant: Vec<(String, String)>,
        /// What did happen.
        happened: Vec<Happened>,
    },
    /// What has happened is not as the schedule says.
    Violated {
        /// How it differs.
        violations: Vec<Violation>,
        /// What happened.
        happened: Vec<Happened>,
    },
}

/// Where all threads stand when nobody can go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standstill {
    /// Those that are held.
    pub held: Vec<HeldThread>,
    /// All others that have not ended.
    pub others: Vec<OtherThread>,
    /// Events after which the schedule wants a thread to block that has not.
    pub never_blocked: Vec<NeverBlocked>,
    /// What has happened of what the schedule mentions.
    pub happened: Vec<Happened>,
}

/// A thread that is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldThread {
    /// Its name or number.
    pub thread: String,
    /// The event that it is about to perform, as a schedule would write it.
    pub event: String,
    /// Where, if it is known.
    pub place: Option<Place>,
    /// What it waits for.
    pub needs: Vec<Need>,
}

/// A thread that is not held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherThread {
    /// Its name or number.
    pub thread: String,
    /// What it does.
    pub does: WhatItDoes,
    /// Its last event, and where that was.
    pub last: Option<(String, Place)>,
}

/// A thread that was to block after an event and did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeverBlocked {
    /// Its name or number.
    pub thread: String,
    /// The event.
    pub event: String,
    /// What it does instead.
    pub does: WhatItDoes,
}

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhatItDoes {
    /// It runs.
    Runs,
    /// It is blocked.
    IsBlocked,
    /// It is blocked until another thread has ended.
    Joins,
    /// It waits for the rest of the world.
    WaitsForWorld,
    /// It sleeps.
    Sleeps,
    /// It is held.
    IsHeld,
    /// It has ended.
    HasEnded,
}

impl fmt::Display for WhatItDoes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Runs => "is still running",
            Self::IsBlocked => "is blocked",
            Self::Joins => "waits for another thread to end",
            Self::WaitsForWorld => "waits for the operating system",
            Self::Sleeps => "sleeps",
            Self::IsHeld => "is held",
            Self::HasEnded => "has ended",
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(why) => write!(f, "schedules on real threads: {why}"),
            Self::Infeasible(standstill) => write!(f, "{standstill}"),
            Self::NeverOccurred { unmet, meant, happened } => {
                writeln!(
                    f,
                    "the test has ended, and the schedule names events that never occurred"
                )?;
                for Unmet { event, times, ordering, .. } in unmet {
                    match times {
                        0 => writeln!(f, "  `{event}` of `{ordering}` never occurred")?,
                        1 => writeln!(f, "  `{event}` of `{ordering}`: it occurred once only")?,
                        _ => writeln!(
                            f,
                            "  `{event}` of `{ordering}`: it occurred {times} times only"
                        )?,
                    }
                }
                for (event, meant) in meant {
                    writeln!(f, "  did you mean `{meant}` instead of `{event}`?")?;
                }
                write_happened(f, happened, None)
            }
            Self::Violated { violations, happened } => {
                writeln!(f, "the execution is not as the schedule says")?;
                for violation in violations {
                    let Violation { ordering, event, missing, position, .. } = violation;
                    writeln!(f, "  `{ordering}` is violated:")?;
                    writeln!(f, "    {} happened", Line(event))?;
                    writeln!(f, "    before {missing}")?;
                    let named =
                        |later: &&Happened| *later != event && ordering.contains(&later.event);
                    if let Some(later) = happened.iter().skip(position + 1).find(named) {
                        writeln!(f, "    {} happened later", Line(later))?;
                    }
                }
                let marked = violations.first().map(|violation| violation.position);
                write_happened(f, happened, marked)
            }
        }
    }
}

impl fmt::Display for Standstill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.others.iter().any(|other| other.does == WhatItDoes::Runs);
        match (self.held.is_empty(), runs) {
            (false, false) => writeln!(f, "the schedule is infeasible: nobody can go on")?,
            (false, true) => {
                writeln!(f, "the schedule is infeasible: nothing happens while threads are held")?;
            }
            (true, _) => writeln!(f, "nobody can go on, and nobody is held by the schedule")?,
        }
        for HeldThread { thread, event, place, needs } in &self.held {
            write!(f, "  thread {thread} is held before `{event}`")?;
            match place {
                Some(place) => writeln!(f, " at {place}")?,
                None => writeln!(f)?,
            }
            for need in needs {
                writeln!(f, "    it waits for {need}")?;
            }
        }
        for NeverBlocked { thread, event, does } in &self.never_blocked {
            writeln!(f, "  thread {thread} never blocked after `{event}`: it {does}")?;
        }
        for OtherThread { thread, does, last } in &self.others {
            write!(f, "  thread {thread} {does}")?;
            match last {
                Some((event, place)) => writeln!(f, ", after `{event}` at {place}")?,
                None => writeln!(f)?,
            }
        }
        write_happened(f, &self.happened, None)
    }
}

impl std::error::Error for Failure {}

/// So much of what happened is shown around what matters.
const SHOWN: usize = 20;

/// What has happened, around the given position or at the end.
fn write_happened(
    f: &mut fmt::Formatter<'_>,
    happened: &[Happened],
    marked: Option<usize>,
) -> fmt::Result {
    if happened.is_empty() {
        return writeln!(f, "nothing that the schedule mentions has happened");
    }
    let end = marked.map_or(happened.len(), |marked| (marked + SHOWN / 2).min(happened.len()));
    let begin = end.saturating_sub(SHOWN);
    writeln!(f, "what has happened:")?;
    if begin > 0 {
        writeln!(f, "  … {begin} before")?;
    }
    for (index, event) in happened.iter().enumerate().take(end).skip(begin) {
        let mark = if marked == Some(index) { " <- violates the schedule" } else { "" };
        writeln!(f, "  {}{mark}", Line(event))?;
    }
    if end < happened.len() {
        writeln!(f, "  … {} after", happened.len() - end)?;
    }
    Ok(())
}

/// Something that happened, on one line.
struct Line<'a>(&'a Happened);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Happened { event, thread, name, place } = self.0;
        write!(f, "`{event}` in thread {}", thread_name(name.as_deref(), thread.0))?;
        match place {
            Some(place) => write!(f, " at {place}"),
            None => Ok(()),
        }
    }
}

/// What a thread is called in texts.
pub(crate) fn thread_name(name: Option<&str>, key: u32) -> String {
    match name {
        Some(name) => format!("`{name}`"),
        None => format!("{key} (without a name)"),
    }
}

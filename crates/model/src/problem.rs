//! What tells one problem from another.
//!
//! The one definition of "the same problem": two findings are the same problem if their [`Problem`]s are
//! equal. Whoever shrinks a schedule compares problems of one program as they are. Whoever gives a
//! problem a name that outlives the program replaces the places first, by [`Problem::named`], with texts
//! that stay the same when lines move; names of findings, folders, rows of the record and its history
//! are made of those texts and of nothing else.
//!
//! A problem has a kind and *aspects*: what was done, and where. They are a set, since threads may meet
//! in either order and any number of them may do the same. What depends on chance has no part in it:
//! values, addresses of data, numbers of threads, how far others had come.
//!
//! What may be taken for one: problems that only values tell apart, or the way to a line beyond its
//! caller. What may be taken for two: one mistake that shows in several places.

use crate::{
    CodeAddress, FindingKind, Held, HeldBack, MemoryBlock, MemoryEvent, MemoryUse, ObjectName,
    OperationKind, Place, RacingAccess, Source, SpinSite, ThreadReport, Wait,
};

/// A part of an aspect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Mark {
    /// A word that does not depend on the program.
    Text(String),
    /// A line.
    Line(Source),
    /// Calls, innermost first.
    Calls(Vec<CodeAddress>),
}

/// What tells one problem from another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Problem {
    kind: &'static str,
    aspects: Vec<Vec<Mark>>,
}

/// A problem as texts, for names that stay the same when lines move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamedProblem {
    /// The name of its kind.
    pub kind: &'static str,
    /// Its aspects, sorted, each once.
    pub aspects: Vec<Vec<String>>,
}

/// What is asked for by whoever names a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whereabouts<'a> {
    /// A line.
    Line(&'a Source),
    /// Calls, innermost first, which are named by the lines of the test's own code.
    Calls(&'a [CodeAddress]),
}

impl Problem {
    /// What tells a finding of this kind from others.
    pub fn of(kind: &FindingKind) -> Self {
        let mut aspects = aspects(kind);
        aspects.sort();
        aspects.dedup();
        Self { kind: kind.name(), aspects }
    }

    /// The problem with texts for its places.
    pub fn named(&self, mut name: impl FnMut(Whereabouts<'_>) -> Vec<String>) -> NamedProblem {
        let mut text = |mark: &Mark| match mark {
            Mark::Text(text) => vec![text.clone()],
            Mark::Line(source) => name(Whereabouts::Line(source)),
            Mark::Calls(frames) => name(Whereabouts::Calls(frames)),
        };
        let aspects = self.aspects.iter();
        let mut aspects: Vec<Vec<String>> =
            aspects.map(|marks| marks.iter().flat_map(&mut text).collect()).collect();
        aspects.sort();
        aspects.dedup();
        NamedProblem { kind: self.kind, aspects }
    }

    /// The places that it is about.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.aspects.iter().flatten().flat_map(|mark| match mark {
            Mark::Text(_) => Vec::new(),
            Mark::Line(source) => vec![Place::Line(source.clone())],
            Mark::Calls(frames) => frames.iter().copied().map(Place::Code).collect(),
        })
    }
}

/// An aspect that begins with a word for what it is.
fn aspect(word: &str, marks: impl IntoIterator<Item = Mark>) -> Vec<Mark> {
    std::iter::once(Mark::Text(word.to_owned())).chain(marks).collect()
}

fn line(source: &Source) -> Mark {
    Mark::Line(source.clone())
}

fn operation(kind: OperationKind) -> Mark {
    Mark::Text(kind.to_string())
}

/// Which object it is: by where it was created, if it remembers.
fn object(object: Option<&ObjectName>) -> impl Iterator<Item = Mark> + '_ {
    object.into_iter().flat_map(|object| {
        let kind = Mark::Text(object.kind.to_string());
        std::iter::once(kind).chain(object.created.as_ref().map(line))
    })
}

/// Which thread it is: by where it was started.
fn thread(thread: &ThreadReport) -> Vec<Mark> {
    aspect("in a thread from", thread.spawned.as_ref().map(line))
}

fn after(source: Option<&Source>) -> Vec<Mark> {
    aspect("after", source.map(line))
}

fn calls(word: &str, event: &MemoryEvent) -> Vec<Mark> {
    aspect(word, [Mark::Calls(event.frames.clone())])
}

fn allocated(block: Option<&MemoryBlock>) -> impl Iterator<Item = Vec<Mark>> + '_ {
    block.into_iter().map(|block| calls("allocated", &block.allocated))
}

fn wait(wait: &Wait) -> Vec<Mark> {
    let what = [operation(wait.kind), line(&wait.at)];
    aspect("waits", what.into_iter().chain(object(wait.object.as_ref())))
}

fn holds(held: &Held) -> Vec<Mark> {
    aspect("holds", [operation(held.kind), line(&held.at)])
}

fn aspects(kind: &FindingKind) -> Vec<Vec<Mark>> {
    match kind {
        FindingKind::Panic(panic) => vec![match &panic.at {
            // Its message may tell values.
            Some(at) => aspect("at", [line(at)]),
            None => aspect("says", [Mark::Text(without_numbers(&panic.message))]),
        }],
        FindingKind::Deadlock { cycle } => {
            // Of what they hold, the locks that close the circle.
            let wanted =
                |held: &&Held| cycle.iter().any(|wait| wait.object.as_ref() == Some(&held.object));
            let held = cycle.iter().flat_map(|wait| &wait.holds).filter(wanted).map(holds);
            cycle.iter().map(wait).chain(held).collect()
        }
        FindingKind::DoubleLock { wait: own } => {
            let wanted = |held: &&Held| own.object.as_ref() == Some(&held.object);
            let held = own.holds.iter().filter(wanted).map(holds);
            std::iter::once(wait(own)).chain(held).collect()
        }
        FindingKind::Stuck { waits, .. } | FindingKind::LeakedThreads { waits } => {
            waits.iter().map(wait).collect()
        }
        FindingKind::Livelock { sites, .. } => spins(sites),
        FindingKind::Infeasible { schedule, held, .. } => {
            let held = held.iter().map(|HeldBack { before, at, .. }| {
                aspect(
                    "held",
                    std::iter::once(Mark::Text(before.clone())).chain(at.as_ref().map(line)),
                )
            });
            let schedule = aspect("schedule", [Mark::Text(schedule.clone())]);
            std::iter::once(schedule).chain(held).collect()
        }
        FindingKind::Crash { thread: of, signal, after: last, frames, .. } => {
            let signal = aspect("signal", [Mark::Text(signal.clone())]);
            let at = aspect("at", [Mark::Calls(frames.clone())]);
            vec![signal, at, thread(of), after(last.as_ref())]
        }
        FindingKind::StackOverflow { thread: of, after: last, .. }
        | FindingKind::Stalled { thread: of, after: last, .. } => {
            vec![thread(of), after(last.as_ref())]
        }
        FindingKind::Exit { thread: of, code, after: last } => {
            let code = code.map_or_else(|| "unknown".to_owned(), |code| code.to_string());
            vec![aspect("code", [Mark::Text(code)]), thread(of), after(last.as_ref())]
        }
        FindingKind::DataRace { first, second, block, .. } => {
            let access = |RacingAccess { at, frames, .. }: &RacingAccess| match at {
                Some(at) => aspect("accesses", [line(at)]),
                None => aspect("accesses", [Mark::Calls(frames.clone())]),
            };
            let accesses = [access(first), access(second)];
            accesses.into_iter().chain(allocated(block.as_deref())).collect()
        }
        FindingKind::UseAfterFree { used, block } => {
            let used = match used {
                MemoryUse::Operation { at, .. } => vec![aspect("uses", [line(at)])],
                MemoryUse::Access { event, .. } | MemoryUse::Stack { event, .. } => {
                    vec![calls("uses", event)]
                }
                MemoryUse::Write => {
                    let freed = block.iter().filter_map(|block| block.freed.as_ref());
                    freed.map(|event| calls("freed", event)).collect()
                }
                MemoryUse::Pointer { thread: of, after: last, .. } => {
                    vec![thread(of), after(last.as_ref())]
                }
            };
            used.into_iter().chain(allocated(block.as_deref())).collect()
        }
        FindingKind::DoubleFree { block, again } => {
            // Which of the two comes first is a matter of chance.
            let frees = block.freed.iter().chain([&**again]).map(|event| calls("freed", event));
            allocated(Some(block)).chain(frees).collect()
        }
        FindingKind::InvalidFree { block, free } => {
            std::iter::once(calls("freed", free)).chain(allocated(block.as_deref())).collect()
        }
        FindingKind::Leak { blocks, .. } => {
            blocks.iter().map(|block| calls("allocated", &block.allocated)).collect()
        }
        // Which allocation is one too many, and what differs first, is a matter of chance.
        FindingKind::Memory { .. } | FindingKind::Nondeterminism { .. } => Vec::new(),
    }
}

/// The places of the loop: others come by seldom in the same time.
fn spins(sites: &[SpinSite]) -> Vec<Vec<Mark>> {
    let most = sites.iter().map(|site| site.times).max().unwrap_or(0);
    let often = sites.iter().filter(|site| site.times > most / 2);
    often.map(|site| aspect("spins", [operation(site.kind), line(&site.at)])).collect()
}

/// A message without the numbers in it, which differ from run to run.
fn without_numbers(message: &str) -> String {
    let mut text = String::new();
    let mut word = String::new();
    let push = |text: &mut String, word: &mut String| {
        let number = word.starts_with(|c: char| c.is_ascii_digit());
        text.push_str(if number { "#" } else { word });
        word.clear();
    };
    for c in message.chars() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            push(&mut text, &mut word);
            text.push(c);
        }
    }
    push(&mut text, &mut word);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AccessKind, AccessMode, ObjectKind, Panic, ThreadPath};

    fn at(number: u32) -> Source {
        Source { file: "src/lib.rs".to_owned(), line: number, column: 9 }
    }

    fn by(ordinal: u32) -> ThreadReport {
        let path = ThreadPath::main().child(ordinal);
        ThreadReport { path, name: None, spawned: None }
    }

    fn same(a: &FindingKind, b: &FindingKind) -> bool {
        Problem::of(a) == Problem::of(b)
    }

    fn panic_at(at: Option<Source>, message: &str) -> FindingKind {
        FindingKind::Panic(Panic { thread: by(1), message: message.to_owned(), at })
    }

    #[test]
    fn an_assertion_is_one_problem_whatever_values_it_has_seen() {
        let one = panic_at(Some(at(3)), "left: 1");
        assert!(same(&one, &panic_at(Some(at(3)), "left: 2")));
        assert!(!same(&one, &panic_at(Some(at(4)), "left: 1")));
        let nowhere = |message| panic_at(None, message);
        assert!(same(&nowhere("lost 3 of 0x7f03"), &nowhere("lost 12 of 0x9")));
        assert!(!same(&nowhere("lost 3"), &nowhere("found 3")));
    }

    fn race(first: u64, second: u64) -> FindingKind {
        let access = |ordinal, address| {
            Box::new(RacingAccess {
                thread: by(ordinal),
                kind: AccessKind::Write,
                mode: AccessMode::Plain,
                at: None,
                frames: vec![CodeAddress(address), CodeAddress(99)],
                after: None,
                line: None,
                weak: None,
            })
        };
        FindingKind::DataRace {
            first: access(1, first),
            second: access(2, second),
            size: 4,
            block: None,
        }
    }

    #[test]
    fn who_comes_first_does_not_matter_and_where_does() {
        assert!(same(&race(1, 2), &race(2, 1)));
        assert!(!same(&race(1, 2), &race(1, 3)));
    }

    #[test]
    fn crashes_at_different_places_are_different() {
        let crash = |frame, signal: &str| FindingKind::Crash {
            thread: by(1),
            signal: signal.to_owned(),
            cause: String::new(),
            after: Some(at(7)),
            frames: vec![CodeAddress(frame)],
        };
        assert!(same(&crash(1, "SIGSEGV"), &crash(1, "SIGSEGV")));
        assert!(!same(&crash(1, "SIGSEGV"), &crash(2, "SIGSEGV")));
        assert!(!same(&crash(1, "SIGSEGV"), &crash(1, "SIGABRT")));
    }

    #[test]
    fn a_deadlock_is_where_locks_are_taken_and_wanted_and_which_they_are() {
        let lock = |number, created| ObjectName {
            kind: ObjectKind::Mutex,
            number,
            created: Some(at(created)),
        };
        let waits = |ordinal, wanted: (u32, u32), held: (u32, u32), other: u32| {
            let holds =
                |object, taken| Held { object, kind: OperationKind::MutexLock, at: at(taken) };
            Wait {
                thread: by(ordinal),
                kind: OperationKind::MutexLock,
                object: Some(lock(wanted.0, wanted.1)),
                at: at(20 + wanted.0),
                for_threads: Vec::new(),
                holds: vec![holds(lock(held.0, held.1), 30), holds(lock(9, 90), other)],
            }
        };
        let deadlock = |second, other| FindingKind::Deadlock {
            cycle: vec![waits(1, (1, 1), (2, second), other), waits(2, (2, second), (1, 1), other)],
        };
        assert!(same(&deadlock(2, 40), &deadlock(2, 41)), "what else they hold is no part of it");
        assert!(!same(&deadlock(2, 40), &deadlock(3, 40)), "another lock");
        let FindingKind::Deadlock { mut cycle } = deadlock(2, 40) else { unreachable!() };
        cycle.reverse();
        assert!(same(&deadlock(2, 40), &FindingKind::Deadlock { cycle }));
    }

    #[test]
    fn names_take_the_place_of_lines_and_instructions() {
        let named = |kind: &FindingKind| {
            Problem::of(kind).named(|place| match place {
                Whereabouts::Line(source) => vec![format!("line {}", source.line)],
                Whereabouts::Calls(frames) => vec![format!("{} calls", frames.len())],
            })
        };
        assert_eq!(named(&panic_at(Some(at(3)), "")).aspects, [["at", "line 3"]]);
        // Two instructions of one place are one aspect.
        assert_eq!(named(&race(1, 2)).aspects, [["accesses", "2 calls"]]);
        assert_eq!(named(&race(1, 2)).kind, "data-race");
    }
}

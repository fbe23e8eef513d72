//! Findings of all kinds: what they are called, and what becomes of those that somebody has made up.

mod forged;
mod identity;

use super::{Built, Kept, PlaceNames};
use crate::compile::Binary;
use crate::memory_layer::MemoryLayer;
use selvedge_model::{
    AccessKind, AccessMode, Age, CallStacks, CodeAddress, Effect, Finding, FindingKind, Held,
    HeldBack, LastNotify, MemoryBlock, MemoryEvent, MemoryUse, NamedEvent, ObjectKind, ObjectName,
    OperationKind, Panic, RacingAccess, Replayed, Source, SpinSite, Step, ThreadPath, ThreadReport,
    Wait,
};

fn at(line: u32) -> Source {
    Source { file: "src/lib.rs".to_owned(), line, column: 5 }
}

/// A place in a file that can not be read.
fn elsewhere(line: u32) -> Source {
    Source { file: "src/other.rs".to_owned(), line, column: 5 }
}

fn thread(ordinal: u32) -> ThreadReport {
    let path = ThreadPath::main().child(ordinal);
    ThreadReport { path, name: Some("worker".to_owned()), spawned: Some(elsewhere(1)) }
}

fn lock(number: u32) -> ObjectName {
    ObjectName { kind: ObjectKind::Mutex, number, created: Some(elsewhere(number)) }
}

fn wait(ordinal: u32, line: u32, wanted: u32, held: u32) -> Wait {
    Wait {
        thread: thread(ordinal),
        kind: OperationKind::MutexLock,
        object: Some(lock(wanted)),
        at: at(line),
        for_threads: vec![ThreadPath::main()],
        holds: vec![Held { object: lock(held), kind: OperationKind::MutexLock, at: at(line) }],
    }
}

fn memory(address: u64) -> MemoryEvent {
    MemoryEvent {
        thread: Some(thread(1)),
        after: Some(at(3)),
        frames: vec![CodeAddress(address), CodeAddress(99)],
    }
}

fn block() -> MemoryBlock {
    MemoryBlock { size: 8, allocated: memory(10), freed: Some(memory(11)) }
}

/// One finding of each kind, at these lines.
fn kinds(line: u32, other: u32) -> Vec<FindingKind> {
    let access = |ordinal, line| {
        Box::new(RacingAccess {
            thread: thread(ordinal),
            kind: AccessKind::Write,
            mode: AccessMode::Plain,
            at: Some(at(line)),
            frames: Vec::new(),
            after: None,
            line: None,
            weak: None,
        })
    };
    let step = Step {
        thread: ThreadPath::main(),
        kind: OperationKind::MutexLock,
        object: Some(lock(1)),
        second: None,
        at: at(line),
        effect: Effect::Done,
        age: Age::ONLY,
    };
    let boxed = || Some(Box::new(block()));
    let (after, cause) = (Some(at(line)), "by accident".to_owned());
    let signal = "SIGSEGV".to_owned();
    vec![
        FindingKind::Panic(Panic {
            thread: thread(1),
            message: "left: 1\nright: 2".to_owned(),
            at: Some(at(line)),
        }),
        FindingKind::Deadlock { cycle: vec![wait(1, line, 1, 2), wait(2, other, 2, 1)] },
        FindingKind::DoubleLock { wait: Box::new(wait(1, line, 1, 1)) },
        FindingKind::Stuck {
            waits: vec![wait(1, line, 1, 2)],
            notifies: vec![LastNotify {
                object: lock(3),
                notify: Some((thread(2), OperationKind::NotifyOne, at(other))),
                woke: 0,
            }],
        },
        FindingKind::Livelock {
            steps: 100,
            sites: vec![SpinSite {
                thread: thread(1),
                kind: OperationKind::MutexLock,
                at: at(line),
                times: 9,
            }],
        },
        FindingKind::LeakedThreads { waits: vec![wait(1, line, 1, 2), wait(2, other, 2, 1)] },
        FindingKind::Infeasible {
            schedule: "a -> b".to_owned(),
            held: vec![HeldBack {
                thread: thread(1),
                before: "b".to_owned(),
                at: Some(at(line)),
                needs: vec!["a".to_owned()],
            }],
            occurred: vec![NamedEvent {
                event: "c".to_owned(),
                thread: thread(2),
                at: Some(at(other)),
            }],
            waits: vec![wait(2, other, 1, 2)],
            hints: vec!["a is written 'A'".to_owned()],
        },
        FindingKind::Crash {
            thread: thread(1),
            signal: signal.clone(),
            cause,
            after: after.clone(),
            frames: vec![CodeAddress(u64::from(line))],
        },
        FindingKind::StackOverflow { thread: thread(1), stack_size: 1 << 20, after: after.clone() },
        FindingKind::Exit { thread: thread(1), code: Some(3), after: after.clone() },
        FindingKind::DataRace {
            first: access(1, line),
            second: access(2, other),
            size: 4,
            block: boxed(),
        },
        FindingKind::UseAfterFree {
            used: MemoryUse::Operation { thread: thread(1), kind: None, at: at(line) },
            block: boxed(),
        },
        FindingKind::UseAfterFree {
            used: MemoryUse::Access { event: memory(u64::from(line)), kind: AccessKind::Read },
            block: boxed(),
        },
        FindingKind::UseAfterFree {
            used: MemoryUse::Pointer { thread: thread(1), signal, after: after.clone() },
            block: None,
        },
        FindingKind::DoubleFree {
            block: Box::new(block()),
            again: Box::new(memory(u64::from(line))),
        },
        FindingKind::InvalidFree { block: None, free: Box::new(memory(u64::from(line))) },
        FindingKind::Leak { blocks: vec![block()], count: 1, bytes: 8 },
        FindingKind::Memory { bytes: 9, limit: 8, last: Box::new(memory(1)) },
        FindingKind::Stalled { thread: thread(1), milliseconds: 9, after },
        FindingKind::Nondeterminism { step: 3, first: Some(step), second: None },
    ]
}

fn kept(kind: FindingKind, places: &PlaceNames<'_>) -> Kept {
    let step = |ordinal: u32, line| Step {
        thread: if ordinal == 0 { ThreadPath::main() } else { ThreadPath::main().child(ordinal) },
        kind: OperationKind::MutexLock,
        object: Some(lock(1)),
        second: None,
        at: at(line),
        effect: Effect::Done,
        age: Age::ONLY,
    };
    let panic = Panic { thread: thread(1), message: "oh".to_owned(), at: Some(at(4)) };
    let finding = Finding {
        kind,
        schedule: "selvedge/1 1:lock@src/lib.rs:2:5>2".parse().expect("a schedule"),
        steps: (0..6).map(|n| step(n % 3, n + 1)).collect(),
        before: 0,
        unrecorded: 0,
        threads: vec![
            ThreadReport { path: ThreadPath::main(), name: None, spawned: None },
            thread(1),
            thread(2),
        ],
        panics: vec![panic],
        output: "printed\n".to_owned(),
        execution: 7,
        strategy: "random".to_owned(),
        replayed: Replayed::Yes,
        stacks: CallStacks::default(),
    };
    let binary = Binary {
        executable: "queue".into(),
        package: cargo_metadata::PackageId { repr: "queue".to_owned() },
        package_name: "queue".to_owned(),
        folder: ".".into(),
        root: ".".into(),
        target: "queue".to_owned(),
        kind: "lib".to_owned(),
        environment: Vec::new(),
        outside: None,
    };
    let built =
        Built { cargo: vec!["--features".to_owned(), "a".to_owned()], memory: MemoryLayer::Off };
    let settings = [("seed".to_owned(), "3".to_owned())];
    Kept::new("rustc", &binary, "tests::close", built, &settings, finding, places)
}

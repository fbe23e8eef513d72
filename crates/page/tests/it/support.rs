//! Findings made by hand.

use selvedge_model::{
    Age, CallStacks, Effect, Finding, FindingKind, Held, MetricReport, Named, ObjectKind,
    ObjectName, OperationKind as Kind, Panic, Part, Place, Replayed, Requirement, Schedule, Source,
    Step, ThreadId, ThreadPath, ThreadReport, Wait,
};
use selvedge_page::data::State;
use selvedge_page::{Head, Maker, Tested};
use selvedge_report::Sources;

/// Every line of `src/shop.rs` up to the hundredth is there.
pub(crate) struct Shop;

impl Sources for Shop {
    fn line(&self, file: &str, line: u32) -> Option<String> {
        (file == "src/shop.rs" && line <= 100).then(|| format!("line {line} of the shop"))
    }
}

pub(crate) fn at(line: u32) -> Source {
    Source { file: "src/shop.rs".to_owned(), line, column: 9 }
}

pub(crate) fn maker() -> Maker {
    Maker::new(Head {
        selvedge: "1.2.3".to_owned(),
        project: "shop".to_owned(),
        commit: None,
        made: 1_800_000_000,
    })
}

pub(crate) fn tested<'a>(name: &str, coverage: &'a [MetricReport]) -> Tested<'a> {
    Tested { state: State::Passed, executions: 10, coverage, ..Tested::unknown("shop", name) }
}

fn thread(ordinal: u32) -> ThreadReport {
    let path = match ordinal {
        0 => ThreadPath::main(),
        n => ThreadPath::main().child(n),
    };
    ThreadReport { path, name: None, spawned: (ordinal > 0).then(|| at(30 + ordinal)) }
}

pub(crate) fn mutex(number: u32) -> ObjectName {
    ObjectName { kind: ObjectKind::Mutex, number, created: Some(at(90 + number)) }
}

pub(crate) fn step(by: u32, kind: Kind, object: ObjectName, line: u32, effect: Effect) -> Step {
    let (object, second) = (Some(object), None);
    Step { thread: thread(by).path, kind, object, second, at: at(line), effect, age: Age::ONLY }
}

fn spawn(child: u32) -> [Step; 2] {
    let object = ObjectName { kind: ObjectKind::Thread, number: child, created: None };
    let effect = Effect::Thread(ThreadId(child));
    [
        step(0, Kind::Spawn, object.clone(), 30 + child, effect),
        step(child, Kind::ThreadStart, object, 30 + child, Effect::Done),
    ]
}

fn found(kind: FindingKind, steps: Vec<Step>) -> Finding {
    Finding {
        kind,
        schedule: "selvedge/1 1:lock@src/shop.rs:18:9>2".parse::<Schedule>().unwrap(),
        steps,
        before: 0,
        unrecorded: 0,
        threads: (0..3).map(thread).collect(),
        panics: Vec::new(),
        output: String::new(),
        execution: 17,
        strategy: "pct(3)".to_owned(),
        replayed: Replayed::Yes,
        stacks: CallStacks::default(),
    }
}

/// The first thread uses both locks and then they are taken crosswise.
pub(crate) fn deadlock() -> Finding {
    let lock = |by, number, line| step(by, Kind::MutexLock, mutex(number), line, Effect::Done);
    let unlock = |by, number, line| step(by, Kind::MutexUnlock, mutex(number), line, Effect::Done);
    let mut steps = [spawn(1), spawn(2)].concat();
    steps.extend([lock(1, 1, 15), unlock(1, 1, 15), lock(2, 1, 16), unlock(2, 1, 16)]);
    steps.extend([lock(1, 1, 17), lock(2, 2, 26)]);
    let wait = |by: u32, has, wants, line| Wait {
        thread: thread(by),
        kind: Kind::MutexLock,
        object: Some(mutex(wants)),
        at: at(line),
        for_threads: vec![thread(3 - by).path],
        holds: vec![Held { object: mutex(has), kind: Kind::MutexLock, at: at(line - 1) }],
    };
    found(FindingKind::Deadlock { cycle: vec![wait(1, 1, 2, 18), wait(2, 2, 1, 27)] }, steps)
}

/// Two threads read a counter before either of them writes it.
pub(crate) fn lost_update(message: &str) -> Finding {
    let counter = || ObjectName { kind: ObjectKind::Atomic, number: 1, created: None };
    let load = |by, line, value| step(by, Kind::AtomicLoad, counter(), line, Effect::Read(value));
    let store =
        |by, line, value| step(by, Kind::AtomicStore, counter(), line, Effect::Wrote(value));
    let mut steps = [spawn(1), spawn(2)].concat();
    steps.extend([load(1, 5, 0), load(2, 5, 0), store(2, 6, 1), store(1, 6, 1), load(0, 40, 1)]);
    let panic = Panic { thread: thread(0), message: message.to_owned(), at: Some(at(41)) };
    found(FindingKind::Panic(panic), steps)
}

/// A lock taken at one line and then at another.
pub(crate) fn pair(line: u32, then: u32) -> Requirement {
    let part =
        |role: &str, line| Part { role: role.to_owned(), is: Named::Place(Place::Line(at(line))) };
    Requirement { parts: vec![part("", line), part("then", then)] }
}

pub(crate) fn metric(
    name: &str,
    covered: Vec<Requirement>,
    uncovered: Vec<Requirement>,
) -> MetricReport {
    MetricReport {
        metric: name.to_owned(),
        covered,
        uncovered,
        weight: None,
        growth: Vec::new(),
        average: 0.0,
        quality: None,
    }
}

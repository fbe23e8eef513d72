//! A made-up campaign, as large as one likes: for measuring pages and for looking at them.

use crate::data::{self, Reached, Report, State, Strategy};
use crate::{Head, Maker, Tested};
use selvedge_model::{
    Age, CallStacks, Effect, Finding, FindingKind, Growth, Held, MetricReport, Named, NamedObject,
    ObjectKind, ObjectName, OperationKind as Kind, Panic, Part, Place, Remaining, Replayed,
    Requirement, Schedule, Source, Step, ThreadId, ThreadPath, ThreadReport, Wait,
};
use selvedge_report::Sources;

/// How large a campaign is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// So many tests.
    pub tests: usize,
    /// So many findings.
    pub findings: usize,
    /// So many steps in each finding.
    pub steps: usize,
}

impl Size {
    /// As large as a page has to be able to take.
    pub const LARGE: Self = Self { tests: 50, findings: 1000, steps: 300 };
}

/// A campaign of this size. The same size gives the same campaign.
pub fn report(size: Size) -> Report {
    let mut maker = Maker::new(Head {
        selvedge: env!("CARGO_PKG_VERSION").to_owned(),
        project: "sample".to_owned(),
        commit: Some("0123456".to_owned()),
        made: 1_800_000_000,
    });
    for test in 0..size.tests {
        add_test(&mut maker, test);
    }
    for number in 0..size.findings {
        let (id, test) = (format!("{number:08x}"), number % size.tests.max(1));
        maker.finding(&id, test, &finding(number, size.steps), Some(true), &Made);
    }
    maker.finish(&Made)
}

/// Made-up sources: every line of every file is there.
struct Made;

impl Sources for Made {
    fn line(&self, file: &str, line: u32) -> Option<String> {
        (line <= 400 && file.starts_with("src/")).then(|| match line % 7 {
            0 => String::new(),
            1 => format!("    // What {file} does at line {line}."),
            2 => "    let mut stock = self.stock.lock().unwrap();".to_owned(),
            3 => "    self.sold.store(self.sold.load(SeqCst) + 1, SeqCst);".to_owned(),
            n => format!("        stock.take({n}, \"apples\").expect(\"enough\");"),
        })
    }
}

fn at(file: usize, line: usize) -> Source {
    Source {
        file: format!("src/shop/part_{}.rs", file % 20),
        line: 10 + (line % 380) as u32,
        column: 9,
    }
}

fn add_test(maker: &mut Maker, test: usize) {
    let state = match test % 5 {
        0 => State::Passed,
        1 => State::Saturated,
        2 => State::TooLong,
        _ => State::Found,
    };
    let covered = 60 + test * 3;
    let place = |line| Named::Place(Place::Line(at(test, line)));
    let part = |role: &str, is| Part { role: role.to_owned(), is };
    let requirement = |number: usize| Requirement {
        parts: vec![
            part("", place(number)),
            part("then", place(number * 7 + 3)),
            part(
                "on",
                Named::Object(NamedObject {
                    kind: Some(ObjectKind::Mutex),
                    origin: Some(Place::Line(at(test, 1))),
                    number: None,
                }),
            ),
        ],
    };
    let growth = (1..=covered as u64).map(|n| Growth { execution: n * n / 20 + n, covered: n });
    let metric = |name: &str, uncovered: usize| MetricReport {
        metric: name.to_owned(),
        covered: (0..covered).map(requirement).collect(),
        uncovered: (covered..covered + uncovered).map(requirement).collect(),
        weight: None,
        growth: growth.clone().collect(),
        average: 12.0,
        quality: None,
    };
    let coverage = [metric("sp", 4), metric("hbpair", 0), metric("avio*", 9)];
    let remaining: Vec<_> = coverage
        .iter()
        .map(|metric| Remaining {
            metric: metric.metric.clone(),
            covered: covered as u64,
            unseen: 2.5,
            next: 0.004,
            saturated: (state == State::Saturated).then_some(700),
        })
        .collect();
    let strategy = |name: &str, slower: u64, findings| Strategy {
        name: name.to_owned(),
        executions: 1000,
        findings,
        metrics: coverage.iter().map(|metric| reached(metric, slower)).collect(),
    };
    maker.test(Tested {
        state,
        executions: 1000,
        steps: 81_000,
        threads: 4,
        seconds: Some(0.8),
        coverage: &coverage,
        remaining: &remaining,
        strategies: vec![strategy("random", 4, 1), strategy("surw", 2, 2), strategy("tsa", 1, 4)],
        ..Tested::unknown(
            &format!("shop::test/part_{}", test % 8),
            &format!("orders::checkout::sells_what_is_there_{test}"),
        )
    });
}

/// A metric as it is reached by somebody who takes so many times as long.
fn reached(metric: &MetricReport, slower: u64) -> Reached {
    let growth = metric.growth.iter().map(|at| data::Growth(at.execution * slower, at.covered));
    let growth: Vec<_> = growth.take_while(|point| point.0 <= 1000).step_by(8).collect();
    let covered = growth.last().map_or(0, |point| point.1);
    Reached { metric: metric.metric.clone(), covered, growth }
}

/// A finding of the given number of steps: several threads that take locks, count, and at last wait
/// for each other or fail.
fn finding(number: usize, length: usize) -> Finding {
    let threads: Vec<ThreadReport> = (0..4)
        .map(|thread| ThreadReport {
            path: match thread {
                0 => ThreadPath::main(),
                n => ThreadPath::main().child(n),
            },
            name: (thread == 1).then(|| "seller".to_owned()),
            spawned: (thread > 0).then(|| at(number, 20 + thread as usize)),
        })
        .collect();
    let object = |kind, number| ObjectName { kind, number, created: Some(at(1, number as usize)) };
    let mut steps = Vec::new();
    let mut push = |thread: usize, kind, object, line, effect| {
        let (thread, object, second) = (threads[thread].path.clone(), Some(object), None);
        let (at, age) = (at(number, line), Age::ONLY);
        steps.push(Step { thread, kind, object, second, at, effect, age });
    };
    for thread in 1..4 {
        let child = object(ObjectKind::Thread, thread);
        push(0, Kind::Spawn, child, 20 + thread as usize, Effect::Thread(ThreadId(thread)));
    }
    for thread in 1..4 {
        push(
            thread,
            Kind::ThreadStart,
            object(ObjectKind::Thread, thread as u32),
            30,
            Effect::Done,
        );
    }
    for round in 0..length.saturating_sub(6) / 4 {
        let thread = 1 + (round * 7 + number) % 3;
        let lock = object(ObjectKind::Mutex, 3 + (round % 3) as u32);
        let count = object(ObjectKind::Atomic, 1);
        push(thread, Kind::MutexLock, lock.clone(), round * 5 + number, Effect::Done);
        push(thread, Kind::AtomicLoad, count.clone(), round * 5 + 1, Effect::Read(round as u64));
        push(thread, Kind::AtomicStore, count, round * 5 + 2, Effect::Wrote(round as u64 + 1));
        push(thread, Kind::MutexUnlock, lock, round * 5 + number, Effect::Done);
    }
    let kind = if number.is_multiple_of(2) {
        let (stock, till) = (object(ObjectKind::Mutex, 1), object(ObjectKind::Mutex, 2));
        push(1, Kind::MutexLock, stock.clone(), 40, Effect::Done);
        push(2, Kind::MutexLock, till.clone(), 50, Effect::Done);
        let wait = |thread: usize, has: &ObjectName, wants: &ObjectName, line| Wait {
            thread: threads[thread].clone(),
            kind: Kind::MutexLock,
            object: Some(wants.clone()),
            at: at(number, line + 1),
            for_threads: vec![threads[3 - thread].path.clone()],
            holds: vec![Held { object: has.clone(), kind: Kind::MutexLock, at: at(number, line) }],
        };
        FindingKind::Deadlock {
            cycle: vec![wait(1, &stock, &till, 40), wait(2, &till, &stock, 50)],
        }
    } else {
        FindingKind::Panic(Panic {
            thread: threads[0].clone(),
            message: format!("assertion `left == right` failed\n  left: {number}\n right: 1"),
            at: Some(at(number, 60)),
        })
    };
    let panics = match &kind {
        FindingKind::Panic(panic) => vec![panic.clone()],
        _ => Vec::new(),
    };
    let schedule = format!(
        "selvedge/1 1:lock@src/shop/part_{}.rs:{}:9>2 2:store@src/shop/part_{}.rs:52:9#3>1",
        number % 20,
        10 + number % 380,
        number % 20
    );
    Finding {
        kind,
        schedule: schedule.parse::<Schedule>().unwrap_or_default(),
        steps,
        before: 0,
        unrecorded: 0,
        threads,
        panics,
        output: format!("selling {number} apples\n"),
        execution: number as u64 + 1,
        strategy: "portfolio: surw".to_owned(),
        replayed: Replayed::Yes,
        stacks: CallStacks::default(),
    }
}

//! How many events a second are read from a trace and analysed, on one core.
//!
//! `cargo run --release -p selvedge-observe --example offline`: executions of four threads that take
//! a lock, use what it protects and a shared place in memory, and count in an atomic, are written to a
//! trace; then the trace is read by nobody, by some, and by everybody.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "it measures and tells")]

use selvedge_model::{
    Access, AccessKind, AccessMode, Age, Clock, CodeAddress, Config, Effect, Event, Moment,
    ObjectId, ObjectInfo, ObjectKind, Observer, Operation, OperationKind, Order, Record, Site,
    Spot, ThreadId, ThreadInfo, Variable,
};
use selvedge_observe::Watchers;
use selvedge_observe::detect::Verdict;
use selvedge_observe::trace::{Header, Trace, TraceWriter, analyse};
use std::time::Instant;

const THREADS: u32 = 4;
const EXECUTIONS: u32 = 200;
const ROUNDS: u32 = 500;

fn main() {
    let mut writer = TraceWriter::new(&Header::default(), usize::MAX);
    for _ in 0..EXECUTIONS {
        execution(&mut writer);
    }
    let written = writer.finish();
    let trace = Trace::read(&written.bytes).expect("it was just written");
    let settings: [(&str, &[(&str, &str)]); 4] = [
        ("nobody", &[("detectors", "off")]),
        (
            "sp, hbpair, dupairs, avio",
            &[("detectors", "off"), ("metrics", "sp,hbpair,dupairs,avio")],
        ),
        ("races and the usual detectors", &[("races", "on")]),
        ("everything", &[("detectors", "all"), ("metrics", "all"), ("races", "on")]),
    ];
    for (name, settings) in settings {
        let mut config = Config::default();
        for (key, value) in settings {
            config.set(key, value).expect("the setting exists");
        }
        let mut watchers = Watchers::of_config(&config);
        let began = Instant::now();
        let analysed = analyse(&trace, &mut watchers).expect("it was just written");
        let seconds = began.elapsed().as_secs_f64();
        let records = analysed.records as f64;
        println!(
            "{name:30} {:8.2} million events a second, {:7.1} ns each",
            records / seconds / 1e6,
            seconds * 1e9 / records
        );
    }
    let bytes = written.bytes.len() as f64;
    let mut watchers = Watchers::default();
    let analysed = analyse(&trace, &mut watchers).expect("it was just written");
    println!("{:.1} bytes an event", bytes / analysed.records as f64);
}

/// What there is in an execution.
struct World {
    threads: Vec<ThreadInfo>,
    objects: Vec<ObjectInfo>,
    clocks: Vec<Clock>,
    lock: Clock,
    events: Vec<Event>,
    accesses: Vec<(usize, Access)>,
}

impl World {
    fn event(
        &mut self,
        writer: &mut TraceWriter,
        thread: u32,
        kind: OperationKind,
        object: u32,
        effect: Effect,
        site: Site,
    ) {
        let operation = Operation::new(kind, ObjectId(object), site);
        self.threads[thread as usize].pending = operation;
        let (order, age) = (Order::Implied, Age::ONLY);
        let event = Event { thread: ThreadId(thread), order, age, operation, effect };
        self.events.push(event);
        writer.event(&event, &self.moment(thread));
        self.clocks[thread as usize].tick(ThreadId(thread));
    }

    fn access(&mut self, writer: &mut TraceWriter, thread: u32, variable: Variable, spot: Spot) {
        let (kind, mode) = (AccessKind::Write, AccessMode::Plain);
        let access = Access { thread: ThreadId(thread), kind, mode, variable, spot };
        if matches!(variable, Variable::Data(_)) {
            self.accesses.push((self.events.len(), access));
        }
        writer.access(&access, &self.moment(thread));
    }

    fn moment(&self, thread: u32) -> Moment<'_> {
        Moment {
            clock: &self.clocks[thread as usize],
            threads: &self.threads,
            objects: &self.objects,
            step: self.events.len(),
        }
    }
}

fn execution(writer: &mut TraceWriter) {
    let site = Site::caller();
    let pending = Operation::new(OperationKind::ThreadStart, ObjectId::NONE, site);
    let thread = |ordinal| ThreadInfo {
        pending,
        parent: ThreadId::MAIN,
        ordinal,
        key: u64::from(ordinal),
        spawned: (ordinal > 0).then_some(site),
    };
    let object = |kind| ObjectInfo { kind, created: Some(site), first: site };
    let mut world = World {
        threads: (0..THREADS).map(thread).collect(),
        objects: [ObjectKind::Mutex, ObjectKind::Atomic].map(object).to_vec(),
        clocks: vec![Clock::new(); THREADS as usize],
        lock: Clock::new(),
        events: Vec::new(),
        accesses: Vec::new(),
    };
    writer.begin();
    for round in 0..ROUNDS {
        let me = round * 7 % THREADS;
        let released = world.lock.clone();
        world.clocks[me as usize].join(&released);
        world.event(writer, me, OperationKind::MutexLock, 0, Effect::Done, Site::caller());
        world.access(writer, me, Variable::Data(ObjectId(0)), Spot::Line(Site::caller()));
        let word = Variable::Memory { address: 0x7000 + 8 * (round as usize % 16), size: 8 };
        world.access(writer, me, word, Spot::Code(CodeAddress(0x1000 + u64::from(me) * 16)));
        world.event(writer, me, OperationKind::MutexUnlock, 0, Effect::Done, Site::caller());
        world.lock = world.clocks[me as usize].clone();
        let from = u64::from(round);
        let changed = Effect::Changed { from, to: from + 1 };
        world.event(writer, me, OperationKind::AtomicRmw, 1, changed, Site::caller());
    }
    let World { threads, objects, events, accesses, .. } = &world;
    writer.end(&Record { events, accesses, threads, objects });
    writer.judge(Verdict::Passed, Vec::new);
}

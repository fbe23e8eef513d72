//! What is left of an execution that ran in a child, as bytes and read back.
//!
//! A child may have damaged its own memory, so nothing that it says is believed to be an address of the
//! parent's: a site is sent as a number, and what the numbers stand for as text.

use crate::ending::{Crash, Ending};
use crate::execution::Execution;
use crate::log::{LogEntry, Logged};
use crate::sharing::Learned;
use rustc_hash::FxHashMap;
use selvedge_model::{
    AccessKind, AccessMode, Age, CallStacks, CodeAddress, Effect, Event, Fault, FindingKind,
    NotKept, ObjectId, ObjectInfo, ObjectKind, ObjectName, Operation, OperationKind, Order,
    OutsideThread, Panic, Race, RaceSide, Site, Source, Spot, Strategy, ThreadId, ThreadInfo,
    ThreadPath, ThreadReport, Written,
};
use serde::{Deserialize, Serialize};

/// What is left of an execution that ran in a child.
pub(crate) struct Remains {
    pub(crate) ending: Ending,
    pub(crate) events: Vec<Event>,
    pub(crate) info: Vec<ThreadInfo>,
    pub(crate) objects: Vec<ObjectInfo>,
    pub(crate) log: Vec<LogEntry>,
    pub(crate) race: Option<Race>,
    pub(crate) facts: Facts,
}

/// What can be sent as it is.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Facts {
    pub(crate) finding: Option<FindingKind>,
    pub(crate) outside_threads: Vec<OutsideThread>,
    pub(crate) threads: Vec<ThreadReport>,
    pub(crate) objects: Vec<ObjectName>,
    pub(crate) panics: Vec<Panic>,
    pub(crate) output: String,
    pub(crate) length: u64,
    pub(crate) is_long: bool,
    pub(crate) choices: u64,
    pub(crate) lone_choices: u64,
    pub(crate) wrapped_polls: u64,
    pub(crate) drew_random: bool,
    pub(crate) not_kept: Vec<NotKept>,
    pub(crate) cut_spins: u64,
    pub(crate) stacks: CallStacks,
}

/// All that a child says.
#[derive(Serialize, Deserialize)]
struct Message {
    /// What the numbers of sites stand for.
    sites: Vec<Source>,
    ending: EndingSent,
    events: Vec<EventSent>,
    info: Vec<ThreadSent>,
    objects: Vec<ObjectSent>,
    race: Option<RaceSent>,
    log: Vec<DecisionSent>,
    facts: Facts,
    /// What was learned about sharing, if anything.
    learned: Option<Learned>,
    /// What the strategy has exported.
    strategy: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
enum EndingSent {
    Passed,
    CutOff,
    GivenUp,
    Shared {
        created: SiteSent,
    },
    /// The facts have a finding.
    WentWrong,
}

/// The number of a site among those of the message.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct SiteSent(u32);

/// The sites of a message that is being written.
#[derive(Default)]
struct Sites {
    /// Their numbers, by where they lie in memory.
    numbers: FxHashMap<usize, u32>,
    sources: Vec<Source>,
}

impl Sites {
    fn send(&mut self, site: Site) -> SiteSent {
        let number = *self.numbers.entry(site.address()).or_insert_with(|| {
            self.sources.push(site.source());
            self.sources.len() as u32 - 1
        });
        SiteSent(number)
    }
}

/// Why a message of a child can always be read, unless the child has damaged it.
const READABLE: &str = "selvedge: what a process has said of its execution can be read";

/// The sites of a message that is being read.
struct Known(Vec<Site>);

impl Known {
    fn site(&self, site: SiteSent) -> Site {
        *self.0.get(site.0 as usize).expect(READABLE)
    }
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct OperationSent {
    kind: u8,
    object: u32,
    second: u32,
    site: SiteSent,
}

#[derive(Serialize, Deserialize)]
struct EventSent {
    thread: u32,
    order: Order,
    age: Age,
    operation: OperationSent,
    effect: Effect,
}

#[derive(Serialize, Deserialize)]
struct ThreadSent {
    pending: OperationSent,
    parent: u32,
    ordinal: u32,
    key: u64,
    spawned: Option<SiteSent>,
}

#[derive(Serialize, Deserialize)]
struct ObjectSent {
    kind: ObjectKind,
    created: Option<SiteSent>,
    first: SiteSent,
}

#[derive(Serialize, Deserialize)]
struct RaceSent {
    sides: [SideSent; 2],
    address: usize,
    size: usize,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct SideSent {
    thread: u32,
    time: u32,
    kind: AccessKind,
    mode: AccessMode,
    spot: SpotSent,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum SpotSent {
    Line(SiteSent),
    Code(CodeAddress),
}

#[derive(Serialize, Deserialize)]
struct DecisionSent {
    events: usize,
    thread: u32,
    kind: u8,
    site: SiteSent,
    logged: LoggedSent,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum LoggedSent {
    Switch(u32),
    Wake(u32),
    RandomBytes(u32),
    Saw(Option<u64>),
    Below(Option<u64>),
    Delay(u32),
    Fault(Fault),
}

/// What a child says: its execution, which is over, what was learned since `version`, and what has
/// become of the strategy.
pub(crate) fn write(execution: &Execution, version: u64, strategy: &dyn Strategy) -> Vec<u8> {
    let record = execution.record();
    let sites = &mut Sites::default();
    let message = Message {
        ending: match execution.ending() {
            Ending::Passed => EndingSent::Passed,
            Ending::CutOff => EndingSent::CutOff,
            Ending::GivenUp => EndingSent::GivenUp,
            Ending::Shared { created } => EndingSent::Shared { created: sites.send(*created) },
            _ => EndingSent::WentWrong,
        },
        events: record.events.iter().map(|event| EventSent::new(event, sites)).collect(),
        info: record.threads.iter().map(|thread| ThreadSent::new(thread, sites)).collect(),
        objects: record.objects.iter().map(|object| ObjectSent::new(object, sites)).collect(),
        race: execution.account.race.as_ref().map(|race| RaceSent::new(race, sites)),
        log: execution.account.log.iter().map(|entry| DecisionSent::new(entry, sites)).collect(),
        sites: std::mem::take(&mut sites.sources),
        facts: Facts {
            finding: execution.finding(),
            outside_threads: execution.outside_threads(),
            threads: execution.thread_reports(),
            objects: execution.object_names().all(),
            panics: execution.panic_reports(),
            output: execution.account.output.to_text(),
            length: execution.steps(),
            is_long: execution.is_beyond(),
            choices: execution.account.choices,
            lone_choices: execution.account.lone_choices,
            wrapped_polls: execution.account.wrapped_polls,
            drew_random: execution.world.randomness.was_drawn(),
            not_kept: execution.account.not_kept.clone(),
            cut_spins: execution.rounds.spin.cuts(),
            stacks: execution.call_stacks(crate::diagnose::untold_steps(record.events.len())),
        },
        learned: execution.registry.sharing.learned_since(version),
        strategy: strategy.export(),
    };
    postcard::to_stdvec(&message).expect("a message can be written")
}

/// What a child has said.
pub(crate) struct Told {
    pub(crate) remains: Remains,
    pub(crate) learned: Option<Learned>,
    pub(crate) strategy: Vec<u8>,
}

/// Reads what a child has said.
///
/// # Panics
///
/// Panics if the child has not said what it was meant to.
pub(crate) fn read(said: &[u8]) -> Told {
    let message: Message = postcard::from_bytes(said).expect(READABLE);
    let known = &Known(message.sites.into_iter().map(Site::read).collect());
    let remains = Remains {
        ending: match message.ending {
            EndingSent::Passed => Ending::Passed,
            EndingSent::CutOff => Ending::CutOff,
            EndingSent::GivenUp => Ending::GivenUp,
            EndingSent::Shared { created } => Ending::Shared { created: known.site(created) },
            EndingSent::WentWrong => Ending::WentWrong,
        },
        events: message.events.iter().map(|event| event.receive(known)).collect(),
        info: message.info.iter().map(|thread| thread.receive(known)).collect(),
        objects: message.objects.iter().map(|object| object.receive(known)).collect(),
        race: message.race.map(|race| race.receive(known)),
        log: message.log.iter().map(|decision| decision.receive(known)).collect(),
        facts: message.facts,
    };
    Told { remains, learned: message.learned, strategy: message.strategy }
}

impl Remains {
    /// What is left of an execution of which nothing is known but how its process ended.
    pub(crate) fn of_crash(crash: Crash) -> Self {
        let thread = ThreadReport { path: ThreadPath::main(), name: None, spawned: None };
        let finding = Some(crate::diagnose::crash(crash, thread.clone(), 0, None));
        let facts = Facts { finding, threads: vec![thread], ..Facts::default() };
        Self {
            ending: Ending::WentWrong,
            events: Vec::new(),
            info: Vec::new(),
            objects: Vec::new(),
            log: Vec::new(),
            race: None,
            facts,
        }
    }
}

impl OperationSent {
    fn new(operation: Operation, sites: &mut Sites) -> Self {
        let Operation { kind, object, second, site } = operation;
        Self { kind: kind as u8, object: object.0, second: second.0, site: sites.send(site) }
    }

    fn receive(self, known: &Known) -> Operation {
        let Self { kind, object, second, site } = self;
        let (object, second) = (ObjectId(object), ObjectId(second));
        Operation { kind: kind_of(kind), object, second, site: known.site(site) }
    }
}

fn kind_of(number: u8) -> OperationKind {
    *OperationKind::ALL.get(usize::from(number)).expect(READABLE)
}

impl EventSent {
    fn new(event: &Event, sites: &mut Sites) -> Self {
        let &Event { thread, order, age, operation, effect } = event;
        let operation = OperationSent::new(operation, sites);
        Self { thread: thread.0, order, age, operation, effect }
    }

    fn receive(&self, known: &Known) -> Event {
        let &Self { thread, order, age, operation, effect } = self;
        Event { thread: ThreadId(thread), order, age, operation: operation.receive(known), effect }
    }
}

impl ThreadSent {
    fn new(info: &ThreadInfo, sites: &mut Sites) -> Self {
        let &ThreadInfo { pending, parent, ordinal, key, spawned } = info;
        let pending = OperationSent::new(pending, sites);
        let spawned = spawned.map(|site| sites.send(site));
        Self { pending, parent: parent.0, ordinal, key, spawned }
    }

    fn receive(&self, known: &Known) -> ThreadInfo {
        let &Self { pending, parent, ordinal, key, spawned } = self;
        let pending = pending.receive(known);
        let spawned = spawned.map(|site| known.site(site));
        ThreadInfo { pending, parent: ThreadId(parent), ordinal, key, spawned }
    }
}

impl ObjectSent {
    fn new(info: &ObjectInfo, sites: &mut Sites) -> Self {
        let &ObjectInfo { kind, created, first } = info;
        Self { kind, created: created.map(|site| sites.send(site)), first: sites.send(first) }
    }

    fn receive(&self, known: &Known) -> ObjectInfo {
        let &Self { kind, created, first } = self;
        ObjectInfo { kind, created: created.map(|site| known.site(site)), first: known.site(first) }
    }
}

impl RaceSent {
    fn new(race: &Race, sites: &mut Sites) -> Self {
        let &Race { first, second, address, size } = race;
        let sides = [first, second].map(|side| SideSent {
            thread: side.thread.0,
            time: side.time,
            kind: side.kind,
            mode: side.mode,
            spot: match side.spot {
                Spot::Line(site) => SpotSent::Line(sites.send(site)),
                Spot::Code(address) => SpotSent::Code(address),
            },
        });
        Self { sides, address, size }
    }

    fn receive(&self, known: &Known) -> Race {
        let [first, second] = self.sides.map(|side| RaceSide {
            thread: ThreadId(side.thread),
            time: side.time,
            kind: side.kind,
            mode: side.mode,
            spot: match side.spot {
                SpotSent::Line(site) => Spot::Line(known.site(site)),
                SpotSent::Code(address) => Spot::Code(address),
            },
        });
        Race { first, second, address: self.address, size: self.size }
    }
}

impl DecisionSent {
    fn new(entry: &LogEntry, sites: &mut Sites) -> Self {
        let &LogEntry { events, thread, kind, site, logged } = entry;
        let logged = match logged {
            Logged::Switch(thread) => LoggedSent::Switch(thread.0),
            Logged::Wake(waiter) => LoggedSent::Wake(waiter),
            Logged::RandomBytes(stream) => LoggedSent::RandomBytes(stream),
            Logged::Saw(Written(step)) => LoggedSent::Saw(step),
            Logged::Below(Written(step)) => LoggedSent::Below(step),
            Logged::Delay(milliseconds) => LoggedSent::Delay(milliseconds),
            Logged::Fault(fault) => LoggedSent::Fault(fault),
        };
        Self { events, thread: thread.0, kind: kind as u8, site: sites.send(site), logged }
    }

    fn receive(&self, known: &Known) -> LogEntry {
        let &Self { events, thread, kind, site, logged } = self;
        let logged = match logged {
            LoggedSent::Switch(thread) => Logged::Switch(ThreadId(thread)),
            LoggedSent::Wake(waiter) => Logged::Wake(waiter),
            LoggedSent::RandomBytes(stream) => Logged::RandomBytes(stream),
            LoggedSent::Saw(step) => Logged::Saw(Written(step)),
            LoggedSent::Below(step) => Logged::Below(Written(step)),
            LoggedSent::Delay(milliseconds) => Logged::Delay(milliseconds),
            LoggedSent::Fault(fault) => Logged::Fault(fault),
        };
        LogEntry {
            events,
            thread: ThreadId(thread),
            kind: kind_of(kind),
            site: known.site(site),
            logged,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_the_same_after_it_was_sent() {
        let (first, second) = (Site::caller(), Site::caller());
        let sites = &mut Sites::default();
        let sent = [first, second, first].map(|site| sites.send(site));
        assert_eq!(sites.sources.len(), 2);
        let known = Known(sites.sources.drain(..).map(Site::read).collect());
        assert_eq!(sent.map(|site| known.site(site)), [first, second, first]);
    }

    #[test]
    #[should_panic = "can be read"]
    fn a_site_that_was_never_sent_is_no_address() {
        Known(Vec::new()).site(SiteSent(0));
    }
}

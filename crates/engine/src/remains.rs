//! What is left of an execution that ran in a child, as bytes and read back.
//!
//! A child is a copy of its parent, so code and constants lie at the same addresses in both, and a
//! site is sent as the address of its location.

use crate::ending::{Crash, Ending};
use crate::execution::Execution;
use crate::log::{LogEntry, Logged};
use crate::sharing::Learned;
use selvedge_model::{
    AccessKind, AccessMode, CodeAddress, Effect, Event, Fault, FindingKind, NotKept, ObjectId,
    ObjectInfo, ObjectKind, ObjectName, Operation, OperationKind, Order, OutsideThread, Panic,
    Race, RaceSide, Site, Spot, Strategy, ThreadId, ThreadInfo, ThreadPath, ThreadReport,
};
use serde::{Deserialize, Serialize};
use std::panic::Location;
use std::ptr;

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
    pub(crate) wrapped_polls: u64,
    pub(crate) not_kept: Vec<NotKept>,
    pub(crate) cut_spins: u64,
}

/// All that a child says.
#[derive(Serialize, Deserialize)]
struct Message {
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
    GivenUp,
    Shared {
        created: SiteSent,
    },
    /// The facts have a finding.
    WentWrong,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct SiteSent(usize);

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
    operation: OperationSent,
    effect: Effect,
    order: Order,
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
    Fault(Fault),
}

/// What a child says: its execution, which is over, what was learned since `version`, and what has
/// become of the strategy.
pub(crate) fn write(execution: &Execution, version: u64, strategy: &dyn Strategy) -> Vec<u8> {
    let record = execution.record();
    let message = Message {
        ending: match execution.ending() {
            Ending::Passed => EndingSent::Passed,
            Ending::GivenUp => EndingSent::GivenUp,
            Ending::Shared { created } => EndingSent::Shared { created: SiteSent::from(*created) },
            _ => EndingSent::WentWrong,
        },
        events: record.events.iter().map(EventSent::from).collect(),
        info: record.threads.iter().map(ThreadSent::from).collect(),
        objects: record.objects.iter().map(ObjectSent::from).collect(),
        race: execution.account.race.as_ref().map(RaceSent::from),
        log: execution.account.log.iter().map(DecisionSent::from).collect(),
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
            wrapped_polls: execution.account.wrapped_polls,
            not_kept: execution.account.not_kept.clone(),
            cut_spins: execution.rounds.spin.cuts(),
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
/// # Safety
///
/// The bytes must come from [`write`] in a child of this process.
pub(crate) unsafe fn read(said: &[u8]) -> Told {
    let message: Message = postcard::from_bytes(said).expect("the child says what we understand");
    let remains = Remains {
        ending: match message.ending {
            EndingSent::Passed => Ending::Passed,
            EndingSent::GivenUp => Ending::GivenUp,
            EndingSent::Shared { created } => {
                // SAFETY: As above.
                let created = unsafe { created.receive() };
                Ending::Shared { created }
            }
            EndingSent::WentWrong => Ending::WentWrong,
        },
        // SAFETY: Passed on to the caller, here and below.
        events: message.events.iter().map(|event| unsafe { event.receive() }).collect(),
        // SAFETY: As above.
        info: message.info.iter().map(|thread| unsafe { thread.receive() }).collect(),
        // SAFETY: As above.
        objects: message.objects.iter().map(|object| unsafe { object.receive() }).collect(),
        // SAFETY: As above.
        race: message.race.map(|race| unsafe { race.receive() }),
        // SAFETY: As above.
        log: message.log.iter().map(|decision| unsafe { decision.receive() }).collect(),
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

impl From<Site> for SiteSent {
    fn from(site: Site) -> Self {
        let location = site.location().expect("an execution has the compiler's sites");
        Self(ptr::from_ref(location).expose_provenance())
    }
}

impl SiteSent {
    /// # Safety
    ///
    /// It must come from a child of this process.
    unsafe fn receive(self) -> Site {
        // SAFETY: The child got the location from its compiled code, which was loaded before the
        // fork as the engine was, that is from constants which this process has at the same place.
        Site::new(unsafe { &*ptr::with_exposed_provenance::<Location<'static>>(self.0) })
    }
}

impl From<Operation> for OperationSent {
    fn from(operation: Operation) -> Self {
        let Operation { kind, object, second, site } = operation;
        Self { kind: kind as u8, object: object.0, second: second.0, site: site.into() }
    }
}

fn kind_of(number: u8) -> OperationKind {
    OperationKind::ALL[usize::from(number)]
}

impl OperationSent {
    /// # Safety
    ///
    /// It must come from a child of this process.
    unsafe fn receive(self) -> Operation {
        // SAFETY: Passed on to the caller.
        let site = unsafe { self.site.receive() };
        let (object, second) = (ObjectId(self.object), ObjectId(self.second));
        Operation { kind: kind_of(self.kind), object, second, site }
    }
}

impl From<&Event> for EventSent {
    fn from(event: &Event) -> Self {
        let &Event { thread, operation, effect, order } = event;
        Self { thread: thread.0, operation: operation.into(), effect, order }
    }
}

impl EventSent {
    /// # Safety
    ///
    /// It must come from a child of this process.
    unsafe fn receive(&self) -> Event {
        let &Self { thread, operation, effect, order } = self;
        // SAFETY: Passed on to the caller.
        let operation = unsafe { operation.receive() };
        Event { thread: ThreadId(thread), operation, effect, order }
    }
}

impl From<&ThreadInfo> for ThreadSent {
    fn from(info: &ThreadInfo) -> Self {
        let &ThreadInfo { pending, parent, ordinal, key, spawned } = info;
        let (pending, spawned) = (pending.into(), spawned.map(SiteSent::from));
        Self { pending, parent: parent.0, ordinal, key, spawned }
    }
}

impl ThreadSent {
    /// # Safety
    ///
    /// It must come from a child of this process.
    unsafe fn receive(&self) -> ThreadInfo {
        let &Self { pending, parent, ordinal, key, spawned } = self;
        // SAFETY: Passed on to the caller.
        let pending = unsafe { pending.receive() };
        // SAFETY: As above.
        let spawned = spawned.map(|site| unsafe { site.receive() });
        ThreadInfo { pending, parent: ThreadId(parent), ordinal, key, spawned }
    }
}

impl From<&ObjectInfo> for ObjectSent {
    fn from(info: &ObjectInfo) -> Self {
        let &ObjectInfo { kind, created, first } = info;
        Self { kind, created: created.map(SiteSent::from), first: first.into() }
    }
}

impl ObjectSent {
    /// # Safety
    ///
    /// It must come from a child of this process.
    unsafe fn receive(&self) -> ObjectInfo {
        let &Self { kind, created, first } = self;
        // SAFETY: Passed on to the caller.
        let first = unsafe { first.receive() };
        // SAFETY: As above.
        let created = created.map(|site| unsafe { site.receive() });
        ObjectInfo { kind, created, first }
    }
}

impl From<&Race> for RaceSent {
    fn from(race: &Race) -> Self {
        let &Race { first, second, address, size } = race;
        let sides = [first, second].map(|side| SideSent {
            thread: side.thread.0,
            time: side.time,
            kind: side.kind,
            mode: side.mode,
            spot: match side.spot {
                Spot::Line(site) => SpotSent::Line(site.into()),
                Spot::Code(address) => SpotSent::Code(address),
            },
        });
        Self { sides, address, size }
    }
}

impl RaceSent {
    /// # Safety
    ///
    /// It must come from a child of this process.
    unsafe fn receive(&self) -> Race {
        let [first, second] = self.sides.map(|side| RaceSide {
            thread: ThreadId(side.thread),
            time: side.time,
            kind: side.kind,
            mode: side.mode,
            spot: match side.spot {
                // SAFETY: Passed on to the caller.
                SpotSent::Line(site) => Spot::Line(unsafe { site.receive() }),
                SpotSent::Code(address) => Spot::Code(address),
            },
        });
        Race { first, second, address: self.address, size: self.size }
    }
}

impl From<&LogEntry> for DecisionSent {
    fn from(entry: &LogEntry) -> Self {
        let &LogEntry { events, thread, kind, site, logged } = entry;
        let logged = match logged {
            Logged::Switch(thread) => LoggedSent::Switch(thread.0),
            Logged::Wake(waiter) => LoggedSent::Wake(waiter),
            Logged::Fault(fault) => LoggedSent::Fault(fault),
        };
        Self { events, thread: thread.0, kind: kind as u8, site: site.into(), logged }
    }
}

impl DecisionSent {
    /// # Safety
    ///
    /// It must come from a child of this process.
    unsafe fn receive(&self) -> LogEntry {
        let &Self { events, thread, kind, site, logged } = self;
        let logged = match logged {
            LoggedSent::Switch(thread) => Logged::Switch(ThreadId(thread)),
            LoggedSent::Wake(waiter) => Logged::Wake(waiter),
            LoggedSent::Fault(fault) => Logged::Fault(fault),
        };
        // SAFETY: Passed on to the caller.
        let site = unsafe { site.receive() };
        LogEntry { events, thread: ThreadId(thread), kind: kind_of(kind), site, logged }
    }
}

//! A trace that is made up, for detectors whose input no small program produces by itself.

use super::{Detectors, Suspicion};
use selvedge_model::{
    Access, AccessKind, AccessMode, Age, Clock, CodeAddress, DetectorName, DetectorSet, Effect,
    Event, MemoryChange, Moment, ObjectId, ObjectInfo, ObjectKind, Observer, Operation,
    OperationKind, Order, Record, Site, Spot, ThreadId, ThreadInfo, Variable,
};

/// An operation that did what it is for.
#[track_caller]
pub(super) fn event(thread: u32, kind: OperationKind, object: ObjectId) -> Event {
    let operation = Operation::new(kind, object, Site::caller());
    let (effect, order, age) = (Effect::Done, Order::Implied, Age::ONLY);
    Event { thread: ThreadId(thread), order, age, operation, effect }
}

/// An access to four bytes of memory, at an instruction.
pub(super) fn plain(thread: u32, kind: AccessKind, address: usize, code: u64) -> Access {
    let variable = Variable::Memory { address, size: 4 };
    let (thread, mode) = (ThreadId(thread), AccessMode::Plain);
    Access { thread, kind, mode, variable, spot: Spot::Code(CodeAddress(code)) }
}

/// What one detector sees of a made-up execution.
pub(super) struct Trace {
    detectors: Detectors,
    threads: Vec<ThreadInfo>,
    objects: Vec<ObjectInfo>,
    events: Vec<Event>,
}

impl Trace {
    /// An execution with so many threads, none of which anybody has spawned, and mutexes.
    #[track_caller]
    pub(super) fn new(detector: DetectorName, threads: u32, objects: u32) -> Self {
        let site = Site::caller();
        let pending = Operation::new(OperationKind::Yield, ObjectId::NONE, site);
        let thread = |ordinal| ThreadInfo {
            pending,
            parent: ThreadId::MAIN,
            ordinal,
            key: u64::from(ordinal),
            spawned: Some(site),
        };
        let object = ObjectInfo { kind: ObjectKind::Mutex, created: Some(site), first: site };
        let set = DetectorSet::NONE.with(detector);
        let mut detectors = Detectors::new(set).expect("one detector is on");
        detectors.next();
        detectors.begin();
        Self {
            detectors,
            threads: (0..threads).map(thread).collect(),
            objects: vec![object; objects as usize],
            events: Vec::new(),
        }
    }

    #[track_caller]
    pub(super) fn event(&mut self, thread: u32, kind: OperationKind, object: ObjectId) {
        self.happened(event(thread, kind, object));
    }

    pub(super) fn happened(&mut self, event: Event) {
        self.events.push(event);
        let Self { detectors, threads, objects, .. } = self;
        detectors.event(&event, &Moment { clock: &Clock::new(), threads, objects, step: 0 });
    }

    pub(super) fn access(&mut self, access: &Access) {
        let Self { detectors, threads, objects, .. } = self;
        detectors.access(access, &Moment { clock: &Clock::new(), threads, objects, step: 0 });
    }

    pub(super) fn memory(&mut self, change: &MemoryChange) {
        let Self { detectors, threads, objects, .. } = self;
        detectors.memory(change, &Moment { clock: &Clock::new(), threads, objects, step: 0 });
    }

    pub(super) fn end(self) -> Vec<Suspicion> {
        let Self { mut detectors, events, threads, objects } = self;
        detectors.end(&Record {
            events: &events,
            accesses: &[],
            threads: &threads,
            objects: &objects,
        });
        detectors.into_suspicions()
    }
}

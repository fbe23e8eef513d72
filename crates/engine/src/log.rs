//! The decisions of an execution, as they are taken, and the schedule made of them.

use crate::execution::Execution;
use rustc_hash::FxHashMap;
use selvedge_model::{
    Choice, Decision, Fault, Operation, OperationKind, Point, Record, Schedule, Site, ThreadId,
    ValueName, Written,
};

/// What was decided, other than the undisturbed course.
#[derive(Clone, Copy)]
pub(crate) enum Logged {
    Switch(ThreadId),
    Wake(u32),
    RandomBytes(u32),
    Saw(Written),
    Below(Written),
    Delay(u32),
    Fault(Fault),
}

/// A decision and where it was taken: `thread` was about to do `kind` at `site` when `events`
/// events had happened.
#[derive(Clone, Copy)]
pub(crate) struct LogEntry {
    pub(crate) events: usize,
    pub(crate) thread: ThreadId,
    pub(crate) kind: OperationKind,
    pub(crate) site: Site,
    pub(crate) logged: Logged,
}

impl Execution {
    /// Notes a decision of the running thread's turn.
    #[inline]
    pub(crate) fn log(&mut self, logged: Logged) {
        let thread = self.current;
        let Operation { kind, site, .. } = self.info[thread.index()].pending;
        let events = self.events.len();
        self.account.log.push(LogEntry { events, thread, kind, site, logged });
    }
}

/// The decisions of an execution in terms of operations.
pub(crate) fn schedule(log: &[LogEntry], record: &Record<'_>) -> Schedule {
    type Place = (ThreadId, OperationKind, Site);
    let mut times: FxHashMap<Place, u32> = FxHashMap::default();
    let mut counted = 0;
    let mut decisions = Vec::with_capacity(log.len());
    for entry in log {
        for event in &record.events[counted..entry.events] {
            let place = (event.thread, event.operation.kind, event.operation.site);
            *times.entry(place).or_default() += 1;
        }
        counted = entry.events;
        let LogEntry { kind, site, .. } = *entry;
        let done = |kind| times.get(&(entry.thread, kind, site)).copied().unwrap_or(0);
        let occurrence = match kind {
            // Going on is no event of its own; it is counted by what it follows.
            OperationKind::Continue => {
                done(OperationKind::AtomicRmw)
                    + done(OperationKind::AtomicCas)
                    + done(OperationKind::AtomicStore)
            }
            _ => done(kind) + 1,
        };
        let thread = record.path(entry.thread);
        let source = match kind {
            // Their place says nothing: each thread has one beginning and one end.
            OperationKind::ThreadStart | OperationKind::ThreadEnd => None,
            _ => Some(site.source()),
        };
        let at = Point { thread, kind, source, occurrence };
        let choice = match entry.logged {
            Logged::Switch(thread) => Choice::Switch(record.path(thread)),
            Logged::Wake(n) => Choice::Wake(n),
            Logged::RandomBytes(n) => Choice::RandomBytes(n),
            Logged::Saw(written) => Choice::Sees(value_name(written, record)),
            Logged::Below(written) => Choice::Below(value_name(written, record)),
            Logged::Delay(n) => Choice::Delay(n),
            Logged::Fault(fault) => fault.into(),
        };
        decisions.push(Decision { at, choice });
    }
    Schedule { decisions }
}

/// A value of an atomic, in terms of the operation that wrote it.
fn value_name(written: Written, record: &Record<'_>) -> ValueName {
    let Some(index) = written.0.map(|step| step as usize) else { return ValueName::Initial };
    let Some(event) = record.events.get(index) else { return ValueName::Initial };
    let (thread, Operation { kind, site, .. }) = (event.thread, event.operation);
    let place = (thread, kind, site);
    let same = record.events[..=index]
        .iter()
        .filter(|event| (event.thread, event.operation.kind, event.operation.site) == place);
    let occurrence = same.count() as u32;
    let source = Some(site.source());
    ValueName::By(Point { thread: record.path(thread), kind, source, occurrence })
}

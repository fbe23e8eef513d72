//! What the frozen state of an execution that ended says about why it did.

use crate::ending::{Crash, Ending};
use crate::execution::Execution;
use crate::heap::{BlockRecord, MemoryFault, Note};
use crate::objects::ObjectState;
use crate::panic::PanicNote;
use rustc_hash::FxHashMap;
use selvedge_model::{
    Effect, Event, FindingKind, Held, HeldLocks, LastNotify, Link, MemoryBlock, MemoryEvent,
    MemoryUse, ObjectId, ObjectInfo, ObjectName, Operation, OperationKind, Panic, Record, Site,
    Source, SpinSite, Step, ThreadId, ThreadReport, Wait, WaitFor,
};

/// Spinning is diagnosed over at most this many of the last events.
const SPIN_WINDOW: usize = 10_000;
/// At most this many places of spinning are reported.
const SPIN_SITES: usize = 8;

impl Execution {
    /// What went wrong, if anything did. A data race comes first: what follows from it may be
    /// anything.
    pub(crate) fn finding(&self) -> Option<FindingKind> {
        if let Some(race) = &self.account.race {
            return Some(self.data_race(race));
        }
        match self.ending() {
            Ending::Passed
            | Ending::Shared { .. }
            | Ending::CutOff
            | Ending::GivenUp
            | Ending::NeedsProcess
            | Ending::WentWrong => None,
            Ending::Panicked { message } => Some(FindingKind::Panic(self.root_panic(message))),
            Ending::Deadlock { cycle } => {
                let mut waits: Vec<_> = cycle.iter().map(|&thread| self.wait_of(thread)).collect();
                Some(match waits.len() {
                    1 => FindingKind::DoubleLock { wait: Box::new(waits.remove(0)) },
                    _ => FindingKind::Deadlock { cycle: waits },
                })
            }
            Ending::Stuck => {
                let waits = self.waits();
                Some(FindingKind::Stuck { notifies: self.last_notifies(), waits })
            }
            Ending::Infeasible => self.infeasible(),
            Ending::Leaked => Some(FindingKind::LeakedThreads { waits: self.waits() }),
            Ending::StepLimit => {
                Some(FindingKind::Livelock { steps: self.steps(), sites: self.spin_sites() })
            }
            Ending::Crashed { crash } => Some(self.crash(*crash)),
            Ending::Memory { fault } => Some(self.memory_fault(fault)),
        }
    }

    /// The threads of the execution.
    pub(crate) fn thread_reports(&self) -> Vec<ThreadReport> {
        (0..self.threads.len() as u32).map(|id| self.report(ThreadId(id))).collect()
    }

    /// Every panic of the execution, in order.
    pub(crate) fn panic_reports(&self) -> Vec<Panic> {
        self.account
            .panics
            .notes
            .iter()
            .map(|note| Panic {
                thread: self.report(note.thread),
                message: cut(&note.message),
                at: note.at.clone(),
            })
            .collect()
    }

    pub(crate) fn report(&self, thread: ThreadId) -> ThreadReport {
        let state = &self.threads[thread.index()];
        ThreadReport {
            path: self.path(thread),
            name: state.alias.as_deref().or(state.name.as_deref()).map(str::to_owned),
            spawned: state.spawned.map(Site::source),
        }
    }

    /// The objects of the execution, by their numbers.
    pub(crate) fn object_names(&self) -> Names<'_> {
        let mut counts: FxHashMap<_, u32> = FxHashMap::default();
        let number = |info: &ObjectInfo| {
            let count = counts.entry(info.kind).or_default();
            *count += 1;
            *count
        };
        Names {
            numbers: self.registry.info.iter().map(number).collect(),
            objects: &self.registry.info,
        }
    }

    fn object_name(&self, id: ObjectId) -> Option<ObjectName> {
        self.object_names().get(id)
    }

    /// What a thread that can not go on waits for.
    fn wait_of(&self, thread: ThreadId) -> Wait {
        let pending = self.info[thread.index()].pending;
        let awaited = self.awaited_object(thread);
        let for_threads = match awaited {
            Some(object) => {
                self.holders(object, thread).into_iter().map(|t| self.path(t)).collect()
            }
            None => Vec::new(),
        };
        // A thread that waits for a notification is shown with what it waits on.
        let is_notified = awaited.is_some() || self.states.can_run(thread);
        let object = match pending.kind.wait() {
            WaitFor::Notification if !is_notified => pending.second,
            _ => pending.object,
        };
        Wait {
            thread: self.report(thread),
            kind: pending.kind,
            object: self.object_name(object),
            at: pending.site.source(),
            for_threads,
            holds: self.held_by(thread),
        }
    }

    /// Everybody who has not ended.
    fn waits(&self) -> Vec<Wait> {
        self.waits_of(|_| true)
    }

    /// Everybody of these who has not ended.
    pub(crate) fn waits_of(&self, of: impl Fn(ThreadId) -> bool) -> Vec<Wait> {
        (0..self.threads.len() as u32)
            .map(ThreadId)
            .filter(|&thread| !self.states.has_ended(thread) && of(thread))
            .map(|thread| self.wait_of(thread))
            .collect()
    }

    /// The locks that a thread holds, with the place at which it took each.
    fn held_by(&self, thread: ThreadId) -> Vec<Held> {
        let names = self.object_names();
        let mut held = Vec::new();
        for (index, entry) in self.objects.iter().enumerate() {
            let holds = match &entry.state {
                ObjectState::Mutex(mutex) => mutex.owner == Some(thread),
                ObjectState::RwLock(lock) => {
                    lock.writer == Some(thread) || lock.readers.contains(&thread)
                }
                ObjectState::Once(once) => once.runner == Some(thread),
                _ => false,
            };
            if holds && let Some((kind, site)) = self.last_taken(thread, ObjectId(index as u32)) {
                held.push(Held { object: names.of(index), kind, at: site.source() });
            }
        }
        held
    }

    /// The last operation by which a thread took a lock that it has not given back.
    fn last_taken(&self, thread: ThreadId, object: ObjectId) -> Option<(OperationKind, Site)> {
        let mut held = HeldLocks::default();
        self.events.iter().filter(|event| event.thread == thread).for_each(|e| held.event(e));
        let last = held.by(thread).iter().rfind(|lock| lock.object == object);
        last.map(|lock| (lock.kind, lock.site))
    }

    /// For each condition variable that somebody waits on, its last notification.
    fn last_notifies(&self) -> Vec<LastNotify> {
        let names = self.object_names();
        let waited_on = self.objects.iter().enumerate().filter(|(_, entry)| {
            matches!(&entry.state, ObjectState::Condvar(condvar) if !condvar.queue.is_empty())
        });
        waited_on
            .map(|(index, _)| {
                let last = self.events.iter().rev().find(|event| {
                    event.operation.object.index() == index
                        && event.operation.kind.link() == Link::Notifies
                });
                LastNotify {
                    object: names.of(index),
                    notify: last.map(|event| {
                        let operation = event.operation;
                        (self.report(event.thread), operation.kind, operation.site.source())
                    }),
                    woke: match last.map(|event| event.effect) {
                        Some(Effect::Woke(n)) => n,
                        _ => 0,
                    },
                }
            })
            .collect()
    }

    /// The places that the last stretch of a too long execution kept coming back to.
    fn spin_sites(&self) -> Vec<SpinSite> {
        let window = &self.events[self.events.len().saturating_sub(SPIN_WINDOW)..];
        let mut places: Vec<(ThreadId, OperationKind, Site, u64)> = Vec::new();
        let mut add = |thread: ThreadId, Operation { kind, site, .. }: Operation, times: u64| {
            let same = |place: &&mut (ThreadId, OperationKind, Site, u64)| {
                (place.0, place.1, place.2) == (thread, kind, site)
            };
            match places.iter_mut().find(same) {
                Some(place) => place.3 += times,
                None => places.push((thread, kind, site, times)),
            }
        };
        // What a quiet thread does is not among the events.
        if self.length.quiet != 0 {
            let seen = self.rounds.circle.seen().iter();
            seen.for_each(|again| add(again.thread, again.operation, again.times));
        } else {
            window.iter().for_each(|event| add(event.thread, event.operation, 1));
        }
        // What was done once was on the way, not in the loop.
        places.retain(|place| place.3 > 1);
        places.sort_by(|a, b| b.3.cmp(&a.3).then(a.0.cmp(&b.0)).then(a.2.cmp(&b.2)));
        places
            .into_iter()
            .take(SPIN_SITES)
            .map(|(thread, kind, site, times)| SpinSite {
                thread: self.report(thread),
                kind,
                at: site.source(),
                times,
            })
            .collect()
    }

    /// The panic that made the test fail: that of the test's own thread, or that of the thread that
    /// it joined last if it only passes on what that one had panicked with.
    fn root_panic(&self, message: &str) -> Panic {
        let own = self.account.panics.notes.iter().rev();
        let own = own.clone().find(|note| note.thread == ThreadId::MAIN && note.message == message);
        let root = match own {
            Some(own) if passes_on(own) => self.joined_panic(ThreadId::MAIN).or(Some(own)),
            Some(own) if own.message == "a scoped thread panicked" => self
                .account
                .panics
                .notes
                .iter()
                .rev()
                .find(|note| note.thread != ThreadId::MAIN)
                .or(Some(own)),
            Some(own) => Some(own),
            // A panic that goes on with `resume_unwind` was seen where it began.
            None => self.account.panics.notes.iter().rev().find(|note| note.message == message),
        };
        Panic {
            thread: self.report(root.map_or(ThreadId::MAIN, |note| note.thread)),
            message: cut(root.map_or(message, |note| &note.message)),
            at: root.and_then(|note| note.at.clone()),
        }
    }

    /// The panic of the thread that `by` joined last, or of the thread that that one joined, if it
    /// only passes a panic on as well.
    fn joined_panic(&self, by: ThreadId) -> Option<&PanicNote> {
        let joined = self.events.iter().rev().find_map(|event| match event.effect {
            Effect::Thread(thread)
                if event.thread == by && event.operation.kind == OperationKind::Join =>
            {
                Some(thread)
            }
            _ => None,
        })?;
        let note = self.account.panics.notes.iter().rev().find(|note| note.thread == joined)?;
        if passes_on(note) { self.joined_panic(joined).or(Some(note)) } else { Some(note) }
    }

    fn crash(&self, of: Crash) -> FindingKind {
        let thread = self.report(self.current);
        let after = self.last_site(self.current);
        match of {
            Crash::Signal { number, address, .. } if self.is_poison(address) => {
                let (signal, _) = crate::crash::describe(number, address);
                let used = MemoryUse::Pointer { thread, signal, after };
                FindingKind::UseAfterFree { used, block: None }
            }
            _ => crash(of, thread, self.threads[self.current.index()].stack_size, after),
        }
    }

    fn memory_fault(&self, fault: &MemoryFault) -> FindingKind {
        match fault {
            MemoryFault::UsedAfterFree { thread, site, block } => {
                let pending = self.info[thread.index()].pending;
                let used = MemoryUse::Operation {
                    thread: self.report(*thread),
                    kind: (pending.site == *site).then_some(pending.kind),
                    at: site.source(),
                };
                let block = Some(Box::new(self.memory_block(block)));
                FindingKind::UseAfterFree { used, block }
            }
            MemoryFault::AccessedAfterFree { kind, note, block } => FindingKind::UseAfterFree {
                used: MemoryUse::Access { event: self.memory_event(note), kind: *kind },
                block: Some(Box::new(self.memory_block(block))),
            },
            MemoryFault::AccessedStack { kind, note, owner } => {
                let (event, owner) = (self.memory_event(note), self.report(*owner));
                let used = MemoryUse::Stack { event, kind: *kind, owner };
                FindingKind::UseAfterFree { used, block: None }
            }
            MemoryFault::WrittenAfterFree { block } => FindingKind::UseAfterFree {
                used: MemoryUse::Write,
                block: Some(Box::new(self.memory_block(block))),
            },
            MemoryFault::DoubleFree { block, again } => FindingKind::DoubleFree {
                block: Box::new(self.memory_block(block)),
                again: Box::new(self.memory_event(again)),
            },
            MemoryFault::InvalidFree { block, note } => FindingKind::InvalidFree {
                block: block.as_ref().map(|block| Box::new(self.memory_block(block))),
                free: Box::new(self.memory_event(note)),
            },
            MemoryFault::Leaked { blocks, count, bytes } => FindingKind::Leak {
                blocks: blocks.iter().map(|block| self.memory_block(block)).collect(),
                count: *count as u64,
                bytes: *bytes as u64,
            },
            MemoryFault::Limit { live, limit, note } => FindingKind::Memory {
                bytes: *live as u64,
                limit: *limit as u64,
                last: Box::new(self.memory_event(note)),
            },
        }
    }

    /// The block that an address lies in, if it was allocated by the test.
    pub(crate) fn block_at(&self, address: usize) -> Option<Box<MemoryBlock>> {
        Some(Box::new(self.memory_block(&self.heap.record(address)?)))
    }

    fn memory_block(&self, record: &BlockRecord) -> MemoryBlock {
        MemoryBlock {
            size: record.size,
            allocated: self.memory_event(&record.allocated),
            freed: record.freed.as_ref().map(|note| self.memory_event(note)),
        }
    }

    fn memory_event(&self, note: &Note) -> MemoryEvent {
        let frames = note.frames().collect();
        if *note == Note::NOBODY {
            return MemoryEvent { thread: None, after: None, frames };
        }
        let thread = ThreadId(note.thread);
        let before = &self.events[..self.events.len().min(note.step as usize)];
        let after = last_site_of(before, thread);
        MemoryEvent { thread: Some(self.report(thread)), after, frames }
    }

    /// Where the last operation of a thread stands.
    fn last_site(&self, thread: ThreadId) -> Option<Source> {
        last_site_of(&self.events, thread)
    }
}

/// No more of the message of a panic is kept than this, in bytes.
const LONGEST_MESSAGE: usize = 64 << 10;

/// As much of a message as is kept.
fn cut(message: &str) -> String {
    let end = message.floor_char_boundary(LONGEST_MESSAGE);
    match message.len() - end {
        0 => message.to_owned(),
        more => format!("{}… ({more} bytes more)", &message[..end]),
    }
}

/// No more steps than this are told of, in words: the last ones.
const MOST_STEPS: usize = 20_000;

/// How many of so many events are not told of, since they are too many.
pub(crate) fn untold_steps(events: usize) -> usize {
    events.saturating_sub(MOST_STEPS)
}

/// The last steps of what happened, with the objects by their names.
pub(crate) fn steps(
    record: &Record<'_>,
    name: impl Fn(ObjectId) -> Option<ObjectName>,
) -> Vec<Step> {
    let step = |event: &Event| Step {
        thread: record.path(event.thread),
        kind: event.operation.kind,
        object: name(event.operation.object),
        second: name(event.operation.second),
        at: event.operation.site.source(),
        effect: event.effect,
        age: event.age,
    };
    record.events[untold_steps(record.events.len())..].iter().map(step).collect()
}

/// The names of objects. They are many in a long execution and few are asked for.
pub(crate) struct Names<'a> {
    /// Which one of its kind each object is.
    numbers: Vec<u32>,
    objects: &'a [ObjectInfo],
}

impl Names<'_> {
    /// The name of an object, if it is one.
    pub(crate) fn get(&self, id: ObjectId) -> Option<ObjectName> {
        (id.index() < self.objects.len()).then(|| self.of(id.index()))
    }

    fn of(&self, index: usize) -> ObjectName {
        let ObjectInfo { kind, created, .. } = self.objects[index];
        ObjectName { kind, number: self.numbers[index], created: created.map(Site::source) }
    }

    /// The names of all objects.
    pub(crate) fn all(&self) -> Vec<ObjectName> {
        (0..self.objects.len()).map(|index| self.of(index)).collect()
    }
}

/// What a thread did to its process after an operation, if it had done any.
pub(crate) fn crash(
    crash: Crash,
    thread: ThreadReport,
    stack_size: usize,
    after: Option<Source>,
) -> FindingKind {
    match crash {
        Crash::StackOverflow => FindingKind::StackOverflow { thread, stack_size, after },
        Crash::Stalled { milliseconds } | Crash::Computing { milliseconds } => {
            FindingKind::Stalled { thread, milliseconds, after }
        }
        Crash::Exit { code } => FindingKind::Exit { thread, code, after },
        Crash::Signal { number, address, at } => {
            let (signal, cause) = crate::crash::describe(number, address);
            FindingKind::Crash { thread, signal, cause, after, frames: at.frames().collect() }
        }
    }
}

/// Where the last operation of a thread among the events stands.
fn last_site_of(events: &[Event], thread: ThreadId) -> Option<Source> {
    let last = events.iter().rev().find(|event| event.thread == thread)?;
    (last.operation.kind != OperationKind::ThreadStart).then(|| last.operation.site.source())
}

/// Whether a panic is that of unwrapping the result of a join.
fn passes_on(note: &PanicNote) -> bool {
    note.message.contains("Any { .. }")
}

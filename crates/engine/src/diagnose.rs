//! What the frozen state of an execution that ended says about why it did.

use crate::ending::{Crash, Ending};
use crate::execution::{Execution, Outcome};
use crate::objects::ObjectState;
use crate::thread::Life;
use rustc_hash::FxHashMap;
use selvedge_model::{
    Effect, Event, FindingKind, Held, LastNotify, ObjectId, ObjectName, OperationKind, Panic, Site,
    Source, SpinSite, Step, ThreadId, ThreadReport, Wait,
};

/// Spinning is diagnosed over at most this many of the last events.
const SPIN_WINDOW: usize = 10_000;
/// At most this many places of spinning are reported.
const SPIN_SITES: usize = 8;

impl Outcome<'_> {
    /// What went wrong, if anything did.
    pub fn finding(&self) -> Option<FindingKind> {
        let execution = self.execution;
        match self.ending() {
            Ending::Passed | Ending::Shared { .. } => None,
            Ending::Panicked { message } => Some(FindingKind::Panic(execution.root_panic(message))),
            Ending::Deadlock { cycle } => {
                let mut waits: Vec<_> =
                    cycle.iter().map(|&thread| execution.wait_of(thread)).collect();
                Some(match waits.len() {
                    1 => FindingKind::DoubleLock { wait: Box::new(waits.remove(0)) },
                    _ => FindingKind::Deadlock { cycle: waits },
                })
            }
            Ending::Stuck => {
                let waits = execution.waits();
                Some(FindingKind::Stuck { notifies: execution.last_notifies(), waits })
            }
            Ending::Leaked => Some(FindingKind::LeakedThreads { waits: execution.waits() }),
            Ending::StepLimit => Some(FindingKind::Livelock {
                steps: execution.events.len() as u64,
                sites: execution.spin_sites(),
            }),
            Ending::Crashed { crash } => Some(execution.crash(*crash)),
        }
    }

    /// The threads of the execution.
    pub fn threads(&self) -> Vec<ThreadReport> {
        (0..self.execution.threads.len() as u32)
            .map(|id| self.execution.report(ThreadId(id)))
            .collect()
    }

    /// Everything that happened, as data that outlives the execution.
    pub fn steps(&self) -> Vec<Step> {
        let names = self.execution.object_names();
        self.execution.events.iter().map(|event| self.execution.step_of(event, &names)).collect()
    }

    /// Every panic of the execution, in order.
    pub fn panics(&self) -> Vec<Panic> {
        self.execution
            .panics
            .iter()
            .map(|note| Panic {
                thread: self.execution.report(note.thread),
                message: note.message.clone(),
                at: note.at.clone(),
            })
            .collect()
    }
}

impl Execution {
    fn report(&self, thread: ThreadId) -> ThreadReport {
        let state = &self.threads[thread.index()];
        ThreadReport {
            path: self.path(thread),
            name: state.name.as_deref().map(str::to_owned),
            spawned: state.spawned.map(Site::source),
        }
    }

    fn object_names(&self) -> Vec<ObjectName> {
        let mut numbers: FxHashMap<_, u32> = FxHashMap::default();
        self.objects
            .iter()
            .map(|entry| {
                let kind = entry.state.kind();
                let number = numbers.entry(kind).or_default();
                *number += 1;
                ObjectName { kind, number: *number, created: entry.created.map(Site::source) }
            })
            .collect()
    }

    fn object_name(&self, id: ObjectId) -> Option<ObjectName> {
        (id != ObjectId::NONE).then(|| self.object_names().swap_remove(id.index()))
    }

    fn step_of(&self, event: &Event, names: &[ObjectName]) -> Step {
        Step {
            thread: self.path(event.thread),
            kind: event.operation.kind,
            object: names.get(event.operation.object.index()).cloned(),
            at: event.operation.site.source(),
            effect: event.effect,
        }
    }

    /// What a thread that can not go on waits for.
    fn wait_of(&self, thread: ThreadId) -> Wait {
        let pending = self.info[thread.index()].pending;
        let for_threads = match self.awaited_object(thread) {
            Some(object) => self.holders(object).into_iter().map(|t| self.path(t)).collect(),
            None => Vec::new(),
        };
        // A thread that waits for a notification is shown with what it waits on.
        let object = match pending.kind {
            OperationKind::CondvarWake if for_threads.is_empty() => self.condvar_of(thread),
            _ => Some(pending.object),
        };
        Wait {
            thread: self.report(thread),
            kind: pending.kind,
            object: object.and_then(|id| self.object_name(id)),
            at: pending.site.source(),
            for_threads,
            holds: self.held_by(thread),
        }
    }

    /// Everybody who has not ended.
    fn waits(&self) -> Vec<Wait> {
        (0..self.threads.len() as u32)
            .map(ThreadId)
            .filter(|thread| self.threads[thread.index()].life == Life::Running)
            .map(|thread| self.wait_of(thread))
            .collect()
    }

    fn condvar_of(&self, thread: ThreadId) -> Option<ObjectId> {
        self.objects
            .iter()
            .position(|entry| match &entry.state {
                ObjectState::Condvar(condvar) => condvar.queue.iter().any(|w| w.thread == thread),
                _ => false,
            })
            .map(|index| ObjectId(index as u32))
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
            let taken = self.events.iter().rev().find(|event| {
                event.thread == thread
                    && event.operation.object.index() == index
                    && event.effect != Effect::Refused
            });
            if let (true, Some(event)) = (holds, taken) {
                held.push(Held {
                    object: names[index].clone(),
                    kind: event.operation.kind,
                    at: event.operation.site.source(),
                });
            }
        }
        held
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
                        && matches!(
                            event.operation.kind,
                            OperationKind::NotifyOne | OperationKind::NotifyAll
                        )
                });
                LastNotify {
                    object: names[index].clone(),
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
        for event in window {
            let (kind, site) = (event.operation.kind, event.operation.site);
            match places
                .iter_mut()
                .find(|place| (place.0, place.1, place.2) == (event.thread, kind, site))
            {
                Some(place) => place.3 += 1,
                None => places.push((event.thread, kind, site, 1)),
            }
        }
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

    /// The panic that made the test fail. If the test's own thread only passed on what a joined
    /// thread had panicked with, that is the first panic of the execution.
    fn root_panic(&self, message: &str) -> Panic {
        let own = self.panics.iter().rev().find(|note| note.thread == ThreadId::MAIN);
        let joined = self.panics.first().filter(|first| {
            let text = format!("{:?}", first.message);
            first.thread != ThreadId::MAIN
                && own.is_some_and(|own| {
                    own.message.contains("Any { .. }")
                        || own.message == "a scoped thread panicked"
                        || own.message.contains(&text)
                })
        });
        let root = joined.or(own);
        Panic {
            thread: self.report(root.map_or(ThreadId::MAIN, |note| note.thread)),
            message: root.map_or_else(|| message.to_owned(), |note| note.message.clone()),
            at: root.and_then(|note| note.at.clone()),
        }
    }

    fn crash(&self, crash: Crash) -> FindingKind {
        let thread = self.report(self.current);
        let after = self.last_site(self.current);
        match crash {
            Crash::StackOverflow => {
                let fiber = self.threads[self.current.index()].stack_size;
                FindingKind::StackOverflow { thread, stack_size: fiber, after }
            }
            Crash::Exit { code } => FindingKind::Exit { thread, code, after },
            Crash::Signal { number, address } => {
                let (signal, cause) = crate::crash::describe(number, address);
                FindingKind::Crash { thread, signal, cause, after }
            }
        }
    }

    /// Where the last operation of a thread stands.
    fn last_site(&self, thread: ThreadId) -> Option<Source> {
        let last = self.events.iter().rev().find(|event| event.thread == thread)?;
        (last.operation.kind != OperationKind::ThreadStart).then(|| last.operation.site.source())
    }
}

//! Executions that were never run: written down event by event.

use selvedge_model::{
    Age, Effect, Event, ObjectId, ObjectInfo, ObjectKind, Operation, OperationKind, Order, Record,
    Site, Source, ThreadId, ThreadInfo, ThreadPath,
};

/// An execution, event by event.
pub(super) struct Story {
    pub(super) events: Vec<Event>,
    pub(super) threads: Vec<ThreadInfo>,
    pub(super) objects: Vec<ObjectInfo>,
}

/// The site that is called so: one for each line.
pub(super) fn at(line: u32) -> Site {
    Site::read(Source { file: "story.rs".to_owned(), line, column: 1 })
}

/// Threads are objects from here on.
const THREADS: u32 = 20;

impl Story {
    /// Only the test's own thread is there.
    pub(super) fn new() -> Self {
        let info = |index: u32| ObjectInfo {
            kind: ObjectKind::Mutex,
            created: Some(at(1000 + index)),
            first: at(1000 + index),
        };
        let mut story =
            Self { events: Vec::new(), threads: Vec::new(), objects: (0..40).map(info).collect() };
        story.add_thread(None);
        story
    }

    fn add_thread(&mut self, parent: Option<u32>) -> u32 {
        let id = self.threads.len() as u32;
        let path = match parent {
            None => ThreadPath::main(),
            Some(_) => ThreadPath::main().child(id),
        };
        let operation = OperationKind::ThreadStart;
        self.threads.push(ThreadInfo {
            pending: Operation::new(operation, ObjectId(THREADS + id), at(900)),
            parent: ThreadId(parent.unwrap_or(0)),
            ordinal: id,
            key: path.key(),
            spawned: parent.map(|_| at(901)),
        });
        id
    }

    /// Anything.
    pub(super) fn event(
        &mut self,
        thread: u32,
        kind: OperationKind,
        object: u32,
        line: u32,
        effect: Effect,
    ) -> &mut Self {
        self.push(thread, Operation::new(kind, ObjectId(object), at(line)), effect)
    }

    fn push(&mut self, thread: u32, operation: Operation, effect: Effect) -> &mut Self {
        let thread = ThreadId(thread);
        let (order, age) = (Order::Implied, Age::ONLY);
        self.events.push(Event { thread, order, age, operation, effect });
        self
    }

    /// A thread begins to wait on a condition variable.
    pub(super) fn wait(&mut self, thread: u32, condvar: u32, mutex: u32) -> &mut Self {
        let (kind, object, second) =
            (OperationKind::CondvarWait, ObjectId(condvar), ObjectId(mutex));
        self.push(thread, Operation { kind, object, second, site: at(800) }, Effect::Done)
    }

    /// It is woken and takes its mutex again.
    pub(super) fn wake(&mut self, thread: u32, condvar: u32, mutex: u32, line: u32) -> &mut Self {
        let (kind, object, second) =
            (OperationKind::CondvarWake, ObjectId(mutex), ObjectId(condvar));
        self.push(thread, Operation { kind, object, second, site: at(line) }, Effect::Done)
    }

    pub(super) fn done(&mut self, thread: u32, kind: OperationKind, object: u32) -> &mut Self {
        self.event(thread, kind, object, 800, Effect::Done)
    }

    /// A thread starts another one.
    pub(super) fn spawn(&mut self, parent: u32) -> u32 {
        let child = self.add_thread(Some(parent));
        let effect = Effect::Thread(ThreadId(child));
        self.event(parent, OperationKind::Spawn, THREADS + child, 901, effect);
        self.done(child, OperationKind::ThreadStart, THREADS + child);
        child
    }

    /// A thread ends, and another one joins it.
    pub(super) fn join(&mut self, thread: u32, by: u32) -> &mut Self {
        self.done(thread, OperationKind::ThreadEnd, THREADS + thread);
        let effect = Effect::Thread(ThreadId(thread));
        self.event(by, OperationKind::Join, THREADS + thread, 902, effect)
    }

    pub(super) fn lock(&mut self, thread: u32, mutex: u32, line: u32) -> &mut Self {
        self.event(thread, OperationKind::MutexLock, mutex, line, Effect::Done)
    }

    pub(super) fn unlock(&mut self, thread: u32, mutex: u32) -> &mut Self {
        self.done(thread, OperationKind::MutexUnlock, mutex)
    }

    /// A critical section without anything in it.
    pub(super) fn visit(&mut self, thread: u32, mutex: u32, line: u32) -> &mut Self {
        self.lock(thread, mutex, line).unlock(thread, mutex)
    }

    pub(super) fn record(&self) -> Record<'_> {
        Record {
            events: &self.events,
            accesses: &[],
            threads: &self.threads,
            objects: &self.objects,
        }
    }
}

/// The lock of the worked example.
pub(super) const M: u32 = 0;

/// The worked example of section 2.3: two threads that take one lock twice each. The first one's
/// places are 21 and 41, for 2a and 4a, the second one's 22 and 42, for 2b and 4b.
pub(super) fn worked_example() -> Story {
    let mut story = Story::new();
    let (a, b) = (story.spawn(0), story.spawn(0));
    story.visit(a, M, 21).visit(a, M, 41).visit(b, M, 22).visit(b, M, 42);
    story.join(a, 0).join(b, 0);
    story
}

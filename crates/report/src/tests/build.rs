//! Findings made by hand.

use selvedge_model::{
    Age, CallStacks, Effect, Finding, FindingKind, Held, ObjectKind, ObjectName, OperationKind,
    Panic, Replayed, Schedule, Source, Step, ThreadId, ThreadPath, ThreadReport, Wait,
};

/// A place in the only file of the made-up tests.
pub(crate) fn at(line: u32) -> Source {
    Source { file: "src/shop.rs".to_owned(), line, column: 9 }
}

pub(crate) fn path(text: &str) -> ThreadPath {
    text.parse().expect("a thread path")
}

/// An object; all but atomics and schedules remember the line 40 plus their number as their origin.
pub(crate) fn object(kind: ObjectKind, number: u32) -> ObjectName {
    let remembers = !matches!(kind, ObjectKind::Atomic | ObjectKind::Thread | ObjectKind::Schedule);
    ObjectName { kind, number, created: remembers.then(|| at(40 + number)) }
}

pub(crate) fn mutex(number: u32) -> ObjectName {
    object(ObjectKind::Mutex, number)
}

pub(crate) fn held(object: ObjectName, kind: OperationKind, line: u32) -> Held {
    Held { object, kind, at: at(line) }
}

/// What a thread did so far, and with whom.
pub(crate) struct Story {
    threads: Vec<ThreadReport>,
    steps: Vec<Step>,
}

impl Story {
    /// Only the test's own thread is there.
    pub(crate) fn new() -> Self {
        let main = ThreadReport { path: ThreadPath::main(), name: None, spawned: None };
        Self { threads: vec![main], steps: Vec::new() }
    }

    /// The test's own thread spawns a thread at each of the lines.
    pub(crate) fn spawning(lines: &[u32]) -> Self {
        let mut story = Self::new();
        for (index, &line) in lines.iter().enumerate() {
            story.spawn("0", &(index + 1).to_string(), None, line);
        }
        story
    }

    pub(crate) fn spawn(&mut self, by: &str, child: &str, name: Option<&str>, line: u32) {
        let id = ThreadId(self.threads.len() as u32);
        self.threads.push(ThreadReport {
            path: path(child),
            name: name.map(str::to_owned),
            spawned: Some(at(line)),
        });
        let object = object(ObjectKind::Thread, id.0 + 1);
        self.on(by, OperationKind::Spawn, object, line, Effect::Thread(id));
    }

    pub(crate) fn thread(&self, thread: &str) -> ThreadReport {
        let path = path(thread);
        self.threads.iter().find(|t| t.path == path).expect("a spawned thread").clone()
    }

    fn number(&self, thread: &str) -> u32 {
        let path = path(thread);
        self.threads.iter().position(|t| t.path == path).expect("a spawned thread") as u32
    }

    /// A step on an object.
    pub(crate) fn on(
        &mut self,
        thread: &str,
        kind: OperationKind,
        object: ObjectName,
        line: u32,
        effect: Effect,
    ) {
        let thread = path(thread);
        let (object, second) = (Some(object), None);
        let age = Age::ONLY;
        self.steps.push(Step { thread, kind, object, second, at: at(line), effect, age });
    }

    /// A thread gives its mutex back and begins to wait for a notification.
    pub(crate) fn waits_on(&mut self, thread: &str, condvar: ObjectName, number: u32, line: u32) {
        self.on(thread, OperationKind::CondvarWait, condvar, line, Effect::Done);
        self.steps.last_mut().expect("it was added").second = Some(mutex(number));
    }

    /// A step on no object.
    pub(crate) fn off(&mut self, thread: &str, kind: OperationKind, line: u32) {
        let thread = path(thread);
        let effect = Effect::Done;
        let (object, second) = (None, None);
        let age = Age::ONLY;
        self.steps.push(Step { thread, kind, object, second, at: at(line), effect, age });
    }

    pub(crate) fn lock(&mut self, thread: &str, number: u32, line: u32) {
        self.on(thread, OperationKind::MutexLock, mutex(number), line, Effect::Done);
    }

    pub(crate) fn unlock(&mut self, thread: &str, number: u32, line: u32) {
        self.on(thread, OperationKind::MutexUnlock, mutex(number), line, Effect::Done);
    }

    pub(crate) fn load(&mut self, thread: &str, number: u32, line: u32, value: u64) {
        let object = object(ObjectKind::Atomic, number);
        self.on(thread, OperationKind::AtomicLoad, object, line, Effect::Read(value));
    }

    pub(crate) fn store(&mut self, thread: &str, number: u32, line: u32, value: u64) {
        let object = object(ObjectKind::Atomic, number);
        self.on(thread, OperationKind::AtomicStore, object, line, Effect::Wrote(value));
    }

    pub(crate) fn start(&mut self, thread: &str) {
        let object = object(ObjectKind::Thread, self.number(thread) + 1);
        self.on(thread, OperationKind::ThreadStart, object, 30, Effect::Done);
    }

    pub(crate) fn end(&mut self, thread: &str) {
        let object = object(ObjectKind::Thread, self.number(thread) + 1);
        self.on(thread, OperationKind::ThreadEnd, object, 30, Effect::Done);
    }

    pub(crate) fn join(&mut self, by: &str, thread: &str, line: u32) {
        let id = self.number(thread);
        let object = object(ObjectKind::Thread, id + 1);
        self.on(by, OperationKind::Join, object, line, Effect::Thread(ThreadId(id)));
    }

    /// A thread that can not go on.
    pub(crate) fn wait(
        &self,
        thread: &str,
        kind: OperationKind,
        object: Option<ObjectName>,
        line: u32,
        for_threads: &[&str],
    ) -> Wait {
        Wait {
            thread: self.thread(thread),
            kind,
            object,
            at: at(line),
            for_threads: for_threads.iter().map(|thread| path(thread)).collect(),
            holds: Vec::new(),
        }
    }

    /// A thread that waits for the end of another.
    pub(crate) fn joining(&self, by: &str, thread: &str, line: u32) -> Wait {
        let object = object(ObjectKind::Thread, self.number(thread) + 1);
        self.wait(by, OperationKind::Join, Some(object), line, &[thread])
    }

    pub(crate) fn panic(&self, thread: &str, message: &str, line: u32) -> Panic {
        let thread = self.thread(thread);
        Panic { thread, message: message.to_owned(), at: Some(at(line)) }
    }

    /// The end of the story.
    pub(crate) fn finding(self, kind: FindingKind, schedule: &str) -> Finding {
        let panics = match &kind {
            FindingKind::Panic(panic) => vec![panic.clone()],
            _ => Vec::new(),
        };
        Finding {
            kind,
            schedule: schedule.parse::<Schedule>().expect("a schedule"),
            steps: self.steps,
            threads: self.threads,
            panics,
            output: String::new(),
            execution: 17,
            strategy: "pct(3)".to_owned(),
            before: 0,
            unrecorded: 0,
            replayed: Replayed::Yes,
            stacks: CallStacks::default(),
        }
    }
}

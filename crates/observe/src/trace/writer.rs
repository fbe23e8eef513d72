//! Writes down what an observer is told.

use super::Header;
use super::format::{
    AGED, END, EXECUTION, HEADER, MAGIC, MODES, OBJECT_KINDS, ORDERS, Output, VERSION, access,
    number_in, tag, writes,
};
use crate::coverage::Sites;
use crate::detect::Verdict;
use rustc_hash::FxHashMap;
use selvedge_model::{
    Access, Clock, Effect, Event, MemoryChange, Moment, ObjectId, ObjectInfo, Observer, Operation,
    OperationKind, Record, Site, Spot, ThreadId, ThreadInfo, ThreadReport, Variable,
};

/// Writes executions down, in memory, as long as there is room. Only whole executions are kept.
pub struct TraceWriter {
    /// All that is whole.
    done: Output,
    /// At most so many bytes.
    limit: usize,
    executions: u64,
    left_out: u64,
    phase: Phase,
    /// The execution that is being watched.
    now: Output,
    sites: Sites,
    files: FxHashMap<&'static str, u64>,
    /// What is known of the execution.
    pending: Vec<Operation>,
    clocks: Vec<Clock>,
    objects: usize,
    events: usize,
    /// How far the number of a step is ahead of that of the event.
    ahead: usize,
    address: usize,
    code: u64,
}

/// What the writer is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// It waits for an execution.
    Waits,
    /// It writes one down.
    Writes,
    /// The execution is over, and nobody has said yet what became of it.
    Ended,
    /// There is no room for more.
    Full,
}

/// A trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// How many executions are in it.
    pub executions: u64,
    /// How many there was no room for.
    pub left_out: u64,
}

impl TraceWriter {
    /// Writes traces of at most so many bytes.
    pub fn new(header: &Header, limit: usize) -> Self {
        let mut done = Output(MAGIC.to_vec());
        done.byte(VERSION);
        let mut body = Output::default();
        body.text(&header.test);
        body.text(&header.program);
        let settings = header.settings.iter().flat_map(|(key, value)| [key, value]);
        body.texts(settings.collect::<Vec<_>>().into_iter());
        // Kinds are numbers in this trace alone, whatever kinds are added later.
        body.texts(OperationKind::ALL.iter().map(|kind| kind.name()));
        body.texts(OBJECT_KINDS.iter().map(ToString::to_string));
        done.chunk(HEADER, &body.0);
        Self {
            done,
            limit,
            executions: 0,
            left_out: 0,
            phase: Phase::Waits,
            now: Output::default(),
            sites: Sites::default(),
            files: FxHashMap::default(),
            pending: Vec::new(),
            clocks: Vec::new(),
            objects: 0,
            events: 0,
            ahead: 0,
            address: 0,
            code: 0,
        }
    }

    /// The last execution has passed or failed; its threads had these names.
    pub fn judge(&mut self, verdict: Verdict, threads: impl FnOnce() -> Vec<ThreadReport>) {
        if self.phase != Phase::Ended {
            return;
        }
        self.now.byte(match verdict {
            Verdict::Passed => 1,
            Verdict::Failed => 2,
        });
        let threads = threads();
        let named: Vec<_> =
            threads.iter().filter_map(|thread| Some((thread, thread.name.as_ref()?))).collect();
        self.now.number(named.len() as u64);
        for (thread, name) in named {
            self.now.text(&thread.path.to_string());
            self.now.text(name);
        }
        self.keep();
    }

    /// The whole trace.
    pub fn finish(mut self) -> Written {
        self.close();
        let mut body = Output::default();
        body.number(self.executions);
        body.number(self.left_out);
        self.done.chunk(END, &body.0);
        Written { bytes: self.done.0, executions: self.executions, left_out: self.left_out }
    }

    /// An execution that nobody has judged will not be any more.
    fn close(&mut self) {
        if self.phase == Phase::Ended {
            self.now.byte(0);
            self.keep();
        }
    }

    /// The execution is whole.
    fn keep(&mut self) {
        self.phase = Phase::Waits;
        self.make_room();
        if self.phase == Phase::Full {
            return;
        }
        self.done.chunk(EXECUTION, &self.now.0);
        self.executions += 1;
    }

    /// Gives up if there is no room for what has been written.
    fn make_room(&mut self) {
        if self.done.0.len().saturating_add(self.now.0.len()) > self.limit {
            self.phase = Phase::Full;
            self.left_out += 1;
            self.now = Output::default();
        }
    }

    /// The number of a place, which is written down if it is a new one.
    fn site(&mut self, site: Site) -> u64 {
        let known = self.sites.len();
        let number = self.sites.of_site(site);
        if self.sites.len() > known {
            let next = self.files.len() as u64;
            let file = *self.files.entry(site.file()).or_insert_with(|| {
                self.now.byte(tag::FILE);
                self.now.text(site.file());
                next
            });
            self.now.byte(tag::SITE);
            self.now.number(file);
            self.now.number(u64::from(site.line()));
            self.now.number(u64::from(site.column()));
        }
        u64::from(number)
    }

    /// A place that may not be known, as a number.
    fn some_site(&mut self, site: Option<Site>) -> u64 {
        site.map_or(0, |site| 1 + self.site(site))
    }

    fn operation(&mut self, operation: Operation, site: u64) {
        self.now.byte(operation.kind as u8);
        self.now.number(some_object(operation.object));
        if operation.kind.has_second() {
            self.now.number(some_object(operation.second));
        }
        self.now.number(site);
    }

    /// Writes down what is new of threads and objects.
    fn catch_up(&mut self, threads: &[ThreadInfo], objects: &[ObjectInfo]) {
        for &ObjectInfo { kind, created, first } in &objects[self.objects..] {
            let (created, first) = (self.some_site(created), self.site(first));
            self.now.byte(tag::OBJECT);
            self.now.byte(number_in(&OBJECT_KINDS, &kind));
            self.now.number(created);
            self.now.number(first);
        }
        self.objects = objects.len();
        for (index, info) in threads.iter().enumerate().take(self.pending.len()) {
            if self.pending[index] != info.pending {
                self.pending[index] = info.pending;
                let site = self.site(info.pending.site);
                self.now.byte(tag::PENDING);
                self.now.number(index as u64);
                self.operation(info.pending, site);
            }
        }
        for info in &threads[self.pending.len()..] {
            let &ThreadInfo { pending, parent, ordinal, key, spawned } = info;
            let (site, spawned) = (self.site(pending.site), self.some_site(spawned));
            self.now.byte(tag::THREAD);
            self.now.number(u64::from(parent.0));
            self.now.number(u64::from(ordinal));
            self.now.number(key);
            self.now.number(spawned);
            self.operation(pending, site);
            self.pending.push(pending);
            self.clocks.push(Clock::new());
        }
        self.make_room();
    }

    /// Writes down what comes before a record, and says how the clock has changed.
    fn prepare(&mut self, thread: ThreadId, moment: &Moment<'_>) -> u8 {
        self.catch_up(moment.threads, moment.objects);
        let ahead = moment.step.wrapping_sub(self.events);
        if ahead != self.ahead {
            self.now.byte(tag::STEP);
            self.now.difference(self.ahead as u64, ahead as u64);
            self.ahead = ahead;
        }
        let last = &mut self.clocks[thread.index()];
        if last == moment.clock {
            return 0;
        }
        last.tick(thread);
        if last == moment.clock { tag::TICKED } else { tag::JOINED }
    }

    /// Writes down how the clock has changed if it has not only ticked.
    fn clock(&mut self, change: u8, thread: ThreadId, clock: &Clock) {
        if change != tag::JOINED {
            return;
        }
        // What was prepared is one tick ahead of what the reader has.
        let last = &self.clocks[thread.index()];
        let was = |other: ThreadId| last.of(other) - u32::from(other == thread);
        let all = (0..self.pending.len() as u32).map(ThreadId);
        let changed: Vec<_> = all.filter(|&other| was(other) != clock.of(other)).collect();
        self.now.number(changed.len() as u64);
        for other in changed {
            self.now.number(u64::from(other.0));
            self.now.difference(u64::from(was(other)), u64::from(clock.of(other)));
        }
        self.clocks[thread.index()].assign(clock);
    }

    fn effect(&mut self, event: &Event) {
        let order = number_in(&ORDERS, &event.order) << 4;
        let (number, values) = match event.effect {
            Effect::Done => (0, [None, None]),
            Effect::Refused => (1, [None, None]),
            Effect::Timed => (2, [None, None]),
            Effect::TimedOut => (3, [None, None]),
            Effect::Spurious => (4, [None, None]),
            Effect::Read(value) => (5, [Some(value), None]),
            Effect::Wrote(value) => (6, [Some(value), None]),
            Effect::Changed { from, to } => (7, [Some(from), Some(to)]),
            Effect::Kept(value) => (8, [Some(value), None]),
            Effect::Thread(ThreadId(thread)) => (9, [Some(u64::from(thread)), None]),
            Effect::Woke(count) => (10, [Some(u64::from(count)), None]),
        };
        if let Some(newer) = event.age.newer() {
            self.now.byte(AGED);
            self.now.number(newer as u64);
        }
        self.now.byte(number | order);
        values.into_iter().flatten().for_each(|value| self.now.number(value));
    }
}

impl Observer for TraceWriter {
    fn begin(&mut self) {
        self.close();
        if self.phase == Phase::Full {
            self.left_out += 1;
            return;
        }
        self.phase = Phase::Writes;
        self.now.0.clear();
        self.now.number(self.executions + 1);
        self.pending.clear();
        self.clocks.clear();
        (self.objects, self.events, self.ahead) = (0, 0, 0);
        (self.address, self.code) = (0, 0);
    }

    fn event(&mut self, event: &Event, moment: &Moment<'_>) {
        if self.phase != Phase::Writes {
            return;
        }
        self.events += 1;
        let change = self.prepare(event.thread, moment);
        if self.phase == Phase::Full {
            return;
        }
        let as_pending = self.pending[event.thread.index()] == event.operation;
        let how = if as_pending { tag::AS_PENDING } else { 0 };
        let site = if as_pending { 0 } else { self.site(event.operation.site) };
        self.now.byte(tag::EVENT | change | how);
        self.now.number(u64::from(event.thread.0));
        self.clock(change, event.thread, moment.clock);
        self.effect(event);
        if !as_pending {
            self.operation(event.operation, site);
        }
    }

    fn access(&mut self, told: &Access, moment: &Moment<'_>) {
        if self.phase != Phase::Writes {
            return;
        }
        let &Access { thread, kind, mode, variable, spot } = told;
        let change = self.prepare(thread, moment);
        if self.phase == Phase::Full {
            return;
        }
        let site = match spot {
            Spot::Line(site) => Some(self.site(site)),
            Spot::Code(_) => None,
        };
        let mut bits = writes(kind) | number_in(&MODES, &mode) << access::MODE_SHIFT;
        if matches!(variable, Variable::Memory { .. }) {
            bits |= access::IN_MEMORY;
        }
        if site.is_none() {
            bits |= access::BY_CODE;
        }
        self.now.byte(tag::ACCESS | change);
        self.now.number(u64::from(thread.0));
        self.clock(change, thread, moment.clock);
        self.now.byte(bits);
        match variable {
            Variable::Data(object) => self.now.number(u64::from(object.0)),
            Variable::Memory { address, size } => {
                self.now.difference(self.address as u64, address as u64);
                self.now.number(size as u64);
                self.address = address;
            }
        }
        match (spot, site) {
            (Spot::Code(code), _) => {
                self.now.difference(self.code, code.0);
                self.code = code.0;
            }
            (Spot::Line(_), site) => self.now.number(site.unwrap_or_default()),
        }
    }

    fn memory(&mut self, told: &MemoryChange, moment: &Moment<'_>) {
        if self.phase != Phase::Writes {
            return;
        }
        let &MemoryChange { thread, address, size, end } = told;
        let change = self.prepare(thread, moment);
        if self.phase == Phase::Full {
            return;
        }
        self.now.byte(tag::MEMORY | change);
        self.now.number(u64::from(thread.0));
        self.clock(change, thread, moment.clock);
        self.now.difference(self.address as u64, address as u64);
        self.now.number(size as u64);
        self.address = address;
        match end {
            None => self.now.byte(0),
            Some(code) => {
                self.now.byte(1);
                self.now.difference(self.code, code.0);
                self.code = code.0;
            }
        }
    }

    fn end(&mut self, record: &Record<'_>) {
        if self.phase != Phase::Writes {
            return;
        }
        debug_assert_eq!(self.events, record.events.len(), "every event was told");
        self.catch_up(record.threads, record.objects);
        if self.phase == Phase::Writes {
            self.now.byte(tag::END);
            self.phase = Phase::Ended;
        }
    }
}

/// An object that there need not be, as a number.
fn some_object(object: ObjectId) -> u64 {
    match object {
        ObjectId::NONE => 0,
        ObjectId(object) => 1 + u64::from(object),
    }
}

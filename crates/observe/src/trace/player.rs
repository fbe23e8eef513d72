//! Tells observers what is written down, as it was told to the writer.

use super::TraceError;
use super::format::{AGED, Input, MODES, Nonsense, ORDERS, access, tag};
use super::reader::Trace;
use super::room::{self, MOST_THREADS, Room};
use crate::detect::Verdict;
use selvedge_model::{
    Access, AccessKind, Age, Clock, CodeAddress, Effect, Event, Link, MemoryChange, Moment,
    ObjectId, ObjectInfo, Observer, Operation, Outcome, Race, Record, Site, Source, Spot, ThreadId,
    ThreadInfo, ThreadReport, Variable,
};

/// No program has memory above this.
const TOP: usize = 1 << 56;

/// Shows the executions of a trace, one after the other.
pub struct Player<'t> {
    trace: &'t Trace<'t>,
    next: usize,
    /// Places, over all executions.
    files: Vec<&'t str>,
    sites: Vec<Site>,
    /// The execution so far.
    threads: Vec<ThreadInfo>,
    objects: Vec<ObjectInfo>,
    clocks: Vec<Clock>,
    events: Vec<Event>,
    accesses: Vec<(usize, Access)>,
    ahead: usize,
    address: usize,
    code: u64,
    room: Room,
}

/// An execution that has been shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Its number in the campaign, from 1.
    pub execution: u64,
    /// How many events, accesses and changes of memory there were.
    pub records: u64,
    /// The race that the observer has found.
    pub race: Option<Race>,
    /// What became of the execution, if that was known in the end.
    pub judged: Option<Judged>,
}

/// What became of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Whether it has passed.
    pub verdict: Verdict,
    /// Its threads that have names.
    pub threads: Vec<ThreadReport>,
}

impl<'t> Player<'t> {
    pub(super) fn new(trace: &'t Trace<'t>) -> Self {
        Self {
            trace,
            next: 0,
            files: Vec::new(),
            sites: Vec::new(),
            threads: Vec::new(),
            objects: Vec::new(),
            clocks: Vec::new(),
            events: Vec::new(),
            accesses: Vec::new(),
            ahead: 0,
            address: 0,
            code: 0,
            room: Room::default(),
        }
    }

    /// Shows the next execution; nothing if there is none left.
    pub fn play(&mut self, observer: &mut dyn Observer) -> Result<Option<Played>, TraceError> {
        let trace = self.trace;
        let Some(&body) = trace.executions.get(self.next) else { return Ok(None) };
        self.next += 1;
        let played = self.execution(Input(body), observer);
        played.map(Some).map_err(|nonsense| {
            // Whoever asks again is not told of what comes after it.
            let number = std::mem::replace(&mut self.next, trace.executions.len());
            nonsense.in_chunk(&format!("execution {number}"))
        })
    }

    fn execution(
        &mut self,
        mut input: Input<'t>,
        observer: &mut dyn Observer,
    ) -> Result<Played, Nonsense> {
        self.threads.clear();
        self.objects.clear();
        self.clocks.clear();
        self.room.begin();
        self.events.clear();
        self.accesses.clear();
        (self.ahead, self.address, self.code) = (0, 0, 0);
        let execution = input.number()?;
        let wants_events = observer.wants_events();
        let mut records = 0;
        observer.begin();
        loop {
            let byte = input.byte()?;
            match byte & tag::KIND {
                tag::FILE => self.files.push(room::name(input.text()?)?),
                tag::SITE => self.read_site(&mut input)?,
                tag::THREAD => self.read_thread(&mut input)?,
                tag::OBJECT => self.read_object(&mut input)?,
                tag::PENDING => {
                    let thread = self.read_thread_id(&mut input)?;
                    self.threads[thread.index()].pending = self.read_operation(&mut input)?;
                }
                tag::STEP => self.ahead = input.difference(self.ahead as u64)? as usize,
                tag::EVENT => {
                    records += 1;
                    let event = self.read_event(byte, &mut input)?;
                    self.events.push(event);
                    if wants_events {
                        observer.event(&event, &self.moment(event.thread));
                    }
                }
                tag::ACCESS => {
                    records += 1;
                    let access = self.read_access(byte, &mut input)?;
                    let moment = self.moment(access.thread);
                    let is_data = matches!(access.variable, Variable::Data(_));
                    if wants_events || !is_data {
                        observer.access(&access, &moment);
                    }
                    if is_data {
                        let step = moment.step;
                        self.accesses.push((step, access));
                    }
                }
                tag::MEMORY => {
                    records += 1;
                    let change = self.read_memory(byte, &mut input)?;
                    observer.memory(&change, &self.moment(change.thread));
                }
                tag::END => break,
                _ => return Err(Nonsense("a record is of no kind")),
            }
        }
        observer.end(&Record {
            events: &self.events,
            accesses: &self.accesses,
            threads: &self.threads,
            objects: &self.objects,
        });
        let race = observer.race();
        let judged = self.read_judged(&mut input)?;
        if !input.0.is_empty() {
            return Err(Nonsense("there is more after its end"));
        }
        Ok(Played { execution, records, race, judged })
    }

    fn moment(&self, thread: ThreadId) -> Moment<'_> {
        Moment {
            clock: &self.clocks[thread.index()],
            threads: &self.threads,
            objects: &self.objects,
            step: self.events.len().wrapping_add(self.ahead),
        }
    }

    #[cold]
    fn read_site(&mut self, input: &mut Input<'_>) -> Result<(), Nonsense> {
        let file = input.one_of(&self.files)?.to_owned();
        let (line, column) = (input.short()?, input.short()?);
        self.sites.push(Site::read(Source { file, line, column }));
        Ok(())
    }

    fn read_thread(&mut self, input: &mut Input<'_>) -> Result<(), Nonsense> {
        let (parent, ordinal) = (ThreadId(input.short()?), input.short()?);
        // Nobody is the parent of the first thread.
        let is_older = parent.index() < self.threads.len();
        if !(is_older || ordinal == 0 && parent.index() == 0) {
            return Err(Nonsense("a thread is older than its parent"));
        }
        if self.threads.len() >= MOST_THREADS {
            return Err(Nonsense("it has more threads than this program reads"));
        }
        let key = input.number()?;
        let spawned = self.read_some_site(input)?;
        let pending = self.read_operation(input)?;
        self.threads.push(ThreadInfo { pending, parent, ordinal, key, spawned });
        self.clocks.push(Clock::new());
        Ok(())
    }

    fn read_object(&mut self, input: &mut Input<'_>) -> Result<(), Nonsense> {
        let kind = input.one_of(&self.trace.object_kinds)?;
        let created = self.read_some_site(input)?;
        let first = input.one_of(&self.sites)?;
        self.objects.push(ObjectInfo { kind, created, first });
        Ok(())
    }

    fn read_some_site(&self, input: &mut Input<'_>) -> Result<Option<Site>, Nonsense> {
        match input.size()?.checked_sub(1) {
            None => Ok(None),
            Some(number) => match self.sites.get(number) {
                Some(&site) => Ok(Some(site)),
                None => Err(Nonsense("a place is named that is not there")),
            },
        }
    }

    #[inline]
    fn read_thread_id(&self, input: &mut Input<'_>) -> Result<ThreadId, Nonsense> {
        let number = input.short()?;
        if number as usize >= self.threads.len() {
            return Err(Nonsense("a thread is named that is not there"));
        }
        Ok(ThreadId(number))
    }

    #[inline]
    fn read_operation(&self, input: &mut Input<'_>) -> Result<Operation, Nonsense> {
        let kind = input.one_of(&self.trace.kinds)?;
        let object = self.read_object_id(input)?;
        let second = if kind.has_second() { self.read_object_id(input)? } else { ObjectId::NONE };
        let is_missing = |needed, object| needed && object == ObjectId::NONE;
        if is_missing(kind.has_object(), object) || is_missing(kind.has_second(), second) {
            return Err(Nonsense("an operation names nothing to act on"));
        }
        Ok(Operation { kind, object, second, site: input.one_of(&self.sites)? })
    }

    #[inline]
    fn read_object_id(&self, input: &mut Input<'_>) -> Result<ObjectId, Nonsense> {
        match input.short()?.checked_sub(1) {
            None => Ok(ObjectId::NONE),
            Some(number) if (number as usize) < self.objects.len() => Ok(ObjectId(number)),
            Some(_) => Err(Nonsense("an object is named that is not there")),
        }
    }

    /// Who it is, with the clock as it was then.
    #[inline]
    fn read_who(&mut self, byte: u8, input: &mut Input<'_>) -> Result<ThreadId, Nonsense> {
        let thread = self.read_thread_id(input)?;
        if byte & tag::TICKED != 0 {
            let clock = &mut self.clocks[thread.index()];
            if clock.of(thread) == u32::MAX {
                return Err(Nonsense("a clock has no numbers left"));
            }
            clock.tick(thread);
            self.room.widen(thread, thread)?;
        } else if byte & tag::JOINED != 0 {
            for _ in 0..input.number()? {
                let other = self.read_thread_id(input)?;
                let clock = &mut self.clocks[thread.index()];
                let entry = input.difference(u64::from(clock.of(other)))?;
                self.room.widen(thread, other)?;
                let entry = u32::try_from(entry);
                clock.set(other, entry.map_err(|_| Nonsense("a number is too large"))?);
            }
        }
        Ok(thread)
    }

    #[inline]
    fn read_event(&mut self, byte: u8, input: &mut Input<'_>) -> Result<Event, Nonsense> {
        let thread = self.read_who(byte, input)?;
        let mut what = input.byte()?;
        let mut age = Age::ONLY;
        if what == AGED {
            age = Age::of(input.short()? as usize);
            what = input.byte()?;
        }
        let order = *ORDERS.get(usize::from(what >> 4)).ok_or(Nonsense("an order is none"))?;
        let effect = match what & 0x0f {
            0 => Effect::Done,
            1 => Effect::Refused,
            2 => Effect::Timed,
            3 => Effect::TimedOut,
            4 => Effect::Spurious,
            5 => Effect::Read(input.number()?),
            6 => Effect::Wrote(input.number()?),
            7 => Effect::Changed { from: input.number()?, to: input.number()? },
            8 => Effect::Kept(input.number()?),
            9 => Effect::Thread(self.read_thread_id(input)?),
            10 => Effect::Woke(input.short()?),
            _ => return Err(Nonsense("an effect is none")),
        };
        let operation = match byte & tag::AS_PENDING {
            0 => self.read_operation(input)?,
            _ => self.threads[thread.index()].pending,
        };
        let link = operation.kind.meaning(Outcome::Done).link;
        if matches!(link, Link::Starts | Link::AfterEnd) && !matches!(effect, Effect::Thread(_)) {
            return Err(Nonsense("a thread is started or waited for, and it is not said which"));
        }
        Ok(Event { thread, order, age, operation, effect })
    }

    #[inline]
    fn read_access(&mut self, byte: u8, input: &mut Input<'_>) -> Result<Access, Nonsense> {
        let thread = self.read_who(byte, input)?;
        let bits = input.byte()?;
        let kind = if bits & access::WRITES == 0 { AccessKind::Read } else { AccessKind::Write };
        let mode = usize::from((bits & access::MODE) >> access::MODE_SHIFT);
        let mode = *MODES.get(mode).ok_or(Nonsense("an access is of no kind"))?;
        let variable = if bits & access::IN_MEMORY == 0 {
            let number = input.short()?;
            if number as usize >= self.objects.len() {
                return Err(Nonsense("an object is named that is not there"));
            }
            Variable::Data(ObjectId(number))
        } else {
            let (address, size) = self.read_range(input)?;
            self.room.touch(size)?;
            Variable::Memory { address, size }
        };
        let spot = if bits & access::BY_CODE == 0 {
            Spot::Line(input.one_of(&self.sites)?)
        } else {
            Spot::Code(self.read_code(input)?)
        };
        Ok(Access { thread, kind, mode, variable, spot })
    }

    fn read_memory(&mut self, byte: u8, input: &mut Input<'_>) -> Result<MemoryChange, Nonsense> {
        let thread = self.read_who(byte, input)?;
        let (address, size) = self.read_range(input)?;
        let end = match input.byte()? {
            0 => None,
            _ => Some(self.read_code(input)?),
        };
        Ok(MemoryChange { thread, address, size, end })
    }

    #[inline]
    fn read_range(&mut self, input: &mut Input<'_>) -> Result<(usize, usize), Nonsense> {
        let address = input.difference(self.address as u64)? as usize;
        let size = input.size()?;
        self.address = address;
        match address.checked_add(size) {
            Some(end) if end <= TOP => Ok((address, size)),
            _ => Err(Nonsense("memory is larger than there is")),
        }
    }

    #[inline]
    fn read_code(&mut self, input: &mut Input<'_>) -> Result<CodeAddress, Nonsense> {
        self.code = input.difference(self.code)?;
        Ok(CodeAddress(self.code))
    }

    fn read_judged(&self, input: &mut Input<'_>) -> Result<Option<Judged>, Nonsense> {
        let verdict = match input.byte()? {
            0 => return Ok(None),
            1 => Verdict::Passed,
            2 => Verdict::Failed,
            _ => return Err(Nonsense("nobody knows what became of it")),
        };
        let mut threads = Vec::new();
        for _ in 0..input.number()? {
            let path = input.text()?.parse().map_err(|_| Nonsense("a thread's path is none"))?;
            let name = Some(input.text()?.to_owned());
            threads.push(ThreadReport { path, name, spawned: None });
        }
        Ok(Some(Judged { verdict, threads }))
    }
}

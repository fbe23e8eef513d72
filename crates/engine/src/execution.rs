//! An execution, from the first step of the test to the last.

use crate::atomics::Atomics;
use crate::child::Children;
use crate::circle::Circle;
use crate::context::{Code, Controlled, Place};
use crate::ending::Ending;
use crate::fairness::Fairness;
use crate::fiber::{Fiber, FiberPool, Task};
use crate::forked::Processes;
use crate::happens_before::{ObjectClock, ThreadClock};
use crate::hash_keys::{self, HashKeys};
use crate::heap::{ArenaSettings, Heap, HeapUse};
use crate::length::Length;
use crate::log::LogEntry;
use crate::memory::Memory;
use crate::object::{Epochs, ObjectEntry};
use crate::objects::ObjectState;
use crate::objects::foreign::ForeignObjects;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::outside::Outside;
use crate::outside_threads::OutsideStart;
use crate::own_files::OwnFiles;
use crate::panic::{PanicHook, PanicNote};
use crate::process_state::Journal;
use crate::progress::{Moment, Watch};
use crate::sharing::{Knowledge, Usage};
use crate::solo;
use crate::spin::Spin;
use crate::statics::{Image, StaticTrace, Statics};
use crate::step::{Change, Listeners};
use crate::thread::Thread;
use crate::time::Time;
use crate::timer::Timers;
use crate::written::Written;
use rustc_hash::FxHashMap;
use selvedge_model::{
    Access, Config, Event, Fault, Isolation, LeakedThreads, NotKept, ObjectId, ObjectInfo,
    Observer, Operation, OperationKind, Progress, Race, Rate, Record, Site, Strategy, ThreadId,
    ThreadInfo, ThreadPath, ThreadSet, Toggle, View,
};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

/// What an execution needs to know of the settings.
#[derive(Clone, Debug)]
pub struct Settings {
    /// At most this many steps are recorded.
    pub max_steps: u64,
    /// After so many steps it is a livelock, whatever happens.
    pub livelock_steps: Option<u64>,
    /// Whether threads may be left when the test function has returned.
    pub leaked_threads: LeakedThreads,
    /// The stack of a thread that does not ask for another, in bytes.
    pub stack_size: usize,
    /// How often timed waits end early.
    pub timeouts: Rate,
    /// Timed waits end early only if their deadline is at most this far ahead.
    pub slack: Duration,
    /// How often waits end for no reason.
    pub spurious: Rate,
    /// How often weak compare-exchanges fail for no reason.
    pub weak_cas: Rate,
    /// How often polls of futures are disturbed.
    pub polls: Rate,
    /// Whether happens-before clocks are kept.
    pub clocks: Toggle,
    /// Whether the observer is told when the data behind a lock is borrowed.
    pub accesses: Toggle,
    /// What `available_parallelism` says.
    pub parallelism: usize,
    /// For so long a word is waited for that somebody outside of the execution may change.
    pub word_patience: Duration,
    /// When this many steps in a row have changed nothing, the running thread waits for a change.
    pub idle_limit: usize,
    /// A thread that yields this often at one place without changing anything waits for a change.
    pub spin_limit: usize,
    /// Whether stops before private operations are left out.
    pub sharing: Usage,
    /// Raise SIGTRAP before this step.
    pub trap: Option<u64>,
    /// Where the test's code gets its memory from.
    pub heap: HeapUse,
    /// What becomes of the test's static state between two executions.
    pub statics: Statics,
    /// Whether observers are told of plain accesses to memory; needs clocks.
    pub races: Toggle,
    /// Where executions run.
    pub processes: Processes,
    /// What is kept to know what orders accesses to memory takes about so many bytes at most.
    pub clock_memory: usize,
}

impl Settings {
    /// The settings that a configuration asks for.
    pub fn new(config: &Config) -> Self {
        Self {
            max_steps: config.max_steps,
            livelock_steps: config.livelock_steps,
            leaked_threads: config.leaked_threads,
            stack_size: config.stack_size,
            timeouts: config.timeouts,
            slack: config.slack,
            spurious: config.spurious,
            weak_cas: config.weak_cas,
            clocks: match config.races {
                Toggle::On => Toggle::On,
                Toggle::Off => config.clocks,
            },
            races: config.races,
            polls: config.polls,
            accesses: Toggle::Off,
            parallelism: config.parallelism,
            word_patience: config.stall / 500,
            idle_limit: 512,
            // The same for every strategy, so that a schedule found by one is replayed as it was.
            // Small, because every turn of a loop that waits doubles the number of schedules.
            spin_limit: 16,
            sharing: Usage::SkipPrivate,
            trap: config.trap,
            heap: match config.isolation {
                Isolation::On | Isolation::Fork => HeapUse::Arena(ArenaSettings::new(config)),
                Isolation::Off => HeapUse::System,
            },
            statics: match config.isolation {
                Isolation::On => Statics::PutBack,
                Isolation::Off | Isolation::Fork => Statics::Leave,
            },
            processes: match config.isolation {
                Isolation::Fork => Processes::Forked,
                Isolation::On | Isolation::Off => Processes::One,
            },
            clock_memory: config.own_memory / 4,
        }
    }
}

/// The state of the running execution, and what is kept from one to the next.
pub(crate) struct Execution {
    /// Whose code runs on the current thread.
    pub(crate) code: Code,
    /// The thread that runs, or that has been chosen to run next.
    pub(crate) current: ThreadId,
    /// Whether the running thread has only just begun. To begin is nothing that others could
    /// notice, so it does not stop before its first operation as well.
    pub(crate) fresh: bool,
    /// Whether the strategy wants it to stop there all the same.
    pub(crate) first_stops: Toggle,
    pub(crate) enabled: ThreadSet,
    pub(crate) spinners: ThreadSet,
    /// The step at which they were first let go on before the clock moves, if they were.
    pub(crate) spinning_since: Option<u64>,
    pub(crate) spin: Spin,
    pub(crate) circle: Circle,
    pub(crate) fairness: Fairness,
    /// The written schedule that is in force, if there is one.
    pub(crate) written: Option<Box<Written>>,
    pub(crate) info: Vec<ThreadInfo>,
    pub(crate) threads: Vec<Thread>,
    /// Whether happens-before clocks are kept.
    pub(crate) order: Toggle,
    /// Whether observers are told of plain accesses to memory.
    pub(crate) races: Toggle,
    pub(crate) clocks: Vec<ThreadClock>,
    /// Of those objects that have one; only if clocks are on.
    pub(crate) object_clocks: Vec<ObjectClock>,
    pub(crate) objects: Vec<ObjectEntry>,
    /// What others may know of each object.
    pub(crate) object_info: Vec<ObjectInfo>,
    pub(crate) atomics: Atomics,
    /// The numbers of the futexes, by their addresses.
    pub(crate) futexes: FxHashMap<usize, ObjectId>,
    /// Objects of other libraries, by their addresses.
    pub(crate) foreign: ForeignObjects,
    /// Who waits for what no thread of the execution may bring about.
    pub(crate) outside: Outside,
    /// The files that were opened and are not closed.
    pub(crate) own_files: OwnFiles,
    /// What of the process is to be put back.
    pub(crate) journal: Journal,
    /// The timers that are files.
    pub(crate) timers: Timers,
    /// The threads that were started without being under control.
    pub(crate) outside_threads: Vec<OutsideStart>,
    pub(crate) events: Vec<Event>,
    /// Accesses to data behind locks, each with the number of events before it; only if they are
    /// wanted.
    pub(crate) accesses: Vec<(usize, Access)>,
    pub(crate) log: Vec<LogEntry>,
    pub(crate) panics: Vec<PanicNote>,
    /// What the test wants to be called for each panic.
    pub(crate) hook: Option<PanicHook>,
    /// How many threads are in it.
    pub(crate) hooks: u32,
    pub(crate) output: Output,
    pub(crate) memory: Memory,
    pub(crate) time: Time,
    /// How many events there were when something last changed that others could see.
    pub(crate) last_change: usize,
    /// How often the strategy was asked.
    pub(crate) choices: u64,
    /// How many polls of wrapped futures there were.
    pub(crate) wrapped_polls: u64,
    /// The number of steps that all executions before this one had.
    pub(crate) first_step: u64,
    pub(crate) live: usize,
    /// The thread that has just ended and whose fiber is free when it has handed control back.
    pub(crate) ended: Option<ThreadId>,
    /// When there have been this many events, see whether the execution is over.
    pub(crate) limit: usize,
    /// How many more steps of the only thread need not be recorded; see `length.rs`.
    pub(crate) quiet: u32,
    /// Whether any of those before has changed something.
    pub(crate) quiet_change: Change,
    pub(crate) length: Length,
    /// Stands for the test's own thread, which nobody spawned.
    pub(crate) test_site: Site,
    pub(crate) ending: Option<Ending>,
    /// The data race that was seen, if there was one.
    pub(crate) race: Option<Race>,
    /// What was not kept in full of the execution.
    pub(crate) not_kept: Vec<NotKept>,
    pub(crate) epoch: u32,
    /// Where the thread that runs all this keeps its current execution.
    pub(crate) place: Place,
    pub(crate) strategy: *mut dyn Strategy,
    pub(crate) observer: Option<*mut dyn Observer>,
    pub(crate) listeners: Listeners,
    pub(crate) settings: Settings,
    pub(crate) sharing: Knowledge,
    pub(crate) watch: Arc<Watch>,
    pub(crate) pool: FiberPool,
    /// Where the execution is to end, if it is run again for what came before its end.
    pub(crate) last_moment: Option<Moment>,
    epochs: Epochs,
    pub(crate) static_trace: StaticTrace,
    /// Dropped last: what the rest still refers to may lie there.
    pub(crate) heap: Heap,
}

impl Execution {
    /// Ends the execution: no thread runs any more after the running one has given way.
    pub(crate) fn end(&mut self, ending: Ending) {
        self.ending.get_or_insert(ending);
        // Makes the running thread stop at its next operation.
        self.limit = 0;
    }

    /// Why the execution ended.
    pub(crate) fn ending(&self) -> &Ending {
        self.ending.as_ref().expect("the execution is over")
    }

    /// What happened, for those who learn from it.
    pub(crate) fn record(&self) -> Record<'_> {
        let events = &self.events[..self.recorded()];
        Record { events, accesses: &self.accesses, threads: &self.info, objects: &self.object_info }
    }

    /// The execution ran in a child and is over.
    pub(crate) fn leave_to_child(&mut self, steps: u64) {
        self.first_step += steps;
        self.epochs.end();
    }

    /// The identity of a thread across executions.
    pub(crate) fn path(&self, thread: ThreadId) -> ThreadPath {
        self.view().path(thread)
    }

    /// Forgets the last execution and keeps its memory.
    fn reset(&mut self) {
        self.current = ThreadId::MAIN;
        self.order = self.settings.clocks;
        self.races = self.settings.races;
        self.enabled.clear();
        self.spinners.clear();
        self.spinning_since = None;
        self.spin.reset();
        self.circle.reset();
        self.fairness.reset();
        self.written = None;
        self.info.clear();
        self.threads.clear();
        self.objects.clear();
        self.object_info.clear();
        self.object_clocks.clear();
        self.first_step += self.steps();
        self.events.clear();
        self.accesses.clear();
        self.log.clear();
        self.panics.clear();
        self.hooks = 0;
        self.output.clear();
        self.memory.reset();
        self.time.reset();
        self.last_change = 0;
        self.choices = 0;
        self.wrapped_polls = 0;
        self.live = 0;
        self.ended = None;
        self.ending = None;
        self.race = None;
        self.not_kept.clear();
        self.reset_length();
        self.epoch = self.epochs.begin();
        self.atomics.begin(self.epoch);
        self.futexes.clear();
        self.foreign.reset();
        self.outside.reset();
        self.timers.reset();
        self.outside_threads.clear();
    }

    /// Adds a thread that will run `task`.
    pub(crate) fn add_thread(
        &mut self,
        task: Task,
        name: Option<Arc<str>>,
        stack_size: Option<usize>,
        spawned: Option<Site>,
        site: Site,
    ) -> std::io::Result<ThreadId> {
        let mut fiber = self.pool.take(stack_size)?;
        self.has_company();
        fiber.assign(task);
        let id = ThreadId(self.threads.len() as u32);
        let parent = self.current;
        let (ordinal, key) = match spawned {
            None => (0, 0),
            Some(_) => {
                let children = &mut self.threads[parent.index()].children;
                *children += 1;
                (*children, ThreadPath::child_key(self.info[parent.index()].key, *children))
            }
        };
        let object = ObjectId(self.objects.len() as u32);
        let pending = Operation { kind: OperationKind::ThreadStart, object, site };
        self.info.push(ThreadInfo { pending, parent, ordinal, key, spawned });
        self.push_object(ObjectEntry::shared(ObjectState::Thread, id), spawned, site);
        // A copy of its own: the name that was passed in belongs to the test.
        let name = name.map(|name| Arc::from(&*name));
        self.threads.push(Thread::new(fiber, object, name, spawned));
        self.limit_watching(id);
        self.inherit_clock(id);
        self.begin_stack(id);
        self.enabled.insert(id);
        self.live += 1;
        if self.written.is_some() {
            self.stand_before_start(id);
        }
        Ok(id)
    }
}

/// Runs executions, one after the other, on the calling operating-system thread.
pub struct Engine {
    pub(crate) execution: Box<Execution>,
    hash_keys: HashKeys,
    /// The static state before the first execution, if it is put back after each.
    image: Option<Image>,
    /// The processes in which executions run, if they do not run in this one.
    pub(crate) children: Option<Children>,
}

impl Engine {
    /// An engine whose progress can be watched from elsewhere.
    pub fn new(settings: Settings, watch: Arc<Watch>) -> Self {
        crate::panic::install_panic_hook();
        crate::crash::install();
        watch.runs_here();
        let mut sharing = Knowledge::default();
        sharing.set_usage(settings.sharing);
        let execution = Box::new(Execution {
            code: Code::Engine,
            current: ThreadId::MAIN,
            fresh: false,
            first_stops: Toggle::Off,
            enabled: ThreadSet::new(),
            spinners: ThreadSet::new(),
            spinning_since: None,
            spin: Spin::default(),
            circle: Circle::default(),
            fairness: Fairness::default(),
            written: None,
            info: Vec::new(),
            threads: Vec::new(),
            order: Toggle::Off,
            races: Toggle::Off,
            clocks: Vec::new(),
            object_clocks: Vec::new(),
            objects: Vec::new(),
            object_info: Vec::new(),
            atomics: Atomics::new(),
            futexes: FxHashMap::default(),
            foreign: ForeignObjects::default(),
            outside: Outside::default(),
            own_files: OwnFiles::default(),
            journal: Journal::default(),
            timers: Timers::default(),
            outside_threads: Vec::new(),
            events: Vec::new(),
            accesses: Vec::new(),
            log: Vec::new(),
            panics: Vec::new(),
            hook: None,
            hooks: 0,
            output: Output::default(),
            memory: Memory::default(),
            time: Time::default(),
            last_change: 0,
            choices: 0,
            wrapped_polls: 0,
            first_step: 0,
            live: 0,
            ended: None,
            limit: 0,
            quiet: 0,
            quiet_change: Change::Nothing,
            length: Length::default(),
            test_site: Site::caller(),
            ending: None,
            race: None,
            not_kept: Vec::new(),
            epoch: 0,
            place: Place::NOWHERE,
            strategy: ptr::null_mut::<Nobody>(),
            observer: None,
            listeners: Listeners::None,
            pool: FiberPool::new(settings.stack_size),
            heap: Heap::new(settings.heap),
            settings,
            sharing,
            watch,
            last_moment: None,
            epochs: Epochs::new(),
            static_trace: StaticTrace::default(),
        });
        Self { execution, hash_keys: HashKeys::Random, image: None, children: None }
    }

    /// Runs the test once. `strategy` decides, `observer` watches.
    pub fn run(
        &mut self,
        test: &(dyn Fn() + Sync),
        strategy: &mut dyn Strategy,
        observer: Option<&mut dyn Observer>,
    ) -> Outcome<'_> {
        self.begin();
        match self.execution.settings.processes {
            Processes::One => {
                self.run_here(test, strategy, observer);
                Outcome::here(&self.execution)
            }
            Processes::Forked => Outcome::told(self.run_in_child(test, strategy, observer)),
        }
    }

    /// Makes ready for an execution, when it may begin.
    pub(crate) fn begin(&mut self) {
        self.execution.reset();
        while solo::must_wait() {
            self.execution.epochs.end();
            solo::wait_for_turn(&self.execution.watch);
            self.execution.reset();
        }
        self.execution.watch.begins();
        self.hash_keys = hash_keys::fix();
        // The engine has forgotten the last execution, so nothing refers to its memory any more.
        self.execution.heap.begin();
    }

    /// Runs the execution in this process.
    pub(crate) fn run_here(
        &mut self,
        test: &(dyn Fn() + Sync),
        strategy: &mut dyn Strategy,
        mut observer: Option<&mut dyn Observer>,
    ) {
        self.remember_statics();
        self.execution.remember_files();
        let execution: *mut Execution = &raw mut *self.execution;
        // SAFETY: The pointer is used through this function only; while fibers run, no reference
        // made here is alive.
        unsafe {
            if let Some(observer) = observer.as_deref_mut() {
                observer.begin();
            }
            let lent = observer.as_mut().map(|observer| &mut **observer as &mut dyn Observer);
            (*execution).lend(test, strategy, lent);
            let place = Place::here();
            (*execution).place = place;
            let _entered = place.enter(execution);
            while (*execution).ending.is_none() {
                (*execution).tell_watcher();
                let fiber = (*execution).chosen_fiber();
                (*fiber).resume();
                // From here to where the next thread goes on.
                (*execution).code = Code::Engine;
                (*execution).collect();
            }
        }
        if self.execution.ending == Some(Ending::Passed) {
            self.execution.inspect_heap();
        }
        self.execution.finish();
        self.execution.close_own_files();
        self.execution.put_process_back();
        self.put_statics_back();
        if let Some(observer) = observer {
            self.execution.not_kept.extend(observer.not_kept());
            observer.end(&self.execution.record());
            self.execution.race = observer.race();
        }
    }

    /// Whether hash maps had the same keys in the last execution as in all others.
    pub fn hash_keys(&self) -> HashKeys {
        self.hash_keys
    }

    /// Sees what the static state is before an execution.
    fn remember_statics(&mut self) {
        match &mut self.image {
            _ if self.execution.settings.statics == Statics::Leave => {}
            _ if !crate::heap::is_asked() => {}
            Some(image) => image.refresh(),
            None => {
                // Whoever watches reads files meanwhile, and std notes in a static of its own what
                // the system can do when it first asks. That belongs to the process, not to the test.
                crate::footprint::resident();
                self.image = Some(Image::take());
            }
        }
    }

    /// Makes the static state what it was before the execution.
    fn put_statics_back(&mut self) {
        if let Some(image) = &mut self.image {
            self.execution.static_trace = image.put_back();
        }
    }

    /// How many steps this engine has made, over all executions.
    pub fn steps(&self) -> u64 {
        self.execution.first_step + self.execution.steps()
    }

    /// Which stops the next execution leaves out.
    pub fn set_stops(&mut self, usage: Usage) {
        self.execution.sharing.set_usage(usage);
    }

    /// Changes whenever an execution has taught something that changes where threads stop, and
    /// with it the tree of all schedules.
    pub fn knowledge_version(&self) -> u64 {
        self.execution.sharing.version()
    }
}

impl Execution {
    /// Borrows the parts of the campaign for one execution and prepares the test's own thread.
    ///
    /// # Safety
    ///
    /// All three must outlive the execution's run.
    unsafe fn lend(
        &mut self,
        test: &(dyn Fn() + Sync),
        strategy: &mut dyn Strategy,
        observer: Option<&mut dyn Observer>,
    ) {
        self.listeners = match (strategy.wants_events(), &observer) {
            (true, _) => Listeners::Strategy,
            (false, Some(observer)) if observer.wants_events() => Listeners::Others,
            (false, _) if self.settings.processes == Processes::Forked => Listeners::Others,
            (false, _) => Listeners::None,
        };
        self.first_stops = match strategy.wants_first_stops() {
            true => Toggle::On,
            false => Toggle::Off,
        };
        // SAFETY: Only the lifetimes change; the caller promises that they are long enough.
        unsafe {
            self.strategy = mem::transmute::<*mut dyn Strategy, *mut dyn Strategy>(strategy);
            self.observer = observer
                .map(|observer| mem::transmute::<*mut dyn Observer, *mut dyn Observer>(observer));
            let test = mem::transmute::<&(dyn Fn() + Sync), &'static (dyn Fn() + Sync)>(test);
            let task: Task = Box::new(move || main_thread(test));
            self.add_thread(task, None, None, None, self.test_site)
                .expect("selvedge: no memory for the stack of the test's own thread");
        }
    }

    /// The fiber of the thread that was chosen.
    #[inline(always)]
    fn chosen_fiber(&mut self) -> *mut Fiber {
        match &mut self.threads[self.current.index()].fiber {
            Some(fiber) => &raw mut **fiber,
            None => unreachable!("an ended thread is never chosen"),
        }
    }

    /// Takes the fiber of a thread back that has just ended.
    #[inline(always)]
    fn collect(&mut self) {
        if let Some(thread) = self.ended.take()
            && let Some(fiber) = self.threads[thread.index()].fiber.take()
        {
            self.pool.put(fiber);
        }
    }

    /// The run is over: threads that have not ended are given up.
    fn finish(&mut self) {
        self.strategy = ptr::null_mut::<Nobody>();
        self.observer = None;
        // The test's own, and its world is gone.
        mem::forget(self.hook.take());
        self.epochs.end();
        self.watch.finished(self.first_step + self.steps());
        if self.live > 0 {
            for thread in &mut self.threads {
                if let Some(mut fiber) = thread.fiber.take() {
                    fiber.abandon();
                    self.pool.put(fiber);
                }
                thread.locals.abandon();
            }
        }
    }
}

/// What the test's own thread runs.
fn main_thread(test: &(dyn Fn() + Sync)) {
    let controlled = Controlled::running().expect("the test runs under control");
    controlled.begin_thread();
    match controlled.run_test_code(|| catch_unwind(AssertUnwindSafe(test))) {
        Ok(()) => controlled.end_thread(),
        Err(payload) => {
            let execution = &mut *controlled.execution();
            let message = crate::panic::message(&*payload);
            execution.end(Ending::Panicked { message });
        }
    }
}

/// Stands where a strategy will be, between two executions.
enum Nobody {}

impl Strategy for Nobody {
    fn name(&self) -> String {
        match *self {}
    }
    fn begin(&mut self) -> Progress {
        match *self {}
    }
    fn next_thread(&mut self, _: &View<'_>) -> ThreadId {
        match *self {}
    }
    fn wake(&mut self, _: &View<'_>, _: &[ThreadId]) -> usize {
        match *self {}
    }
    fn fault(&mut self, _: &View<'_>, _: Fault, _: Rate) -> bool {
        match *self {}
    }
    fn export(&self) -> Vec<u8> {
        match *self {}
    }
    fn import(&mut self, _: &[u8]) {
        match *self {}
    }
}

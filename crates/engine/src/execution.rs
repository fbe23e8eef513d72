//! The state of an execution.

use crate::account::Account;
use crate::ending::Ending;
use crate::fiber::{FiberPool, Task};
use crate::file_times::FileTimes;
use crate::happens_before::KeptOrder;
use crate::heap::Heap;
use crate::length::Length;
use crate::memory::Memory;
use crate::object::ObjectEntry;
use crate::objects::ObjectState;
use crate::partners::Partners;
use crate::progress::Watch;
use crate::registry::Registry;
use crate::rounds::Rounds;
use crate::settings::Settings;
use crate::signals::{Signals, ThreadSignals};
use crate::stacks::Stacks;
use crate::thread::Thread;
use crate::thread_states::ThreadStates;
use crate::time::Time;
use crate::world::World;
use selvedge_model::{
    Edge, Event, ObjectId, Operation, OperationKind, Record, Site, ThreadId, ThreadInfo, ThreadPath,
};
use std::sync::Arc;

/// The state of the running execution, and what is kept from one to the next. Each part is a state of
/// its own that knows how it begins anew.
pub(crate) struct Execution {
    /// The thread that runs, or that has been chosen to run next.
    pub(crate) current: ThreadId,
    /// Who can run.
    pub(crate) states: ThreadStates,
    /// How long the execution is, and what of it is recorded.
    pub(crate) length: Length,
    pub(crate) events: Vec<Event>,
    /// What others may know of each thread.
    pub(crate) info: Vec<ThreadInfo>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) objects: Vec<ObjectEntry>,
    /// How objects are known.
    pub(crate) registry: Registry,
    /// What happened before what.
    pub(crate) order: KeptOrder,
    /// Threads that go round and round.
    pub(crate) rounds: Rounds,
    pub(crate) time: Time,
    pub(crate) file_times: FileTimes,
    /// Signals from one thread to another.
    pub(crate) signals: Signals,
    /// Who decides, and who is told.
    pub(crate) partners: Partners,
    /// What is left of the execution besides its events.
    pub(crate) account: Account,
    pub(crate) ending: Option<Ending>,
    pub(crate) memory: Memory,
    /// What lies outside of the execution.
    pub(crate) world: World,
    pub(crate) settings: Settings,
    /// The calls that led to operations, if they are wanted.
    pub(crate) stacks: Stacks,
    pub(crate) pool: FiberPool,
    /// Dropped last: what the rest still refers to may lie there.
    pub(crate) heap: Heap,
}

impl Execution {
    /// The state before the first execution.
    pub(crate) fn new(settings: Settings, watch: Arc<Watch>) -> Box<Self> {
        Box::new(Self {
            current: ThreadId::MAIN,
            states: ThreadStates::default(),
            length: Length::default(),
            events: Vec::new(),
            info: Vec::new(),
            threads: Vec::new(),
            objects: Vec::new(),
            registry: Registry::new(settings.sharing),
            order: KeptOrder::new(),
            rounds: Rounds::default(),
            time: Time::default(),
            file_times: FileTimes::default(),
            signals: Signals::default(),
            partners: Partners::new(watch),
            account: Account::default(),
            ending: None,
            memory: Memory::default(),
            world: World::default(),
            stacks: Stacks::default(),
            pool: FiberPool::new(settings.stack_size),
            heap: Heap::new(settings.heap),
            settings,
        })
    }

    /// Ends the execution: no thread runs any more after the running one has given way.
    pub(crate) fn end(&mut self, ending: Ending) {
        if self.stacks.is_on() && self.ending.is_none() {
            self.note_pending_stack();
        }
        self.ending.get_or_insert(ending);
        // Makes the running thread stop at its next operation.
        self.length.limit = 0;
        self.end_routine();
    }

    /// Why the execution ended.
    pub(crate) fn ending(&self) -> &Ending {
        self.ending.as_ref().expect("the execution is over")
    }

    /// What happened, for those who learn from it.
    pub(crate) fn record(&self) -> Record<'_> {
        let events = &self.events[..self.recorded()];
        Record {
            events,
            accesses: &self.account.accesses,
            threads: &self.info,
            objects: &self.registry.info,
        }
    }

    /// The execution ran in a child and is over.
    pub(crate) fn leave_to_child(&mut self, steps: u64) {
        self.account.first_step += steps;
        self.registry.epochs.end();
    }

    /// The identity of a thread across executions.
    pub(crate) fn path(&self, thread: ThreadId) -> ThreadPath {
        self.view().path(thread)
    }

    /// Forgets the last execution and keeps its memory.
    pub(crate) fn reset(&mut self) {
        self.account.reset(self.steps());
        self.current = ThreadId::MAIN;
        self.states.reset();
        self.events.clear();
        self.info.clear();
        self.threads.clear();
        self.objects.clear();
        self.registry.reset();
        self.order.reset(&self.settings);
        self.rounds.reset();
        self.time.reset();
        self.file_times.reset();
        self.signals.reset();
        self.partners.written = None;
        self.ending = None;
        self.memory.reset();
        self.world.reset();
        self.stacks.reset();
        self.reset_length();
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
        let pending = Operation::new(OperationKind::ThreadStart, object, site);
        self.info.push(ThreadInfo { pending, parent, ordinal, key, spawned });
        self.push_object(ObjectEntry::shared(ObjectState::Thread, id), spawned, site);
        // A copy of its own: the name that was passed in belongs to the test.
        let name = name.map(|name| Arc::from(&*name));
        let signals = match spawned {
            None => ThreadSignals::default(),
            Some(_) => self.threads[parent.index()].signals.of_child(),
        };
        self.threads.push(Thread::new(fiber, object, name, spawned, signals));
        self.limit_watching(id);
        self.edge(Edge::Start(id));
        self.begin_stack(id);
        self.states.begin(id);
        if self.partners.written.is_some() {
            self.stand_before_start(id);
        }
        Ok(id)
    }
}

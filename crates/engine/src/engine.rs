//! How executions are run: one after the other, each from the first step of the test to the last.

use crate::accesses::Telling;
use crate::child::Children;
use crate::context::{Controlled, Place, Run};
use crate::ending::Ending;
use crate::execution::Execution;
use crate::fiber::{Fiber, Task};
use crate::forked::Processes;
use crate::hash_keys::{self, HashKeys};
use crate::outcome::Outcome;
use crate::progress::Watch;
use crate::settings::{Settings, Until};
use crate::sharing::Usage;
use crate::solo;
use crate::statics::{Image, Statics};
use crate::step::Listeners;
use selvedge_model::{MemoryModel, Observer, Strategy, Toggle};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Runs executions, one after the other, on the calling operating-system thread.
pub struct Engine {
    pub(crate) execution: Box<Execution>,
    hash_keys: HashKeys,
    /// Whether accesses to data behind locks are told in the next execution, if they are asked for at all.
    telling: Telling,
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
        let execution = Execution::new(settings, watch);
        let (hash_keys, telling) = (HashKeys::Random, Telling::Yes);
        Self { execution, hash_keys, telling, image: None, children: None }
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
            self.execution.registry.epochs.end();
            solo::wait_for_turn(&self.execution.partners.watch);
            self.execution.reset();
        }
        self.execution.partners.watch.begins();
        self.hash_keys = hash_keys::fix(0);
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
            (*execution).partners.place = place;
            let _entered = place.enter(execution);
            let (outer_thread, outer_reserve) = place.kept();
            let outer_run = place.begins(Run {
                telling: match (*execution).settings.accesses {
                    Toggle::On => self.telling,
                    Toggle::Off => Telling::No,
                },
                watch: Arc::as_ptr(&(*execution).partners.watch),
            });
            (*execution).choose_random_bytes();
            if (*execution).is_plain() {
                (*execution).begin_routine();
            }
            while (*execution).ending.is_none() {
                (*execution).tell_watcher();
                let fiber = (*execution).chosen_fiber();
                place.goes_on((*execution).current, (*fiber).exit().reserve());
                (*fiber).resume();
                (*execution).collect();
            }
            place.goes_on(outer_thread, outer_reserve);
            place.begins(outer_run);
            (*execution).look_at_hash_keys();
        }
        if self.execution.ending == Some(Ending::Passed) {
            self.execution.inspect_heap();
        }
        self.execution.finish();
        self.execution.close_own_files();
        self.execution.put_process_back();
        self.put_statics_back();
        if let Some(observer) = observer {
            self.execution.account.not_kept.extend(observer.not_kept());
            observer.end(&self.execution.record());
            self.execution.account.race = observer.race();
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
            self.execution.account.static_trace = image.put_back();
        }
    }

    /// How many steps this engine has made, over all executions.
    pub fn steps(&self) -> u64 {
        self.execution.account.first_step + self.execution.steps()
    }

    /// Which stops the next execution leaves out.
    pub fn set_stops(&mut self, usage: Usage) {
        self.execution.registry.sharing.set_usage(usage);
    }

    /// What loads of atomics may see in the next executions.
    pub fn set_memory_model(&mut self, model: MemoryModel) {
        self.execution.settings.memory_model = model;
    }

    /// How far the next execution goes.
    pub fn set_until(&mut self, until: Until) {
        self.execution.settings.until = until;
    }

    /// Whether accesses to data behind locks are told and recorded in the next executions, if the settings ask
    /// for them. They cost about as much as the lock, and most executions are looked at by nobody.
    pub fn set_telling(&mut self, telling: Telling) {
        self.telling = telling;
    }

    /// Changes whenever an execution has taught something that changes where threads stop, and
    /// with it the tree of all schedules.
    pub fn knowledge_version(&self) -> u64 {
        self.execution.registry.sharing.version()
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
        // SAFETY: Passed on to the caller.
        unsafe { self.partners.lend(strategy, observer, self.settings.processes) };
        if self.stacks.is_on() && self.partners.listeners == Listeners::None {
            self.partners.listeners = Listeners::Others;
        }
        // SAFETY: Only the lifetime changes; the caller promises that it is long enough.
        let test =
            unsafe { mem::transmute::<&(dyn Fn() + Sync), &'static (dyn Fn() + Sync)>(test) };
        self.add_thread(Task::Test(test), None, None, None, self.partners.test_site)
            .expect("selvedge: no memory for the stack of the test's own thread");
    }

    /// The fiber of the thread that was chosen.
    #[inline(always)]
    pub(crate) fn chosen_fiber(&mut self) -> *mut Fiber {
        match &mut self.threads[self.current.index()].fiber {
            Some(fiber) => &raw mut **fiber,
            None => unreachable!("an ended thread is never chosen"),
        }
    }

    /// Takes the fiber of a thread back that has just ended.
    #[inline(always)]
    fn collect(&mut self) {
        if let Some(thread) = self.states.take_ended()
            && let Some(fiber) = self.threads[thread.index()].fiber.take()
        {
            self.pool.put(fiber);
        }
    }

    /// The run is over: threads that have not ended are given up.
    fn finish(&mut self) {
        self.partners.take_back();
        // The test's own, and its world is gone.
        mem::forget(self.account.panics.hook.take());
        self.registry.epochs.end();
        self.partners.watch.finished(self.account.first_step + self.steps());
        if self.states.live() > 0 {
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
pub(crate) fn main_thread(test: &(dyn Fn() + Sync)) {
    let controlled = Controlled::running().expect("the test runs under control");
    controlled.begin_thread();
    match controlled.run_test_code(|| catch_unwind(AssertUnwindSafe(test))) {
        Ok(()) => controlled.end_thread(),
        Err(payload) => controlled.ends_by_panic(&*payload),
    }
}

//! Threads: spawn, join, park, sleep, yield, and the clock.

use crate::context::Controlled;
use crate::ending::Ending;
use crate::fiber::Task;
use crate::signals::Restart;
use crate::spin::SPIN_LIMIT;
use crate::step::{Change, Turn};
use crate::thread::{Token, WayOut, YieldedAt};
use selvedge_model::{Effect, ObjectId, Operation, OperationKind, Site, ThreadId, Toggle};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// A thread of a controlled execution, as its handles know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreadRef {
    epoch: u32,
    id: ThreadId,
}

impl ThreadRef {
    pub(crate) fn new(epoch: u32, id: ThreadId) -> Self {
        Self { epoch, id }
    }

    pub(crate) fn epoch(self) -> u32 {
        self.epoch
    }

    pub(crate) fn id(self) -> ThreadId {
        self.id
    }

    /// The number of its execution, of which 31 bits are kept.
    pub fn execution(self) -> u32 {
        self.epoch & (u32::MAX >> 1)
    }

    /// The number of the thread in its execution, from 1.
    pub fn number(self) -> u32 {
        self.id.0 + 1
    }
}

/// How a new thread is to be.
#[derive(Clone, Debug, Default)]
pub struct ThreadOptions {
    /// Its name.
    pub name: Option<Arc<str>>,
    /// The least size of its stack, in bytes.
    pub stack_size: Option<usize>,
}

impl Controlled {
    /// The running thread.
    pub fn this_thread(self) -> ThreadRef {
        let execution = &mut *self.execution();
        ThreadRef { epoch: execution.registry.epoch, id: execution.current }
    }

    /// The running thread's name. The test's own thread has the one that it has without control,
    /// which test runners set to the name of the test.
    pub fn thread_name(self) -> Option<Arc<str>> {
        let execution = &mut *self.execution();
        if execution.current == ThreadId::MAIN {
            return std::thread::current().name().map(Arc::from);
        }
        execution.threads[execution.current.index()].name.clone()
    }

    /// What `available_parallelism` says.
    pub fn parallelism(self) -> usize {
        self.execution().settings.parallelism
    }

    /// Starts a thread that runs `body`, which must not let a panic out.
    ///
    /// # Safety
    ///
    /// `body` must stay valid until the thread has ended: the caller waits for it before anything
    /// that `body` borrows goes away.
    pub unsafe fn spawn<'a>(
        self,
        body: impl FnOnce() + 'a,
        options: ThreadOptions,
        site: Site,
    ) -> io::Result<ThreadRef> {
        let task: Box<dyn FnOnce() + 'a> = Box::new(move || {
            let controlled = Controlled::running().expect("threads run under control");
            controlled.begin_thread();
            controlled.handle_early_signals();
            controlled.run_test_code(body);
            controlled.end_thread();
        });
        // SAFETY: Only the lifetime changes; the caller keeps what is borrowed alive. If the
        // execution is abandoned, the body is leaked and never runs again.
        let task = unsafe {
            std::mem::transmute::<Box<dyn FnOnce() + 'a>, Box<dyn FnOnce() + 'static>>(task)
        };
        let execution = &mut *self.execution();
        let ThreadOptions { name, stack_size } = options;
        let id = execution.add_thread(Task::Thread(task), name, stack_size, Some(site), site)?;
        let object = execution.threads[id.index()].object;
        // From now on there is somebody who may come before the first operation.
        execution.states.fresh = false;
        let effect = Effect::Thread(id);
        execution.happened(OperationKind::Spawn, object, site, effect, Change::Something);
        Ok(ThreadRef { epoch: execution.registry.epoch, id })
    }

    /// The thread runs for the first time.
    pub(crate) fn begin_thread(self) {
        let execution = &mut *self.execution();
        let me = execution.current;
        let Operation { kind, object, site, .. } = execution.info[me.index()].pending;
        let thread = &mut execution.threads[me.index()];
        thread.exit = thread.fiber.as_ref().expect("a running thread has a fiber").exit();
        let mentioned = match execution.partners.written {
            None => None,
            Some(_) => execution.schedule_goes_on(me),
        };
        let change = mentioned.unwrap_or(Change::Nothing);
        execution.happened(kind, object, site, Effect::Done, change);
        // Where the written schedule mentions that it has begun, others may well notice.
        execution.states.fresh = mentioned.is_none()
            && execution.partners.first_stops == Toggle::Off
            && !execution.registry.sharing.stops_always()
            && !execution.is_beyond();
    }

    /// The thread has run its code.
    pub(crate) fn end_thread(self) {
        self.drop_locals();
        let kind = OperationKind::ThreadEnd;
        let execution = &mut *self.execution();
        let me = execution.current;
        let object = execution.threads[me.index()].object;
        let site =
            execution.registry.info[object.index()].created.unwrap_or(execution.partners.test_site);
        let stops_before_end = execution.registry.sharing.stops_before_end();
        let is_mentioned = execution.partners.written.is_some() && self.pass_end(object, site);
        if !is_mentioned && stops_before_end {
            self.stop(kind, object, site);
        }
        let execution = &mut *self.execution();
        execution.info[me.index()].pending = Operation::new(kind, object, site);
        execution.end_stack();
        execution.happened(kind, object, site, Effect::Done, Change::Something);
        let joiners = std::mem::take(&mut execution.threads[me.index()].joiners);
        execution.states.end(me);
        execution.states.wake_all(&joiners);
        execution.is_left_by(me);
        if execution.states.live() == 0 {
            execution.end(Ending::Passed);
        } else {
            // Whoever is chosen is resumed when this fiber has handed control back.
            let _: Turn = execution.decide();
        }
    }

    /// Waits until the thread has ended. Says whether it belongs to this execution: a thread of
    /// another one has ended or is gone.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    pub fn join(self, thread: ThreadRef, site: Site) -> bool {
        let execution = &mut *self.execution();
        if thread.epoch != execution.registry.epoch {
            return false;
        }
        let me = execution.current;
        let is_running = !execution.states.has_ended(thread.id);
        let target = &mut execution.threads[thread.id.index()];
        let object = target.object;
        if is_running {
            target.joiners.insert(me);
            execution.states.block(me);
            execution.blocked_on(me, object);
        }
        self.stop(OperationKind::Join, object, site);
        let execution = &mut *self.execution();
        let effect = Effect::Thread(thread.id);
        execution.happened(OperationKind::Join, object, site, effect, Change::Nothing);
        true
    }

    /// As [`join`](Self::join), but without a stop if the thread has ended already.
    pub fn join_if_running(self, thread: ThreadRef, site: Site) {
        let execution = &mut *self.execution();
        if thread.epoch != execution.registry.epoch {
            return;
        }
        if !execution.states.has_ended(thread.id) {
            self.join(thread, site);
            return;
        }
        let object = execution.threads[thread.id.index()].object;
        let effect = Effect::Thread(thread.id);
        execution.happened(OperationKind::Join, object, site, effect, Change::Nothing);
    }

    /// Whether the thread has ended.
    pub fn is_finished(self, thread: ThreadRef, site: Site) -> bool {
        let execution = &mut *self.execution();
        if thread.epoch != execution.registry.epoch {
            return true;
        }
        execution.registry.sharing.asks_ended();
        let object = execution.threads[thread.id.index()].object;
        self.stop(OperationKind::IsFinished, object, site);
        let execution = &mut *self.execution();
        let ended = execution.states.has_ended(thread.id);
        let effect = if ended { Effect::Done } else { Effect::Refused };
        execution.happened(OperationKind::IsFinished, object, site, effect, Change::Nothing);
        ended
    }

    /// Lets others go first. A thread that goes on yielding at the same place although nothing has
    /// changed waits for a change in the end.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    pub fn yield_now(self, kind: OperationKind, site: Site) {
        let execution = &mut *self.execution();
        let me = execution.current;
        let change = execution.length.last_change;
        let now = YieldedAt { site, events: execution.events.len(), change };
        let before = execution.threads[me.index()].yielded_at.replace(now);
        let before = before.filter(|before| before.site == site);
        let spinning = before.is_some_and(|before| before.change == change);
        execution.info[me.index()].pending = Operation::new(kind, ObjectId::NONE, site);
        if kind == OperationKind::Yield {
            execution.time.yields();
        }
        if execution.length.quiet != 0 {
            execution.yields_quietly();
        }
        // Whoever looks at the clock in each turn may well work in between.
        let is_turn = kind == OperationKind::Yield || spinning;
        let before = before.filter(|_| is_turn);
        let spins_on = execution.rounds.spin.is_on()
            || before.is_some_and(|before| execution.asks_to_spin_on(before.events));
        if spinning && !spins_on && execution.idle() >= SPIN_LIMIT {
            execution.wait_for_change();
        }
        if execution.partners.written.is_some() {
            // Nobody is to be counted among those that can go on who is about to be held.
            execution.look_at_schedule();
        }
        // Whoever looks at the clock again and again waits for time to pass, which it does not
        // while others can run.
        let waits_for_time = spinning
            && !spins_on
            && kind == OperationKind::ClockRead
            && execution.idle() >= SPIN_LIMIT / 2;
        if waits_for_time && execution.states.can_run(me) && execution.states.has_choice() {
            execution.states.block(me);
            execution.rounds.spin.cut();
            let turn = execution.decide();
            execution.states.wake(me);
            if turn == Turn::Switch {
                self.give_way(me);
            }
        } else {
            self.stop(kind, ObjectId::NONE, site);
        }
        let execution = &mut *self.execution();
        execution.happened(kind, ObjectId::NONE, site, Effect::Done, Change::Nothing);
    }

    /// Waits for time to pass.
    pub fn sleep(self, duration: Duration, site: Site) {
        self.sleep_or(duration, Restart::Always, site);
    }

    /// As [`sleep`](Self::sleep), unless a signal comes meanwhile, as is said. Says what is left then.
    pub fn sleep_or(self, duration: Duration, restart: Restart, site: Site) -> Option<Duration> {
        let kind = OperationKind::Sleep;
        let execution = &mut *self.execution();
        let me = execution.current;
        execution.info[me.index()].pending = Operation::new(kind, ObjectId::NONE, site);
        let deadline = execution.deadline(duration);
        execution.begin_timed_wait(deadline);
        execution.may_be_interrupted(restart);
        if let WayOut::Deadline(_) = execution.threads[me.index()].way_out {
            execution.states.block(me);
        }
        self.stop(kind, ObjectId::NONE, site);
        let execution = &mut *self.execution();
        let was_interrupted = execution.was_interrupted();
        let (effect, left) = match execution.end_wait() {
            WayOut::Expired(deadline) => {
                execution.time_out(deadline);
                (Effect::Done, None)
            }
            _ if was_interrupted => {
                let left = deadline.saturating_sub(execution.time.now);
                (Effect::Spurious, Some(Duration::from_nanos(left)))
            }
            _ => (Effect::Done, None),
        };
        execution.happened(kind, ObjectId::NONE, site, effect, Change::Something);
        left
    }

    /// The virtual time since the execution began.
    pub fn now(self, site: Site) -> Duration {
        self.yield_now(OperationKind::ClockRead, site);
        Duration::from_nanos(self.execution().look_at_clock())
    }

    /// Waits for the running thread's token, at most until the deadline, and uses it up.
    pub fn park(self, timeout: Option<Duration>, site: Site) {
        let kind = OperationKind::Park;
        let execution = &mut *self.execution();
        let me = execution.current;
        let object = execution.threads[me.index()].object;
        execution.info[me.index()].pending = Operation::new(kind, object, site);
        execution.begin_wait(timeout);
        let thread = &execution.threads[me.index()];
        if thread.token == Token::Absent
            && matches!(thread.way_out, WayOut::None | WayOut::Deadline(_))
        {
            execution.states.block(me);
        }
        self.stop(kind, object, site);

        let execution = &mut *self.execution();
        let way_out = execution.end_wait();
        let token = std::mem::replace(&mut execution.threads[me.index()].token, Token::Absent);
        let effect = match (token, way_out) {
            (Token::Present, _) => Effect::Done,
            (Token::Absent, WayOut::Expired(deadline)) => {
                execution.time_out(deadline);
                Effect::TimedOut
            }
            (Token::Absent, _) => Effect::Spurious,
        };
        execution.happened(kind, object, site, effect, Change::Something);
    }

    /// Hands a thread its token. A thread of another execution has no use for it.
    pub fn unpark(self, thread: ThreadRef, site: Site) {
        let execution = &mut *self.execution();
        if thread.epoch != execution.registry.epoch {
            return;
        }
        let kind = OperationKind::Unpark;
        let object = execution.threads[thread.id.index()].object;
        self.stop(kind, object, site);
        let execution = &mut *self.execution();
        let target = &mut execution.threads[thread.id.index()];
        target.token = Token::Present;
        let parked = execution.info[thread.id.index()].pending.kind == OperationKind::Park
            && !execution.states.has_ended(thread.id);
        if parked {
            execution.states.wake(thread.id);
        }
        let effect = Effect::Thread(thread.id);
        execution.happened(kind, object, site, effect, Change::Something);
    }
}

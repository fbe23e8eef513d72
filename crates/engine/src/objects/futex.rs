//! Futexes: words in memory on which threads wait with the help of the kernel.
//!
//! Locks that do not come from `std` (those of parking_lot, of rayon, of C libraries) keep their
//! state in a word of their own and ask the kernel only to put a thread to sleep and to wake it
//! up again. What the word means is theirs; here are the queues.
//!
//! Source: futex(2) and `kernel/futex/waitwake.c`, `kernel/futex/requeue.c` of Linux.
//!
//! Deviations: (1) a futex is known by its address, also if memory is shared with another process;
//! (2) which of several waiters is woken is a decision, while the kernel goes by priority and
//! age; (3) a wait may end for no reason if the settings ask for it, which the kernel allows
//! itself as well.
//!
//! (4) a word that no thread of the execution accesses by atomics under control belongs to code that
//! nobody sees, such as the insides of std, and may belong to threads outside of the execution as
//! well: when nobody can run, a thread that waits on such a word goes on if its value is another.
//!
//! May miss: a lost wake-up in such code, because of (4). Locks with priority inheritance are not
//! offered. To a strategy that asks which operations conflict, a wait and a write to the word are
//! operations on different objects.

use crate::context::Controlled;
use crate::execution::Execution;
use crate::objects::ObjectState;
use crate::outside::read_word;
use crate::signals::Restart;
use crate::step::Change;
use crate::thread::WayOut;
use selvedge_model::{Effect, ObjectId, Operation, OperationKind, Order, Site, ThreadId};
use std::time::Duration;

/// The threads that wait on a futex.
#[derive(Default)]
pub(crate) struct FutexState {
    /// In the order of arrival.
    queue: Vec<Waiter>,
}

impl FutexState {
    /// Whether nobody waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}

/// A thread that waits on a futex.
#[derive(Clone, Copy)]
struct Waiter {
    thread: ThreadId,
    bits: u32,
}

/// What a thread asks for that goes to wait on a futex.
#[derive(Clone, Copy, Debug)]
pub struct FutexWait {
    /// It waits only if the word has this value.
    pub expected: u32,
    /// It is woken only by wakers that have one of these bits, too.
    pub bits: u32,
    /// It waits for no longer than this.
    pub timeout: Option<Duration>,
    /// What a signal does to the wait.
    pub restart: Restart,
}

/// Who can wake a thread that waits on a futex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wakers {
    /// Threads of the execution only.
    Execution,
    /// Also threads outside of it, unless the word is an atomic of the execution.
    Anybody,
}

/// How a wait on a futex ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FutexWaited {
    /// By somebody who woke the thread, or for no reason.
    Woken,
    /// Before it began, because the word had another value.
    Changed,
    /// By its deadline.
    TimedOut,
    /// By a signal.
    Interrupted,
}

/// Whom a thread wants to wake.
#[derive(Clone, Copy, Debug)]
pub struct FutexWake {
    /// At most so many.
    pub most: u32,
    /// Of those that have one of these bits, too.
    pub bits: u32,
}

/// What a thread asks for that wakes some waiters and lets others wait on another futex.
#[derive(Clone, Copy, Debug)]
pub struct FutexRequeue {
    /// Nothing happens unless the word has this value, if one is given.
    pub expected: Option<u32>,
    /// At most so many are woken.
    pub wake: u32,
    /// At most so many others are moved.
    pub most: u32,
}

impl Controlled {
    /// Waits on a futex, if its word has the expected value when the thread comes to it.
    ///
    /// # Safety
    ///
    /// The word can be read, and is aligned.
    pub unsafe fn futex_wait(self, word: *const u32, wait: FutexWait, site: Site) -> FutexWaited {
        // SAFETY: Passed on to the caller.
        unsafe { self.futex_wait_for(word, wait, Wakers::Anybody, site) }
    }

    /// As [`futex_wait`](Self::futex_wait), if it is known who can wake the thread.
    ///
    /// # Safety
    ///
    /// The word can be read, and is aligned.
    pub unsafe fn futex_wait_for(
        self,
        word: *const u32,
        wait: FutexWait,
        wakers: Wakers,
        site: Site,
    ) -> FutexWaited {
        let id = self.execution().futex_at(word as usize, site);
        self.stop(OperationKind::FutexWait, id, site);
        self.execution().kernel_compares();
        // SAFETY: Passed on to the caller.
        let value = unsafe { read_word(word) };
        if !self.execution().enter_futex(id, value, wait, site) {
            return FutexWaited::Changed;
        }
        if wakers == Wakers::Anybody {
            // SAFETY: Passed on to the caller: the word can be read for as long as the thread waits.
            unsafe { self.execution().listen_to_word(word, value) };
        }
        self.stop(OperationKind::FutexWoken, id, site);
        self.execution().leave_futex(site)
    }

    /// Whether the word is an atomic of the execution. If not, threads outside of it may wait on the
    /// word as well.
    pub fn is_own_word(self, word: *const u32) -> bool {
        self.execution().registry.atomics.find(word as usize).is_some()
    }

    /// Wakes threads that wait on a futex and says how many.
    pub fn futex_wake(self, word: *const u32, wake: FutexWake, site: Site) -> u32 {
        let id = self.execution().futex_at(word as usize, site);
        self.stop(OperationKind::FutexWake, id, site);
        let mut execution = self.execution();
        execution.kernel_compares();
        let woken = execution.wake_futex(id, wake);
        let change = if woken == 0 { Change::Nothing } else { Change::Something };
        execution.happened(OperationKind::FutexWake, id, site, Effect::Woke(woken), change);
        woken
    }

    /// Wakes threads that wait on a futex and lets others wait on the futex `to` instead. Says how
    /// many there were of both together, or nothing if the word has another value.
    ///
    /// # Safety
    ///
    /// The word can be read, and is aligned.
    pub unsafe fn futex_requeue(
        self,
        word: *const u32,
        to: *const u32,
        requeue: FutexRequeue,
        site: Site,
    ) -> Option<u32> {
        let id = self.execution().futex_at(word as usize, site);
        let other = self.execution().futex_at(to as usize, site);
        let kind = OperationKind::FutexRequeue;
        let operation = Operation { kind, object: id, second: other, site };
        self.stop_before(operation);
        self.execution().kernel_compares();
        // SAFETY: Passed on to the caller.
        let value = unsafe { read_word(word) };
        let mut execution = self.execution();
        if requeue.expected.is_some_and(|expected| expected != value) {
            let (effect, change) = (Effect::Refused, Change::Nothing);
            execution.happened_in_order(operation, effect, change, Order::Implied);
            return None;
        }
        let woken = execution.wake_futex(id, FutexWake { most: requeue.wake, bits: u32::MAX });
        let moved = execution.move_waiters(id, other, requeue.most);
        let change = if woken + moved == 0 { Change::Nothing } else { Change::Something };
        let effect = Effect::Woke(woken);
        execution.happened_in_order(operation, effect, change, Order::Implied);
        Some(woken + moved)
    }
}

impl Execution {
    /// The number of a futex, which is known by its address alone.
    fn futex_at(&mut self, address: usize, site: Site) -> ObjectId {
        if let Some(&id) = self.registry.futexes.get(&address) {
            return id;
        }
        let id = self.add_object(ObjectState::Futex(FutexState::default()), None, site);
        self.registry.futexes.insert(address, id);
        id
    }

    /// The running thread joins the queue if the word's value is as expected; says whether it did.
    fn enter_futex(&mut self, id: ObjectId, value: u32, wait: FutexWait, site: Site) -> bool {
        let kind = OperationKind::FutexWait;
        if value != wait.expected {
            self.happened(kind, id, site, Effect::Refused, Change::Nothing);
            return false;
        }
        let me = self.current;
        self.begin_wait(wait.timeout);
        self.may_be_interrupted(wait.restart);
        self.happened(kind, id, site, Effect::Done, Change::Nothing);
        let way_out = self.threads[me.index()].way_out;
        if way_out != WayOut::Spurious {
            self.futex(id).queue.push(Waiter { thread: me, bits: wait.bits });
        }
        if matches!(way_out, WayOut::None | WayOut::Deadline(_)) {
            self.states.block(me);
        }
        true
    }

    /// The running thread leaves the wait in which it was.
    fn leave_futex(&mut self, site: Site) -> FutexWaited {
        let me = self.current;
        self.listens_no_more();
        let was_interrupted = self.was_interrupted();
        let way_out = self.end_wait();
        // Others may have moved it on to another futex.
        let id = self.info[me.index()].pending.object;
        let queue = &mut self.futex(id).queue;
        let waiting = queue.iter().position(|waiter| waiter.thread == me);
        if let Some(position) = waiting {
            queue.remove(position);
        }
        let (effect, waited) = match (waiting, way_out) {
            (Some(_), WayOut::Expired(deadline)) => {
                self.time_out(deadline);
                (Effect::TimedOut, FutexWaited::TimedOut)
            }
            (Some(_), _) if was_interrupted => (Effect::Spurious, FutexWaited::Interrupted),
            (_, WayOut::Spurious) => (Effect::Spurious, FutexWaited::Woken),
            _ => (Effect::Done, FutexWaited::Woken),
        };
        self.happened(OperationKind::FutexWoken, id, site, effect, Change::Something);
        waited
    }

    /// Wakes waiters; which ones, if not all, is a decision. Says how many.
    fn wake_futex(&mut self, id: ObjectId, wake: FutexWake) -> u32 {
        let mut woken = 0;
        while woken < wake.most {
            let queue = self.futex(id).queue.iter();
            let matching: Vec<ThreadId> =
                queue.filter(|w| w.bits & wake.bits != 0).map(|w| w.thread).collect();
            if matching.is_empty() {
                break;
            }
            let all = matching.len() <= (wake.most - woken) as usize;
            let chosen = if all { 0 } else { self.ask_wake(&matching) };
            let thread = matching[chosen];
            self.futex(id).queue.retain(|waiter| waiter.thread != thread);
            self.states.wake(thread);
            woken += 1;
        }
        woken
    }

    /// Lets waiters wait on another futex instead, the oldest ones first. Says how many.
    fn move_waiters(&mut self, from: ObjectId, to: ObjectId, most: u32) -> u32 {
        let queue = &mut self.futex(from).queue;
        let moved: Vec<_> = queue.drain(..queue.len().min(most as usize)).collect();
        for waiter in &moved {
            let Operation { object, .. } = &mut self.info[waiter.thread.index()].pending;
            *object = to;
        }
        let count = moved.len() as u32;
        self.futex(to).queue.extend(moved);
        count
    }
}

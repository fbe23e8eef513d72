//! `Condvar`: wait for a notification, with a mutex in hand.

use crate::context::Controlled;
use crate::execution::Execution;
use crate::object::Object;
use crate::objects::ObjectState;
use crate::objects::mutex::Written;
use crate::step::Change;
use crate::thread::WayOut;
use selvedge_model::{Effect, ObjectId, Operation, OperationKind, Order, Site, ThreadId};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The state of a condition variable.
#[derive(Default)]
pub(crate) struct CondvarState {
    /// Who waits, in the order of arrival.
    pub(crate) queue: Vec<Waiter>,
}

/// A thread that waits, and the mutex that it will want back.
#[derive(Clone, Copy)]
pub(crate) struct Waiter {
    pub(crate) thread: ThreadId,
    mutex: ObjectId,
}

impl CondvarState {
    pub(crate) fn initial() -> ObjectState {
        ObjectState::Condvar(Self::default())
    }
}

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// By a notification or for no reason.
    Notified,
    /// By its deadline.
    TimedOut,
}

impl Controlled {
    /// Gives the mutex back, waits, and takes the mutex again.
    pub fn condvar_wait(
        self,
        condvar: &Object,
        mutex: &Object,
        timeout: Option<Duration>,
        written: Written,
        site: Site,
    ) -> Woken {
        self.condvar_wait_or(condvar, mutex, timeout, written, site, None)
    }

    /// As [`condvar_wait`](Self::condvar_wait), for a condition variable that threads outside of the
    /// execution may notify, too: they change the word then.
    pub fn condvar_wait_or(
        self,
        condvar: &Object,
        mutex: &Object,
        timeout: Option<Duration>,
        written: Written,
        site: Site,
        word: Option<&'static AtomicU32>,
    ) -> Woken {
        let seen = word.map(|word| (word, word.load(Ordering::SeqCst)));
        let execution = &mut *self.execution();
        let id = condvar.id(execution, CondvarState::initial, site);
        let mutex = mutex.id(execution, || unreachable!("a held mutex is known"), site);
        let (kind, object, second) = (OperationKind::CondvarWait, id, mutex);
        let wait = Operation { kind, object, second, site };
        let (kind, object, second) = (OperationKind::CondvarWake, mutex, id);
        let wake = Operation { kind, object, second, site };
        self.stop_before(wait);

        let execution = &mut *self.execution();
        let me = execution.current;
        execution.begin_wait(timeout);
        execution.free_mutex(mutex);
        execution.info[me.index()].pending = wake;
        let change = Change::from(written);
        let effect = if timeout.is_some() { Effect::Timed } else { Effect::Done };
        execution.happened_in_order(wait, effect, change, Order::Implied);
        let way_out = execution.threads[me.index()].way_out;
        if way_out != WayOut::Spurious {
            execution.condvar(id).queue.push(Waiter { thread: me, mutex });
        }
        match way_out {
            WayOut::Spurious | WayOut::Expired(_) => execution.want_mutex(me, mutex),
            WayOut::None | WayOut::Deadline(_) => execution.states.block(me),
        }
        if let Some((word, value)) = seen {
            // SAFETY: A static is always readable.
            unsafe { execution.listen_to_word(word.as_ptr(), value) };
        }
        self.stop_before(wake);

        let execution = &mut *self.execution();
        let way_out = execution.end_wait();
        if seen.is_some() {
            execution.listens_no_more();
        }
        let queue = &mut execution.condvar(id).queue;
        let waiting = queue.iter().position(|waiter| waiter.thread == me);
        let (effect, woken) = match (waiting, way_out) {
            (Some(position), WayOut::Expired(deadline)) => {
                queue.remove(position);
                execution.time_out(deadline);
                (Effect::TimedOut, Woken::TimedOut)
            }
            (None, WayOut::Spurious) => (Effect::Spurious, Woken::Notified),
            // Somebody outside has notified it.
            (Some(position), _) => {
                queue.remove(position);
                (Effect::Done, Woken::Notified)
            }
            _ => (Effect::Done, Woken::Notified),
        };
        execution.take_mutex(mutex);
        execution.happened_in_order(wake, effect, Change::Something, Order::Implied);
        woken
    }

    /// Wakes one waiter, if there is any.
    pub fn condvar_notify_one(self, condvar: &Object, site: Site) {
        let execution = &mut *self.execution();
        let id = condvar.id(execution, CondvarState::initial, site);
        self.stop(OperationKind::NotifyOne, id, site);
        let execution = &mut *self.execution();
        let chosen = match execution.condvar(id).queue.len() {
            0 => None,
            1 => Some(0),
            _ => {
                let queue = &execution.condvar(id).queue;
                let waiters: Vec<_> = queue.iter().map(|waiter| waiter.thread).collect();
                Some(execution.ask_wake(&waiters))
            }
        };
        if let Some(chosen) = chosen {
            let waiter = execution.condvar(id).queue.remove(chosen);
            execution.notify(waiter);
        }
        let woke = u32::from(chosen.is_some());
        let effect = Effect::Woke(woke);
        execution.happened(OperationKind::NotifyOne, id, site, effect, Change::Something);
    }

    /// Wakes every waiter.
    pub fn condvar_notify_all(self, condvar: &Object, site: Site) {
        let execution = &mut *self.execution();
        let id = condvar.id(execution, CondvarState::initial, site);
        self.stop(OperationKind::NotifyAll, id, site);
        let execution = &mut *self.execution();
        let woke = execution.condvar(id).queue.len();
        for position in 0..woke {
            let waiter = execution.condvar(id).queue[position];
            execution.notify(waiter);
        }
        execution.condvar(id).queue.clear();
        let effect = Effect::Woke(woke as u32);
        execution.happened(OperationKind::NotifyAll, id, site, effect, Change::Something);
    }
}

impl Execution {
    /// A waiter that has left the queue wants its mutex back.
    fn notify(&mut self, waiter: Waiter) {
        self.want_mutex(waiter.thread, waiter.mutex);
    }

    /// A thread that waits with a deadline has reached it, or is to go on for a reason from outside.
    pub(crate) fn deadline_passed(&mut self, thread: ThreadId) {
        let Operation { kind, object, .. } = self.info[thread.index()].pending;
        match kind {
            OperationKind::CondvarWake => self.want_mutex(thread, object),
            _ => self.states.wake(thread),
        }
    }
}

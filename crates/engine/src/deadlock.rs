//! Circles of waits, found when they close.
//!
//! A thread that waits for a lock waits for all that hold it, one that joins waits for the joined
//! thread, one that wants a value being initialised waits for the initialiser. If following these
//! edges leads back, none of the threads on the way can ever run, whatever the others do: a
//! deadlock, also if the rest of the test goes on.
//!
//! May miss: circles through waits that name nobody in particular (condition variables,
//! channels, parking); these show as "stuck" when nobody is left to run. Never reports a circle
//! that could still be broken: none of the waits followed here has a timeout.

use crate::ending::Ending;
use crate::execution::Execution;
use crate::objects::ObjectState;
use selvedge_model::{ObjectId, ThreadId, WaitFor};

impl Execution {
    /// `thread` has begun to wait for `object`. Ends the execution if that closes a circle.
    pub(crate) fn blocked_on(&mut self, thread: ThreadId, object: ObjectId) {
        if !self.may_lead_back(thread, object) {
            return;
        }
        let mut cycle = vec![thread];
        if self.leads_to(thread, object, &mut cycle) {
            self.end(Ending::Deadlock { cycle });
        }
    }

    /// Whether a wait of `thread` for `object` may close a circle. Most waits are for one thread that can
    /// go on, which is seen at once.
    fn may_lead_back(&self, thread: ThreadId, object: ObjectId) -> bool {
        let mut object = object;
        // Who is not in the circle may stand before one that was closed by others.
        for _ in 0..self.threads.len() {
            let holder = match &self.objects[object.index()].state {
                ObjectState::Mutex(mutex) => mutex.owner,
                ObjectState::Once(once) => once.runner,
                ObjectState::Thread => self.holder_of_thread(object),
                _ => return true,
            };
            let Some(holder) = holder else { return false };
            if holder == thread {
                return true;
            }
            match self.awaited_object(holder) {
                Some(next) => object = next,
                None => return false,
            }
        }
        true
    }

    /// The thread that this object stands for, if it has not ended.
    fn holder_of_thread(&self, object: ObjectId) -> Option<ThreadId> {
        let index = self.threads.iter().position(|thread| thread.object == object)?;
        let thread = ThreadId(index as u32);
        (!self.states.has_ended(thread)).then_some(thread)
    }

    /// Whether a wait for `object` is a wait for `goal`; `path` gets the threads in between.
    fn leads_to(&self, goal: ThreadId, object: ObjectId, path: &mut Vec<ThreadId>) -> bool {
        let waiter = path.last().copied().unwrap_or(goal);
        self.holders(object, waiter).into_iter().any(|holder| {
            if holder == goal {
                return true;
            }
            if path.contains(&holder) {
                return false;
            }
            path.push(holder);
            match self.awaited_object(holder) {
                Some(next) if self.leads_to(goal, next, path) => true,
                _ => {
                    path.pop();
                    false
                }
            }
        })
    }

    /// The threads that have to act before `waiter`, who waits for the object, can go on.
    pub(crate) fn holders(&self, object: ObjectId, waiter: ThreadId) -> Vec<ThreadId> {
        match &self.objects[object.index()].state {
            ObjectState::Mutex(mutex) => mutex.owner.into_iter().collect(),
            ObjectState::Once(once) => once.runner.into_iter().collect(),
            ObjectState::RwLock(lock) => match lock.writer {
                Some(writer) => vec![writer],
                // Only a writer that waits keeps a reader from joining the others.
                None if lock.read_waiters.contains(waiter) => lock.write_waiters.iter().collect(),
                None => lock.readers.clone(),
            },
            ObjectState::Thread => self.holder_of_thread(object).into_iter().collect(),
            ObjectState::Atomic
            | ObjectState::Barrier(_)
            | ObjectState::Channel(_)
            | ObjectState::Condvar(_)
            | ObjectState::Files
            | ObjectState::Futex(_)
            | ObjectState::Schedule => Vec::new(),
        }
    }

    /// The object for whose holders a blocked thread waits.
    pub(crate) fn awaited_object(&self, thread: ThreadId) -> Option<ObjectId> {
        if self.states.can_run(thread) || self.states.has_ended(thread) {
            return None;
        }
        let pending = self.info[thread.index()].pending;
        match pending.kind.wait() {
            WaitFor::Lock(_) | WaitFor::Initialisation | WaitFor::ThreadEnd => Some(pending.object),
            // Before it is notified, a waiter waits for nobody in particular.
            WaitFor::Notification => match &self.objects[pending.object.index()].state {
                ObjectState::Mutex(mutex) if mutex.waiters.contains(thread) => Some(pending.object),
                _ => None,
            },
            WaitFor::Never
            | WaitFor::Token
            | WaitFor::Time
            | WaitFor::Futex
            | WaitFor::Barrier
            | WaitFor::Room
            | WaitFor::Receipt
            | WaitFor::Message
            | WaitFor::Input
            | WaitFor::Output
            | WaitFor::Files
            | WaitFor::Turn => None,
        }
    }
}

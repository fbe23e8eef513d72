//! Who can run.
//!
//! A thread *can run*, or is *blocked* because the operation before which it stands can not be carried
//! out, or is *set aside* although it could (it repeats itself, see `spin.rs`), or has *ended*. Every
//! change from one to another is made here and nowhere else, so that nobody is ever in two of them.

use selvedge_model::{ThreadId, ThreadSet};

/// What keeps a thread from running, if anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThreadState {
    /// Nothing.
    Enabled,
    /// It could run, and waits until something changes.
    SetAside,
    /// The operation before which it stands can not be carried out, or a written schedule holds it.
    Blocked,
    /// It has come to its end.
    Ended,
}

/// Counts how often a thread had to wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Blocks(u64);

/// The states of all threads of an execution.
#[derive(Default)]
pub(crate) struct ThreadStates {
    enabled: ThreadSet,
    aside: ThreadSet,
    ended: ThreadSet,
    /// How many have not ended.
    live: usize,
    /// The one that has just ended and whose fiber is free when it has handed control back.
    just_ended: Option<ThreadId>,
    /// How often a thread had to wait.
    blocks: Blocks,
    /// Whether the running thread has only just begun. To begin is nothing that others could
    /// notice, so it does not stop before its first operation as well.
    pub(crate) fresh: bool,
}

impl ThreadStates {
    /// Forgets the last execution and keeps its memory.
    pub(crate) fn reset(&mut self) {
        self.enabled.clear();
        self.aside.clear();
        self.ended.clear();
        self.live = 0;
        self.just_ended = None;
    }

    /// The state of a thread that has begun.
    pub(crate) fn of(&self, thread: ThreadId) -> ThreadState {
        if self.enabled.contains(thread) {
            ThreadState::Enabled
        } else if self.aside.contains(thread) {
            ThreadState::SetAside
        } else if self.ended.contains(thread) {
            ThreadState::Ended
        } else {
            ThreadState::Blocked
        }
    }

    /// Everybody who can run.
    #[inline(always)]
    pub(crate) fn enabled(&self) -> &ThreadSet {
        &self.enabled
    }

    /// Whether the thread can run.
    #[inline(always)]
    pub(crate) fn can_run(&self, thread: ThreadId) -> bool {
        self.enabled.contains(thread)
    }

    /// Whether there is a choice of who runs.
    #[inline(always)]
    pub(crate) fn has_choice(&self) -> bool {
        self.enabled.has_several()
    }

    /// Whether anybody is set aside.
    #[inline(always)]
    pub(crate) fn is_anybody_aside(&self) -> bool {
        !self.aside.is_empty()
    }

    /// How many are set aside.
    pub(crate) fn aside(&self) -> usize {
        self.aside.len()
    }

    /// How many have not ended.
    #[inline]
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// Whether the thread has come to its end.
    #[inline]
    pub(crate) fn has_ended(&self, thread: ThreadId) -> bool {
        self.ended.contains(thread)
    }

    /// A thread has been added.
    #[inline]
    pub(crate) fn begin(&mut self, thread: ThreadId) {
        self.enabled.insert(thread);
        self.live += 1;
    }

    /// The running thread comes to its end.
    #[inline]
    pub(crate) fn end(&mut self, thread: ThreadId) {
        self.enabled.remove(thread);
        self.ended.insert(thread);
        self.live -= 1;
        self.just_ended = Some(thread);
    }

    /// The thread that has ended since the last time this was asked, if one has.
    #[inline(always)]
    pub(crate) fn take_ended(&mut self) -> Option<ThreadId> {
        self.just_ended.take()
    }

    /// The thread has to wait.
    #[inline(always)]
    pub(crate) fn block(&mut self, thread: ThreadId) {
        self.blocks.0 += 1;
        self.enabled.remove(thread);
        self.aside.remove(thread);
    }

    /// How often a thread had to wait for what it was about to do.
    pub(crate) fn blocks(&self) -> Blocks {
        self.blocks
    }

    /// These have to wait, also those that were set aside: a change must not let them in.
    #[inline(always)]
    pub(crate) fn block_all(&mut self, threads: &ThreadSet) {
        self.enabled.remove_all(threads);
        self.aside.remove_all(threads);
    }

    /// The thread need not wait any more.
    #[inline(always)]
    pub(crate) fn wake(&mut self, thread: ThreadId) {
        self.enabled.insert(thread);
        self.aside.remove(thread);
    }

    /// These need not wait any more.
    #[inline(always)]
    pub(crate) fn wake_all(&mut self, threads: &ThreadSet) {
        self.enabled.insert_all(threads);
        self.aside.remove_all(threads);
    }

    /// The thread, which can run, waits until something changes.
    pub(crate) fn set_aside(&mut self, thread: ThreadId) {
        self.enabled.remove(thread);
        self.aside.insert(thread);
    }

    /// Those that were set aside try again. Says whether there are any.
    #[inline(never)]
    pub(crate) fn let_try_again(&mut self) -> bool {
        if self.aside.is_empty() {
            return false;
        }
        self.enabled.insert_all(&self.aside);
        self.aside.clear();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: ThreadId = ThreadId(1);
    const TWO: ThreadId = ThreadId(2);

    fn two() -> ThreadStates {
        let mut states = ThreadStates::default();
        states.begin(ONE);
        states.begin(TWO);
        states
    }

    #[test]
    fn whoever_is_set_aside_tries_again() {
        let mut states = two();
        states.set_aside(ONE);
        assert_eq!(
            [ONE, TWO].map(|thread| states.of(thread)),
            [ThreadState::SetAside, ThreadState::Enabled]
        );
        assert!(states.let_try_again() && states.has_choice() && !states.let_try_again());
    }

    #[test]
    fn a_change_does_not_let_in_who_has_been_blocked_meanwhile() {
        let mut states = two();
        states.set_aside(ONE);
        states.block_all(&[ONE].into_iter().collect());
        assert!(!states.let_try_again());
        assert_eq!(states.of(ONE), ThreadState::Blocked);
    }

    #[test]
    fn whoever_is_woken_is_not_set_aside_any_more() {
        let mut states = two();
        states.set_aside(ONE);
        states.wake(ONE);
        states.block(ONE);
        assert!(!states.let_try_again(), "a blocked thread must not come back by a change");
    }

    #[test]
    fn an_ended_thread_can_not_run_and_is_told_once() {
        let mut states = two();
        states.end(TWO);
        assert_eq!((states.of(TWO), states.live()), (ThreadState::Ended, 1));
        assert_eq!((states.take_ended(), states.take_ended()), (Some(TWO), None));
        states.reset();
        assert_eq!((states.live(), states.has_ended(TWO)), (0, false));
    }
}

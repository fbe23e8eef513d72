//! Weak memory: loads of atomics may see older values, and stores may come below newer ones.
//!
//! The newest value always lies in the atomic itself, so that whoever looks at it by other means (the kernel, code that
//! is not under control, `get_mut`) sees that one. For an operation that sees an older value, this is put into
//! the atomic, the operation is carried out, and the newest is put back. No other thread of the test can run meanwhile.
//!
//! What may be seen is said by [`history`]; which one it is, is a decision. Nothing is kept of atomics that only one
//! thread uses. A thread that has seen old values for long gets the newest, since a store is seen by all threads in a
//! finite time: without that, every loop that waits could go on for ever.

mod history;
mod word;

use crate::execution::Execution;
use crate::log::Logged;
use crate::objects::atomic::Word;
use crate::sharing::Sharing;
use history::{History, Value};
pub(crate) use history::{Intent, Knowledge, Maker};
use selvedge_model::{Age, MemoryModel, ObjectId, Order, Pick, ThreadId, Written};

/// A thread that has seen old values so many times in a row gets the newest.
const PATIENCE: u32 = 16;

/// What is kept of atomics while memory is weak.
#[derive(Default)]
pub(crate) struct Histories {
    model: Model,
    /// By object; nothing for those that are no atomics or of which nothing is kept.
    atomics: Vec<Option<Box<History>>>,
    /// How many times in a row each thread has seen an old value.
    patience: Vec<u32>,
    /// The ages that an operation has to choose from; kept for its memory.
    candidates: Vec<usize>,
}

/// What is seen in the running execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Model {
    #[default]
    Sequential,
    Weak,
}

/// The value that an operation sees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// How many values are newer.
    newer: usize,
    /// The newest, to be put back.
    newest: u64,
}

impl Histories {
    /// Begins anew.
    pub(crate) fn reset(&mut self, model: MemoryModel) {
        self.model = match model {
            MemoryModel::Sc => Model::Sequential,
            MemoryModel::Weak => Model::Weak,
        };
        self.atomics.clear();
        self.patience.clear();
    }

    /// Everybody sees the newest from now on.
    pub(crate) fn turn_off(&mut self) {
        self.reset(MemoryModel::Sc);
    }

    #[inline(always)]
    pub(crate) fn is_on(&self) -> bool {
        self.model == Model::Weak
    }

    #[inline]
    fn patience(&mut self, thread: ThreadId) -> &mut u32 {
        if self.patience.len() <= thread.index() {
            self.patience.resize(thread.index() + 1, PATIENCE);
        }
        &mut self.patience[thread.index()]
    }

    #[inline]
    pub(crate) fn get(&self, atomic: ObjectId) -> Option<&History> {
        self.atomics.get(atomic.index())?.as_deref()
    }

    #[inline]
    fn of(&mut self, atomic: ObjectId) -> &mut Option<Box<History>> {
        if self.atomics.len() <= atomic.index() {
            self.atomics.resize_with(atomic.index() + 1, || None);
        }
        &mut self.atomics[atomic.index()]
    }
}

impl Execution {
    /// The running thread is about to access an atomic. Decides which value it sees and puts that into the atomic.
    /// Nothing if older values are not kept.
    #[inline(never)]
    pub(crate) fn see_value(
        &mut self,
        atomic: ObjectId,
        word: Word,
        intent: Intent,
    ) -> Option<Seen> {
        let newest = word.read();
        let is_private = matches!(self.objects[atomic.index()].sharing, Sharing::Private { .. });
        let history = self.order.histories.of(atomic);
        match history {
            None if is_private => return None,
            Some(history) if history.is_of(newest, word.size) => {}
            _ => *history = Some(Box::new(History::new(newest, word.size))),
        }
        let newer = match intent {
            // Where it is put is decided when its value is known.
            Intent::Store(_) => 0,
            Intent::Load(_) | Intent::Update(_) | Intent::Exchange { .. } => {
                self.choose_value(atomic, intent)
            }
        };
        if newer > 0 {
            word.write(self.history(atomic).bits(newer));
        }
        Some(Seen { newer, newest })
    }

    fn history(&mut self, atomic: ObjectId) -> &mut History {
        self.order.histories.of(atomic).as_mut().expect("an operation on the atomic has begun")
    }

    /// The age of the value that the running thread's operation sees, or right above which it stores.
    fn choose_value(&mut self, atomic: ObjectId, intent: Intent) -> usize {
        let me = self.current;
        if *self.order.histories.patience(me) == 0 || self.is_beyond() {
            *self.order.histories.patience(me) = PATIENCE;
            return 0;
        }
        let mut candidates = std::mem::take(&mut self.order.histories.candidates);
        self.order.candidates(me, atomic, intent, &mut candidates);
        let chosen = match candidates.len() {
            0 | 1 => 0,
            several => {
                let written = self.offered(atomic, intent, &candidates);
                let pick = match intent {
                    Intent::Store(_) => Pick::Place(&written),
                    Intent::Load(_) | Intent::Update(_) | Intent::Exchange { .. } => {
                        Pick::Value(&written)
                    }
                };
                self.account.choices += 1;
                let chosen = self.ask_pick(pick, several);
                if chosen > 0 {
                    self.log(match intent {
                        Intent::Store(_) => Logged::Below(written[chosen - 1]),
                        Intent::Load(_) | Intent::Update(_) | Intent::Exchange { .. } => {
                            Logged::Saw(written[chosen])
                        }
                    });
                }
                chosen
            }
        };
        let newer = candidates.get(chosen).copied().unwrap_or(0);
        let patience = self.order.histories.patience(me);
        *patience = if newer > 0 { *patience - 1 } else { PATIENCE };
        self.order.histories.candidates = candidates;
        newer
    }

    /// What the strategy is shown of the candidates: the values that may be seen, or those right below which it may be
    /// stored.
    fn offered(&mut self, atomic: ObjectId, intent: Intent, candidates: &[usize]) -> Vec<Written> {
        let history = self.history(atomic);
        match intent {
            Intent::Store(_) => history.written(candidates[1..].iter().map(|newer| newer - 1)),
            Intent::Load(_) | Intent::Update(_) | Intent::Exchange { .. } => {
                history.written(candidates.iter().copied())
            }
        }
    }

    /// The running thread asks the kernel about a futex. The kernel looks at the newest value, behind a full barrier: who
    /// went to sleep before is seen by who wakes later, and what it has written as well.
    pub(crate) fn kernel_compares(&mut self) {
        if self.order.histories.is_on() {
            self.order.fence_of_kernel(self.current);
        }
    }

    /// The running thread has read the value that it was to see.
    #[inline(never)]
    pub(crate) fn has_read(&mut self, atomic: ObjectId, word: Word, seen: Seen) -> Age {
        let now = self.order.now(self.current);
        self.history(atomic).read(seen.newer, now);
        if seen.newer > 0 {
            word.write(seen.newest);
        }
        Age::of(seen.newer)
    }

    /// The running thread has replaced the value that it was to see.
    #[inline(never)]
    pub(crate) fn has_updated(
        &mut self,
        atomic: ObjectId,
        word: Word,
        seen: Seen,
        order: Order,
    ) -> Age {
        self.write_value(atomic, word, seen, (Maker::Update, order))
    }

    /// The running thread has stored a value, which may come below others.
    #[inline(never)]
    pub(crate) fn has_stored(
        &mut self,
        atomic: ObjectId,
        word: Word,
        seen: Seen,
        order: Order,
    ) -> Age {
        let newer = self.choose_value(atomic, Intent::Store(order));
        self.write_value(atomic, word, Seen { newer, ..seen }, (Maker::Store, order))
    }

    fn write_value(
        &mut self,
        atomic: ObjectId,
        word: Word,
        seen: Seen,
        (maker, order): (Maker, Order),
    ) -> Age {
        let bits = word.read();
        if seen.newer > 0 {
            word.write(seen.newest);
        }
        let (now, fences) = (self.order.now(self.current), self.order.fences());
        let value = Value::new(bits, now, self.events.len() as u64, maker, order, fences);
        self.history(atomic).write(seen.newer, value);
        Age::of(seen.newer)
    }
}

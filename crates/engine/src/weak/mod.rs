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
mod sequential;
mod word;

use crate::execution::Execution;
use crate::log::Logged;
use crate::objects::atomic::Word;
use crate::sharing::Sharing;
use history::{History, Maker, Value};
pub(crate) use history::{Intent, Knowledge, Rule};
use selvedge_model::{
    Age, Effect, Element, Event, MemoryModel, ObjectId, OperationKind, Order, Pick, ThreadId,
    Written,
};
use sequential::{Node, Past};

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
    /// What the order of `SeqCst` operations follows from.
    pub(crate) past: Past,
    /// Whether `SeqCst` operations are in the order in which they were carried out.
    order: Carried,
}

/// Whether `SeqCst` operations are in the order in which they were carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Carried {
    #[default]
    InOrder,
    OutOfOrder,
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
        self.past.clear();
        self.order = Carried::InOrder;
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
            None => *history = Some(Box::new(History::new(newest, word.size))),
            // Somebody has written by other means.
            Some(_) => {
                *history = Some(Box::new(History::new(newest, word.size)));
                self.order.histories.past.gives_up();
            }
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
        let in_order = self.candidates(atomic, intent, &mut candidates);
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
        if newer >= in_order {
            self.order.histories.order = Carried::OutOfOrder;
        }
        let patience = self.order.histories.patience(me);
        *patience = if newer > 0 { *patience - 1 } else { PATIENCE };
        self.order.histories.candidates = candidates;
        newer
    }

    /// Finds the ages from which the running thread's operation has to choose. Says from which age on they need another
    /// order of `SeqCst` operations than that in which they are carried out.
    fn candidates(&mut self, atomic: ObjectId, intent: Intent, found: &mut Vec<usize>) -> usize {
        found.clear();
        let (me, order) = (self.current, &self.order);
        let (Some(history), Some(carried_out), Some(any)) = (
            order.histories.get(atomic),
            order.knowledge(me, Rule::AsCarriedOut),
            order.knowledge(me, Rule::None),
        ) else {
            return 1;
        };
        history.candidates(&carried_out, intent, found);
        let in_order = match order.histories.order {
            Carried::InOrder => found.last().map_or(1, |oldest| oldest + 1),
            Carried::OutOfOrder => 1,
        };
        if !order.histories.past.is_whole() {
            found.retain(|&newer| newer < in_order);
            return in_order;
        }
        history.candidates(&any, intent, found);
        found.retain(|&newer| newer < in_order || self.is_allowed(atomic, history, intent, newer));
        in_order
    }

    /// Whether the operation may see, or store right above, the value of this age in some order of `SeqCst` operations.
    fn is_allowed(
        &self,
        atomic: ObjectId,
        history: &History,
        intent: Intent,
        newer: usize,
    ) -> bool {
        let seen = history.number(newer);
        let (order, reads, writes) = match intent {
            Intent::Load(order) => (order, Some(seen), None),
            Intent::Store(order) => (order, None, Some(history.next_number())),
            Intent::Update(order) => (order, Some(seen), Some(history.next_number())),
            Intent::Exchange { expected, success, failure } => {
                match history.bits(newer) == expected {
                    true => (success, Some(seen), Some(history.next_number())),
                    false => (failure, Some(seen), None),
                }
            }
        };
        let thread = self.current;
        let clock = match reads {
            Some(_) if order.acquires() => {
                self.order.after_taking(thread, Element::Atomic(atomic, seen))
            }
            Some(_) | None => self.order.seen(thread).clone(),
        };
        let node = Node { thread, time: clock.of(thread), order, atomic, reads, writes, clock };
        let histories = &self.order.histories;
        histories.past.allows(&node, |of, number| match histories.get(of) {
            Some(_) if of == atomic && Some(number) == writes => newer,
            Some(history) if of == atomic && writes.is_some() => {
                let position = history.position(number);
                position + usize::from(position >= newer)
            }
            Some(history) => history.position(number),
            None => 0,
        })
    }

    /// Notes the last event for the order of `SeqCst` operations.
    pub(crate) fn note_for_order(&mut self) {
        let Some(&Event { thread, order, age, operation, effect }) = self.events.last() else {
            return;
        };
        let histories = &self.order.histories;
        if !histories.past.is_whole() {
            return;
        }
        let (atomic, reads, writes) = match (operation.kind, age.newer()) {
            (OperationKind::Fence, _) if order == Order::SeqCst => (ObjectId::NONE, None, None),
            (_, Some(newer)) => {
                let Some(history) = histories.get(operation.object) else { return };
                if !history.is_whole() {
                    return self.order.histories.past.gives_up();
                }
                let number = |newer| Some(history.number(newer));
                match effect {
                    Effect::Wrote(_) => (operation.object, None, number(newer)),
                    Effect::Changed { .. } => (operation.object, number(newer + 1), number(newer)),
                    _ => (operation.object, number(newer), None),
                }
            }
            (_, None) => return,
        };
        let clock = self.order.seen(thread).clone();
        let node = Node { thread, time: clock.of(thread), order, atomic, reads, writes, clock };
        self.order.histories.past.push(node);
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

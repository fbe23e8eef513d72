//! Atomics: the value lives in memory, the engine decides when it is accessed.

use crate::context::{Code, Controlled, InEngine};
use crate::execution::Execution;
use crate::step::Change;
use selvedge_model::{
    AccessKind, AccessMode, Effect, Fault, ObjectId, Operation, OperationKind, Rate, Site, Spot,
    Toggle, Variable,
};
use std::sync::atomic::Ordering;

/// Where an atomic lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its first byte.
    pub address: usize,
    /// How many bytes it has.
    pub size: usize,
}

/// What an atomic operation did, in the words of [`Effect`].
#[derive(Clone, Copy, Debug)]
pub struct Access {
    from: u64,
    to: u64,
    change: Change,
}

impl Access {
    /// The values before and after; for a compare-exchange that failed, the one found as both.
    #[inline]
    pub fn of_values(from: u64, to: u64) -> Self {
        let change = if from == to { Change::Nothing } else { Change::Something };
        Self { from, to, change }
    }

    /// The addresses before and after. Events tell only whether they are null: addresses differ
    /// from one execution to the next.
    #[inline]
    pub fn of_addresses(from: usize, to: usize) -> Self {
        let change = if from == to { Change::Nothing } else { Change::Something };
        Self { from: u64::from(from != 0), to: u64::from(to != 0), change }
    }
}

/// Whether a compare-exchange found what it expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exchanged {
    Yes,
    No,
}

impl From<Exchanged> for Change {
    fn from(exchanged: Exchanged) -> Self {
        match exchanged {
            Exchanged::Yes => Self::Something,
            Exchanged::No => Self::Nothing,
        }
    }
}

/// An atomic operation whose turn has come. From here until it has been carried out, the running
/// code is an access of the test.
#[must_use]
struct Begun {
    /// Nothing if the step is not recorded.
    id: Option<ObjectId>,
    before: Code,
}

impl Begun {
    /// Whether the step is recorded.
    #[inline(always)]
    fn is_recorded(&self) -> bool {
        self.id.is_some()
    }

    /// What is carried out.
    #[inline(always)]
    fn operation(&self, kind: OperationKind, site: Site) -> Operation {
        Operation::new(kind, self.id.unwrap_or(ObjectId::NONE), site)
    }
}

/// An operation of a quiet thread, which does not ask for the number of its atomic.
const fn unknown(kind: OperationKind, site: Site) -> Operation {
    Operation::new(kind, ObjectId::NONE, site)
}

impl Controlled {
    /// Reads an atomic.
    #[inline]
    pub fn atomic_load<R>(
        self,
        word: Word,
        ordering: Ordering,
        site: Site,
        load: impl FnOnce() -> (R, u64),
    ) -> R {
        let begun = self.begin_atomic(OperationKind::AtomicLoad, word, site);
        let (result, value) = load();
        self.end_load(&begun, word, ordering, site, value);
        result
    }

    /// Writes an atomic.
    #[inline]
    pub fn atomic_store(
        self,
        word: Word,
        ordering: Ordering,
        site: Site,
        store: impl FnOnce() -> u64,
    ) {
        let begun = self.begin_atomic(OperationKind::AtomicStore, word, site);
        let value = store();
        self.end_store(&begun, word, ordering, site, value);
    }

    /// Reads and writes an atomic in one go.
    #[inline]
    pub fn atomic_rmw<R>(
        self,
        word: Word,
        ordering: Ordering,
        site: Site,
        modify: impl FnOnce() -> (R, Access),
    ) -> R {
        let begun = self.begin_atomic(OperationKind::AtomicRmw, word, site);
        let (result, access) = modify();
        self.end_rmw(&begun, word, ordering, site, access);
        result
    }

    /// Compares and exchanges: `Ok` carries what was replaced and by what, `Err` what was found.
    #[inline]
    pub fn atomic_compare_exchange<T>(
        self,
        word: Word,
        orderings: (Ordering, Ordering),
        site: Site,
        exchange: impl FnOnce() -> (Result<T, T>, Access),
    ) -> Result<T, T> {
        let begun = self.begin_atomic(OperationKind::AtomicCas, word, site);
        let (result, access) = exchange();
        let exchanged = match result {
            Ok(_) => Exchanged::Yes,
            Err(_) => Exchanged::No,
        };
        self.end_exchange(&begun, word, orderings, site, (exchanged, access));
        result
    }

    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    fn begin_atomic(self, kind: OperationKind, word: Word, site: Site) -> Begun {
        let mut engine = self.execution();
        let id = match engine.length.quiet {
            0 => {
                let id = engine.atomic(word.address, site);
                engine.stop(kind, id, site);
                Some(id)
            }
            _ => None,
        };
        Begun { id, before: engine.make_way() }
    }

    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    fn end_load(self, begun: &Begun, word: Word, ordering: Ordering, site: Site, value: u64) {
        let mut engine = self.resume(begun.before);
        let execution = &mut *engine;
        let (kind, order) = (OperationKind::AtomicLoad, ordering.into());
        if begun.is_recorded() {
            execution.tell_atomic(word, AccessKind::Read, site);
        }
        let effect = Effect::Read(value);
        execution.happened_in_order(begun.operation(kind, site), effect, Change::Nothing, order);
    }

    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    fn end_store(self, begun: &Begun, word: Word, ordering: Ordering, site: Site, value: u64) {
        let mut engine = self.resume(begun.before);
        let execution = &mut *engine;
        let (kind, order) = (OperationKind::AtomicStore, ordering.into());
        if begun.is_recorded() {
            execution.tell_atomic(word, AccessKind::Write, site);
        }
        let effect = Effect::Wrote(value);
        execution.happened_in_order(begun.operation(kind, site), effect, Change::Something, order);
        if matches!(ordering, Ordering::Release | Ordering::SeqCst) {
            stop_after(&mut engine, begun, site);
        }
    }

    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    fn end_rmw(self, begun: &Begun, word: Word, ordering: Ordering, site: Site, access: Access) {
        let mut engine = self.resume(begun.before);
        let execution = &mut *engine;
        let (kind, order) = (OperationKind::AtomicRmw, ordering.into());
        if begun.is_recorded() {
            execution.tell_atomic(word, AccessKind::Write, site);
        }
        let effect = Effect::Changed { from: access.from, to: access.to };
        execution.happened_in_order(begun.operation(kind, site), effect, access.change, order);
        stop_after(&mut engine, begun, site);
    }

    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    fn end_exchange(
        self,
        begun: &Begun,
        word: Word,
        (success, failure): (Ordering, Ordering),
        site: Site,
        (exchanged, access): (Exchanged, Access),
    ) {
        let mut engine = self.resume(begun.before);
        let execution = &mut *engine;
        let (kind, change) = (OperationKind::AtomicCas, exchanged.into());
        let Some(id) = begun.id else {
            let effect = Effect::Changed { from: access.from, to: access.to };
            return execution.happened_quietly(unknown(kind, site), effect, change);
        };
        let (effect, order) = match exchanged {
            Exchanged::Yes => {
                execution.tell_atomic(word, AccessKind::Write, site);
                (Effect::Changed { from: access.from, to: access.to }, success)
            }
            Exchanged::No => {
                execution.tell_atomic(word, AccessKind::Read, site);
                (Effect::Kept(access.from), failure)
            }
        };
        execution.happened_in_order(Operation::new(kind, id, site), effect, change, order.into());
        stop_after(&mut engine, begun, site);
    }

    /// Whether a weak compare-exchange that is about to be carried out fails for no reason.
    ///
    /// Asked right before [`atomic_compare_exchange`](Self::atomic_compare_exchange), which is
    /// then given a closure that fails.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    pub fn weak_exchange_fails(self, word: Word, site: Site) -> bool {
        let execution = &mut *self.execution();
        if execution.settings.weak_cas == Rate::Off || execution.length.quiet != 0 {
            return false;
        }
        let id = execution.atomic(word.address, site);
        let me = execution.current.index();
        let operation = Operation::new(OperationKind::AtomicCas, id, site);
        execution.info[me].pending = operation;
        execution.ask_fault(Fault::WeakFailure)
    }

    /// A fence.
    pub fn fence(self, ordering: Ordering, site: Site) {
        let execution = &mut *self.execution();
        let kind = OperationKind::Fence;
        let (object, order) = (ObjectId::NONE, ordering.into());
        execution.happened_in_order(
            Operation::new(kind, object, site),
            Effect::Done,
            Change::Nothing,
            order,
        );
    }
}

impl Execution {
    /// Tells those who look for data races: a plain access may race with an atomic one.
    #[inline(always)]
    fn tell_atomic(&mut self, word: Word, kind: AccessKind, site: Site) {
        if self.order.races == Toggle::On {
            self.tell_atomic_access(word, kind, site);
        }
    }

    #[inline(never)]
    fn tell_atomic_access(&mut self, word: Word, kind: AccessKind, site: Site) {
        let Word { address, size } = word;
        if self.is_of_interest(address, size) {
            let variable = Variable::Memory { address, size };
            let (thread, spot) = (self.current, Spot::Line(site));
            let mode = AccessMode::Atomic;
            self.tell_access(&selvedge_model::Access { thread, kind, mode, variable, spot });
        }
    }
}

/// Others may run between a read-modify-write, or a store that gives something away, and the
/// plain accesses that follow it.
#[inline]
fn stop_after(engine: &mut InEngine, begun: &Begun, site: Site) {
    if let Some(id) = begun.id
        && !engine.continues(id)
    {
        engine.stop(OperationKind::Continue, id, site);
    }
}

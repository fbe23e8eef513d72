//! Atomics: the value lives in memory, the engine decides when it is accessed.

use crate::context::{Code, Controlled, InEngine};
use crate::execution::Execution;
use crate::step::Change;
use crate::weak::{Intent, Seen};
use selvedge_model::{
    AccessKind, AccessMode, Age, Effect, Fault, ObjectId, Operation, OperationKind, Order, Rate,
    Site, Spot, Toggle, Variable,
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
    /// Which value it sees; nothing if there is but the newest.
    seen: Option<Seen>,
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
        let intent = Intent::Load(ordering.into());
        let begun = self.begin_atomic(OperationKind::AtomicLoad, word, intent, site);
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
        let intent = Intent::Store(ordering.into());
        let begun = self.begin_atomic(OperationKind::AtomicStore, word, intent, site);
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
        let intent = Intent::Update(ordering.into());
        let begun = self.begin_atomic(OperationKind::AtomicRmw, word, intent, site);
        let (result, access) = modify();
        self.end_rmw(&begun, word, ordering, site, access);
        result
    }

    /// Compares and exchanges: `Ok` carries what was replaced and by what, `Err` what was found. The lower bits of
    /// `expected` are what it compares with, as it lies in memory.
    #[inline]
    pub fn atomic_compare_exchange<T>(
        self,
        word: Word,
        expected: u64,
        orderings: (Ordering, Ordering),
        site: Site,
        exchange: impl FnOnce() -> (Result<T, T>, Access),
    ) -> Result<T, T> {
        let (success, failure) = (orderings.0.into(), orderings.1.into());
        let expected = expected & word.mask();
        let intent = Intent::Exchange { expected, success, failure };
        let begun = self.begin_atomic(OperationKind::AtomicCas, word, intent, site);
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
    fn begin_atomic(self, kind: OperationKind, word: Word, intent: Intent, site: Site) -> Begun {
        let mut engine = self.execution();
        let mut seen = None;
        let id = match engine.length.quiet {
            0 => {
                let id = engine.atomic(word.address, site);
                engine.stop(kind, id, site);
                if engine.order.histories.is_on() {
                    seen = engine.see_value(id, word, intent);
                }
                Some(id)
            }
            _ => None,
        };
        Begun { id, seen, before: engine.make_way() }
    }

    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    fn end_load(self, begun: &Begun, word: Word, ordering: Ordering, site: Site, value: u64) {
        let mut engine = self.resume(begun.before);
        let execution = &mut *engine;
        let kind = OperationKind::AtomicLoad;
        if begun.is_recorded() {
            execution.tell_atomic(word, AccessKind::Read, site);
        }
        let (effect, change) = (Effect::Read(value), Change::Nothing);
        let (order, age) = (ordering.into(), execution.read_at(begun, word));
        execution.happened_to_value(begun.operation(kind, site), effect, change, (order, age));
    }

    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    fn end_store(self, begun: &Begun, word: Word, ordering: Ordering, site: Site, value: u64) {
        let mut engine = self.resume(begun.before);
        let execution = &mut *engine;
        let kind = OperationKind::AtomicStore;
        if begun.is_recorded() {
            execution.tell_atomic(word, AccessKind::Write, site);
        }
        let (effect, change) = (Effect::Wrote(value), Change::Something);
        let order = ordering.into();
        let age = match (begun.id, begun.seen) {
            (Some(id), Some(seen)) => execution.has_stored(id, word, seen, order),
            _ => Age::ONLY,
        };
        execution.happened_to_value(begun.operation(kind, site), effect, change, (order, age));
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
        let age = execution.updated_at(begun, word, order);
        let operation = begun.operation(kind, site);
        execution.happened_to_value(operation, effect, access.change, (order, age));
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
        let (effect, order, age) = match exchanged {
            Exchanged::Yes => {
                execution.tell_atomic(word, AccessKind::Write, site);
                let (effect, order) =
                    (Effect::Changed { from: access.from, to: access.to }, success.into());
                (effect, order, execution.updated_at(begun, word, order))
            }
            Exchanged::No => {
                execution.tell_atomic(word, AccessKind::Read, site);
                (Effect::Kept(access.from), failure.into(), execution.read_at(begun, word))
            }
        };
        let operation = Operation::new(kind, id, site);
        execution.happened_to_value(operation, effect, change, (order, age));
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
    /// The operation has read the value that it was to see: which one that was.
    #[inline(always)]
    fn read_at(&mut self, begun: &Begun, word: Word) -> Age {
        match (begun.id, begun.seen) {
            (Some(id), Some(seen)) => self.has_read(id, word, seen),
            _ => Age::ONLY,
        }
    }

    /// The operation has replaced the value that it was to see: which one that was.
    #[inline(always)]
    fn updated_at(&mut self, begun: &Begun, word: Word, order: Order) -> Age {
        match (begun.id, begun.seen) {
            (Some(id), Some(seen)) => self.has_updated(id, word, seen, order),
            _ => Age::ONLY,
        }
    }

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

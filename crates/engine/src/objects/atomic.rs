//! Atomics: the value lives in memory, the engine decides when it is accessed.

use crate::context::{Controlled, InEngine};
use crate::happens_before::Write;
use crate::step::Change;
use selvedge_model::{Effect, Fault, ObjectId, OperationKind, Rate, Site};
use std::sync::atomic::Ordering;

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

impl Controlled {
    /// Reads an atomic.
    #[inline]
    pub fn atomic_load<R>(
        self,
        address: usize,
        ordering: Ordering,
        site: Site,
        load: impl FnOnce() -> (R, u64),
    ) -> R {
        let mut engine = self.execution();
        if engine.quiet != 0 {
            engine.happened_quietly(Change::Nothing);
            return load().0;
        }
        let id = engine.atomic(address, site);
        engine.stop(OperationKind::AtomicLoad, id, site);
        let (result, value) = load();
        let execution = &mut *engine;
        execution.atomic_read(id, ordering);
        let effect = Effect::Read(value);
        let (kind, order) = (OperationKind::AtomicLoad, ordering.into());
        execution.happened_in_order(kind, id, site, effect, Change::Nothing, order);
        result
    }

    /// Writes an atomic.
    #[inline]
    pub fn atomic_store(
        self,
        address: usize,
        ordering: Ordering,
        site: Site,
        store: impl FnOnce() -> u64,
    ) {
        let mut engine = self.execution();
        if engine.quiet != 0 {
            engine.happened_quietly(Change::Something);
            store();
            return;
        }
        let id = engine.atomic(address, site);
        engine.stop(OperationKind::AtomicStore, id, site);
        let value = store();
        let execution = &mut *engine;
        execution.atomic_write(id, ordering, Write::Store);
        let effect = Effect::Wrote(value);
        let (kind, order) = (OperationKind::AtomicStore, ordering.into());
        execution.happened_in_order(kind, id, site, effect, Change::Something, order);
        if matches!(ordering, Ordering::Release | Ordering::SeqCst) {
            stop_after(&mut engine, id, site);
        }
    }

    /// Reads and writes an atomic in one go.
    #[inline]
    pub fn atomic_rmw<R>(
        self,
        address: usize,
        ordering: Ordering,
        site: Site,
        modify: impl FnOnce() -> (R, Access),
    ) -> R {
        let mut engine = self.execution();
        if engine.quiet != 0 {
            let (result, access) = modify();
            engine.happened_quietly(access.change);
            return result;
        }
        let id = engine.atomic(address, site);
        engine.stop(OperationKind::AtomicRmw, id, site);
        let (result, access) = modify();
        let execution = &mut *engine;
        execution.atomic_read(id, ordering);
        execution.atomic_write(id, ordering, Write::ReadModifyWrite);
        let effect = Effect::Changed { from: access.from, to: access.to };
        let (kind, order) = (OperationKind::AtomicRmw, ordering.into());
        execution.happened_in_order(kind, id, site, effect, access.change, order);
        stop_after(&mut engine, id, site);
        result
    }

    /// Compares and exchanges: `Ok` carries what was replaced and by what, `Err` what was found.
    #[inline]
    pub fn atomic_compare_exchange<T>(
        self,
        address: usize,
        (success, failure): (Ordering, Ordering),
        site: Site,
        exchange: impl FnOnce() -> (Result<T, T>, Access),
    ) -> Result<T, T> {
        let mut engine = self.execution();
        if engine.quiet != 0 {
            let (result, _) = exchange();
            let change = if result.is_ok() { Change::Something } else { Change::Nothing };
            engine.happened_quietly(change);
            return result;
        }
        let id = engine.atomic(address, site);
        engine.stop(OperationKind::AtomicCas, id, site);
        let (result, access) = exchange();
        let execution = &mut *engine;
        let (effect, change, order) = match result {
            Ok(_) => {
                execution.atomic_read(id, success);
                execution.atomic_write(id, success, Write::ReadModifyWrite);
                (Effect::Changed { from: access.from, to: access.to }, Change::Something, success)
            }
            Err(_) => {
                execution.atomic_read(id, failure);
                (Effect::Kept(access.from), Change::Nothing, failure)
            }
        };
        let kind = OperationKind::AtomicCas;
        execution.happened_in_order(kind, id, site, effect, change, order.into());
        stop_after(&mut engine, id, site);
        result
    }

    /// Whether a weak compare-exchange that is about to be carried out fails for no reason.
    ///
    /// Asked right before [`atomic_compare_exchange`](Self::atomic_compare_exchange), which is
    /// then given a closure that fails.
    #[inline]
    pub fn weak_exchange_fails(self, address: usize, site: Site) -> bool {
        let execution = &mut *self.execution();
        if execution.settings.weak_cas == Rate::Off || execution.quiet != 0 {
            return false;
        }
        let id = execution.atomic(address, site);
        let me = execution.current.index();
        let operation =
            selvedge_model::Operation { kind: OperationKind::AtomicCas, object: id, site };
        execution.info[me].pending = operation;
        execution.ask_fault(Fault::WeakFailure)
    }

    /// A fence.
    pub fn fence(self, ordering: Ordering, site: Site) {
        let execution = &mut *self.execution();
        execution.fence_clock(ordering);
        let kind = OperationKind::Fence;
        let (object, order) = (ObjectId::NONE, ordering.into());
        execution.happened_in_order(kind, object, site, Effect::Done, Change::Nothing, order);
    }
}

/// Others may run between a read-modify-write, or a store that gives something away, and the
/// plain accesses that follow it.
#[inline]
fn stop_after(engine: &mut InEngine, id: ObjectId, site: Site) {
    engine.stop(OperationKind::Continue, id, site);
}

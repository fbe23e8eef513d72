//! Objects: what operations are done to.
//!
//! A mirror that is more than an atomic carries an [`Object`]. It is created by a `const fn`, so
//! it needs no event of creation and can stand in a static; the engine meets it at its first use
//! in an execution and numbers it then.

use crate::ending::Ending;
use crate::execution::Execution;
use crate::objects::ObjectState;
use crate::sharing::Sharing;
use selvedge_model::{ObjectId, ObjectInfo, Site, ThreadId};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The engine's handle inside a mirror.
///
/// It remembers which execution uses it. The same object may be used by an execution *or* by
/// ordinary threads, never by both at a time: an object that is under control is not protected by
/// its real lock, so mixing would be a data race. Mixing is detected and panics.
#[derive(Debug)]
pub struct Object {
    /// The execution (upper half) and the object's number in it (lower half).
    pub(crate) claim: AtomicU64,
    /// How many ordinary threads are using it.
    outside: AtomicU32,
    created: Site,
}

impl Object {
    /// A new object; `created` is where the user made it.
    pub const fn new(created: Site) -> Self {
        Self { claim: AtomicU64::new(0), outside: AtomicU32::new(0), created }
    }

    /// The object's number in the execution; registers it at its first use.
    #[inline]
    pub(crate) fn id(
        &self,
        execution: &mut Execution,
        state: fn() -> ObjectState,
        site: Site,
    ) -> ObjectId {
        let claim = self.claim.load(Ordering::Relaxed);
        if (claim >> 32) as u32 == execution.registry.epoch {
            return ObjectId(claim as u32);
        }
        self.register(execution, state, site)
    }

    /// The object's number, if it was used in the execution before.
    pub(crate) fn known(&self, execution: &Execution) -> Option<ObjectId> {
        let claim = self.claim.load(Ordering::Relaxed);
        ((claim >> 32) as u32 == execution.registry.epoch).then_some(ObjectId(claim as u32))
    }

    #[cold]
    #[inline(never)]
    fn register(
        &self,
        execution: &mut Execution,
        state: fn() -> ObjectState,
        site: Site,
    ) -> ObjectId {
        let id = execution.add_object(state(), Some(self.created), site);
        let address = std::ptr::from_ref(self) as usize;
        execution.objects[id.index()].address = address;
        if execution.heap.is_freed(address) {
            // Freed memory is overwritten, so an object that is used after it was freed is a new
            // one and comes by here. Nothing is written to it.
            execution.use_after_free(address, site);
            return id;
        }
        let claim = (u64::from(execution.registry.epoch) << 32) | u64::from(id.0);
        let mut earlier = self.claim.load(Ordering::SeqCst);
        loop {
            let other = (earlier >> 32) as u32;
            // SAFETY: Only threads of the execution come here, and they run on its thread. A lock of
            // the process's engines is none of the execution's business.
            let is_live = |epoch| unsafe { execution.partners.place.outside(|| is_live(epoch)) };
            if other != 0 && other != execution.registry.epoch && is_live(other) {
                // Somebody else's, and stays so. Before the operation that led here is carried
                // out, its thread is stopped for good.
                execution.end(Ending::Shared { created: self.created });
                return id;
            }
            let (success, failure) = (Ordering::SeqCst, Ordering::SeqCst);
            match self.claim.compare_exchange(earlier, claim, success, failure) {
                Ok(_) => break,
                Err(now) => earlier = now,
            }
        }
        if self.outside.load(Ordering::SeqCst) != 0 {
            self.claim.store(0, Ordering::SeqCst);
            panic!(
                "selvedge: the {} created at {} is in use by a thread that is not under control; \
                 spawn that thread with selvedge::thread::spawn inside the test",
                execution.objects[id.index()].state.kind(),
                self.created,
            );
        }
        id
    }

    /// Announces use by an ordinary thread, for as long as the result lives.
    ///
    /// # Panics
    ///
    /// Panics if a controlled execution is using the object.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    pub fn use_outside(&self) -> OutsideUse<'_> {
        self.outside.fetch_add(1, Ordering::SeqCst);
        let in_use = OutsideUse { object: self };
        let epoch = (self.claim.load(Ordering::SeqCst) >> 32) as u32;
        if epoch != 0 && is_live(epoch) {
            drop(in_use);
            panic!(
                "selvedge: the object created at {} belongs to a controlled execution that is \
                 still running, and this thread is not part of it; spawn it with \
                 selvedge::thread::spawn inside the test",
                self.created,
            );
        }
        in_use
    }
}

/// An ordinary thread is using an object; part of the guards that mirrors hand out.
#[derive(Debug)]
pub struct OutsideUse<'a> {
    object: &'a Object,
}

impl Drop for OutsideUse<'_> {
    fn drop(&mut self) {
        self.object.outside.fetch_sub(1, Ordering::Release);
    }
}

/// An object of an execution.
pub(crate) struct ObjectEntry {
    pub(crate) state: ObjectState,
    /// Who used it first.
    pub(crate) user: ThreadId,
    pub(crate) sharing: Sharing,
    /// Where it lies in memory, if it does; addresses are not part of what happens.
    pub(crate) address: usize,
}

impl ObjectEntry {
    /// An object that is known to concern several threads.
    pub(crate) fn shared(state: ObjectState, user: ThreadId) -> Self {
        Self { state, user, sharing: Sharing::Shared, address: 0 }
    }
}

impl Execution {
    /// Gives an object its number.
    pub(crate) fn push_object(
        &mut self,
        entry: ObjectEntry,
        created: Option<Site>,
        first: Site,
    ) -> ObjectId {
        let id = ObjectId(self.objects.len() as u32);
        self.registry.info.push(ObjectInfo { kind: entry.state.kind(), created, first });
        self.objects.push(entry);
        id
    }

    /// Adds an object to the execution.
    pub(crate) fn add_object(
        &mut self,
        state: ObjectState,
        created: Option<Site>,
        site: Site,
    ) -> ObjectId {
        let user = self.current;
        let sharing = match self.is_beyond() {
            true => Sharing::Shared,
            false => self.registry.sharing.of_new_object(
                site,
                self.info[user.index()].key,
                self.registry.epoch,
            ),
        };
        let entry = ObjectEntry { sharing, ..ObjectEntry::shared(state, user) };
        self.push_object(entry, created, site)
    }

    /// The number of an atomic, which is known by its address alone.
    #[inline(always)]
    pub(crate) fn atomic(&mut self, address: usize, site: Site) -> ObjectId {
        if self.heap.is_freed(address) {
            self.use_after_free(address, site);
        }
        match self.registry.atomics.get(address) {
            Some(id) => id,
            None => self.add_atomic(address, site),
        }
    }

    #[cold]
    #[inline(never)]
    fn add_atomic(&mut self, address: usize, site: Site) -> ObjectId {
        if let Some(id) = self.registry.atomics.find(address) {
            return id;
        }
        let id = self.add_object(ObjectState::Atomic, None, site);
        self.objects[id.index()].address = address;
        self.registry.atomics.insert(address, id);
        id
    }
}

crate::kept! {
    /// The number of the execution that each engine of the process is running, 0 between two.
    static LIVE: Mutex<Vec<Arc<AtomicU32>>> = Mutex::new(Vec::new());
    /// The next execution number to hand out.
    static NEXT_EPOCH: AtomicU32 = AtomicU32::new(1);
}
/// Engines take numbers in blocks, to stay out of each other's way.
const EPOCH_BLOCK: u32 = 1 << 10;

/// Whether any engine is running an execution. Asked between two executions of one's own.
pub(crate) fn other_engines_run() -> bool {
    let live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
    live.iter().any(|engine| engine.load(Ordering::SeqCst) != 0)
}

fn is_live(epoch: u32) -> bool {
    let live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
    live.iter().any(|engine| engine.load(Ordering::SeqCst) == epoch)
}

/// The number of an execution that no engine runs, see `numbering.rs`.
pub(crate) fn epoch_of_its_own() -> u32 {
    NEXT_EPOCH.fetch_add(EPOCH_BLOCK, Ordering::Relaxed).max(1)
}

/// Numbers the executions of one engine, so that objects can tell them apart.
pub(crate) struct Epochs {
    live: Arc<AtomicU32>,
    next: u32,
    end: u32,
}

impl Epochs {
    pub(crate) fn new() -> Self {
        let live = Arc::new(AtomicU32::new(0));
        LIVE.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&live));
        Self { live, next: 0, end: 0 }
    }

    /// A number that no running execution of this process has. Numbers repeat only after four
    /// thousand million executions.
    #[inline]
    pub(crate) fn begin(&mut self) -> u32 {
        if self.next == self.end {
            self.next = NEXT_EPOCH.fetch_add(EPOCH_BLOCK, Ordering::Relaxed);
            self.end = self.next.wrapping_add(EPOCH_BLOCK);
        }
        let epoch = self.next.max(1);
        self.next = self.next.wrapping_add(1);
        self.live.store(epoch, Ordering::SeqCst);
        epoch
    }

    pub(crate) fn end(&self) {
        self.live.store(0, Ordering::Release);
    }
}

impl Drop for Epochs {
    fn drop(&mut self) {
        let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
        live.retain(|engine| !Arc::ptr_eq(engine, &self.live));
    }
}

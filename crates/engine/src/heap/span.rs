//! The addresses at which executions keep their memory.
//!
//! One span of address space is reserved when an engine first wants an arena, always at the same
//! place if nobody else is there, and is divided into slots, one for each operating-system thread
//! that runs engines. The lowest free slot is taken, so a process that runs one engine at a time
//! always has the same addresses. Reserved memory costs nothing until it is used.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

pub(super) use system::{SLOT, give_back, resident};
/// How many slots there are, a bit in [`TAKEN`] for each.
const SLOTS: usize = 64;
const SPAN: usize = SLOT * SLOTS;
/// Further away from every address than the span is long.
const NOWHERE: usize = usize::MAX / 2 + 1;

crate::kept! {
    /// Where the span begins in this process, once it is reserved.
    static RESERVED: AtomicUsize = AtomicUsize::new(NOWHERE);
    /// The slots that are in use.
    static TAKEN: AtomicU64 = AtomicU64::new(0);
    /// Held by who reserves the span.
    static RESERVING: Mutex<()> = Mutex::new(());
}

/// Whether the address lies in the memory of some execution.
#[inline(always)]
pub(super) fn contains(address: usize) -> bool {
    address.wrapping_sub(RESERVED.load(Ordering::Relaxed)) < SPAN
}

/// How many bytes of memory all executions together have touched and not given back.
pub(super) fn touched() -> usize {
    let start = RESERVED.load(Ordering::Relaxed);
    let taken = TAKEN.load(Ordering::Relaxed);
    if start == NOWHERE {
        return 0;
    }
    let slots = (0..SLOTS).filter(|slot| taken & (1 << slot) != 0);
    slots.map(|slot| resident(start + slot * SLOT..start + (slot + 1) * SLOT)).sum()
}

/// Where the slot begins in which the address lies, if it lies in the memory of some execution.
#[inline]
pub(super) fn slot_of(address: usize) -> Option<usize> {
    let start = RESERVED.load(Ordering::Relaxed);
    let offset = address.wrapping_sub(start);
    (offset < SPAN).then(|| start + offset / SLOT * SLOT)
}

/// A part of the span that belongs to its owner alone.
pub(super) struct Slot {
    number: usize,
    pub(super) start: usize,
}

impl Slot {
    /// Takes the lowest free slot. There is none if the address space is limited, or if there are
    /// as many engines as slots.
    pub(super) fn take() -> Option<Self> {
        let start = reserve()?;
        let mut taken = TAKEN.load(Ordering::Relaxed);
        loop {
            let number = taken.trailing_ones() as usize;
            if number == SLOTS {
                return None;
            }
            let (wanted, order) = (taken | (1 << number), Ordering::Relaxed);
            match TAKEN.compare_exchange(taken, wanted, Ordering::Acquire, order) {
                Ok(_) => return Some(Self { number, start: start + number * SLOT }),
                Err(now) => taken = now,
            }
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        give_back(self.start..self.start + SLOT);
        TAKEN.fetch_and(!(1 << self.number), Ordering::Release);
    }
}

/// Reserves the span, once a process, and says where it begins.
fn reserve() -> Option<usize> {
    let _reserving = RESERVING.lock().unwrap_or_else(PoisonError::into_inner);
    let reserved = RESERVED.load(Ordering::Relaxed);
    if reserved != NOWHERE {
        return Some(reserved);
    }
    let start = system::map(SPAN)?;
    RESERVED.store(start, Ordering::Relaxed);
    Some(start)
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64", not(miri)))]
#[path = "span/linux.rs"]
mod system;

/// There are no arenas on this platform.
#[cfg(not(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64", not(miri))))]
mod system {
    pub(crate) const SLOT: usize = 1 << 20;

    pub(super) fn map(_: usize) -> Option<usize> {
        None
    }

    pub(crate) fn give_back(_: std::ops::Range<usize>) {}

    pub(crate) fn resident(range: std::ops::Range<usize>) -> usize {
        range.len()
    }
}

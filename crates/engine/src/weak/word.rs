//! The memory of an atomic, whatever its type.

use crate::objects::atomic::Word;
use std::ptr;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

impl Word {
    /// The bits that it has.
    #[inline]
    pub(crate) const fn mask(self) -> u64 {
        u64::MAX >> (64 - 8 * self.size as u32)
    }

    /// What lies there, as a number.
    #[inline]
    pub(crate) fn read(self) -> u64 {
        let place = ptr::with_exposed_provenance_mut::<u8>(self.address);
        // SAFETY: A word is made by a mirror from a reference to an atomic of that size, which lives for as long as
        // the operation takes. It is aligned to its size.
        unsafe {
            match self.size {
                1 => u64::from(AtomicU8::from_ptr(place).load(Ordering::Relaxed)),
                2 => u64::from(AtomicU16::from_ptr(place.cast()).load(Ordering::Relaxed)),
                4 => u64::from(AtomicU32::from_ptr(place.cast()).load(Ordering::Relaxed)),
                _ => AtomicU64::from_ptr(place.cast()).load(Ordering::Relaxed),
            }
        }
    }

    /// Puts something there that was read there before.
    #[inline]
    pub(crate) fn write(self, bits: u64) {
        let place = ptr::with_exposed_provenance_mut::<u8>(self.address);
        // SAFETY: As in `read`. The value was there before, so it is one of the atomic's type.
        unsafe {
            match self.size {
                1 => AtomicU8::from_ptr(place).store(bits as u8, Ordering::Relaxed),
                2 => AtomicU16::from_ptr(place.cast()).store(bits as u16, Ordering::Relaxed),
                4 => AtomicU32::from_ptr(place.cast()).store(bits as u32, Ordering::Relaxed),
                _ => AtomicU64::from_ptr(place.cast()).store(bits, Ordering::Relaxed),
            }
        }
    }
}

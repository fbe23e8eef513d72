//! Mirror of `std::arch`: everything is the real thing, except for the clock of the processor, which shows
//! virtual time in a controlled execution. Libraries that measure time ask it in the place of `Instant`.
//!
//! May miss: the same instructions in assembly.

pub use real::arch::*;

/// `std::arch::x86_64`.
#[cfg(target_arch = "x86_64")]
pub mod x86_64 {
    pub use real::arch::x86_64::*;

    use selvedge_engine::{Controlled, VirtualClock};
    use selvedge_model::Site;

    /// The virtual time as a processor counts it that has one cycle in a nanosecond.
    #[track_caller]
    fn virtual_cycles() -> Option<u64> {
        let now = Controlled::current()?.read_clock(VirtualClock::Monotonic, Site::caller());
        Some(now.as_nanos() as u64)
    }

    /// The cycles that have passed; see [`std::arch::x86_64::_rdtsc`].
    ///
    /// # Safety
    ///
    /// None is needed here.
    #[inline]
    #[track_caller]
    pub unsafe fn _rdtsc() -> u64 {
        // SAFETY: Passed on to the caller.
        virtual_cycles().unwrap_or_else(|| unsafe { real::arch::x86_64::_rdtsc() })
    }

    /// As above, when all earlier instructions have been carried out; see [`std::arch::x86_64::__rdtscp`].
    ///
    /// # Safety
    ///
    /// There is a place for what the system has to say of the processor.
    #[inline]
    #[track_caller]
    pub unsafe fn __rdtscp(processor: *mut u32) -> u64 {
        // SAFETY: Passed on to the caller.
        let cycles = unsafe { real::arch::x86_64::__rdtscp(processor) };
        virtual_cycles().unwrap_or(cycles)
    }
}

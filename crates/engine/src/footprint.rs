//! How much memory the process takes, and whose it is.

/// How many bytes of memory the process takes as a whole; 0 where that is not known.
pub fn resident() -> usize {
    system::resident()
}

/// How many bytes the C library's heap takes. Where tests have arenas, that is what we have allocated
/// for ourselves. 0 where it is not known.
pub fn allocated() -> usize {
    system::allocated()
}

/// Gives memory that nobody uses back to the system.
pub fn give_back() {
    system::give_back();
}

#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod system {
    pub(super) fn resident() -> usize {
        let statistics = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages = statistics.split(' ').nth(1).and_then(|pages| pages.parse().ok());
        // SAFETY: Asking for the size of a page has no preconditions.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
        pages.unwrap_or(0_usize) * page
    }

    pub(super) fn allocated() -> usize {
        // SAFETY: Asking the C library for its statistics has no preconditions.
        let statistics = unsafe { libc::mallinfo2() };
        statistics.uordblks + statistics.hblkhd
    }

    pub(super) fn give_back() {
        // SAFETY: What is given back is in nobody's use.
        unsafe { libc::malloc_trim(0) };
    }
}

/// Nothing is known of memory here.
#[cfg(not(all(target_os = "linux", target_env = "gnu", not(miri))))]
mod system {
    pub(super) fn resident() -> usize {
        0
    }

    pub(super) fn allocated() -> usize {
        0
    }

    pub(super) fn give_back() {}
}

//! The locks of libraries: a row for each.
//!
//! A lock of a library is an atomic on which the functions of one type operate. What each of these functions does
//! with the lock is said here, and nowhere else. Names are those of symbols, so they are of the versions that are
//! named; with others nothing is recognised, and nothing wrong is said.

use Does::{Gives, Looks, Takes, Tries};
use Way::{Alone, Reading, Upgradable};

/// How a thread uses a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Alone.
    Alone,
    /// Together with others that read.
    Reading,
    /// Together with those that read, and it may be alone later.
    Upgradable,
}

impl Way {
    /// In words, for locks that can be used in several ways.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Alone => "for writing",
            Self::Reading => "for reading",
            Self::Upgradable => "for reading, upgradable",
        }
    }
}

/// What a function does with its lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    /// Takes it, and waits for as long as it has to.
    Takes(Way),
    /// Takes it if it is free.
    Tries(Way),
    /// Gives it back.
    Gives(Way),
    /// Looks at it.
    Looks,
}

/// A kind of lock.
pub(super) struct Library {
    /// As people call it.
    pub(super) kind: &'static str,
    /// The types whose functions operate on the atomic, by their whole paths without parameters.
    pub(super) types: &'static [&'static str],
    /// Whether it can be used in several ways.
    pub(super) ways: Ways,
    /// The functions. Of others nothing is known, and so nothing of a lock on which they were called.
    pub(super) functions: &'static [(&'static str, Does)],
}

/// Whether a lock can be used in several ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ways {
    One,
    Several,
}

/// All of them.
pub(super) const LIBRARIES: [Library; 2] = [
    // parking_lot 0.12.
    Library {
        kind: "parking_lot Mutex",
        types: &["parking_lot::raw_mutex::RawMutex"],
        ways: Ways::One,
        functions: &[
            ("lock", Takes(Alone)),
            ("try_lock", Tries(Alone)),
            ("unlock", Gives(Alone)),
            ("unlock_fair", Gives(Alone)),
            ("is_locked", Looks),
            ("mark_parked", Looks),
            ("mark_parked_if_locked", Looks),
        ],
    },
    Library {
        kind: "parking_lot RwLock",
        types: &["parking_lot::raw_rwlock::RawRwLock"],
        ways: Ways::Several,
        functions: &[
            ("lock_exclusive", Takes(Alone)),
            ("try_lock_exclusive", Tries(Alone)),
            ("unlock_exclusive", Gives(Alone)),
            ("unlock_exclusive_fair", Gives(Alone)),
            ("lock_shared", Takes(Reading)),
            ("lock_shared_recursive", Takes(Reading)),
            ("try_lock_shared", Tries(Reading)),
            ("try_lock_shared_recursive", Tries(Reading)),
            ("unlock_shared", Gives(Reading)),
            ("unlock_shared_fair", Gives(Reading)),
            ("lock_upgradable", Takes(Upgradable)),
            ("try_lock_upgradable", Tries(Upgradable)),
            ("unlock_upgradable", Gives(Upgradable)),
            ("unlock_upgradable_fair", Gives(Upgradable)),
            ("is_locked", Looks),
            ("is_locked_exclusive", Looks),
        ],
    },
];

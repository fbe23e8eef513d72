//! Which stops can be left out: what earlier executions have taught.
//!
//! An operation on an object that no other thread ever touches commutes with everything that
//! other threads do, so stopping before it only adds noise to the search. Whether an object is
//! private can not be known at its first use, but objects of an earlier execution that were first
//! used by the same thread at the same site are a good guide, and a wrong guess costs nothing but
//! time: another thread that does touch the object is not held back, and from the moment it does,
//! all such objects count as shared. (Every interleaving in which somebody else touches the
//! object is reached without a stop at the private operations before, because those commute.)
//!
//! In the same way a thread need not stop before it gives a lock back, unless somebody tries locks
//! without waiting: nobody else could tell the difference.

use rustc_hash::FxHashMap;
use selvedge_model::Site;
use serde::{Deserialize, Serialize};

/// Identifies objects across executions: the site and the thread of their first use.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Origin {
    /// Where it lies in memory.
    site: usize,
    thread: u64,
}

/// What is known of an object.
#[derive(Clone, Copy)]
pub(crate) enum Sharing {
    /// Used by one thread in every execution so far: no need to stop before operations on it.
    Private { origin: u32 },
    /// Nothing is known yet.
    Unknown { origin: u32 },
    /// Used by several threads.
    Shared,
}

/// What is known of the objects of one origin.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Seen {
    /// Always private, since the execution with this number.
    PrivateSince(u32),
    Shared,
}

/// What earlier executions have taught. Only ever looked up, never iterated.
#[derive(Default)]
pub(crate) struct Knowledge {
    index: FxHashMap<Origin, u32>,
    /// The origins in the order of their numbers.
    origins: Vec<Origin>,
    seen: Vec<Seen>,
    /// Whether anybody has ever asked for a lock without waiting for it.
    tries: Asked,
    /// Whether anybody has ever asked if a thread has ended.
    asks_ended: Asked,
    usage: Usage,
    version: u64,
}

/// What an execution in a child has taught.
#[derive(Serialize, Deserialize)]
pub(crate) struct Learned {
    /// Site and thread of each origin. A child has its sites at the same addresses, which are only
    /// ever compared.
    origins: Vec<(usize, u64)>,
    seen: Vec<Seen>,
    tries: Asked,
    asks_ended: Asked,
    version: u64,
}

/// Whether a question was ever asked.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Asked {
    #[default]
    Never,
    Once,
}

/// Whether the knowledge is put to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Usage {
    /// Stops before private operations are left out.
    #[default]
    SkipPrivate,
    /// Every operation is a stop; for replay and for exact enumeration.
    StopAlways,
}

impl Knowledge {
    pub(crate) fn set_usage(&mut self, usage: Usage) {
        self.usage = usage;
    }

    /// What is known of an object that is used for the first time in the given execution.
    pub(crate) fn of_new_object(&mut self, site: Site, thread: u64, epoch: u32) -> Sharing {
        if self.usage == Usage::StopAlways {
            return Sharing::Shared;
        }
        let origin = Origin { site: site.address(), thread };
        let index = *self.index.entry(origin).or_insert_with(|| {
            self.origins.push(origin);
            self.seen.push(Seen::PrivateSince(epoch));
            self.version += 1;
            self.seen.len() as u32 - 1
        });
        match self.seen[index as usize] {
            Seen::PrivateSince(since) if since == epoch => Sharing::Unknown { origin: index },
            // A second thread may still come; until then the object is taken for private.
            Seen::PrivateSince(_) => Sharing::Private { origin: index },
            Seen::Shared => Sharing::Shared,
        }
    }

    /// An object turned out to be used by more than one thread.
    #[cold]
    pub(crate) fn is_shared(&mut self, origin: u32) {
        self.seen[origin as usize] = Seen::Shared;
        self.version += 1;
    }

    /// Whether no stop is left out.
    pub(crate) fn stops_always(&self) -> bool {
        self.usage == Usage::StopAlways
    }

    /// Changes whenever something was learned that changes where threads stop.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// All that is known, if anything was learned since that version.
    pub(crate) fn learned_since(&self, version: u64) -> Option<Learned> {
        (self.version != version).then(|| Learned {
            origins: self.origins.iter().map(|origin| (origin.site, origin.thread)).collect(),
            seen: self.seen.clone(),
            tries: self.tries,
            asks_ended: self.asks_ended,
            version: self.version,
        })
    }

    /// Takes over what a child has learned, which knew all that is known here.
    pub(crate) fn learn(&mut self, learned: Learned) {
        for &(site, thread) in &learned.origins[self.origins.len()..] {
            let origin = Origin { site, thread };
            self.index.insert(origin, self.origins.len() as u32);
            self.origins.push(origin);
        }
        self.seen = learned.seen;
        self.tries = learned.tries;
        self.asks_ended = learned.asks_ended;
        self.version = learned.version;
    }

    /// Somebody tries a lock. Only such a thread can tell a lock that is about to be given back
    /// from one that has been.
    #[inline]
    pub(crate) fn tries(&mut self) {
        if self.tries == Asked::Never {
            self.tries = Asked::Once;
            self.version += 1;
        }
    }

    /// Whether a thread has to stop before it gives a lock back.
    #[inline]
    pub(crate) fn stops_before_unlock(&self) -> bool {
        self.tries == Asked::Once || self.usage == Usage::StopAlways
    }

    /// Somebody asks if a thread has ended, without waiting for it.
    pub(crate) fn asks_ended(&mut self) {
        if self.asks_ended == Asked::Never {
            self.asks_ended = Asked::Once;
            self.version += 1;
        }
    }

    /// Whether a thread has to stop before it ends.
    #[inline]
    pub(crate) fn stops_before_end(&self) -> bool {
        self.asks_ended == Asked::Once || self.usage == Usage::StopAlways
    }
}

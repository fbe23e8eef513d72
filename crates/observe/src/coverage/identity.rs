//! Who is who in all executions: from the numbers of one execution to identities of a campaign.
//!
//! Source: Z. Letko, *Analysis and Testing of Concurrent Programs* (2012), section 3.4.
//!
//! Deviations: (1) an object is made at the place of the call of its constructor in the user's code;
//! one that does not remember that (an atomic, memory) is known by the place of its first use in the
//! execution. (2) The type of a thread is the place where it was spawned. (3) The real identity of an
//! object is its origin and which of those with this origin it is, by first use, so that it means
//! something in other executions, too. (4) Of a thread's operations the places are hashed, not the
//! functions.

use super::fact::{FIRST_WORD, NONE, SiteNumber};
use super::sites::Sites;
use rustc_hash::FxHashMap;
use selvedge_model::{
    Identity, Named, NamedObject, NamedThread, ObjectKind, Record, Site, Spot, ThreadInfo,
};

/// An object, at some level of identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ObjectKey {
    /// Nothing for plain memory.
    kind: Option<ObjectKind>,
    origin: Option<SiteNumber>,
    number: Option<u32>,
}

/// A thread, at some level of identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ThreadKey {
    spawned: Option<Site>,
    mark: Option<u64>,
}

/// What the threads of an execution did first.
#[derive(Default)]
pub(crate) struct Beginnings {
    /// How many places are looked at.
    length: u32,
    threads: Vec<(u32, u64)>,
}

impl Beginnings {
    pub(crate) fn new(length: u32) -> Self {
        Self { length, threads: Vec::new() }
    }

    pub(crate) fn begin(&mut self) {
        self.threads.clear();
    }

    /// A thread was at a place.
    #[inline]
    pub(crate) fn visit(&mut self, thread: u32, site: Site) {
        let index = thread as usize;
        if self.threads.len() <= index {
            self.threads.resize(index + 1, (0, 0));
        }
        let (visited, hash) = &mut self.threads[index];
        if *visited < self.length {
            *visited += 1;
            *hash = mix(*hash, site);
        }
    }

    fn mark(&self, thread: u32) -> u64 {
        self.threads.get(thread as usize).map_or(0, |&(_, hash)| hash)
    }
}

/// A hash that is the same in every run: of the text of the place, not of where it lies.
fn mix(hash: u64, site: Site) -> u64 {
    let location = site.location();
    let step = |hash: u64, value: u64| (hash ^ value).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = location.file().bytes().fold(hash ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
        step(hash, u64::from(byte))
    });
    step(step(hash, u64::from(location.line())), u64::from(location.column()))
}

/// The identities that metrics of one level use.
pub(crate) struct Identities {
    level: Identity,
    object_numbers: FxHashMap<ObjectKey, u32>,
    object_keys: Vec<ObjectKey>,
    thread_numbers: FxHashMap<ThreadKey, u32>,
    thread_keys: Vec<ThreadKey>,
    /// Of the current execution: what is known already.
    objects: Vec<u32>,
    words: Vec<u32>,
    threads: Vec<u32>,
    /// How many objects there were of each origin; only if these are told apart.
    counts: FxHashMap<(Option<ObjectKind>, Option<SiteNumber>), u32>,
}

impl Identities {
    pub(crate) fn new(level: Identity) -> Self {
        Self {
            level,
            object_numbers: FxHashMap::default(),
            object_keys: Vec::new(),
            thread_numbers: FxHashMap::default(),
            thread_keys: Vec::new(),
            objects: Vec::new(),
            words: Vec::new(),
            threads: Vec::new(),
            counts: FxHashMap::default(),
        }
    }

    pub(crate) fn level(&self) -> Identity {
        self.level
    }

    /// An execution is over; its objects and threads are looked up from now on.
    pub(crate) fn begin(&mut self, world: &World<'_>, sites: &mut Sites) {
        self.objects.clear();
        self.words.clear();
        self.threads.clear();
        self.counts.clear();
        if self.level == Identity::Real {
            // In the order of first use, which is that of the numbers.
            let objects = 0..world.record.objects.len() as u32;
            let words = (0..world.words.len() as u32).map(|word| FIRST_WORD + word);
            for object in objects.chain(words) {
                self.object(object, world, sites);
            }
        }
    }

    /// The identity of an object.
    pub(crate) fn object(&mut self, object: u32, world: &World<'_>, sites: &mut Sites) -> u32 {
        if object == NONE || self.level == Identity::None {
            return NONE;
        }
        let (known, index) = match object < FIRST_WORD {
            true => (&mut self.objects, object as usize),
            false => (&mut self.words, (object - FIRST_WORD) as usize),
        };
        if known.len() <= index {
            known.resize(index + 1, NONE);
        }
        if known[index] != NONE {
            return known[index];
        }
        let (kind, origin) = world.origin(object, sites);
        let mut key = ObjectKey { kind, origin: Some(origin), number: None };
        match self.level {
            Identity::Type => key.origin = None,
            Identity::Real => {
                let count = self.counts.entry((kind, key.origin)).or_insert(0);
                *count += 1;
                key.number = Some(*count);
            }
            Identity::Abstract | Identity::None => {}
        }
        let keys = &mut self.object_keys;
        let number = *self.object_numbers.entry(key).or_insert_with(|| {
            keys.push(key);
            (keys.len() - 1) as u32
        });
        let known = if object < FIRST_WORD { &mut self.objects } else { &mut self.words };
        known[index] = number;
        number
    }

    /// The identity of a thread.
    pub(crate) fn thread(&mut self, thread: u32, world: &World<'_>) -> u32 {
        if thread == NONE || self.level == Identity::None {
            return NONE;
        }
        let index = thread as usize;
        if self.threads.len() <= index {
            self.threads.resize(index + 1, NONE);
        }
        if self.threads[index] != NONE {
            return self.threads[index];
        }
        let ThreadInfo { spawned, key, .. } = world.record.threads[index];
        let mark = match self.level {
            Identity::Real => Some(key),
            Identity::Abstract => Some(world.beginnings.mark(thread)),
            Identity::Type | Identity::None => None,
        };
        let key = ThreadKey { spawned, mark };
        let keys = &mut self.thread_keys;
        let number = *self.thread_numbers.entry(key).or_insert_with(|| {
            keys.push(key);
            (keys.len() - 1) as u32
        });
        self.threads[index] = number;
        number
    }

    /// An object, for people.
    pub(crate) fn named_object(&self, number: u32, sites: &Sites) -> Named {
        if number == NONE {
            return Named::Nothing;
        }
        let ObjectKey { kind, origin, number } = self.object_keys[number as usize];
        let origin = origin.map(|origin| sites.place(origin));
        Named::Object(NamedObject { kind, origin, number })
    }

    /// A thread, for people.
    pub(crate) fn named_thread(&self, number: u32) -> Named {
        if number == NONE {
            return Named::Nothing;
        }
        let ThreadKey { spawned, mark } = self.thread_keys[number as usize];
        // There is only one thread that nobody spawned, whatever it does.
        let mark = mark.filter(|_| spawned.is_some());
        Named::Thread(NamedThread { spawned: spawned.map(Site::source), mark })
    }
}

/// What an execution was made of.
pub(crate) struct World<'a> {
    pub(crate) record: &'a Record<'a>,
    /// Where each word of memory was accessed first.
    pub(crate) words: &'a [SiteNumber],
    pub(crate) beginnings: &'a Beginnings,
}

impl World<'_> {
    fn origin(&self, object: u32, sites: &mut Sites) -> (Option<ObjectKind>, SiteNumber) {
        if object >= FIRST_WORD {
            return (None, self.words[(object - FIRST_WORD) as usize]);
        }
        let info = self.record.objects[object as usize];
        let spot = Spot::Line(info.created.unwrap_or(info.first));
        (Some(info.kind), sites.of_spot(spot))
    }
}

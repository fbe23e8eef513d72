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
    Identity, Named, NamedObject, NamedThread, ObjectInfo, ObjectKind, Place, Record, Site, Spot,
    ThreadInfo,
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

/// The identities that metrics of one level use.
pub(crate) struct Identities {
    level: Identity,
    object_numbers: FxHashMap<ObjectKey, u32>,
    object_keys: Vec<ObjectKey>,
    thread_numbers: FxHashMap<ThreadKey, u32>,
    thread_keys: Vec<ThreadKey>,
    /// The object with each number, as it was in some execution, and its identity: mostly it is the
    /// same one in all of them. Not if objects are counted.
    known: Vec<(ObjectInfo, u32)>,
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
            known: Vec::new(),
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
        if self.level != Identity::Real
            && let Some(number) = self.recognise(object, world)
        {
            return number;
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
        let number = self.number_of_object_key(key);
        let known = if object < FIRST_WORD { &mut self.objects } else { &mut self.words };
        known[index] = number;
        self.remember(object, number, world);
        number
    }

    /// The identity of an object that was the same in an earlier execution.
    fn recognise(&self, object: u32, world: &World<'_>) -> Option<u32> {
        let &(info, number) = self.known.get(object as usize)?;
        let now = world.record.objects.get(object as usize)?;
        let same = info.kind == now.kind && info.created == now.created && info.first == now.first;
        same.then_some(number).filter(|&number| number != NONE)
    }

    fn remember(&mut self, object: u32, number: u32, world: &World<'_>) {
        let Some(&info) = world.record.objects.get(object as usize) else { return };
        let index = object as usize;
        if self.known.len() <= index {
            self.known.resize(index + 1, (info, NONE));
        }
        self.known[index] = (info, number);
    }

    /// The identity of a thread.
    pub(crate) fn thread(&mut self, thread: u32, world: &World<'_>, sites: &mut Sites) -> u32 {
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
            // There is only one thread that nobody spawned, whatever it does.
            _ if spawned.is_none() => None,
            Identity::Real => Some(key),
            Identity::Abstract => Some(world.beginning(thread, sites)),
            Identity::Type | Identity::None => None,
        };
        let number = self.number_of_thread_key(ThreadKey { spawned, mark });
        self.threads[index] = number;
        number
    }

    fn number_of_object_key(&mut self, key: ObjectKey) -> u32 {
        let keys = &mut self.object_keys;
        *self.object_numbers.entry(key).or_insert_with(|| {
            keys.push(key);
            (keys.len() - 1) as u32
        })
    }

    fn number_of_thread_key(&mut self, key: ThreadKey) -> u32 {
        let keys = &mut self.thread_keys;
        *self.thread_numbers.entry(key).or_insert_with(|| {
            keys.push(key);
            (keys.len() - 1) as u32
        })
    }

    /// The identity of an object that comes from elsewhere by name.
    pub(crate) fn number_of_object(&mut self, object: &NamedObject, sites: &mut Sites) -> u32 {
        let NamedObject { kind, ref origin, number } = *object;
        let origin = origin.as_ref().map(|origin| sites.of_place(origin));
        self.number_of_object_key(ObjectKey { kind, origin, number })
    }

    /// The identity of a thread that comes from elsewhere by name.
    pub(crate) fn number_of_thread(&mut self, thread: &NamedThread, sites: &mut Sites) -> u32 {
        let NamedThread { ref spawned, mark } = *thread;
        let spawned = spawned.as_ref().and_then(|spawned| {
            let number = sites.of_place(&Place::Line(spawned.clone()));
            match sites.spot(number) {
                Spot::Line(site) => Some(site),
                Spot::Code(_) => None,
            }
        });
        self.number_of_thread_key(ThreadKey { spawned, mark })
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
        Named::Thread(NamedThread { spawned: spawned.map(Site::source), mark })
    }
}

/// What an execution was made of.
pub(crate) struct World<'a> {
    pub(crate) record: &'a Record<'a>,
    /// Where each word of memory was accessed first.
    pub(crate) words: &'a [SiteNumber],
    /// How many places at the beginning of a thread make up its abstract identity.
    pub(crate) thread_sites: usize,
}

impl World<'_> {
    /// What a thread did first, as a number: the same for the same places in the same order.
    fn beginning(&self, thread: u32, sites: &mut Sites) -> u64 {
        let own = self.record.events.iter().filter(|event| event.thread.0 == thread);
        own.take(self.thread_sites).fold(0, |hash: u64, event| {
            let site = sites.of_site(event.operation.site);
            (hash.rotate_left(7) ^ sites.mark(site)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }

    fn origin(&self, object: u32, sites: &mut Sites) -> (Option<ObjectKind>, SiteNumber) {
        if object >= FIRST_WORD {
            return (None, self.words[(object - FIRST_WORD) as usize]);
        }
        let info = self.record.objects[object as usize];
        let spot = Spot::Line(info.created.unwrap_or(info.first));
        (Some(info.kind), sites.of_spot(spot))
    }
}

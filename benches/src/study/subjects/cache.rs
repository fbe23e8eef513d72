//! A cache with a bound: entries, the order in which they were used, and statistics, each behind a
//! lock of its own, and loads that only one thread does for a key.

use selvedge::sync::{Arc, Condvar, Mutex};
use selvedge::thread;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const CAPACITY: usize = 3;

#[derive(Default)]
struct Stats {
    hits: u32,
    misses: u32,
    evicted: u32,
}

/// Locks are taken in the order of the fields.
#[derive(Default)]
pub(crate) struct Cache {
    entries: Mutex<BTreeMap<u32, u32>>,
    used: Mutex<VecDeque<u32>>,
    stats: Mutex<Stats>,
    loading: Mutex<BTreeSet<u32>>,
    loaded: Condvar,
}

impl Cache {
    pub(crate) fn get(&self, key: u32) -> Option<u32> {
        let entries = self.entries.lock().unwrap();
        let found = entries.get(&key).copied();
        let mut used = self.used.lock().unwrap();
        used.retain(|&at| at != key);
        if found.is_some() {
            used.push_back(key);
        }
        drop(used);
        drop(entries);
        let mut stats = self.stats.lock().unwrap();
        match found {
            Some(_) => stats.hits += 1,
            None => stats.misses += 1,
        }
        found
    }

    /// Looks without counting as a use.
    pub(crate) fn peek(&self, key: u32) -> Option<u32> {
        self.entries.lock().unwrap().get(&key).copied()
    }

    pub(crate) fn put(&self, key: u32, value: u32) {
        let mut entries = self.entries.lock().unwrap();
        entries.insert(key, value);
        let mut used = self.used.lock().unwrap();
        used.retain(|&at| at != key);
        used.push_back(key);
        let mut evicted = 0;
        while used.len() > CAPACITY {
            if let Some(oldest) = used.pop_front() {
                entries.remove(&oldest);
                evicted += 1;
            }
        }
        drop(used);
        drop(entries);
        self.stats.lock().unwrap().evicted += evicted;
    }

    pub(crate) fn update(&self, key: u32, amount: u32) {
        if let Some(value) = self.entries.lock().unwrap().get_mut(&key) {
            *value += amount;
        }
    }

    pub(crate) fn remove(&self, key: u32) -> bool {
        let mut entries = self.entries.lock().unwrap();
        self.used.lock().unwrap().retain(|&at| at != key);
        entries.remove(&key).is_some()
    }

    pub(crate) fn contains(&self, key: u32) -> bool {
        self.entries.lock().unwrap().contains_key(&key)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.lock().unwrap().len()
    }

    pub(crate) fn keys(&self) -> Vec<u32> {
        self.entries.lock().unwrap().keys().copied().collect()
    }

    pub(crate) fn oldest(&self) -> Option<u32> {
        self.used.lock().unwrap().front().copied()
    }

    pub(crate) fn newest(&self) -> Option<u32> {
        self.used.lock().unwrap().back().copied()
    }

    /// Moves a key to the end that is evicted first.
    pub(crate) fn age(&self, key: u32) {
        let mut used = self.used.lock().unwrap();
        if let Some(at) = used.iter().position(|&at| at == key) {
            used.remove(at);
            used.push_front(key);
        }
    }

    pub(crate) fn evict_oldest(&self) {
        let mut entries = self.entries.lock().unwrap();
        let oldest = self.used.lock().unwrap().pop_front();
        if let Some(oldest) = oldest {
            entries.remove(&oldest);
        }
        drop(entries);
        self.stats.lock().unwrap().evicted += u32::from(oldest.is_some());
    }

    pub(crate) fn clear(&self) {
        let mut entries = self.entries.lock().unwrap();
        self.used.lock().unwrap().clear();
        entries.clear();
    }

    pub(crate) fn hit_rate(&self) -> f64 {
        let stats = self.stats.lock().unwrap();
        f64::from(stats.hits) / f64::from((stats.hits + stats.misses).max(1))
    }

    pub(crate) fn evicted(&self) -> u32 {
        self.stats.lock().unwrap().evicted
    }

    pub(crate) fn reset_stats(&self) {
        *self.stats.lock().unwrap() = Stats::default();
    }

    /// One thread loads; others that want the same key wait for it.
    pub(crate) fn load(&self, key: u32) {
        let mut loading = self.loading.lock().unwrap();
        if loading.insert(key) {
            drop(loading);
            self.put(key, key * 10);
            self.loading.lock().unwrap().remove(&key);
            self.loaded.notify_all();
            return;
        }
        while loading.contains(&key) {
            loading = self.loaded.wait(loading).unwrap();
        }
    }

    pub(crate) fn is_loading(&self) -> bool {
        !self.loading.lock().unwrap().is_empty()
    }

    /// Entries and uses name the same keys.
    fn is_consistent(&self) -> bool {
        let entries = self.entries.lock().unwrap();
        let used = self.used.lock().unwrap();
        entries.len() == used.len() && used.iter().all(|key| entries.contains_key(key))
    }
}

/// What each of ten threads does.
const THREADS: [&[fn(&Cache)]; 10] = [
    &[|cache| cache.put(1, 1), |cache| _ = cache.get(2), |cache| _ = cache.oldest()],
    &[|cache| cache.load(4), |cache| _ = cache.hit_rate(), |cache| cache.age(4)],
    &[|cache| cache.load(4), |cache| _ = cache.newest(), |cache| _ = cache.peek(4)],
    &[|cache| _ = cache.get(1), |cache| cache.update(1, 5), |cache| _ = cache.evicted()],
    &[|cache| _ = cache.remove(2), |cache| cache.evict_oldest(), |cache| _ = cache.keys()],
    &[|cache| _ = cache.contains(1), |cache| cache.put(2, 2), |cache| _ = cache.len()],
    &[|cache| cache.clear(), |cache| cache.load(5), |cache| _ = cache.is_loading()],
    &[|cache| cache.reset_stats(), |cache| _ = cache.get(5), |cache| cache.age(1)],
    &[|cache| _ = cache.evicted(), |cache| cache.put(3, 3), |cache| _ = cache.hit_rate()],
    &[|cache| _ = cache.keys(), |cache| cache.evict_oldest(), |cache| _ = cache.get(3)],
];

pub(crate) fn test() {
    let cache = Arc::new(Cache::default());
    cache.put(1, 1);
    cache.put(2, 2);
    let threads = THREADS.map(|methods| {
        let cache = Arc::clone(&cache);
        thread::spawn(move || methods.iter().for_each(|method| method(&cache)))
    });
    for thread in threads {
        thread.join().expect("no thread of a correct test panics");
    }
    assert!(cache.is_consistent());
    assert!(cache.len() <= CAPACITY);
    assert!(!cache.is_loading());
}

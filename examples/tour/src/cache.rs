//! A cache of the values that were used most recently.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Mutex;

/// Keeps a number of values and forgets the one that nobody has used for longest.
#[derive(Debug)]
pub struct Cache<K, V> {
    capacity: usize,
    values: Mutex<HashMap<K, V>>,
    /// The keys of all values, the one that was used last at the end.
    recent: Mutex<VecDeque<K>>,
}

impl<K: Clone + Eq + Hash, V: Clone> Cache<K, V> {
    /// A cache for so many values.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, values: Mutex::default(), recent: Mutex::default() }
    }

    /// The value of a key, if it is still there.
    pub fn get(&self, key: &K) -> Option<V> {
        let values = self.values.lock().unwrap();
        let value = values.get(key)?.clone();
        self.touch(key);
        Some(value)
    }

    /// Keeps a value, and forgets another one if there is no room.
    pub fn insert(&self, key: K, value: V) {
        let mut recent = self.recent.lock().unwrap();
        recent.retain(|other| *other != key);
        if recent.len() == self.capacity
            && let Some(oldest) = recent.pop_front()
        {
            self.values.lock().unwrap().remove(&oldest);
        }
        recent.push_back(key.clone());
        self.values.lock().unwrap().insert(key, value);
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.values.lock().unwrap().len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes a key the one that was used last.
    fn touch(&self, key: &K) {
        let mut recent = self.recent.lock().unwrap();
        if let Some(position) = recent.iter().position(|other| other == key)
            && let Some(key) = recent.remove(position)
        {
            recent.push_back(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn a_value_stays_until_there_is_no_room() {
        let cache = Cache::new(2);
        cache.insert("a", 1);
        cache.insert("b", 2);
        assert_eq!(cache.get(&"a"), Some(1));
        cache.insert("c", 3);
        assert_eq!(cache.get(&"b"), None);
        assert_eq!((cache.get(&"a"), cache.get(&"c")), (Some(1), Some(3)));
    }

    #[test]
    fn a_key_has_one_value() {
        let cache = Cache::new(2);
        cache.insert("a", 1);
        cache.insert("a", 2);
        assert_eq!(cache.get(&"a"), Some(2));
        assert_eq!(cache.len(), 1);
    }

    #[test]
    fn a_hit_and_an_insertion_at_the_same_time() {
        let cache = Cache::new(2);
        cache.insert("home", 200);
        thread::scope(|scope| {
            let reader = scope.spawn(|| cache.get(&"home"));
            cache.insert("about", 200);
            assert_eq!(reader.join().unwrap(), Some(200));
        });
        assert_eq!(cache.len(), 2);
    }
}

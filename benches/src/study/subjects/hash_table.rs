//! A hash table in stripes, each behind a lock of its own, and a count behind another one.

use selvedge::sync::Mutex;
use std::collections::HashMap;

const STRIPES: usize = 3;

type Stripe = Mutex<HashMap<u32, u32>>;

#[derive(Default)]
pub(crate) struct HashTable {
    stripes: [Stripe; STRIPES],
    /// How many entries there are. Its lock is taken while that of a stripe is held.
    count: Mutex<usize>,
}

impl HashTable {
    fn stripe(&self, key: u32) -> &Stripe {
        &self.stripes[key as usize % STRIPES]
    }

    pub(crate) fn insert(&self, key: u32, value: u32) {
        let mut stripe = self.stripe(key).lock().unwrap();
        if stripe.insert(key, value).is_none() {
            *self.count.lock().unwrap() += 1;
        }
    }

    pub(crate) fn insert_if_absent(&self, key: u32, value: u32) {
        let mut stripe = self.stripe(key).lock().unwrap();
        let mut count = self.count.lock().unwrap();
        stripe.entry(key).or_insert_with(|| {
            *count += 1;
            value
        });
    }

    pub(crate) fn remove(&self, key: u32) -> Option<u32> {
        let mut stripe = self.stripe(key).lock().unwrap();
        let mut count = self.count.lock().unwrap();
        let removed = stripe.remove(&key);
        *count -= usize::from(removed.is_some());
        removed
    }

    pub(crate) fn replace(&self, key: u32, value: u32) {
        if let Some(place) = self.stripe(key).lock().unwrap().get_mut(&key) {
            *place = value;
        }
    }

    pub(crate) fn add(&self, key: u32, amount: u32) {
        if let Some(place) = self.stripe(key).lock().unwrap().get_mut(&key) {
            *place += amount;
        }
    }

    pub(crate) fn get(&self, key: u32) -> Option<u32> {
        self.stripe(key).lock().unwrap().get(&key).copied()
    }

    pub(crate) fn get_or(&self, key: u32, otherwise: u32) -> u32 {
        self.stripe(key).lock().unwrap().get(&key).copied().unwrap_or(otherwise)
    }

    pub(crate) fn contains_key(&self, key: u32) -> bool {
        self.stripe(key).lock().unwrap().contains_key(&key)
    }

    pub(crate) fn len(&self) -> usize {
        *self.count.lock().unwrap()
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self.count.lock().unwrap() == 0
    }

    /// One stripe after the other.
    pub(crate) fn contains_value(&self, value: u32) -> bool {
        let holds = |stripe: &Stripe| stripe.lock().unwrap().values().any(|&at| at == value);
        self.stripes.iter().filter(|stripe| holds(stripe)).count() > 0
    }

    pub(crate) fn keys(&self) -> Vec<u32> {
        let keys = |stripe: &Stripe| stripe.lock().unwrap().keys().copied().collect::<Vec<_>>();
        self.stripes.iter().flat_map(keys).collect()
    }

    pub(crate) fn values(&self) -> Vec<u32> {
        let values = |stripe: &Stripe| stripe.lock().unwrap().values().copied().collect::<Vec<_>>();
        self.stripes.iter().flat_map(values).collect()
    }

    /// All stripes at once.
    pub(crate) fn snapshot(&self) -> (usize, usize) {
        let stripes: Vec<_> = self.stripes.iter().map(|stripe| stripe.lock().unwrap()).collect();
        let entries = stripes.iter().map(|stripe| stripe.len()).sum();
        (entries, *self.count.lock().unwrap())
    }

    pub(crate) fn clear(&self) {
        let mut stripes: Vec<_> =
            self.stripes.iter().map(|stripe| stripe.lock().unwrap()).collect();
        stripes.iter_mut().for_each(|stripe| stripe.clear());
        *self.count.lock().unwrap() = 0;
    }

    pub(crate) fn double_all(&self) {
        for stripe in &self.stripes {
            stripe.lock().unwrap().values_mut().for_each(|value| *value *= 2);
        }
    }
}

/// Every method once.
pub(crate) const METHODS: [fn(&HashTable); 20] = [
    |table| table.insert_if_absent(0, 5),
    |table| _ = table.remove(1),
    |table| table.replace(2, 7),
    |table| table.add(0, 1),
    |table| _ = table.get(1),
    |table| _ = table.get_or(2, 9),
    |table| _ = table.contains_key(0),
    |table| assert!(table.len() <= 6),
    |table| _ = table.is_empty(),
    |table| _ = table.contains_value(1),
    |table| assert!(table.keys().len() <= 6),
    |table| assert!(table.values().len() <= 6),
    |table| {
        let (entries, count) = table.snapshot();
        assert_eq!(entries, count, "the count differs from what is there");
    },
    |table| table.clear(),
    |table| table.double_all(),
    |table| table.insert_if_absent(3, 1),
    |table| _ = table.get(3),
    |table| table.insert_if_absent(4, 2),
    |table| _ = table.remove(4),
    |table| _ = table.contains_key(5),
];

/// As many threads as the seed's test of a hash table has, one method each.
pub(crate) const FEW: [fn(&HashTable); 5] =
    [METHODS[0], METHODS[1], METHODS[3], METHODS[12], METHODS[14]];

pub(crate) fn make() -> HashTable {
    let table = HashTable::default();
    for key in 0..3 {
        table.insert(key, key);
    }
    table
}

/// The count is that of what is there.
pub(crate) fn check(table: &HashTable) {
    let (entries, count) = table.snapshot();
    assert_eq!(entries, count);
}

//! A hash set behind a lock for many readers.

use super::crew::Both;
use selvedge::sync::RwLock;
use std::collections::HashSet as Items;

#[derive(Default)]
pub(crate) struct HashSet {
    items: RwLock<Items<u32>>,
}

impl HashSet {
    pub(crate) fn of(items: impl IntoIterator<Item = u32>) -> Self {
        Self { items: RwLock::new(items.into_iter().collect()) }
    }

    pub(crate) fn insert(&self, item: u32) -> bool {
        self.items.write().unwrap().insert(item)
    }

    pub(crate) fn replace(&self, item: u32) -> Option<u32> {
        self.items.write().unwrap().replace(item)
    }

    pub(crate) fn remove(&self, item: u32) -> bool {
        self.items.write().unwrap().remove(&item)
    }

    pub(crate) fn take(&self, item: u32) -> Option<u32> {
        self.items.write().unwrap().take(&item)
    }

    pub(crate) fn clear(&self) {
        self.items.write().unwrap().clear();
    }

    pub(crate) fn drain(&self) -> Vec<u32> {
        self.items.write().unwrap().drain().collect()
    }

    pub(crate) fn retain_even(&self) {
        self.items.write().unwrap().retain(|item| item % 2 == 0);
    }

    pub(crate) fn shrink(&self) {
        self.items.write().unwrap().shrink_to_fit();
    }

    pub(crate) fn reserve(&self, more: usize) {
        self.items.write().unwrap().reserve(more);
    }

    pub(crate) fn contains(&self, item: u32) -> bool {
        self.items.read().unwrap().contains(&item)
    }

    pub(crate) fn get(&self, item: u32) -> Option<u32> {
        self.items.read().unwrap().get(&item).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.items.read().unwrap().len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.read().unwrap().is_empty()
    }

    pub(crate) fn capacity(&self) -> usize {
        self.items.read().unwrap().capacity()
    }

    pub(crate) fn sum(&self) -> u32 {
        self.items.read().unwrap().iter().sum()
    }

    pub(crate) fn to_vec(&self) -> Vec<u32> {
        self.items.read().unwrap().iter().copied().collect()
    }

    /// Adds what is in the other set; its lock is taken while this one's is held.
    pub(crate) fn add_all(&self, other: &Self) {
        let mut items = self.items.write().unwrap();
        items.extend(other.to_vec());
    }

    pub(crate) fn remove_all(&self, other: &Self) {
        let mut items = self.items.write().unwrap();
        for item in other.to_vec() {
            items.remove(&item);
        }
    }

    pub(crate) fn is_subset(&self, other: &Self) -> bool {
        let items = self.items.read().unwrap();
        items.is_subset(&other.items.read().unwrap())
    }

    pub(crate) fn is_disjoint(&self, other: &Self) -> bool {
        let items = self.items.read().unwrap();
        items.is_disjoint(&other.items.read().unwrap())
    }

    pub(crate) fn union_len(&self, other: &Self) -> usize {
        let items = self.items.read().unwrap();
        items.union(&other.items.read().unwrap()).count()
    }
}

/// Every method once. Bulk methods go from the left set to the right one, never back.
pub(crate) const METHODS: [fn(&Both<HashSet>); 21] = [
    |sets| _ = sets.left.insert(1),
    |sets| _ = sets.left.replace(2),
    |sets| _ = sets.left.remove(1),
    |sets| _ = sets.left.take(2),
    |sets| sets.left.clear(),
    |sets| _ = sets.left.drain(),
    |sets| sets.left.retain_even(),
    |sets| sets.left.shrink(),
    |sets| sets.left.reserve(4),
    |sets| _ = sets.left.contains(1),
    |sets| _ = sets.left.get(2),
    |sets| assert!(sets.left.len() <= 5),
    |sets| _ = sets.left.is_empty(),
    |sets| _ = sets.left.capacity(),
    |sets| assert!(sets.left.sum() <= 15),
    |sets| _ = sets.left.to_vec(),
    |sets| sets.left.add_all(&sets.right),
    |sets| sets.left.remove_all(&sets.right),
    |sets| _ = sets.left.is_subset(&sets.right),
    |sets| _ = sets.left.is_disjoint(&sets.right),
    |sets| assert!(sets.left.union_len(&sets.right) <= 5),
];

pub(crate) fn make() -> Both<HashSet> {
    Both { left: HashSet::of([1, 2, 3]), right: HashSet::of([4, 5]) }
}

/// Nobody changes the right set, and the left one has no more than both had.
pub(crate) fn check(sets: &Both<HashSet>) {
    assert_eq!(sets.right.len(), 2);
    assert!(sets.left.to_vec().iter().all(|item| (1..=5).contains(item)));
}

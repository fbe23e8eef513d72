//! A sorted set behind one lock.

use super::crew::Both;
use selvedge::sync::Mutex;
use std::collections::BTreeSet;

#[derive(Default)]
pub(crate) struct TreeSet {
    items: Mutex<BTreeSet<u32>>,
}

impl TreeSet {
    pub(crate) fn of(items: impl IntoIterator<Item = u32>) -> Self {
        Self { items: Mutex::new(items.into_iter().collect()) }
    }

    pub(crate) fn insert(&self, item: u32) -> bool {
        self.items.lock().unwrap().insert(item)
    }

    pub(crate) fn remove(&self, item: u32) -> bool {
        self.items.lock().unwrap().remove(&item)
    }

    pub(crate) fn contains(&self, item: u32) -> bool {
        self.items.lock().unwrap().contains(&item)
    }

    pub(crate) fn first(&self) -> Option<u32> {
        self.items.lock().unwrap().first().copied()
    }

    pub(crate) fn last(&self) -> Option<u32> {
        self.items.lock().unwrap().last().copied()
    }

    pub(crate) fn pop_first(&self) -> Option<u32> {
        self.items.lock().unwrap().pop_first()
    }

    pub(crate) fn pop_last(&self) -> Option<u32> {
        self.items.lock().unwrap().pop_last()
    }

    pub(crate) fn floor(&self, item: u32) -> Option<u32> {
        self.items.lock().unwrap().range(..=item).next_back().copied()
    }

    pub(crate) fn ceiling(&self, item: u32) -> Option<u32> {
        self.items.lock().unwrap().range(item..).next().copied()
    }

    pub(crate) fn lower(&self, item: u32) -> Option<u32> {
        self.items.lock().unwrap().range(..item).next_back().copied()
    }

    pub(crate) fn higher(&self, item: u32) -> Option<u32> {
        self.items.lock().unwrap().range(item + 1..).next().copied()
    }

    pub(crate) fn head(&self, end: u32) -> Vec<u32> {
        self.items.lock().unwrap().range(..end).copied().collect()
    }

    pub(crate) fn tail(&self, start: u32) -> Vec<u32> {
        self.items.lock().unwrap().range(start..).copied().collect()
    }

    pub(crate) fn descending(&self) -> Vec<u32> {
        self.items.lock().unwrap().iter().rev().copied().collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.items.lock().unwrap().len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.lock().unwrap().is_empty()
    }

    pub(crate) fn clear(&self) {
        self.items.lock().unwrap().clear();
    }

    pub(crate) fn to_vec(&self) -> Vec<u32> {
        self.items.lock().unwrap().iter().copied().collect()
    }

    /// Adds what is in the other set; its lock is taken while this one's is held.
    pub(crate) fn add_all(&self, other: &Self) {
        let mut items = self.items.lock().unwrap();
        items.extend(other.to_vec());
    }

    pub(crate) fn retain_all(&self, other: &Self) {
        let mut items = self.items.lock().unwrap();
        let wanted = other.to_vec();
        items.retain(|item| wanted.contains(item));
    }

    /// Moves everything from an item on to the other set.
    pub(crate) fn split_to(&self, item: u32, other: &Self) {
        let mut items = self.items.lock().unwrap();
        let tail = items.split_off(&item);
        other.items.lock().unwrap().extend(tail);
    }
}

/// Every method once. Bulk methods go from the left set to the right one, never back.
pub(crate) const METHODS: [fn(&Both<TreeSet>); 21] = [
    |sets| _ = sets.left.insert(5),
    |sets| _ = sets.left.remove(3),
    |sets| _ = sets.left.contains(3),
    |sets| _ = sets.left.first(),
    |sets| _ = sets.left.last(),
    |sets| _ = sets.left.pop_first(),
    |sets| _ = sets.left.pop_last(),
    |sets| assert!(sets.left.floor(4).is_none_or(|item| item <= 4)),
    |sets| assert!(sets.left.ceiling(4).is_none_or(|item| item >= 4)),
    |sets| assert!(sets.left.lower(4).is_none_or(|item| item < 4)),
    |sets| assert!(sets.left.higher(4).is_none_or(|item| item > 4)),
    |sets| _ = sets.left.head(4),
    |sets| _ = sets.left.tail(4),
    |sets| assert!(sets.left.descending().is_sorted_by(|one, other| one > other)),
    |sets| assert!(sets.left.len() <= 7),
    |sets| _ = sets.left.is_empty(),
    |sets| sets.left.clear(),
    |sets| assert!(sets.left.to_vec().is_sorted()),
    |sets| sets.left.add_all(&sets.right),
    |sets| sets.left.retain_all(&sets.right),
    |sets| sets.left.split_to(6, &sets.right),
];

pub(crate) fn make() -> Both<TreeSet> {
    Both { left: TreeSet::of([1, 3, 4]), right: TreeSet::of([6, 7]) }
}

/// What was in the right set stays there, and everything was put there by somebody.
pub(crate) fn check(sets: &Both<TreeSet>) {
    let right = sets.right.to_vec();
    assert!(right.contains(&6) && right.contains(&7));
    assert!(sets.left.to_vec().iter().all(|item| (1..=7).contains(item)));
}

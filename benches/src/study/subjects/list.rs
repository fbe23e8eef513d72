//! A list in an array, behind one lock.

use super::crew::Both;
use selvedge::sync::Mutex;

#[derive(Default)]
pub(crate) struct List {
    items: Mutex<Vec<u32>>,
}

impl List {
    pub(crate) fn of(items: impl IntoIterator<Item = u32>) -> Self {
        Self { items: Mutex::new(items.into_iter().collect()) }
    }

    pub(crate) fn add(&self, item: u32) {
        self.items.lock().unwrap().push(item);
    }

    pub(crate) fn add_at(&self, index: usize, item: u32) {
        let mut items = self.items.lock().unwrap();
        let index = index.min(items.len());
        items.insert(index, item);
    }

    /// Adds what is in the other list; its lock is taken while this one's is held.
    pub(crate) fn add_all(&self, other: &Self) {
        let mut items = self.items.lock().unwrap();
        items.extend(other.to_vec());
    }

    pub(crate) fn add_all_at(&self, index: usize, other: &Self) {
        let mut items = self.items.lock().unwrap();
        let index = index.min(items.len());
        let tail = items.split_off(index);
        items.extend(other.to_vec());
        items.extend(tail);
    }

    pub(crate) fn remove(&self, item: u32) -> bool {
        let mut items = self.items.lock().unwrap();
        let found = items.iter().position(|&at| at == item);
        found.map(|index| items.remove(index)).is_some()
    }

    pub(crate) fn remove_at(&self, index: usize) -> Option<u32> {
        let mut items = self.items.lock().unwrap();
        (index < items.len()).then(|| items.remove(index))
    }

    pub(crate) fn remove_all(&self, other: &Self) {
        let mut items = self.items.lock().unwrap();
        let unwanted = other.to_vec();
        items.retain(|item| !unwanted.contains(item));
    }

    pub(crate) fn retain_all(&self, other: &Self) {
        let mut items = self.items.lock().unwrap();
        let wanted = other.to_vec();
        items.retain(|item| wanted.contains(item));
    }

    pub(crate) fn clear(&self) {
        self.items.lock().unwrap().clear();
    }

    pub(crate) fn truncate(&self, len: usize) {
        self.items.lock().unwrap().truncate(len);
    }

    pub(crate) fn get(&self, index: usize) -> Option<u32> {
        self.items.lock().unwrap().get(index).copied()
    }

    pub(crate) fn set(&self, index: usize, item: u32) {
        if let Some(place) = self.items.lock().unwrap().get_mut(index) {
            *place = item;
        }
    }

    pub(crate) fn first(&self) -> Option<u32> {
        self.items.lock().unwrap().first().copied()
    }

    pub(crate) fn last(&self) -> Option<u32> {
        self.items.lock().unwrap().last().copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.items.lock().unwrap().len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.lock().unwrap().is_empty()
    }

    pub(crate) fn contains(&self, item: u32) -> bool {
        self.items.lock().unwrap().contains(&item)
    }

    pub(crate) fn contains_all(&self, other: &Self) -> bool {
        let items = self.items.lock().unwrap();
        other.to_vec().iter().all(|item| items.contains(item))
    }

    pub(crate) fn index_of(&self, item: u32) -> Option<usize> {
        self.items.lock().unwrap().iter().position(|&at| at == item)
    }

    pub(crate) fn last_index_of(&self, item: u32) -> Option<usize> {
        self.items.lock().unwrap().iter().rposition(|&at| at == item)
    }

    pub(crate) fn sort(&self) {
        self.items.lock().unwrap().sort_unstable();
    }

    pub(crate) fn reverse(&self) {
        self.items.lock().unwrap().reverse();
    }

    pub(crate) fn swap(&self, one: usize, other: usize) {
        let mut items = self.items.lock().unwrap();
        if one.max(other) < items.len() {
            items.swap(one, other);
        }
    }

    pub(crate) fn fill(&self, item: u32) {
        self.items.lock().unwrap().fill(item);
    }

    pub(crate) fn sum(&self) -> u32 {
        self.items.lock().unwrap().iter().sum()
    }

    pub(crate) fn equals(&self, other: &Self) -> bool {
        let items = self.items.lock().unwrap();
        other.to_vec() == *items
    }

    pub(crate) fn to_vec(&self) -> Vec<u32> {
        self.items.lock().unwrap().clone()
    }
}

/// Every method once. Bulk methods go from the left list to the right one, never back.
pub(crate) const METHODS: [fn(&Both<List>); 26] = [
    |lists| lists.left.add(1),
    |lists| lists.left.add_at(0, 2),
    |lists| lists.left.add_all(&lists.right),
    |lists| lists.left.add_all_at(1, &lists.right),
    |lists| _ = lists.left.remove(1),
    |lists| _ = lists.left.remove_at(0),
    |lists| lists.left.remove_all(&lists.right),
    |lists| lists.left.retain_all(&lists.right),
    |lists| lists.left.clear(),
    |lists| lists.left.truncate(3),
    |lists| _ = lists.left.get(0),
    |lists| lists.left.set(0, 3),
    |lists| _ = lists.left.first(),
    |lists| _ = lists.left.last(),
    |lists| assert!(lists.left.len() < 20),
    |lists| _ = lists.left.is_empty(),
    |lists| _ = lists.left.contains(2),
    |lists| _ = lists.left.contains_all(&lists.right),
    |lists| _ = lists.left.index_of(2),
    |lists| _ = lists.left.last_index_of(2),
    |lists| lists.left.sort(),
    |lists| lists.left.reverse(),
    |lists| lists.left.swap(0, 1),
    |lists| lists.left.fill(4),
    |lists| _ = lists.left.sum(),
    |lists| _ = lists.left.equals(&lists.right),
];

pub(crate) fn make() -> Both<List> {
    Both { left: List::of([1, 2, 3]), right: List::of([3, 4]) }
}

/// Nobody changes the right list, and what is in the left one was put there by somebody.
pub(crate) fn check(lists: &Both<List>) {
    assert_eq!(lists.right.to_vec(), [3, 4]);
    assert!(lists.left.to_vec().iter().all(|item| (1..=4).contains(item)));
}

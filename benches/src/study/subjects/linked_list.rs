//! A linked list behind one lock.

use super::crew::Both;
use selvedge::sync::Mutex;
use std::collections::LinkedList as Nodes;

#[derive(Default)]
pub(crate) struct LinkedList {
    nodes: Mutex<Nodes<u32>>,
}

impl LinkedList {
    pub(crate) fn of(items: impl IntoIterator<Item = u32>) -> Self {
        Self { nodes: Mutex::new(items.into_iter().collect()) }
    }

    pub(crate) fn push_front(&self, item: u32) {
        self.nodes.lock().unwrap().push_front(item);
    }

    pub(crate) fn push_back(&self, item: u32) {
        self.nodes.lock().unwrap().push_back(item);
    }

    pub(crate) fn pop_front(&self) -> Option<u32> {
        self.nodes.lock().unwrap().pop_front()
    }

    pub(crate) fn pop_back(&self) -> Option<u32> {
        self.nodes.lock().unwrap().pop_back()
    }

    pub(crate) fn front(&self) -> Option<u32> {
        self.nodes.lock().unwrap().front().copied()
    }

    pub(crate) fn back(&self) -> Option<u32> {
        self.nodes.lock().unwrap().back().copied()
    }

    pub(crate) fn set_front(&self, item: u32) {
        if let Some(front) = self.nodes.lock().unwrap().front_mut() {
            *front = item;
        }
    }

    pub(crate) fn set_back(&self, item: u32) {
        if let Some(back) = self.nodes.lock().unwrap().back_mut() {
            *back = item;
        }
    }

    pub(crate) fn insert(&self, index: usize, item: u32) {
        let mut nodes = self.nodes.lock().unwrap();
        let index = index.min(nodes.len());
        let mut tail = nodes.split_off(index);
        nodes.push_back(item);
        nodes.append(&mut tail);
    }

    pub(crate) fn remove(&self, index: usize) -> Option<u32> {
        let mut nodes = self.nodes.lock().unwrap();
        if index >= nodes.len() {
            return None;
        }
        let mut tail = nodes.split_off(index);
        let removed = tail.pop_front();
        nodes.append(&mut tail);
        removed
    }

    pub(crate) fn remove_first_of(&self, item: u32) {
        let mut nodes = self.nodes.lock().unwrap();
        let mut tail = match nodes.iter().position(|&at| at == item) {
            Some(index) => nodes.split_off(index),
            None => return,
        };
        tail.pop_front();
        nodes.append(&mut tail);
    }

    pub(crate) fn rotate(&self) {
        let mut nodes = self.nodes.lock().unwrap();
        if let Some(front) = nodes.pop_front() {
            nodes.push_back(front);
        }
    }

    pub(crate) fn clear(&self) {
        self.nodes.lock().unwrap().clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.lock().unwrap().len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.lock().unwrap().is_empty()
    }

    pub(crate) fn contains(&self, item: u32) -> bool {
        self.nodes.lock().unwrap().contains(&item)
    }

    pub(crate) fn index_of(&self, item: u32) -> Option<usize> {
        self.nodes.lock().unwrap().iter().position(|&at| at == item)
    }

    pub(crate) fn get(&self, index: usize) -> Option<u32> {
        self.nodes.lock().unwrap().iter().nth(index).copied()
    }

    pub(crate) fn largest(&self) -> Option<u32> {
        self.nodes.lock().unwrap().iter().max().copied()
    }

    pub(crate) fn smallest(&self) -> Option<u32> {
        self.nodes.lock().unwrap().iter().min().copied()
    }

    pub(crate) fn add_to_each(&self, amount: u32) {
        self.nodes.lock().unwrap().iter_mut().for_each(|item| *item += amount);
    }

    pub(crate) fn to_vec(&self) -> Vec<u32> {
        self.nodes.lock().unwrap().iter().copied().collect()
    }

    /// Copies the other list to the end of this one; both locks are held.
    pub(crate) fn append_copy(&self, other: &Self) {
        let mut nodes = self.nodes.lock().unwrap();
        nodes.extend(other.to_vec());
    }

    /// Moves the other list to the end of this one.
    pub(crate) fn append(&self, other: &Self) {
        let mut nodes = self.nodes.lock().unwrap();
        nodes.append(&mut other.nodes.lock().unwrap());
    }

    /// Moves everything behind an index to the other list.
    pub(crate) fn split_to(&self, index: usize, other: &Self) {
        let mut nodes = self.nodes.lock().unwrap();
        let index = index.min(nodes.len());
        let mut tail = nodes.split_off(index);
        other.nodes.lock().unwrap().append(&mut tail);
    }

    /// Exchanges the contents of both.
    pub(crate) fn exchange(&self, other: &Self) {
        let mut nodes = self.nodes.lock().unwrap();
        std::mem::swap(&mut *nodes, &mut *other.nodes.lock().unwrap());
    }
}

/// Every method once. Bulk methods go from the left list to the right one, never back.
pub(crate) const METHODS: [fn(&Both<LinkedList>); 26] = [
    |lists| lists.left.push_front(1),
    |lists| lists.left.push_back(2),
    |lists| _ = lists.left.pop_front(),
    |lists| _ = lists.left.pop_back(),
    |lists| _ = lists.left.front(),
    |lists| _ = lists.left.back(),
    |lists| lists.left.set_front(3),
    |lists| lists.left.set_back(4),
    |lists| lists.left.insert(1, 5),
    |lists| _ = lists.left.remove(1),
    |lists| lists.left.remove_first_of(2),
    |lists| lists.left.rotate(),
    |lists| lists.left.clear(),
    |lists| assert!(lists.left.len() < 20),
    |lists| _ = lists.left.is_empty(),
    |lists| _ = lists.left.contains(5),
    |lists| _ = lists.left.index_of(5),
    |lists| _ = lists.left.get(1),
    |lists| _ = lists.left.largest(),
    |lists| _ = lists.left.smallest(),
    |lists| lists.left.add_to_each(1),
    |lists| _ = lists.left.to_vec(),
    |lists| lists.left.append_copy(&lists.right),
    |lists| lists.left.append(&lists.right),
    |lists| lists.left.split_to(2, &lists.right),
    |lists| lists.left.exchange(&lists.right),
];

pub(crate) fn make() -> Both<LinkedList> {
    Both { left: LinkedList::of([1, 2, 3]), right: LinkedList::of([4, 5]) }
}

/// Everything in the lists was put there by somebody.
pub(crate) fn check(lists: &Both<LinkedList>) {
    for list in [&lists.left, &lists.right] {
        assert!(list.to_vec().iter().all(|item| (1..=7).contains(item)));
    }
}

//! A bounded queue whose consumers wait.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};

/// A queue that holds at most so many elements.
pub struct BoundedQueue<T> {
    elements: Mutex<VecDeque<T>>,
    capacity: usize,
    added: Condvar,
}

impl<T> BoundedQueue<T> {
    /// An empty queue.
    pub fn new(capacity: usize) -> Self {
        Self { elements: Mutex::new(VecDeque::new()), capacity, added: Condvar::new() }
    }

    /// Puts an element at the end.
    ///
    /// # Panics
    ///
    /// Panics if the queue is full.
    pub fn add(&self, element: T) {
        let mut elements = self.elements.lock().unwrap();
        assert!(elements.len() < self.capacity, "the queue is full");
        elements.push_back(element);
        self.added.notify_one();
    }

    /// Takes the first element, and waits for one if there is none.
    pub fn take(&self) -> T {
        let mut elements = self.elements.lock().unwrap();
        loop {
            match elements.pop_front() {
                Some(element) => return element,
                None => elements = self.added.wait(elements).unwrap(),
            }
        }
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.elements.lock().unwrap().is_empty()
    }
}

//! A pool of connections.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};

/// Lends out a fixed number of connections, each to one borrower at a time.
#[derive(Debug)]
pub struct Pool<C> {
    idle: Mutex<Vec<C>>,
    returned: Condvar,
    /// How many borrowers wait. Connections mostly come back when nobody does, and then there is
    /// no need to notify anybody.
    waiting: AtomicUsize,
}

/// A connection that goes back to its pool when it is dropped.
#[derive(Debug)]
pub struct Lease<'p, C> {
    pool: &'p Pool<C>,
    connection: Option<C>,
}

impl<C> Pool<C> {
    /// A pool of these connections.
    pub fn new(connections: impl IntoIterator<Item = C>) -> Self {
        Self {
            idle: Mutex::new(connections.into_iter().collect()),
            returned: Condvar::new(),
            waiting: AtomicUsize::new(0),
        }
    }

    /// A connection, as soon as one is idle.
    pub fn lease(&self) -> Lease<'_, C> {
        let mut idle = self.idle.lock().unwrap();
        loop {
            if let Some(connection) = idle.pop() {
                return Lease { pool: self, connection: Some(connection) };
            }
            self.waiting.fetch_add(1, Ordering::SeqCst);
            idle = self.returned.wait(idle).unwrap();
            self.waiting.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// How many connections are idle.
    pub fn idle(&self) -> usize {
        self.idle.lock().unwrap().len()
    }

    fn give_back(&self, connection: C) {
        let wanted = self.waiting.load(Ordering::SeqCst) > 0;
        self.idle.lock().unwrap().push(connection);
        if wanted {
            self.returned.notify_one();
        }
    }
}

impl<C> Drop for Lease<'_, C> {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            self.pool.give_back(connection);
        }
    }
}

impl<C> Deref for Lease<'_, C> {
    type Target = C;

    fn deref(&self) -> &C {
        self.connection.as_ref().expect("only taken when the lease is dropped")
    }
}

impl<C> DerefMut for Lease<'_, C> {
    fn deref_mut(&mut self) -> &mut C {
        self.connection.as_mut().expect("only taken when the lease is dropped")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// A connection that remembers what was asked.
    type Log = Vec<&'static str>;

    #[test]
    fn a_connection_comes_back_as_it_was_left() {
        let pool = Pool::new([Log::new()]);
        pool.lease().push("begin");
        pool.lease().push("commit");
        assert_eq!(*pool.lease(), ["begin", "commit"]);
    }

    #[test]
    fn every_connection_is_lent_once() {
        let pool = Pool::new(["a", "b"]);
        let (first, second) = (pool.lease(), pool.lease());
        assert_ne!(*first, *second);
        assert_eq!(pool.idle(), 0);
        drop((first, second));
        assert_eq!(pool.idle(), 2);
    }

    #[test]
    fn two_workers_share_one_connection() {
        let pool = Pool::new([Log::new()]);
        thread::scope(|scope| {
            scope.spawn(|| pool.lease().push("select"));
            pool.lease().push("select");
        });
        assert_eq!(*pool.lease(), ["select", "select"]);
    }
}

//! The two tests of a collection: many threads that call one method each, and few threads that call
//! many.

use selvedge::sync::Arc;
use selvedge::thread;

/// Two collections, of which the methods of one may use the other.
pub(crate) struct Both<T> {
    pub(crate) left: T,
    pub(crate) right: T,
}

/// How a type is made, what is called, and what must hold in the end.
pub(crate) struct Plan<T: 'static> {
    pub(crate) make: fn() -> T,
    pub(crate) methods: &'static [fn(&T)],
    pub(crate) check: fn(&T),
}

impl<T: Send + Sync> Plan<T> {
    /// A thread for each method.
    pub(crate) fn many_threads(&self) {
        self.run(self.methods.len());
    }

    /// So many threads, which share the methods: each calls several, one after the other.
    pub(crate) fn run(&self, threads: usize) {
        let shared = Arc::new((self.make)());
        let each = self.methods.len().div_ceil(threads);
        let started: Vec<_> = self
            .methods
            .chunks(each)
            .map(|methods| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || methods.iter().for_each(|method| method(&shared)))
            })
            .collect();
        for thread in started {
            thread.join().expect("no thread of a correct test panics");
        }
        (self.check)(&shared);
    }
}

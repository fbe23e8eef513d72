//! A test binary whose allocator counts with an atomic of ours: the engine allocates as well, in
//! the middle of what it does.

use selvedge::sync::atomic::AtomicUsize;
use selvedge::sync::atomic::Ordering::SeqCst;
use selvedge::sync::{Arc, Mutex};
use selvedge::{Builder, thread};
use std::alloc::{GlobalAlloc, Layout, System};

struct Counting;

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: Everything is passed on to the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), SeqCst);
        // SAFETY: Passed on to the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATED.fetch_sub(layout.size(), SeqCst);
        // SAFETY: Passed on to the caller.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn what_the_engine_allocates_is_no_operation_of_the_test() {
    let report = Builder::new()
        .executions(50)
        .explore(|| {
            let numbers = Arc::new(Mutex::new(Vec::new()));
            let threads = [1, 2, 3].map(|number| {
                let numbers = Arc::clone(&numbers);
                thread::spawn(move || {
                    (0..100).for_each(|i| numbers.lock().unwrap().push(Box::new(number + i)));
                })
            });
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            assert_eq!(numbers.lock().unwrap().len(), 300);
        })
        .unwrap();
    assert_eq!((report.executions, report.finding), (50, None));
    assert!(ALLOCATED.load(SeqCst) > 0);
}

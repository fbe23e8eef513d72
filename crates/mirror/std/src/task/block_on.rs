//! An executor for one future.

use crate::sync::atomic::{AtomicBool, Ordering::SeqCst};
use crate::thread::{self, Thread};
use real::future::Future;
use real::pin::pin;
use real::sync::Arc;
use real::task::{Context, Poll, Wake, Waker};

/// Wakes a thread that runs a future.
struct Unparker {
    thread: Thread,
    /// Kept apart from the thread's token, which the future itself may use up.
    woken: AtomicBool,
}

impl Wake for Unparker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.woken.store(true, SeqCst);
        self.thread.unpark();
    }
}

/// Runs a future on this thread until it is ready; parks the thread while it is pending.
///
/// A spurious wake-up of the thread (setting `spurious`) is a poll for no reason.
#[track_caller]
pub fn block_on<F: Future>(future: F) -> F::Output {
    let unparker = Arc::new(Unparker { thread: thread::current(), woken: AtomicBool::new(false) });
    let waker = Waker::from(Arc::clone(&unparker));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        if !unparker.woken.swap(false, SeqCst) {
            thread::park();
        }
    }
}

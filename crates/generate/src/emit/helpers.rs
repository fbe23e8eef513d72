//! Functions that an emitted test brings along, where it needs them.

/// A function or type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    /// A value that counts its instances.
    Counted,
    /// The text of a result, or that the call panicked.
    Caught,
    /// Runs a future to its end.
    WaitFor,
    /// Polls a future once and drops it.
    PollOnce,
}

impl Helper {
    pub(super) const fn source(self) -> &'static str {
        match self {
            Self::Counted => COUNTED,
            Self::Caught => CAUGHT,
            Self::WaitFor => WAIT_FOR,
            Self::PollOnce => POLL_ONCE,
        }
    }
}

const COUNTED: &str = "\
static ALIVE: std::sync::atomic::AtomicIsize = std::sync::atomic::AtomicIsize::new(0);

/// A number, of which it is known how many there are.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Value(u64);

#[allow(dead_code)]
impl Value {
    fn new(number: u64) -> Self {
        ALIVE.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        Self(number)
    }

    fn alive() -> isize {
        ALIVE.load(std::sync::atomic::Ordering::SeqCst)
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        Self::new(self.0)
    }
}

impl Default for Value {
    fn default() -> Self {
        Self::new(0)
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
    }
}
";

const CAUGHT: &str = "\
fn caught(call: impl FnOnce() -> String) -> String {
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call));
    result.unwrap_or_else(|_| \"panicked\".to_owned())
}
";

const WAIT_FOR: &str = "\
struct Unpark(std::thread::Thread);

impl std::task::Wake for Unpark {
    fn wake(self: std::sync::Arc<Self>) {
        self.0.unpark();
    }
}

fn wait_for<F: Future>(future: F) -> F::Output {
    let waker = std::sync::Arc::new(Unpark(std::thread::current())).into();
    let mut future = std::pin::pin!(future);
    loop {
        match future.as_mut().poll(&mut std::task::Context::from_waker(&waker)) {
            std::task::Poll::Ready(output) => return output,
            std::task::Poll::Pending => std::thread::park(),
        }
    }
}
";

const POLL_ONCE: &str = "\
fn poll_once<F: Future>(future: F) -> Option<F::Output> {
    let mut future = std::pin::pin!(future);
    match future.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(output) => Some(output),
        std::task::Poll::Pending => None,
    }
}
";

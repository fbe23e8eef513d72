//! Fibers: where the threads of a test run.
//!
//! A fiber outlives the thread that runs on it: when its task is done it waits for the next one,
//! so that starting a thread costs no system call and no set-up of a stack.

use crate::context::Reserve;
use crate::memory::NOWHERE;
use crate::stack::ColouredStack;
use corosensei::stack::Stack;
use corosensei::trap::CoroutineTrapHandler;
use corosensei::{Coroutine, Yielder};
use std::cell::Cell;
use std::io;
use std::ops::Range;
use std::ptr;

/// What a fiber runs.
pub(crate) enum Task {
    /// The test function itself, which is there for longer than an execution.
    Test(&'static (dyn Fn() + Sync)),
    /// What a thread was spawned for.
    Thread(Box<dyn FnOnce()>),
}

impl Task {
    fn run(self) {
        match self {
            Self::Test(test) => crate::engine::main_thread(test),
            Self::Thread(body) => body(),
        }
    }
}

/// Every stack has so much more room than its thread has asked for. A thread that comes to the engine and
/// has used more than it asked for has overflowed its stack; so the engine, strategies and observers
/// always have so much room. Memory that is never touched costs nothing.
const RESERVE: usize = 256 << 10;
/// And so much more for the frames of mirrors, which may be larger than those of what they stand for.
const FRAMES: usize = 16 << 10;

/// The part of a fiber that is reached from inside it; its address never changes.
struct Seat {
    task: Cell<Option<Task>>,
    yielder: Cell<*const Yielder<(), ()>>,
}

/// One fiber.
pub(crate) struct Fiber {
    /// Always there, except within [`abandon`](Self::abandon).
    coroutine: Option<Coroutine<(), (), (), ColouredStack>>,
    seat: Box<Seat>,
    /// What the thread has asked for.
    pub(crate) stack_size: usize,
    /// The lowest address of the stack, where its guard page lies.
    pub(crate) stack_limit: usize,
    /// Where the stack begins, above its first frame.
    pub(crate) stack_base: usize,
    /// The part of the stack that is beyond what the thread has asked for.
    pub(crate) reserve: Reserve,
    /// The part of the stack of which observers have been told accesses.
    pub(crate) recorded: Range<usize>,
}

impl Fiber {
    pub(crate) fn new(stack_size: usize, number: usize) -> io::Result<Self> {
        let stack = ColouredStack::map(stack_size + FRAMES + RESERVE, number)?;
        let seat = Box::new(Seat { task: Cell::new(None), yielder: Cell::new(ptr::null()) });
        let stack_limit = stack.limit().get();
        let stack_base = stack.base().get();
        let coroutine = Some(worker(stack, &seat));
        let size = stack_base - stack_size - FRAMES - stack_limit;
        let reserve = Reserve { begin: stack_limit, size };
        let recorded = NOWHERE;
        Ok(Self { coroutine, seat, stack_size, stack_limit, stack_base, reserve, recorded })
    }

    /// Gives the fiber something to run at its next [`resume`](Self::resume).
    pub(crate) fn assign(&mut self, task: Task) {
        self.seat.task.set(Some(task));
    }

    /// Runs the fiber until it suspends itself.
    #[inline]
    pub(crate) fn resume(&mut self) {
        self.coroutine.as_mut().expect(WHOLE).resume(());
    }

    /// Lets a signal handler cut the running fiber off.
    pub(crate) fn trap(&self) -> CoroutineTrapHandler<()> {
        self.coroutine.as_ref().expect(WHOLE).trap_handler()
    }

    /// How the running fiber hands control back. Valid once the fiber has been resumed.
    #[inline]
    pub(crate) fn exit(&self) -> FiberExit {
        FiberExit(self.seat.yielder.get())
    }

    /// Gives up whatever the fiber was doing: its frames are forgotten, not unwound.
    ///
    /// Unwinding would run the destructors of a world that stopped half-way (locks held, other
    /// threads frozen); they could spin, block or see broken invariants. Forgetting is safe: what
    /// the frames owned is leaked.
    pub(crate) fn abandon(&mut self) {
        self.seat.task.set(None);
        let mut coroutine = self.coroutine.take().expect(WHOLE);
        // SAFETY: The frames on the stack are never resumed; everything they own is leaked, which
        // `mem::forget` would allow in safe code as well. Frames that were borrowed by other
        // threads of the execution (scoped threads) are not touched again, since all threads of an
        // execution are abandoned together.
        unsafe { coroutine.force_reset() };
        self.coroutine = Some(worker(coroutine.into_stack(), &self.seat));
    }
}

/// Why a fiber always has a coroutine.
const WHOLE: &str = "a fiber has a coroutine";

/// The body of every fiber: run a task, wait for the next.
fn worker(stack: ColouredStack, seat: &Seat) -> Coroutine<(), (), (), ColouredStack> {
    let seat: *const Seat = seat;
    Coroutine::with_stack(stack, move |yielder, ()| {
        // SAFETY: The seat is boxed and owned by the fiber that owns this coroutine.
        let seat = unsafe { &*seat };
        seat.yielder.set(yielder);
        loop {
            let task = seat.task.take().expect("a fiber is resumed with a task");
            task.run();
            yielder.suspend(());
        }
    })
}

impl Drop for Fiber {
    fn drop(&mut self) {
        // A fiber that waits for its next task holds nothing on its stack that needs dropping.
        if let Some(coroutine) = &mut self.coroutine
            && coroutine.started()
            && !coroutine.done()
        {
            // SAFETY: The only live frame is that of `worker` between two tasks: a reference.
            unsafe { coroutine.force_reset() };
        }
    }
}

/// Lets the code that runs on a fiber hand control back.
#[derive(Clone, Copy)]
pub(crate) struct FiberExit(*const Yielder<(), ()>);

impl FiberExit {
    /// Before the fiber runs for the first time.
    pub(crate) const NONE: Self = Self(ptr::null());

    /// Whether the fiber has run.
    pub(crate) fn is_there(self) -> bool {
        !self.0.is_null()
    }

    /// Suspends the fiber until it is resumed.
    ///
    /// # Safety
    ///
    /// Must be called on the fiber that this exit belongs to.
    #[inline(always)]
    pub(crate) unsafe fn leave(self) {
        // SAFETY: The yielder lives at the base of the stack on which the caller runs.
        unsafe { (*self.0).suspend(()) };
    }
}

/// Fibers that wait for work.
#[expect(clippy::vec_box, reason = "a fiber must not move while it runs, and goes in and out")]
pub(crate) struct FiberPool {
    idle: Vec<Box<Fiber>>,
    made: usize,
    stack_size: usize,
}

/// No more than this many fibers are kept between executions.
const KEEP: usize = 1024;

impl FiberPool {
    pub(crate) fn new(stack_size: usize) -> Self {
        Self { idle: Vec::new(), made: 0, stack_size }
    }

    /// A fiber with at least the given stack, or with the usual one.
    pub(crate) fn take(&mut self, stack_size: Option<usize>) -> io::Result<Box<Fiber>> {
        match stack_size {
            Some(size) if size > self.stack_size => {
                self.made += 1;
                Ok(Box::new(Fiber::new(size, self.made)?))
            }
            _ => match self.idle.pop() {
                Some(fiber) => Ok(fiber),
                None => {
                    self.made += 1;
                    Ok(Box::new(Fiber::new(self.stack_size, self.made)?))
                }
            },
        }
    }

    /// Takes a fiber back whose task is done.
    #[inline]
    pub(crate) fn put(&mut self, fiber: Box<Fiber>) {
        if fiber.stack_size == self.stack_size && self.idle.len() < KEEP {
            self.idle.push(fiber);
        }
    }
}

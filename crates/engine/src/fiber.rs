//! Fibers: where the threads of a test run.
//!
//! A fiber outlives the thread that runs on it: when its task is done it waits for the next one,
//! so that starting a thread costs no system call and no set-up of a stack.

#[cfg_attr(all(unix, target_arch = "x86_64"), path = "fiber/native.rs")]
#[cfg_attr(not(all(unix, target_arch = "x86_64")), path = "fiber/portable.rs")]
mod frames;

use crate::context::Reserve;
use crate::memory::NOWHERE;
use crate::stack::ColouredStack;
use corosensei::stack::Stack;
pub(crate) use frames::WayOut;
use frames::{Door, Frames, Home};
use std::cell::Cell;
use std::io;
use std::mem;
use std::ops::Range;
use std::ptr;
use std::rc::Rc;

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
pub(crate) struct Seat {
    door: Door,
    task: Cell<Option<Task>>,
    /// The part of the stack that is beyond what the thread has asked for.
    pub(crate) reserve: Reserve,
}

/// One fiber.
pub(crate) struct Fiber {
    frames: Frames,
    seat: Box<Seat>,
    /// What the thread has asked for.
    pub(crate) stack_size: usize,
    /// The lowest address of the stack, where its guard page lies.
    pub(crate) stack_limit: usize,
    /// Where the stack begins, above its first frame.
    pub(crate) stack_base: usize,
    /// The part of the stack of which observers have been told accesses.
    pub(crate) recorded: Range<usize>,
    /// Where whoever runs it waits. Fibers may outlive their pool.
    _home: Rc<Home>,
}

impl Fiber {
    fn new(stack_size: usize, number: usize, home: &Rc<Home>) -> io::Result<Self> {
        let stack = ColouredStack::map(stack_size + FRAMES + RESERVE, number)?;
        let stack_limit = stack.limit().get();
        let stack_base = stack.base().get();
        let size = stack_base - stack_size - FRAMES - stack_limit;
        let reserve = Reserve { begin: stack_limit, size };
        let door = Door::new(Rc::as_ptr(home));
        let seat = Box::new(Seat { door, task: Cell::new(None), reserve });
        let frames = Frames::new(stack, &seat.door, work, ptr::from_ref(&*seat).cast());
        let (recorded, _home) = (NOWHERE, Rc::clone(home));
        Ok(Self { frames, seat, stack_size, stack_limit, stack_base, recorded, _home })
    }

    /// Gives the fiber something to run when it is next entered.
    pub(crate) fn assign(&mut self, task: Task) {
        self.seat.task.set(Some(task));
    }

    /// Runs the fiber, and those that control is handed to, until one leaves.
    ///
    /// # Safety
    ///
    /// The fiber must not run, and must have something to do.
    #[inline]
    pub(crate) unsafe fn resume(&mut self) {
        // SAFETY: Passed on to the caller.
        unsafe { self.frames.resume(&self.seat.door) };
    }

    /// The registers with which a thread that was interrupted on this fiber goes back to whoever runs it.
    ///
    /// # Safety
    ///
    /// The thread must have been interrupted on this fiber, and must go that way.
    pub(crate) unsafe fn way_out(&self) -> WayOut {
        // SAFETY: Passed on to the caller.
        unsafe { self.frames.way_out(&self.seat.door) }
    }

    /// How the running fiber hands control on.
    #[inline(always)]
    pub(crate) fn exit(&self) -> FiberExit {
        FiberExit(ptr::from_ref(&*self.seat))
    }

    /// Gives up whatever the fiber was doing: its frames are forgotten, not unwound.
    ///
    /// Unwinding would run the destructors of a world that stopped half-way (locks held, other
    /// threads frozen); they could spin, block or see broken invariants. Forgetting is safe: what
    /// the frames owned is leaked, which `mem::forget` would allow in safe code as well. Frames that were borrowed by
    /// other threads of the execution (scoped threads) are not touched again, since all threads of an
    /// execution are abandoned together.
    ///
    /// The same goes for a task that has not begun: what its closure owns is not dropped.
    pub(crate) fn abandon(&mut self) {
        mem::forget(self.seat.task.take());
        self.frames.prepare(&self.seat.door, work, ptr::from_ref(&*self.seat).cast());
    }
}

/// The body of every fiber: run a task, wait for the next.
fn work(seat: *const ()) -> ! {
    // SAFETY: The seat is boxed and owned by the fiber on which this runs.
    let seat = unsafe { &*seat.cast::<Seat>() };
    loop {
        let task = seat.task.take().expect("a fiber is resumed with a task");
        task.run();
        // SAFETY: This runs on the fiber whose seat it is, and whoever runs fibers waits meanwhile.
        unsafe { seat.door.leave() };
    }
}

/// Lets the code that runs on a fiber hand control on.
#[derive(Clone, Copy)]
pub(crate) struct FiberExit(*const Seat);

impl FiberExit {
    /// Before the fiber runs for the first time.
    pub(crate) const NONE: Self = Self(ptr::null());

    /// Whether the fiber has run.
    pub(crate) fn is_there(self) -> bool {
        !self.0.is_null()
    }

    /// Hands control back to whoever runs fibers, until the fiber is entered again.
    ///
    /// # Safety
    ///
    /// Must be called on the fiber that this exit belongs to.
    #[inline(always)]
    pub(crate) unsafe fn leave(self) {
        // SAFETY: The fiber on which the caller runs owns the seat, and whoever runs it waits meanwhile.
        unsafe { (*self.0).door.leave() };
    }

    /// Hands control to another fiber, until this one is entered again. Where that is not possible, control goes back
    /// to whoever runs fibers, who has to know which is next.
    ///
    /// # Safety
    ///
    /// Must be called on the fiber that this exit belongs to. The other one is of the same pool, does not run and has
    /// something to do.
    #[inline(always)]
    pub(crate) unsafe fn pass_to(self, other: Self) {
        // SAFETY: As in `leave`; the caller vouches for the other one.
        unsafe { (*self.0).door.pass_to(&(*other.0).door) };
    }

    /// The part of the fiber's stack that is not the test's.
    ///
    /// # Safety
    ///
    /// The fiber must be alive.
    #[inline(always)]
    pub(crate) unsafe fn reserve(self) -> Reserve {
        // SAFETY: Passed on to the caller.
        unsafe { (*self.0).reserve }
    }
}

/// Fibers that wait for work.
#[expect(clippy::vec_box, reason = "a fiber must not move while it runs, and goes in and out")]
pub(crate) struct FiberPool {
    idle: Vec<Box<Fiber>>,
    made: usize,
    stack_size: usize,
    home: Rc<Home>,
}

/// No more than this many fibers are kept between executions.
const KEEP: usize = 1024;

impl FiberPool {
    pub(crate) fn new(stack_size: usize) -> Self {
        Self { idle: Vec::new(), made: 0, stack_size, home: Rc::new(Home::new()) }
    }

    /// A fiber with at least the given stack, or with the usual one.
    pub(crate) fn take(&mut self, stack_size: Option<usize>) -> io::Result<Box<Fiber>> {
        match stack_size {
            Some(size) if size > self.stack_size => {
                self.made += 1;
                Ok(Box::new(Fiber::new(size, self.made, &self.home)?))
            }
            _ => match self.idle.pop() {
                Some(fiber) => Ok(fiber),
                None => {
                    self.made += 1;
                    Ok(Box::new(Fiber::new(self.stack_size, self.made, &self.home)?))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn pool() -> FiberPool {
        FiberPool::new(64 << 10)
    }

    /// Runs fibers, each when it is its turn, until it is nobody's.
    fn run(fibers: &mut [Box<Fiber>], turn: &Cell<Option<usize>>) {
        while let Some(next) = turn.get() {
            // SAFETY: Control is here, so no fiber runs; the tests give each turn to one with something to do.
            unsafe { fibers[next].resume() };
        }
    }

    #[test]
    fn control_goes_to_another_fiber_and_comes_back() {
        let mut pool = pool();
        let mut fibers = [pool.take(None).unwrap(), pool.take(None).unwrap()];
        let [first, second] = [fibers[0].exit(), fibers[1].exit()];
        let (said, turn) = (Rc::new(RefCell::new(Vec::new())), Rc::new(Cell::new(Some(0))));
        let (say, give) = (Rc::clone(&said), Rc::clone(&turn));
        fibers[0].assign(Task::Thread(Box::new(move || {
            say.borrow_mut().push("first");
            give.set(Some(1));
            // SAFETY: This runs on the first fiber, and the second has something to do.
            unsafe { first.pass_to(second) };
            say.borrow_mut().push("first again");
            give.set(None);
        })));
        let (say, give) = (Rc::clone(&said), Rc::clone(&turn));
        fibers[1].assign(Task::Thread(Box::new(move || {
            say.borrow_mut().push("second");
            give.set(Some(0));
            // SAFETY: This runs on the second fiber, and the first is in the middle of its task.
            unsafe { second.pass_to(first) };
            unreachable!("nobody comes back here");
        })));
        run(&mut fibers, &turn);
        assert_eq!(*said.borrow(), ["first", "second", "first again"]);

        fibers[1].abandon();
        let (say, give) = (Rc::clone(&said), Rc::clone(&turn));
        fibers[1].assign(Task::Thread(Box::new(move || {
            say.borrow_mut().push("as good as new");
            give.set(None);
        })));
        turn.set(Some(1));
        run(&mut fibers, &turn);
        assert_eq!(said.borrow().last(), Some(&"as good as new"));
    }

    #[test]
    fn a_panic_that_a_fiber_lets_out_comes_to_whoever_runs_it() {
        let mut pool = pool();
        let mut fiber = pool.take(None).unwrap();
        fiber.assign(Task::Thread(Box::new(|| panic!("let out"))));
        // SAFETY: The fiber does not run, and has something to do.
        let panic = catch_unwind(AssertUnwindSafe(|| unsafe { fiber.resume() })).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"let out"));
        fiber.abandon();
        fiber.assign(Task::Thread(Box::new(|| {})));
        // SAFETY: As above; it has been abandoned since.
        unsafe { fiber.resume() };
    }
}

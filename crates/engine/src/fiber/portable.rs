//! Stacks that code goes over to and comes back from, where we have no assembly of our own: every switch goes by way
//! of the loop that runs fibers.

use crate::stack::ColouredStack;
use corosensei::trap::TrapHandlerRegs;
use corosensei::{Coroutine, Yielder};
use std::cell::Cell;
use std::ptr;

/// Where the loop waits that runs fibers: coroutines know that themselves.
pub(super) struct Home;

impl Home {
    pub(super) fn new() -> Self {
        Self
    }
}

/// Where code leaves a fiber; its address never changes.
pub(super) struct Door {
    yielder: Cell<*const Yielder<(), ()>>,
}

impl Door {
    pub(super) fn new(_: *const Home) -> Self {
        Self { yielder: Cell::new(ptr::null()) }
    }

    /// Goes back to the loop; returns when the fiber is entered again.
    ///
    /// # Safety
    ///
    /// Must be called on the fiber whose door this is.
    #[inline(always)]
    pub(super) unsafe fn leave(&self) {
        // SAFETY: The yielder lives at the base of the stack on which the caller runs.
        unsafe { (*self.yielder.get()).suspend(()) };
    }

    /// Has the loop go over to another fiber, which it knows; returns when this one is entered again.
    ///
    /// # Safety
    ///
    /// Must be called on the fiber whose door this is.
    #[inline(always)]
    pub(super) unsafe fn pass_to(&self, _: &Self) {
        // SAFETY: Passed on to the caller.
        unsafe { self.leave() };
    }
}

/// What is called on a fresh stack.
pub(super) type Body = fn(*const ()) -> !;

/// The registers of a thread that goes to the loop.
pub(crate) type WayOut = TrapHandlerRegs;

/// The stack of a fiber.
pub(super) struct Frames {
    /// Always there, except within [`prepare`](Self::prepare).
    coroutine: Option<Coroutine<(), (), (), ColouredStack>>,
}

/// Why a fiber always has a coroutine.
const WHOLE: &str = "a fiber has a coroutine";

impl Frames {
    /// A stack on which `body` is called with `seat` when somebody first goes there.
    pub(super) fn new(stack: ColouredStack, door: &Door, body: Body, seat: *const ()) -> Self {
        Self { coroutine: Some(begin(stack, door, body, seat)) }
    }

    /// Makes the stack as good as new; the frames on it are forgotten.
    pub(super) fn prepare(&mut self, door: &Door, body: Body, seat: *const ()) {
        let mut coroutine = self.coroutine.take().expect(WHOLE);
        // SAFETY: The frames on the stack are never resumed; what they own is leaked.
        unsafe { coroutine.force_reset() };
        self.coroutine = Some(begin(coroutine.into_stack(), door, body, seat));
    }

    /// Goes to the fiber; returns when it leaves.
    ///
    /// # Safety
    ///
    /// The fiber must not run.
    #[inline]
    pub(super) unsafe fn resume(&mut self, _: &Door) {
        self.coroutine.as_mut().expect(WHOLE).resume(());
    }

    /// What makes a thread go to the loop that was interrupted on this fiber.
    ///
    /// # Safety
    ///
    /// The fiber must be the one that was interrupted, and must go that way.
    pub(super) unsafe fn way_out(&self, _: &Door) -> WayOut {
        let trap = self.coroutine.as_ref().expect(WHOLE).trap_handler();
        // SAFETY: Passed on to the caller.
        unsafe { trap.setup_trap_handler(|| ()) }
    }
}

fn begin(
    stack: ColouredStack,
    door: *const Door,
    body: Body,
    seat: *const (),
) -> Coroutine<(), (), (), ColouredStack> {
    Coroutine::with_stack(stack, move |yielder, ()| {
        // SAFETY: The fiber that owns this coroutine keeps its door where it is.
        unsafe { (*door).yielder.set(yielder) };
        body(seat)
    })
}

impl Drop for Frames {
    fn drop(&mut self) {
        if let Some(coroutine) = &mut self.coroutine
            && coroutine.started()
            && !coroutine.done()
        {
            // SAFETY: A fiber that is dropped waits for its next task: the only live frames are those
            // of its loop, which hold nothing but references.
            unsafe { coroutine.force_reset() };
        }
    }
}

//! Stacks that code goes over to and comes back from, by assembly of our own: x86-64 with the calling
//! convention of Unix.
//!
//! A fiber hands control directly to the next one. By way of the loop that runs them it would take two
//! switches, and every return after a switch is mispredicted unless the one before has left the same addresses
//! behind, as a thread that runs the same code does.
//!
//! A stack that does not run has what it takes to go on there on top of it: the address at which, and the
//! two registers that a compiler can not be told to save. Backtraces end at the first frame of a fiber.

use crate::stack::ColouredStack;
use corosensei::stack::Stack;
use std::any::Any;
use std::arch::{asm, naked_asm};
use std::cell::Cell;
use std::convert::Infallible;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;

/// The stack pointer of a stack that does not run.
type Left = *mut usize;

/// Where the loop waits that runs fibers.
pub(super) struct Home {
    left: Cell<Left>,
    /// What a fiber has let out.
    panic: Cell<Option<Box<dyn Any + Send>>>,
}

impl Home {
    pub(super) fn new() -> Self {
        Self { left: Cell::new(ptr::null_mut()), panic: Cell::new(None) }
    }
}

/// Where code enters a fiber and leaves it; its address never changes.
pub(super) struct Door {
    left: Cell<Left>,
    /// Lives as long as any fiber that goes there.
    home: *const Home,
}

impl Door {
    pub(super) fn new(home: *const Home) -> Self {
        Self { left: Cell::new(ptr::null_mut()), home }
    }

    /// Goes back to the loop; returns when the fiber is entered again.
    ///
    /// # Safety
    ///
    /// Must be called on the fiber whose door this is, while its loop waits.
    #[inline(always)]
    pub(super) unsafe fn leave(&self) {
        // SAFETY: The home lives as long as its fibers. The loop waits, so it has left its stack in order.
        unsafe { switch(&self.left, (*self.home).left.get()) };
    }

    /// Goes over to another fiber; returns when this one is entered again.
    ///
    /// # Safety
    ///
    /// Must be called on the fiber whose door this is, while its loop waits. The other one must be of the same loop,
    /// must not run, and must have something to do.
    #[inline(always)]
    pub(super) unsafe fn pass_to(&self, other: &Self) {
        // SAFETY: Whoever does not run has left its stack in order, or it was prepared.
        unsafe { switch(&self.left, other.left.get()) };
    }
}

/// The stack of a fiber.
pub(super) struct Frames {
    stack: ColouredStack,
}

/// What is called on a fresh stack. No `extern "C-unwind"`: a crate that calls such a function can not be linked into
/// programs that abort on panic.
pub(super) type Body = fn(*const ()) -> !;

impl Frames {
    /// A stack on which `body` is called with `seat` when somebody first goes there.
    pub(super) fn new(stack: ColouredStack, door: &Door, body: Body, seat: *const ()) -> Self {
        let mut frames = Self { stack };
        frames.prepare(door, body, seat);
        frames
    }

    /// Makes the stack as good as new; the frames on it are forgotten.
    pub(super) fn prepare(&mut self, door: &Door, body: Body, seat: *const ()) {
        let top = self.stack.base().get() as *mut usize;
        let words = [begin as *const () as usize, body as usize, seat as usize, door.home as usize];
        // SAFETY: The stack is mapped, its base is aligned to 16 bytes, and nobody runs there. The last
        // two words are for whoever follows frame pointers: the first frame has none before it.
        unsafe {
            let bottom = top.sub(6);
            bottom.cast::<[usize; 4]>().write(words);
            top.sub(2).cast::<[usize; 2]>().write([0, 0]);
            door.left.set(bottom);
        }
    }

    /// Goes to the fiber; returns when it, or one that it has passed control to, leaves.
    ///
    /// # Safety
    ///
    /// The fiber must not run.
    #[inline]
    pub(super) unsafe fn resume(&mut self, door: &Door) {
        // SAFETY: The home lives as long as its fibers; the caller says that the fiber has left its stack in order.
        let home = unsafe { &*door.home };
        // SAFETY: As above.
        unsafe { switch(&home.left, door.left.get()) };
        if let Some(panic) = home.panic.take() {
            resume_unwind(panic);
        }
    }

    /// What makes a thread go to the loop that was interrupted on this fiber.
    ///
    /// # Safety
    ///
    /// The fiber must be the one that was interrupted, and must go that way.
    pub(super) unsafe fn way_out(&self, door: &Door) -> WayOut {
        // SAFETY: As in `leave`: fibers run only while their loop waits.
        unsafe {
            let left = (*door.home).left.get();
            WayOut { instruction: left.read(), stack_pointer: left.add(1).addr() }
        }
    }
}

/// The registers of a thread that goes to the loop.
pub(crate) struct WayOut {
    pub(crate) instruction: usize,
    pub(crate) stack_pointer: usize,
}

/// Leaves this stack, notes in `from` where it goes on, and goes on where `to` was left.
///
/// # Safety
///
/// `to` comes from `from` of an earlier call whose stack has not been used since, or from
/// [`Frames::prepare`].
#[inline(always)]
unsafe fn switch(from: &Cell<Left>, to: Left) {
    // SAFETY: All registers are said to be overwritten but the two that can not be, and the stack pointer; these are
    // saved on the stack that is left, and are what they were when somebody comes back to label 2 with that
    // stack. A jump, not a return: returns are predicted from the calls before them.
    unsafe {
        asm!(
            "push rbp",
            "push rbx",
            "lea rax, [rip + 2f]",
            "push rax",
            "mov [rdi], rsp",
            "mov rsp, rsi",
            "pop rax",
            "jmp rax",
            "2:",
            "pop rbx",
            "pop rbp",
            inout("rdi") from.as_ptr() => _,
            inout("rsi") to => _,
            out("r12") _,
            out("r13") _,
            out("r14") _,
            out("r15") _,
            clobber_abi("sysv64"),
        );
    }
}

/// Where a fresh stack begins. On top of it lies what [`work`] is called with.
#[unsafe(naked)]
unsafe extern "sysv64" fn begin() -> ! {
    naked_asm!(
        ".cfi_startproc",
        // There is nobody to return to.
        ".cfi_undefined rip",
        "pop rdi",
        "pop rsi",
        "pop rdx",
        "xor ebp, ebp",
        "call {work}",
        "ud2",
        ".cfi_endproc",
        work = sym work,
    )
}

/// The first frame of a fiber.
unsafe extern "sysv64" fn work(body: *const (), seat: *const (), home: *const Home) {
    // SAFETY: `prepare` was given it as such a function.
    let body = unsafe { mem::transmute::<*const (), Body>(body) };
    let Err(panic) = catch_unwind(AssertUnwindSafe(|| -> Infallible { body(seat) }));
    // SAFETY: `prepare` was given the home, which lives as long as its fibers.
    let home = unsafe { &*home };
    home.panic.set(Some(panic));
    let nowhere = Cell::new(ptr::null_mut());
    // SAFETY: As in `leave`. This stack is not entered again before it is prepared anew.
    unsafe { switch(&nowhere, home.left.get()) };
}

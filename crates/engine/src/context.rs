//! Whether the calling code runs under control, and the way into the engine if it does.

use crate::execution::Execution;
use selvedge_model::ThreadId;
use std::cell::Cell;
use std::mem::{self, ManuallyDrop};
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};

thread_local! {
    /// The execution whose threads run on this operating-system thread.
    static CURRENT: Cell<*mut Execution> = const { Cell::new(ptr::null_mut()) };
}

/// Proof that the caller is a thread of a controlled execution: how mirrors reach the engine.
///
/// Each operation of a mirror asks [`Controlled::current`] anew and uses the answer at once; it
/// must not be kept. It can not be sent to another operating-system thread.
#[derive(Clone, Copy)]
pub struct Controlled {
    execution: NonNull<Execution>,
}

impl Controlled {
    /// The engine that runs the caller, or nothing if the caller is an ordinary thread.
    ///
    /// Nothing as well if it is the engine itself that came here: it allocates, and an allocator of
    /// the user's may count that with an atomic, which is then an ordinary one.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    pub fn current() -> Option<Self> {
        match Self::running() {
            Some(controlled) if controlled.allocates_for_test() => Some(controlled),
            _ => None,
        }
    }

    /// The engine that runs on this thread, whoever's code that is: for code of the engine's.
    #[inline]
    pub(crate) fn running() -> Option<Self> {
        NonNull::new(CURRENT.get()).map(|execution| Self { execution })
    }

    /// The state of the execution, for a stretch in which no other thread can run. For as long as
    /// the result lives, the running code is the engine's, and so is the memory that it asks for
    /// (see [`Code`]).
    ///
    /// Bind it by `let execution = &mut *self.execution()`: the reference ends with its last use,
    /// the mark at the end of the block.
    #[inline(always)]
    pub(crate) fn execution(self) -> InEngine {
        // SAFETY: As in `InEngine::deref_mut`; the reference is gone at once.
        let before = unsafe { mem::replace(&mut (*self.execution.as_ptr()).code, Code::Engine) };
        InEngine { execution: self.execution, before }
    }

    /// Goes on after [`InEngine::stay`], which has told whose code there was before.
    #[inline(always)]
    pub(crate) fn resume(self, before: Code) -> InEngine {
        InEngine { execution: self.execution, before }
    }

    /// Runs code of the test from within the engine: what it allocates is its own.
    ///
    /// The caller must not use a reference to the execution across the call.
    #[inline(always)]
    pub(crate) fn run_test_code<R>(self, f: impl FnOnce() -> R) -> R {
        let _running = Running::begin(self.execution, Code::Test);
        f()
    }

    /// Runs code of a mirror on data of its own, such as the queue of a channel. What it allocates
    /// is the test's, but what orders its accesses is the engine: they are not told of.
    #[inline(always)]
    pub fn run_mirror_code<R>(self, f: impl FnOnce() -> R) -> R {
        let _running = Running::begin(self.execution, Code::Mirror);
        f()
    }

    /// Hands control over to the thread that was chosen; returns when the caller, `me`, is chosen
    /// again. The code that runs then is the engine's, which the loop of `Engine::run` sees to
    /// whenever a thread hands control back.
    #[inline(always)]
    pub(crate) fn give_way(self, me: ThreadId) {
        // SAFETY: As in `InEngine::deref_mut`, and no reference is alive while others run. The exit
        // is that of the thread that runs, that is the caller.
        unsafe {
            let exit = (&(*self.execution.as_ptr()).threads)[me.index()].exit;
            exit.leave();
        }
    }

    /// Whether the caller is not code of the engine.
    #[inline(always)]
    pub(crate) fn allocates_for_test(self) -> bool {
        self.code() != Code::Engine
    }

    /// Whose code the caller is.
    #[inline(always)]
    pub(crate) fn code(self) -> Code {
        // SAFETY: The execution is alive for as long as it is the current one. A read of one byte
        // through the pointer, possibly in the middle of an engine function that holds a reference
        // and allocates: that one is not used while the allocator runs, and is not written to.
        unsafe { ptr::addr_of!((*self.execution.as_ptr()).code).read() }
    }
}

/// Whose code runs on a controlled thread. What the test's code allocates belongs to the execution
/// and is gone after it; what the engine allocates meanwhile is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    Engine,
    Test,
    /// As the test's, but nobody is told of accesses to memory.
    Mirror,
}

/// The way into the state of the execution. Marks the running code as the engine's.
pub(crate) struct InEngine {
    execution: NonNull<Execution>,
    before: Code,
}

impl InEngine {
    /// The handle by which the state was reached.
    #[inline(always)]
    pub(crate) fn thread(&self) -> Controlled {
        Controlled { execution: self.execution }
    }
}

impl InEngine {
    /// Leaves the state and lets the running code stay the engine's, until
    /// [`Controlled::resume`]. Tells whose code there was before.
    #[inline(always)]
    pub(crate) fn stay(self) -> Code {
        ManuallyDrop::new(self).before
    }
}

impl Deref for InEngine {
    type Target = Execution;

    #[inline(always)]
    fn deref(&self) -> &Execution {
        // SAFETY: As in `deref_mut`.
        unsafe { self.execution.as_ref() }
    }
}

impl DerefMut for InEngine {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Execution {
        // SAFETY: `Controlled::current` hands out handles only while `Engine::run` is on this
        // thread, which keeps the execution alive and holds no reference while fibers run. All
        // threads of the execution are fibers of this operating-system thread, so nobody else
        // reaches it at the same time; each engine function takes the reference anew after every
        // switch and calls no code that could come back here while it holds one (strategies and
        // observers run with `CURRENT` cleared).
        unsafe { self.execution.as_mut() }
    }
}

impl Drop for InEngine {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: As in `deref_mut`.
        unsafe { (*self.execution.as_ptr()).code = self.before };
    }
}

/// Marks whose the running code is for as long as it lives.
struct Running {
    execution: NonNull<Execution>,
    before: Code,
}

impl Running {
    #[inline(always)]
    fn begin(execution: NonNull<Execution>, code: Code) -> Self {
        // SAFETY: As in `InEngine::deref_mut`.
        let before = unsafe { mem::replace(&mut (*execution.as_ptr()).code, code) };
        Self { execution, before }
    }
}

impl Drop for Running {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: As in `InEngine::deref_mut`.
        unsafe { (*self.execution.as_ptr()).code = self.before };
    }
}

/// The place where an operating-system thread keeps its current execution. Looked up once for an
/// execution, since looking it up costs more than writing to it.
#[derive(Clone, Copy)]
pub(crate) struct Place(*const Cell<*mut Execution>);

impl Place {
    /// The place of no thread.
    pub(crate) const NOWHERE: Self = Self(ptr::null());

    /// The calling thread's place.
    pub(crate) fn here() -> Self {
        CURRENT.with(|current| Self(ptr::from_ref(current)))
    }

    /// Makes `execution` the current one for as long as the result lives.
    ///
    /// # Safety
    ///
    /// Must be called on the thread whose place this is.
    #[inline(always)]
    pub(crate) unsafe fn enter(self, execution: *mut Execution) -> Enter {
        // SAFETY: The caller is on the thread that owns the place, so it lives and is not shared.
        let outer = unsafe { (*self.0).replace(execution) };
        Enter { place: self, outer }
    }

    /// Runs code of ours that must not take part in the execution, such as a strategy.
    ///
    /// # Safety
    ///
    /// Must be called on the thread whose place this is.
    #[inline(always)]
    pub(crate) unsafe fn outside<R>(self, f: impl FnOnce() -> R) -> R {
        // SAFETY: Passed on to the caller.
        let _outside = unsafe { self.enter(ptr::null_mut()) };
        f()
    }
}

/// Puts the former execution back when it is dropped.
pub(crate) struct Enter {
    place: Place,
    outer: *mut Execution,
}

impl Drop for Enter {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: `Place::enter` was called on this thread, and guards do not leave it.
        unsafe { (*self.place.0).set(self.outer) };
    }
}

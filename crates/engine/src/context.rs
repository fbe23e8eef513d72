//! Whether the calling code runs under control, and the way into the engine if it does.

use crate::accesses::Telling;
use crate::ending::Crash;
use crate::execution::Execution;
use crate::panic::PanicNote;
use crate::progress::Watch;
use selvedge_model::ThreadId;
use std::cell::{Cell, RefCell};
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};

thread_local! {
    /// What runs on this operating-system thread.
    static HERE: Here = const { Here::nobody() };
}

/// What an operating-system thread knows of the execution whose threads run on it.
///
/// Apart from the state of the execution, because it is asked in the middle of engine functions that
/// hold a reference to that state: by the allocator, by the panic hook and by signal handlers.
pub(crate) struct Here {
    execution: Cell<*mut Execution>,
    code: Cell<Code>,
    /// The thread that runs.
    thread: Cell<ThreadId>,
    /// The part of the running thread's stack that is not the test's.
    reserve: Cell<Reserve>,
    /// What does not change while an execution runs.
    run: Cell<Run>,
    /// Panics of the engine's own code, which the execution does not know of yet. Not dropped with the
    /// thread: what is has a destructor to be registered, which allocates, and the allocator comes here.
    panics: ManuallyDrop<RefCell<Vec<PanicNote>>>,
}

/// What does not change while an execution runs.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// Whether somebody wants to know of accesses to data.
    pub(crate) telling: Telling,
    /// Who watches it, for signal handlers. The execution keeps it alive.
    pub(crate) watch: *const Watch,
}

/// The last part of a stack: the test is not meant to use it, so that the engine has room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reserve {
    /// The lowest address of the stack.
    pub(crate) begin: usize,
    pub(crate) size: usize,
}

impl Here {
    const fn nobody() -> Self {
        Self {
            execution: Cell::new(ptr::null_mut()),
            code: Cell::new(Code::Engine),
            thread: Cell::new(ThreadId::MAIN),
            reserve: Cell::new(Reserve { begin: 0, size: 0 }),
            run: Cell::new(Run { telling: Telling::No, watch: ptr::null() }),
            panics: ManuallyDrop::new(RefCell::new(Vec::new())),
        }
    }
}

/// Proof that the caller is a thread of a controlled execution: how mirrors reach the engine.
///
/// Each operation of a mirror asks [`Controlled::current`] anew and uses the answer at once; it
/// must not be kept. It can not be sent to another operating-system thread.
#[derive(Clone, Copy)]
pub struct Controlled {
    /// Lives as long as the operating-system thread, which a handle does not leave, and has a current
    /// execution.
    here: NonNull<Here>,
}

impl Controlled {
    /// The engine that runs the caller, or nothing if the caller is an ordinary thread.
    ///
    /// Nothing as well if it is the engine itself that came here: it allocates, and an allocator of
    /// the user's may count that with an atomic, which is then an ordinary one.
    ///
    /// Does not come back if the caller has used more of its stack than it asked for.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    pub fn current() -> Option<Self> {
        match Self::running() {
            Some(controlled) if controlled.is_test_code() => Some(controlled),
            _ => None,
        }
    }

    /// The engine that runs on this thread, whoever's code that is: for code of the engine's.
    #[inline]
    pub(crate) fn running() -> Option<Self> {
        HERE.with(|here| {
            let is_running = !here.execution.get().is_null();
            is_running.then(|| Self { here: NonNull::from_ref(here) })
        })
    }

    #[inline(always)]
    fn here(&self) -> &Here {
        // SAFETY: `running` got it from the thread-local of this thread, which is never dropped.
        unsafe { self.here.as_ref() }
    }

    /// The state of the execution, for a stretch in which no other thread can run. For as long as
    /// the result lives, the running code is the engine's, and so is the memory that it asks for
    /// (see [`Code`]).
    ///
    /// Bind it by `let execution = &mut *self.execution()`: the reference ends with its last use,
    /// the mark at the end of the block.
    #[inline(always)]
    pub(crate) fn execution(self) -> InEngine {
        let before = self.here().code.get();
        self.resume(before)
    }

    /// Goes on after [`InEngine::make_way`], which has told whose code there was before.
    #[inline(always)]
    pub(crate) fn resume(self, before: Code) -> InEngine {
        let here = self.here();
        here.code.set(Code::Engine);
        // SAFETY: A handle is there only while there is a current execution: code that runs without one
        // (`Place::outside`) has none, and is over when those who have one go on.
        let execution = unsafe { NonNull::new_unchecked(here.execution.get()) };
        InEngine { controlled: self, execution, before }
    }

    /// Runs code of the test from within the engine: what it allocates is its own.
    ///
    /// The caller must not use a reference to the execution across the call.
    #[inline(always)]
    pub(crate) fn run_test_code<R>(self, f: impl FnOnce() -> R) -> R {
        let _running = Running::begin(self, Code::Test);
        f()
    }

    /// Runs code of a mirror on data of its own, such as the queue of a channel. What it allocates
    /// is the test's, but what orders its accesses is the engine: they are not told of.
    #[inline(always)]
    pub fn run_mirror_code<R>(self, f: impl FnOnce() -> R) -> R {
        let _running = Running::begin(self, Code::Mirror);
        f()
    }

    /// Hands control over to the thread that was chosen; returns when the caller, `me`, is chosen
    /// again. The code that runs then is the engine's, which whoever hands control over sees to. If the execution
    /// has ended, control goes back to `Engine::run`, and never returns.
    #[inline(always)]
    pub(crate) fn give_way(self, me: ThreadId) {
        let execution = self.here().execution.get();
        // SAFETY: As in `InEngine::deref_mut`, and no reference is alive while others run. The exit
        // is that of the thread that runs, that is the caller. Whoever can be chosen has not ended, so it has a fiber
        // with something to do, and it does not run: the caller has been told that it is not its own turn, or that
        // the execution has ended.
        unsafe {
            let exit = (&(*execution).threads)[me.index()].exit;
            loop {
                if (*execution).ending.is_none() && (*execution).current != me {
                    (*execution).tell_watcher();
                    let next = (*(*execution).chosen_fiber()).exit();
                    (*execution).partners.place.goes_on((*execution).current, next.reserve());
                    exit.pass_to(next);
                } else {
                    exit.leave();
                }
                if !(*execution).signals.is_due() {
                    break;
                }
                self.handle_due_signal();
            }
        }
    }

    /// Hands control over for good: the execution has ended, so nobody is resumed any more.
    pub(crate) fn give_way_for_good(self) -> ! {
        let me = self.here().thread.get();
        loop {
            self.give_way(me);
        }
    }

    /// Whether the caller is not code of the engine.
    #[inline(always)]
    pub(crate) fn allocates_for_test(self) -> bool {
        match self.code() {
            Code::Test | Code::Mirror => true,
            Code::Engine | Code::Access => false,
        }
    }

    /// As [`allocates_for_test`](Self::allocates_for_test), for those who are about to enter the
    /// engine: if the test has not left it the room that it needs, the stack has overflowed.
    #[inline(always)]
    pub(crate) fn is_test_code(self) -> bool {
        let is_test_code = self.allocates_for_test();
        if is_test_code {
            self.expect_room();
        }
        is_test_code
    }

    /// Ends the execution if the running thread has used more of its stack than it asked for. Code of
    /// the test may be on another stack than the thread's, of which nothing is known.
    #[inline(always)]
    pub(crate) fn expect_room(self) {
        let Reserve { begin, size } = self.here().reserve.get();
        let place = 0_u8;
        if (&raw const place).addr().wrapping_sub(begin) < size {
            self.overflows();
        }
    }

    #[cold]
    #[inline(never)]
    fn overflows(self) -> ! {
        self.crashed(Crash::StackOverflow);
        self.give_way_for_good()
    }

    /// Whether somebody wants to know of accesses to data.
    #[inline(always)]
    pub fn telling(self) -> Telling {
        self.here().run.get().telling
    }

    /// Whose code the caller is.
    #[inline(always)]
    pub(crate) fn code(self) -> Code {
        self.here().code.get()
    }

    /// What becomes of the execution, if whoever watches it has interrupted it. May be asked in the middle
    /// of an engine function.
    pub(crate) fn interrupted(self) -> Option<Crash> {
        // SAFETY: `Engine::run` has said who watches, and keeps it alive while there is a current execution.
        unsafe { self.here().run.get().watch.as_ref() }.and_then(Watch::interrupted)
    }

    /// The thread that runs.
    pub fn thread(self) -> ThreadId {
        self.here().thread.get()
    }

    /// Notes a panic of the engine's own code.
    pub(crate) fn engine_panicked(self, note: PanicNote) {
        self.here().panics.borrow_mut().push(note);
    }

    /// Whether there are panics of the engine's own code that nobody has asked for.
    #[inline]
    pub(crate) fn has_engine_panicked(self) -> bool {
        !self.here().panics.borrow().is_empty()
    }

    /// The panics of the engine's own code since this was last asked.
    pub(crate) fn engine_panics(self) -> Vec<PanicNote> {
        self.here().panics.take()
    }
}

/// Whose code runs on a controlled thread. What the test's code allocates belongs to the execution
/// and is gone after it; what the engine allocates meanwhile is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    Engine,
    /// The engine carries out an access of the test, and is in the middle of nothing.
    Access,
    Test,
    /// As the test's, but nobody is told of accesses to memory.
    Mirror,
}

/// The way into the state of the execution. Marks the running code as the engine's.
pub(crate) struct InEngine {
    controlled: Controlled,
    execution: NonNull<Execution>,
    before: Code,
}

impl InEngine {
    /// The handle by which the state was reached.
    #[inline(always)]
    pub(crate) fn thread(&self) -> Controlled {
        self.controlled
    }

    /// Leaves the state for an access of the test, until [`Controlled::resume`]. Tells whose code there
    /// was before.
    #[inline(always)]
    pub(crate) fn make_way(self) -> Code {
        let this = ManuallyDrop::new(self);
        this.controlled.here().code.set(Code::Access);
        this.before
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
        // SAFETY: `Controlled::running` hands out handles only while `Engine::run` is on this
        // thread, which keeps the execution alive and holds no reference while fibers run. All
        // threads of the execution are fibers of this operating-system thread, so nobody else
        // reaches it at the same time; each engine function takes the reference anew after every
        // switch and calls no code that could come back here while it holds one: strategies and
        // observers run with no current execution, and what comes in the middle of an engine function
        // (the allocator, the panic hook, a signal handler) sees by `Code::Engine` that it must not.
        unsafe { self.execution.as_mut() }
    }
}

impl Drop for InEngine {
    #[inline(always)]
    fn drop(&mut self) {
        self.controlled.here().code.set(self.before);
    }
}

/// Marks whose the running code is for as long as it lives.
struct Running {
    controlled: Controlled,
    before: Code,
}

impl Running {
    #[inline(always)]
    fn begin(controlled: Controlled, code: Code) -> Self {
        let before = controlled.here().code.replace(code);
        Self { controlled, before }
    }
}

impl Drop for Running {
    #[inline(always)]
    fn drop(&mut self) {
        self.controlled.here().code.set(self.before);
    }
}

/// The place where an operating-system thread keeps what runs on it. Looked up once for an
/// execution, since looking it up costs more than writing to it.
#[derive(Clone, Copy)]
pub(crate) struct Place(*const Here);

impl Place {
    /// The place of no thread.
    pub(crate) const NOWHERE: Self = Self(ptr::null());

    /// The calling thread's place.
    pub(crate) fn here() -> Self {
        HERE.with(|here| Self(ptr::from_ref(here)))
    }

    /// Makes `execution` the current one for as long as the result lives.
    ///
    /// # Safety
    ///
    /// Must be called on the thread whose place this is.
    #[inline(always)]
    pub(crate) unsafe fn enter(self, execution: *mut Execution) -> Enter {
        // SAFETY: The caller is on the thread that owns the place, so it lives and is not shared.
        let outer = unsafe { (*self.0).execution.replace(execution) };
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

    /// From here to where the thread goes on, the engine's code runs for it, on this stack.
    ///
    /// # Safety
    ///
    /// Must be called on the thread whose place this is.
    #[inline(always)]
    pub(crate) unsafe fn goes_on(self, thread: ThreadId, reserve: Reserve) {
        // SAFETY: As in `enter`.
        let here = unsafe { &*self.0 };
        here.code.set(Code::Engine);
        here.thread.set(thread);
        here.reserve.set(reserve);
    }

    /// A run begins, or one goes on within which another ran. Panics of the engine's own code that nobody
    /// has asked for belong to an execution that is over. Gives back what there was before.
    ///
    /// # Safety
    ///
    /// Must be called on the thread whose place this is.
    pub(crate) unsafe fn begins(self, run: Run) -> Run {
        // SAFETY: As in `enter`.
        let here = unsafe { &*self.0 };
        here.panics.borrow_mut().clear();
        here.run.replace(run)
    }

    /// What is kept here besides the current execution, to be put back by
    /// [`goes_on`](Self::goes_on) if an execution runs within another.
    ///
    /// # Safety
    ///
    /// Must be called on the thread whose place this is.
    pub(crate) unsafe fn kept(self) -> (ThreadId, Reserve) {
        // SAFETY: As in `enter`.
        let here = unsafe { &*self.0 };
        (here.thread.get(), here.reserve.get())
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
        unsafe { (*self.place.0).execution.set(self.outer) };
    }
}

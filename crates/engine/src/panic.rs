//! Panics of controlled threads: noted, not printed.

use crate::context::{Controlled, InEngine};
use crate::ending::Ending;
use crate::execution::Execution;
use crate::objects::io::Carries;
use selvedge_model::{Source, StackNumber, ThreadId};
use std::any::Any;
use std::panic::{self, PanicHookInfo};
use std::sync::{Once, PoisonError, RwLock};

/// What `std::panic::set_hook` takes.
pub type PanicHook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send + 'static>;

/// A panic that the hook has seen.
#[derive(Clone, Debug)]
pub(crate) struct PanicNote {
    pub(crate) thread: ThreadId,
    pub(crate) message: String,
    pub(crate) at: Option<Source>,
    /// The calls that led there, if anybody wants to know.
    pub(crate) stack: Option<StackNumber>,
}

/// The panics of an execution.
#[derive(Default)]
pub(crate) struct Panics {
    pub(crate) notes: Vec<PanicNote>,
    /// What the test wants to be called for each.
    pub(crate) hook: Option<PanicHook>,
    /// How many threads are in it.
    pub(crate) running: u32,
}

impl Panics {
    /// Forgets the last execution.
    pub(crate) fn reset(&mut self) {
        self.notes.clear();
        self.running = 0;
    }
}

/// Puts a panic hook in front of the one that is installed, once a process.
///
/// Panics of controlled threads are noted in their execution instead of printed: an exploration
/// may meet thousands of them. All others go to the hook that was there before.
pub fn install_panic_hook() {
    crate::kept! {
        static INSTALLED: Once = Once::new();
    }
    INSTALLED.call_once(|| {
        replace_outside_hook(Some(panic::take_hook()));
        panic::set_hook(Box::new(move |info| match Controlled::running() {
            // In the middle of an engine function the execution is out of reach, and what it notes of
            // the panic it learns later.
            Some(controlled) if !controlled.allocates_for_test() => {
                controlled.engine_panicked(PanicNote::new(controlled.thread(), info));
            }
            Some(controlled) => {
                controlled.expect_room();
                controlled.note_panic(info);
                controlled.call_hook(info);
            }
            None => {
                if let Some(hook) = &*OUTSIDE.read().unwrap_or_else(PoisonError::into_inner) {
                    hook(info);
                }
            }
        }));
    });
}

crate::kept! {
    /// The hook for the panics of ordinary threads.
    static OUTSIDE: RwLock<Option<PanicHook>> = RwLock::new(None);
}

/// Makes another hook that of ordinary threads, behind the engine's. Gives back the one before.
pub fn replace_outside_hook(hook: Option<PanicHook>) -> Option<PanicHook> {
    std::mem::replace(&mut *OUTSIDE.write().unwrap_or_else(PoisonError::into_inner), hook)
}

/// No more panics of an execution than this are remembered.
const MOST_PANICS: usize = 256;

impl Controlled {
    fn note_panic(self, info: &PanicHookInfo<'_>) {
        let mut note = PanicNote::new(self.thread(), info);
        let mut execution = self.knowing_panics();
        if execution.stacks.is_on() {
            note.stack = execution.running_stack();
        }
        execution.note_panic(note);
    }

    /// The state of the execution, which knows of all panics now, also of those that came in the middle
    /// of an engine function.
    fn knowing_panics(self) -> InEngine {
        let mut engine = self.execution();
        if self.has_engine_panicked() {
            for note in self.engine_panics() {
                engine.note_panic(note);
            }
        }
        engine
    }

    /// A panic has come to the end of the running thread.
    pub(crate) fn ends_by_panic(self, payload: &(dyn Any + Send)) {
        let ending = Ending::Panicked { message: message(payload) };
        self.knowing_panics().end(ending);
    }

    /// Makes another hook that of this execution: it is called for each panic of its threads, after
    /// the engine has noted it. Gives back the one before.
    pub fn replace_hook(self, hook: Option<PanicHook>) -> Option<PanicHook> {
        // The lock of the real hook orders those who set it and those for whom it is called.
        self.carries(Carries::Both);
        std::mem::replace(&mut self.execution().account.panics.hook, hook)
    }

    /// Calls the hook of the execution. Meanwhile no other thread runs, unless this one has to wait
    /// for it: to the real standard library, all of them are one thread, and it takes a second
    /// panic of a thread whose hook is running for a panic of the hook.
    fn call_hook(self, info: &PanicHookInfo<'_>) {
        let Some(hook) = self.execution().account.panics.hook.take() else { return };
        self.carries(Carries::Acquire);
        self.execution().account.panics.running += 1;
        self.execution().end_routine();
        self.run_test_code(|| hook(info));
        self.carries(Carries::Release);
        let execution = &mut *self.execution();
        execution.account.panics.running -= 1;
        execution.account.panics.hook.get_or_insert(hook);
    }

    /// Notes that a panic that was caught goes on, which no hook is told.
    pub fn resumes_unwinding(self) {
        let execution = &mut *self.knowing_panics();
        execution.threads[execution.current.index()].panics += 1;
    }

    /// How many panics are on their way through the running thread's frames. To be handed to
    /// [`has_caught`](Self::has_caught) by who catches those that are to come.
    pub fn panics(self) -> u32 {
        let execution = &mut *self.knowing_panics();
        execution.threads[execution.current.index()].panics
    }

    /// The running thread has caught what came after there had been so many panics.
    pub fn has_caught(self, before: u32) {
        let execution = &mut *self.knowing_panics();
        execution.threads[execution.current.index()].panics = before;
    }

    /// Whether the running thread unwinds because of a panic.
    ///
    /// The real `std::thread::panicking` speaks of the operating-system thread, that is of all
    /// controlled threads together: it is true while any of them is stopped in the middle of
    /// unwinding. A thread that caught its own panic otherwise than by a mirror of `catch_unwind` is
    /// taken for unwinding until nobody is.
    #[cfg_attr(selvedge_kit, inline(never))]
    #[cfg_attr(not(selvedge_kit), inline)]
    pub fn panicking(self) -> bool {
        std::thread::panicking() && {
            let execution = &mut *self.knowing_panics();
            execution.threads[execution.current.index()].panics > 0
        }
    }
}

impl Execution {
    fn note_panic(&mut self, note: PanicNote) {
        self.threads[note.thread.index()].panics += 1;
        let notes = &mut self.account.panics.notes;
        if notes.len() == MOST_PANICS {
            // The first ones and the last ones are those that matter.
            notes.remove(MOST_PANICS / 2);
        }
        notes.push(note);
    }
}

impl PanicNote {
    fn new(thread: ThreadId, info: &PanicHookInfo<'_>) -> Self {
        let at = info.location().map(Source::from);
        Self { thread, message: message(info.payload()), at, stack: None }
    }
}

/// The text of a panic.
pub(crate) fn message(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic without a message".to_owned()
    }
}

//! Mirror of `std::sync::Once`; what it means to the engine is in `engine/objects/once.rs`.
//!
//! How far the initialisation has come is kept here, because it goes with the object from one
//! side to the other: what was initialised by an ordinary thread is initialised for a controlled
//! one too. That somebody is in it right now is kept on the side where it happens: an execution
//! may be given up in the middle of an initialisation, and that must not look as if somebody were
//! in it for ever.

use real::cell::Cell;
use real::fmt;
use real::marker::PhantomData;
use real::sync::atomic::{AtomicU8, Ordering};
use real::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use selvedge_engine::{Controlled, Object, OnceEntry, OnceExit, OnceUntil};
use selvedge_model::Site;

/// A one-time global initialisation; see [`std::sync::Once`].
pub struct Once {
    object: Object,
    stage: AtomicU8,
    /// Held by ordinary threads while they change the stage or decide to wait.
    outside: Mutex<()>,
    /// Ordinary threads wait here for a change of the stage.
    changed: Condvar,
}

/// What an initialiser is told of earlier attempts; see [`std::sync::OnceState`].
pub struct OnceState {
    poisoned: bool,
    /// As in std, the state is for the initialiser's thread alone.
    not_shared: PhantomData<Cell<()>>,
}

/// An initialisation that has not begun; see [`std::sync::ONCE_INIT`].
#[deprecated(since = "1.38.0", note = "the `Once::new()` function is now preferred")]
#[expect(clippy::declare_interior_mutable_const, reason = "std has it")]
pub const ONCE_INIT: Once = Once::new();

/// How far an initialisation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Stage {
    Incomplete,
    /// An initialiser has panicked.
    Poisoned,
    /// An ordinary thread is in it.
    Running,
    Complete,
}

/// What is done if an earlier initialiser has panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IfPoisoned {
    /// Panic, with this text.
    Panic(&'static str),
    /// Go on.
    Ignore,
}

const POISONED: IfPoisoned = IfPoisoned::Panic("Once instance has previously been poisoned");

#[expect(clippy::new_without_default, reason = "std has none")]
impl Once {
    /// Creates an initialisation that has not begun.
    #[must_use]
    #[inline]
    #[track_caller]
    pub const fn new() -> Self {
        Self::at_stage(Stage::Incomplete)
    }

    /// An initialisation that is done.
    #[track_caller]
    pub(super) const fn completed() -> Self {
        Self::at_stage(Stage::Complete)
    }

    #[track_caller]
    const fn at_stage(stage: Stage) -> Self {
        Self {
            object: Object::new(Site::caller()),
            stage: AtomicU8::new(stage as u8),
            outside: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    /// Runs `f` if nobody has run an initialiser yet, and waits for whoever is running one.
    #[inline]
    #[track_caller]
    pub fn call_once<F>(&self, f: F)
    where
        F: FnOnce(),
    {
        self.call(POISONED, |_| f());
    }

    /// As [`call_once`](Self::call_once), also if an earlier initialiser has panicked.
    #[inline]
    #[track_caller]
    pub fn call_once_force<F>(&self, f: F)
    where
        F: FnOnce(&OnceState),
    {
        self.call(IfPoisoned::Ignore, f);
    }

    /// Whether an initialiser has run to its end.
    #[inline]
    #[track_caller]
    pub fn is_completed(&self) -> bool {
        match Controlled::current() {
            Some(controlled) => {
                controlled.once_get(&self.object, Site::caller(), || self.is_complete())
            }
            None => self.is_complete(),
        }
    }

    /// Waits until somebody has run an initialiser; panics if it panics.
    #[track_caller]
    pub fn wait(&self) {
        self.wait_for(POISONED);
    }

    /// Waits until somebody has run an initialiser to its end, however many panic before.
    #[track_caller]
    pub fn wait_force(&self) {
        self.wait_for(IfPoisoned::Ignore);
    }

    /// Runs `f` unless it is done. Everything that happened in `f` or the initialiser that was
    /// run instead has happened before this returns.
    #[inline]
    #[track_caller]
    pub(super) fn call(&self, if_poisoned: IfPoisoned, f: impl FnOnce(&OnceState)) {
        let site = Site::caller();
        let found = match Controlled::current() {
            Some(controlled) => self.enter(controlled, if_poisoned, site),
            None if self.is_complete() => return,
            None => return self.call_outside(if_poisoned, f, site),
        };
        match found {
            Stage::Complete => {}
            Stage::Poisoned if let IfPoisoned::Panic(text) = if_poisoned => panic!("{text}"),
            found => self.run(found, f, site),
        }
    }

    /// Enters the initialisation by the engine's leave, unless the stage found forbids it.
    fn enter(&self, controlled: Controlled, if_poisoned: IfPoisoned, site: Site) -> Stage {
        let mut found = Stage::Incomplete;
        let entry = controlled.once_enter(&self.object, site, || {
            found = self.stage();
            found == Stage::Complete
                || found == Stage::Poisoned && if_poisoned != IfPoisoned::Ignore
        });
        debug_assert!(entry == OnceEntry::Entered || found != Stage::Incomplete);
        found
    }

    #[cold]
    #[track_caller]
    fn call_outside(&self, if_poisoned: IfPoisoned, f: impl FnOnce(&OnceState), site: Site) {
        let _in_use = self.object.use_outside();
        let mut lock = self.lock_outside();
        loop {
            match self.stage() {
                Stage::Complete => return,
                Stage::Poisoned if let IfPoisoned::Panic(text) = if_poisoned => {
                    drop(lock);
                    panic!("{text}");
                }
                Stage::Running => lock = self.wait_outside(lock),
                found => {
                    self.set(Stage::Running);
                    drop(lock);
                    return self.run(found, f, site);
                }
            }
        }
    }

    /// Runs the initialiser; the caller has entered.
    fn run(&self, found: Stage, f: impl FnOnce(&OnceState), site: Site) {
        let mut leaving = Leaving { once: self, exit: OnceExit::Poisoned, site };
        f(&OnceState { poisoned: found == Stage::Poisoned, not_shared: PhantomData });
        leaving.exit = OnceExit::Done;
    }

    /// Waits for another thread's initialiser.
    #[track_caller]
    pub(super) fn wait_for(&self, if_poisoned: IfPoisoned) {
        let site = Site::caller();
        let found = match Controlled::current() {
            Some(controlled) => {
                let until = match if_poisoned {
                    IfPoisoned::Panic(_) => OnceUntil::DoneOrPoisoned,
                    IfPoisoned::Ignore => OnceUntil::Done,
                };
                controlled.once_wait(&self.object, site, until, || match self.stage() {
                    Stage::Complete => true,
                    Stage::Poisoned => until == OnceUntil::DoneOrPoisoned,
                    Stage::Incomplete | Stage::Running => false,
                });
                self.stage()
            }
            None if self.is_complete() => return,
            None => {
                let _in_use = self.object.use_outside();
                let mut lock = self.lock_outside();
                loop {
                    match self.stage() {
                        Stage::Complete => break Stage::Complete,
                        Stage::Poisoned if if_poisoned != IfPoisoned::Ignore => {
                            break Stage::Poisoned;
                        }
                        _ => lock = self.wait_outside(lock),
                    }
                }
            }
        };
        if let (Stage::Poisoned, IfPoisoned::Panic(text)) = (found, if_poisoned) {
            panic!("{text}");
        }
    }

    /// Whether it is done, without an operation that others would notice.
    #[inline]
    fn is_complete(&self) -> bool {
        self.stage.load(Ordering::Acquire) == Stage::Complete as u8
    }

    fn stage(&self) -> Stage {
        const INCOMPLETE: u8 = Stage::Incomplete as u8;
        const POISONED: u8 = Stage::Poisoned as u8;
        const RUNNING: u8 = Stage::Running as u8;
        match self.stage.load(Ordering::Acquire) {
            INCOMPLETE => Stage::Incomplete,
            POISONED => Stage::Poisoned,
            RUNNING => Stage::Running,
            _ => Stage::Complete,
        }
    }

    fn set(&self, stage: Stage) {
        self.stage.store(stage as u8, Ordering::Release);
    }

    fn lock_outside(&self) -> MutexGuard<'_, ()> {
        self.outside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_outside<'a>(&'a self, lock: MutexGuard<'a, ()>) -> MutexGuard<'a, ()> {
        self.changed.wait(lock).unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether an initialiser has panicked.
    pub(super) fn is_poisoned_mut(&mut self) -> bool {
        *self.stage.get_mut() == Stage::Poisoned as u8
    }

    /// Stores how an initialisation ended that nobody else could see.
    pub(super) fn finish_mut(&mut self, exit: OnceExit) {
        *self.stage.get_mut() = Stage::from(exit) as u8;
    }

    /// Begins anew.
    pub(super) fn reset(&mut self) {
        *self.stage.get_mut() = Stage::Incomplete as u8;
    }
}

impl From<OnceExit> for Stage {
    fn from(exit: OnceExit) -> Self {
        match exit {
            OnceExit::Done => Self::Complete,
            OnceExit::Poisoned => Self::Poisoned,
        }
    }
}

/// A thread is in the initialisation and leaves it when this is dropped.
struct Leaving<'a> {
    once: &'a Once,
    /// Changed when the initialiser has returned: until then it may panic.
    exit: OnceExit,
    site: Site,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        let Self { once, exit, site } = *self;
        match Controlled::current() {
            Some(controlled) => controlled.once_done(&once.object, site, || {
                once.set(exit.into());
                exit
            }),
            None => {
                let lock = once.lock_outside();
                once.set(exit.into());
                drop(lock);
                once.changed.notify_all();
            }
        }
    }
}

impl OnceState {
    /// Whether an earlier initialiser has panicked.
    #[inline]
    pub fn is_poisoned(&self) -> bool {
        self.poisoned
    }
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once").finish_non_exhaustive()
    }
}

impl fmt::Debug for OnceState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnceState").field("poisoned", &self.is_poisoned()).finish()
    }
}

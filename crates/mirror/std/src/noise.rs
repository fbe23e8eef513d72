//! Noise: ordinary threads that are held up at random before they take locks.
//!
//! Source: S. Hong et al., *Testing Concurrent Programs to Achieve High Synchronization Coverage*
//! (ISSTA 2012), section 3.1.3, the random testing that it is compared with: before an operation that
//! others may notice, a thread yields (RND-y) or sleeps for up to 10 or 100 ms (RND-s10, RND-s100)
//! with a given probability. The threads are those of the operating system.
//!
//! Deviations: (1) the operations are those on mutexes, reader-writer locks and condition variables;
//! plain accesses to the data behind locks, atomics and channels are not held up. (2) Noise belongs to
//! a run and is handed on to the threads that it starts, so several runs make their noise at the same
//! time in one process, each with its own record.
//!
//! May miss: what threads do that were not started through the mirrors, or began before the run. May
//! falsely report nothing; but of readers that hold a lock at the same time, which came first is known
//! only up to the moment in which they are recorded.

mod random;
mod recorder;

pub use recorder::Recorded;

use random::Random;
use real::cell::RefCell;
use real::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use real::sync::{Arc, Mutex, PoisonError};
use real::thread;
use real::time::Duration;
use recorder::Recorder;
use selvedge_engine::{Object, OutsideUse};
use selvedge_model::Site;

/// How a thread is held up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It offers the processor to others.
    Yield,
    /// It sleeps, for a time between none and this one.
    Sleep(Duration),
}

/// How threads are held up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// In which way.
    pub kind: Kind,
    /// How likely that is before each operation, from 0 to 1.
    pub probability: f64,
    /// Where the random numbers begin. They are the same for the n-th thread of each run with this
    /// seed; what comes of them is up to the operating system.
    pub seed: u64,
}

impl Noise {
    /// Runs a test with this noise on the calling thread and on those that it starts, and says what
    /// was recorded until the test returned.
    ///
    /// On a thread that is under control there is no noise, and nothing is recorded.
    pub fn run<T>(self, test: impl FnOnce() -> T) -> (T, Recorded) {
        let run = Arc::new(Run {
            noise: self,
            threads: AtomicU64::new(0),
            recorder: Recorder::default(),
        });
        let result = {
            let _entered = Entered::new(Some(Arc::clone(&run)));
            test()
        };
        (result, run.recorder.recorded())
    }
}

impl Noise {
    /// Runs a test so many times, several at a time, each with random numbers of its own, and says
    /// what was recorded of all together.
    pub fn run_all(self, executions: u64, at_a_time: usize, test: impl Fn() + Sync) -> Recorded {
        let next = AtomicU64::new(0);
        let all = Mutex::new(Recorded::default());
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= executions {
                    break;
                }
                let noise = Self { seed: self.seed.wrapping_add(number), ..self };
                let ((), recorded) = noise.run(&test);
                all.lock().unwrap_or_else(PoisonError::into_inner).pairs.extend(recorded.pairs);
            }
        };
        thread::scope(|scope| {
            for _ in 0..at_a_time {
                scope.spawn(work);
            }
        });
        all.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run with noise.
struct Run {
    noise: Noise,
    /// How many threads it has had.
    threads: AtomicU64,
    recorder: Recorder,
}

/// What a thread of a run has.
struct Here {
    run: Arc<Run>,
    random: Random,
}

selvedge_engine::kept! {
    /// How many threads of this process are part of a run: nobody need look further while it is 0.
    static NOISY: AtomicUsize = AtomicUsize::new(0);
}

real::thread_local! {
    static HERE: RefCell<Option<Here>> = const { RefCell::new(None) };
}

/// The run that a thread is part of, for a thread that it starts.
pub(crate) struct Handed(Option<Arc<Run>>);

/// What a thread that is about to start takes from the one that starts it.
pub(crate) fn hand_on() -> Handed {
    Handed(here(|here| Arc::clone(&here.run)))
}

impl Handed {
    /// Makes the calling thread part of the run for as long as the result lives.
    pub(crate) fn enter(self) -> Entered {
        Entered::new(self.0)
    }
}

/// The calling thread is part of a run, or of none.
pub(crate) struct Entered {
    before: Option<Option<Here>>,
}

impl Entered {
    fn new(run: Option<Arc<Run>>) -> Self {
        let Some(run) = run else { return Self { before: None } };
        let number = run.threads.fetch_add(1, Ordering::Relaxed);
        let random = Random::new(run.noise.seed, number);
        NOISY.fetch_add(1, Ordering::Relaxed);
        let here = Some(Here { run, random });
        Self { before: Some(HERE.with(|place| place.replace(here))) }
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        if let Some(before) = self.before.take() {
            // A thread whose variables are gone already has nothing to put back.
            let _ = HERE.try_with(|place| place.replace(before));
            NOISY.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// What the calling thread has, if it is part of a run.
#[inline]
fn here<T>(look: impl FnOnce(&mut Here) -> T) -> Option<T> {
    if NOISY.load(Ordering::Relaxed) == 0 {
        return None;
    }
    look_up(look)
}

#[cold]
#[inline(never)]
fn look_up<T>(look: impl FnOnce(&mut Here) -> T) -> Option<T> {
    let look = |place: &RefCell<Option<Here>>| place.borrow_mut().as_mut().map(look);
    HERE.try_with(look).ok().flatten()
}

/// An ordinary thread is about to carry out an operation: it may be held up.
#[inline]
pub(crate) fn before_operation() {
    let kind = here(|Here { run, random }| {
        let Noise { kind, probability, .. } = run.noise;
        (random.fraction() < probability).then(|| match kind {
            Kind::Yield => Kind::Yield,
            Kind::Sleep(most) => Kind::Sleep(most.mul_f64(random.fraction())),
        })
    });
    match kind.flatten() {
        None => {}
        Some(Kind::Yield) => thread::yield_now(),
        Some(Kind::Sleep(time)) => thread::sleep(time),
    }
}

/// An ordinary thread has just taken a lock.
#[inline]
pub(crate) fn lock_taken(lock: &Object, in_use: &OutsideUse<'_>, site: Site) {
    here(|here| here.run.recorder.lock_taken(lock, in_use, site));
}

//! What an exploration and its watcher, which run on two threads, tell each other.
//!
//! The watcher asks for news and the explorer answers between two executions, when it looks at the
//! clock: so nothing is copied that nobody wants, and the explorer never waits. It is the thread
//! that forks; the watcher touches what is in here under `Watch::without_forks` only.

use selvedge_engine::Watch;
use selvedge_model::{Learned, Strategy};
use selvedge_observe::coverage::Coverage;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What one tells the other.
#[derive(Debug, Default)]
pub struct Exchange {
    /// What is known from executions that went before.
    known: Learned,
    /// The watcher wants to hear news, or has told some.
    attention: AtomicBool,
    /// Nobody wants the exploration to go on.
    stop: AtomicBool,
    /// What the explorer has to tell.
    news: Mutex<Learned>,
    /// What others have learned.
    heard: Mutex<Vec<Learned>>,
    /// How much of it all was told.
    executions: AtomicU64,
    steps: AtomicU64,
}

/// What the explorer is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    GoOn,
    Stop,
}

/// How much was done so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Done {
    pub(crate) executions: u64,
    pub(crate) steps: u64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Exchange {
    /// For an exploration of which this is known.
    pub(crate) fn new(known: Learned) -> Self {
        Self { known, ..Self::default() }
    }

    /// What is known from executions that went before.
    pub(crate) fn known(&self) -> &Learned {
        &self.known
    }

    /// The explorer has a moment.
    pub(crate) fn look(
        &self,
        done: Done,
        coverage: Option<&mut Coverage>,
        strategy: &mut dyn Strategy,
    ) -> Order {
        if self.attention.swap(false, Ordering::Acquire) {
            self.tell(done, coverage, strategy);
        }
        match self.stop.load(Ordering::Relaxed) {
            true => Order::Stop,
            false => Order::GoOn,
        }
    }

    /// The explorer takes in what others have learned, and tells what is new.
    pub(crate) fn tell(
        &self,
        done: Done,
        coverage: Option<&mut Coverage>,
        strategy: &mut dyn Strategy,
    ) {
        let heard = std::mem::take(&mut *lock(&self.heard));
        let mut learned = self.count(done);
        // Before others are heard: what is the same as theirs was the first here all the same.
        learned.corpus = strategy.untold();
        heard.iter().for_each(|heard| strategy.take_up(&heard.corpus));
        if let Some(coverage) = coverage {
            heard.iter().for_each(|heard| coverage.learn(heard));
            learned.metrics = coverage.news();
        }
        lock(&self.news).append(learned);
    }

    /// Counts what was done since this was last called.
    fn count(&self, done: Done) -> Learned {
        let since = |told: &AtomicU64, now: u64| {
            let before = told.swap(now, Ordering::Relaxed);
            now.saturating_sub(before)
        };
        Learned {
            executions: since(&self.executions, done.executions),
            steps: since(&self.steps, done.steps),
            ..Learned::default()
        }
    }

    /// The last news, of an exploration that is over or stands still.
    pub(crate) fn last_news(&self, done: Done) -> Learned {
        let mut news = std::mem::take(&mut *lock(&self.news));
        news.append(self.count(done));
        news
    }
}

/// An exploration, as its watcher sees it.
#[derive(Clone, Copy, Debug)]
pub struct Exploring<'a> {
    pub(crate) watch: &'a Watch,
    pub(crate) exchange: &'a Exchange,
}

impl Exploring<'_> {
    /// How many executions are done.
    pub fn executions(&self) -> u64 {
        self.watch.executions()
    }

    /// What is new since this was last called, as far as the explorer has had a moment to tell.
    pub fn news(&self) -> Learned {
        let news = std::mem::take(&mut *lock(&self.exchange.news));
        self.exchange.attention.store(true, Ordering::Release);
        news
    }

    /// Tells what others have learned.
    pub fn tell(&self, learned: Learned) {
        lock(&self.exchange.heard).push(learned);
        self.exchange.attention.store(true, Ordering::Release);
    }

    /// Has the exploration come to its end.
    pub fn stop(&self) {
        self.exchange.stop.store(true, Ordering::Relaxed);
        self.watch.ask_to_stop();
    }
}

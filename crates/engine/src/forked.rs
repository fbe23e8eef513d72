//! Executions in processes of their own.
//!
//! Each execution runs in a child that is forked from this process, in which no execution ever
//! ran. So it begins with whatever state the process had, in statics, in libraries and in the C
//! library, and whatever it does to its process ends with it. What it leaves comes back as data:
//! what happened, what was learned about sharing, and what has become of the strategy.
//!
//! A child that dies says nothing. But how far it had come stands in memory that it shared with us,
//! and the strategy here is still as it was when the execution began. So the execution is run
//! again, in another child, up to that moment, and stopped there: its frozen state says what there
//! is to know.
//!
//! Deviations and limits:
//!
//! 1. What lies outside of the process is shared by all executions: files, and what the kernel
//!    knows of open ones.
//! 2. A moment is an operation or a decision. What a thread did after its last one is not known, and
//!    neither are operations that are not recorded (see `length.rs`).
//! 3. If the execution goes another way the second time, the state is that of the way it went.

use crate::child::{Children, Departure};
use crate::ending::{Crash, Ending};
use crate::engine::Engine;
use crate::execution::Execution;
use crate::heap::Note;
use crate::progress::Moment;
use crate::remains::{self, Remains};
use crate::statics::Image;
use selvedge_model::{Observer, Strategy, ThreadId};

/// Where executions run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Processes {
    /// All in this process, one after the other.
    #[default]
    One,
    /// Each in a child of its own.
    Forked,
}

/// Why a child can not be had.
const NO_CHILD: &str = "selvedge: no process for an execution (isolation = fork)";

impl Engine {
    /// Runs the test in a child. What has been learned is taken over; of what the observer sees,
    /// nothing comes back.
    pub(crate) fn run_in_child(
        &mut self,
        test: &(dyn Fn() + Sync),
        strategy: &mut dyn Strategy,
        observer: Option<&mut dyn Observer>,
    ) -> Remains {
        self.execution.partners.watch.reset_moment();
        let known = self.knowledge_version();
        let departure = self.in_child(|engine| {
            engine.run_here(test, strategy, observer);
            remains::write(&engine.execution, known, strategy)
        });
        let remains = match departure {
            Departure::Told(said) => self.take_over(&said, strategy),
            Departure::Exited(code) => {
                self.run_to_death(test, strategy, Crash::Exit { code: Some(code) })
            }
            Departure::Killed(number) => {
                let interrupted = self.execution.partners.watch.interrupted();
                let killed = Crash::Signal { number, address: 0, at: Note::NOBODY };
                self.run_to_death(test, strategy, interrupted.unwrap_or(killed))
            }
        };
        self.execution.leave_to_child(remains.facts.length);
        if remains.facts.drew_random {
            self.execution.world.randomness.draw();
        }
        remains
    }

    /// Runs an execution whose process has died again, up to the last moment that is known of it.
    fn run_to_death(
        &mut self,
        test: &(dyn Fn() + Sync),
        strategy: &mut dyn Strategy,
        crash: Crash,
    ) -> Remains {
        let moment = self.execution.partners.watch.moment();
        let (thread, _) = self.execution.partners.watch.last();
        let known = self.knowledge_version();
        self.execution.partners.watch.begins();
        let departure = self.in_child(|engine| {
            engine.execution.account.last_moment = Some(moment);
            engine.run_here(test, strategy, None);
            engine.execution.died(ThreadId(thread), crash);
            remains::write(&engine.execution, known, strategy)
        });
        match departure {
            Departure::Told(said) => self.take_over(&said, strategy),
            // Not even the way there is the same.
            Departure::Exited(_) | Departure::Killed(_) => Remains::of_crash(crash),
        }
    }

    /// Whether executions of the test find what earlier ones have left in static data of libraries.
    /// Looked for in a child, where it is run twice: functions are bound, and what is made once is
    /// made, when the second one begins.
    pub fn leaves_trace_in_libraries(
        &mut self,
        test: &(dyn Fn() + Sync),
        strategy: &mut dyn Strategy,
    ) -> bool {
        let Some(mut image) = Image::of_libraries() else { return false };
        let departure = self.in_child(|engine| {
            engine.begin();
            strategy.begin();
            engine.run_here(test, strategy, None);
            image.refresh();
            engine.begin();
            strategy.begin();
            engine.run_here(test, strategy, None);
            vec![u8::from(image.is_outdated())]
        });
        // A child that dies will do so again when it is the test's turn.
        departure == Departure::Told(vec![1])
    }

    fn in_child(&mut self, f: impl FnOnce(&mut Self) -> Vec<u8>) -> Departure {
        let children = self.children.take().map_or_else(Children::new, Ok);
        let mut children = children.unwrap_or_else(|error| panic!("{NO_CHILD}: {error}"));
        let watch = std::sync::Arc::clone(&self.execution.partners.watch);
        let departure = children.run(&watch, || f(self));
        self.children = Some(children);
        departure.unwrap_or_else(|error| panic!("{NO_CHILD}: {error}"))
    }

    /// In the parent: goes on as if the execution had run here.
    fn take_over(&mut self, said: &[u8], strategy: &mut dyn Strategy) -> Remains {
        let told = remains::read(said);
        if let Some(learned) = told.learned {
            self.execution.registry.sharing.learn(learned);
        }
        strategy.import(&told.strategy);
        told.remains
    }
}

impl Execution {
    /// Notes how far the execution has come, for the parent of this process. Ends it if this is how
    /// far it is to go, and says so.
    #[inline(never)]
    pub(crate) fn note_moment(&mut self) -> bool {
        let moment = Moment { events: self.events.len() as u64, choices: self.account.choices };
        self.partners.watch.note(moment);
        let is_last = self
            .account
            .last_moment
            .is_some_and(|last| moment.events >= last.events && moment.choices >= last.choices);
        if is_last {
            self.end(Ending::WentWrong);
        }
        is_last
    }

    /// Cuts the running thread off, at whose last operation the execution has ended.
    pub(crate) fn cut_off_here(&self) -> ! {
        let exit = self.threads[self.current.index()].exit;
        loop {
            // SAFETY: Operations are recorded on the fiber of their thread. The execution has ended,
            // so it is not resumed, and this reference to its state is not used any more.
            unsafe { exit.leave() };
        }
    }

    /// The process died while this thread was running.
    fn died(&mut self, thread: ThreadId, crash: Crash) {
        if thread.index() < self.threads.len() {
            self.current = thread;
        }
        self.ending = Some(Ending::Crashed { crash });
    }
}

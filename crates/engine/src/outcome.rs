//! What is left of an execution, wherever it ran.

use crate::ending::Ending;
use crate::execution::Execution;
use crate::remains::Remains;
use crate::statics::{StaticTrace, Statics};
use selvedge_model::{
    CallStacks, Conditions, FindingKind, OutsideThread, Panic, Race, Record, Schedule, Step,
    ThreadReport,
};
use std::collections::BTreeSet;

/// What is left of an execution, until the next one begins.
pub struct Outcome<'a> {
    left: Left<'a>,
}

enum Left<'a> {
    /// The frozen state of an execution of this process.
    Here(&'a Execution),
    /// What a child has said of its execution.
    Told(Box<Remains>),
}

impl<'a> Outcome<'a> {
    pub(crate) fn here(execution: &'a Execution) -> Self {
        Self { left: Left::Here(execution) }
    }

    pub(crate) fn told(remains: Remains) -> Self {
        Self { left: Left::Told(Box::new(remains)) }
    }

    /// Why the execution ended.
    pub fn ending(&self) -> &Ending {
        match &self.left {
            Left::Here(execution) => execution.ending(),
            Left::Told(remains) => &remains.ending,
        }
    }

    /// What went wrong, if anything did.
    pub fn finding(&self) -> Option<FindingKind> {
        match &self.left {
            Left::Here(execution) => execution.finding(),
            Left::Told(remains) => remains.facts.finding.clone(),
        }
    }

    /// The data race that was seen, if there was one.
    pub fn race(&self) -> Option<Race> {
        match &self.left {
            Left::Here(execution) => execution.account.race,
            Left::Told(remains) => remains.race,
        }
    }

    /// What the execution had left in statics and was put back.
    pub fn statics(&self) -> StaticTrace {
        match &self.left {
            Left::Here(execution) => execution.account.static_trace,
            Left::Told(_) => StaticTrace::default(),
        }
    }

    /// Under which conditions the execution ran.
    pub fn conditions(&self) -> Conditions {
        Conditions {
            outside_threads: self.outside_threads(),
            statics_put_back: self.statics_put_back(),
            // Why that is so is known to whoever asked for it.
            forked: None,
            left_out: BTreeSet::new(),
            left_behind: None,
            never_again: None,
            only_under_control: None,
            cut_off: u64::from(*self.ending() == Ending::CutOff),
            not_kept: match &self.left {
                Left::Here(execution) => execution.account.not_kept.clone(),
                Left::Told(remains) => remains.facts.not_kept.clone(),
            },
        }
    }

    /// Adds the conditions under which the execution ran to those of others. Nearly always there is
    /// nothing to tell.
    pub fn add_conditions(&self, all: &mut Conditions) {
        match &self.left {
            Left::Here(execution)
                if *self.ending() != Ending::CutOff
                    && execution.world.outside_threads.is_empty()
                    && execution.account.not_kept.is_empty() =>
            {
                all.statics_put_back = all.statics_put_back.max(self.statics_put_back());
            }
            _ => all.add(self.conditions()),
        }
    }

    /// How many bytes of static data were put back, if they are.
    fn statics_put_back(&self) -> Option<usize> {
        match &self.left {
            Left::Here(execution) => match execution.settings.statics {
                Statics::PutBack => Some(execution.account.static_trace.bytes),
                Statics::Leave => None,
            },
            Left::Told(_) => None,
        }
    }

    /// The threads that were started without being under control.
    pub fn outside_threads(&self) -> Vec<OutsideThread> {
        match &self.left {
            Left::Here(execution) => execution.outside_threads(),
            Left::Told(remains) => remains.facts.outside_threads.clone(),
        }
    }

    /// What happened, for those who learn from it.
    pub fn record(&self) -> Record<'_> {
        match &self.left {
            Left::Here(execution) => execution.record(),
            Left::Told(remains) => {
                let Remains { events, info: threads, objects, .. } = &**remains;
                // Accesses stay with the child.
                Record { events, accesses: &[], threads, objects }
            }
        }
    }

    /// How many steps there were, whether they were recorded or not.
    pub fn length(&self) -> u64 {
        match &self.left {
            Left::Here(execution) => execution.steps(),
            Left::Told(remains) => remains.facts.length,
        }
    }

    /// Whether the execution went beyond its limit, so that only its beginning is recorded and
    /// could have gone another way.
    pub fn is_long(&self) -> bool {
        match &self.left {
            Left::Here(execution) => execution.is_beyond(),
            Left::Told(remains) => remains.facts.is_long,
        }
    }

    /// Whether threads that went round and round were set aside although they could have gone on: what
    /// they would have done after more turns was left out.
    pub fn cut_spins(&self) -> bool {
        let cuts = match &self.left {
            Left::Here(execution) => execution.rounds.spin.cuts(),
            Left::Told(remains) => remains.facts.cut_spins,
        };
        cuts > 0
    }

    /// How often there was something to decide.
    pub fn choices(&self) -> u64 {
        match &self.left {
            Left::Here(execution) => execution.account.choices,
            Left::Told(remains) => remains.facts.choices,
        }
    }

    /// How often there was something to decide that matters to a test with a single thread, too.
    pub fn lone_choices(&self) -> u64 {
        match &self.left {
            Left::Here(execution) => execution.account.lone_choices,
            Left::Told(remains) => remains.facts.lone_choices,
        }
    }

    /// How many polls there were of futures that the test has wrapped to have them disturbed.
    pub fn wrapped_polls(&self) -> u64 {
        match &self.left {
            Left::Here(execution) => execution.account.wrapped_polls,
            Left::Told(remains) => remains.facts.wrapped_polls,
        }
    }

    /// Whether the test has seen any of the system's randomness.
    pub fn drew_random(&self) -> bool {
        match &self.left {
            Left::Here(execution) => execution.world.randomness.was_drawn(),
            Left::Told(remains) => remains.facts.drew_random,
        }
    }

    /// The decisions that were taken.
    pub fn schedule(&self) -> Schedule {
        let log = match &self.left {
            Left::Here(execution) => &execution.account.log,
            Left::Told(remains) => &remains.log,
        };
        crate::log::schedule(log, &self.record())
    }

    /// The threads of the execution.
    pub fn threads(&self) -> Vec<ThreadReport> {
        match &self.left {
            Left::Here(execution) => execution.thread_reports(),
            Left::Told(remains) => remains.facts.threads.clone(),
        }
    }

    /// What happened, as data that outlives the execution; of a long one, the last steps.
    pub fn steps(&self) -> Vec<Step> {
        match &self.left {
            Left::Here(execution) => {
                let names = execution.object_names();
                crate::diagnose::steps(&self.record(), |object| names.get(object))
            }
            Left::Told(remains) => {
                let names = &remains.facts.objects;
                crate::diagnose::steps(&self.record(), |object| names.get(object.index()).cloned())
            }
        }
    }

    /// The calls that led to these steps, if they are wanted.
    pub fn stacks(&self) -> CallStacks {
        match &self.left {
            Left::Here(execution) => {
                let first = crate::diagnose::untold_steps(execution.recorded());
                execution.call_stacks(first)
            }
            Left::Told(remains) => remains.facts.stacks.clone(),
        }
    }

    /// What the threads printed.
    pub fn output(&self) -> String {
        match &self.left {
            Left::Here(execution) => execution.account.output.to_text(),
            Left::Told(remains) => remains.facts.output.clone(),
        }
    }

    /// Every panic of the execution, in order.
    pub fn panics(&self) -> Vec<Panic> {
        match &self.left {
            Left::Here(execution) => execution.panic_reports(),
            Left::Told(remains) => remains.facts.panics.clone(),
        }
    }
}

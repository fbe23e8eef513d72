//! What an execution needs to know of the settings of a campaign.

use crate::forked::Processes;
use crate::heap::{ArenaSettings, HeapUse};
use crate::random::AskRandom;
use crate::sharing::Usage;
use crate::statics::Statics;
use selvedge_model::{Config, Isolation, LeakedThreads, MemoryModel, RandomBytes, Rate, Toggle};
use std::time::Duration;

/// What an execution needs to know of the settings.
#[derive(Clone, Debug)]
pub struct Settings {
    /// At most this many steps are recorded.
    pub max_steps: u64,
    /// After so many steps it is a livelock, whatever happens.
    pub livelock_steps: Option<u64>,
    /// Whether threads may be left when the test function has returned.
    pub leaked_threads: LeakedThreads,
    /// The stack of a thread that does not ask for another, in bytes.
    pub stack_size: usize,
    /// How often timed waits end early.
    pub timeouts: Rate,
    /// Timed waits end early only if their deadline is at most this far ahead.
    pub slack: Duration,
    /// All delays of threads that wait for a time take at most so long together.
    pub delays: Duration,
    /// How often waits end for no reason.
    pub spurious: Rate,
    /// How often weak compare-exchanges fail for no reason.
    pub weak_cas: Rate,
    /// How often polls of futures are disturbed.
    pub polls: Rate,
    /// When it is asked which random bytes an execution sees.
    pub ask_random: AskRandom,
    /// What loads of atomics may see; clocks are kept if it is more than the newest value.
    pub memory_model: MemoryModel,
    /// Whether happens-before clocks are kept.
    pub clocks: Toggle,
    /// Whether the observer is told when the data behind a lock is borrowed.
    pub accesses: Toggle,
    /// Whether observers that are told of plain accesses are told of those as well that can be in no race but one
    /// that they know: accesses before another thread has been started, and repeated ones.
    pub every_access: Toggle,
    /// What `available_parallelism` says.
    pub parallelism: usize,
    /// When this many steps in a row have changed nothing, the running thread waits for a change.
    pub idle_limit: usize,
    /// Whether stops before private operations are left out.
    pub sharing: Usage,
    /// How far the next execution goes.
    pub until: Until,
    /// Raise SIGTRAP before this step.
    pub trap: Option<u64>,
    /// Where the test's code gets its memory from.
    pub heap: HeapUse,
    /// Whether observers are told of plain accesses to memory; needs clocks.
    pub races: Toggle,
    /// What becomes of the test's static state between two executions.
    pub statics: Statics,
    /// Where executions run.
    pub processes: Processes,
    /// What the engine allows itself.
    pub limits: Limits,
}

/// How far an execution goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// To its end; unless it is too long to be explored in full, and somebody asks for it to stop.
    TheEnd,
    /// To its end, unless somebody asks for it to stop.
    Asked,
    /// If it has several threads, it ends after about so many steps, without a verdict.
    Steps(u64),
}

/// What the engine allows itself.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For so long a word is waited for that somebody outside of the execution may change.
    pub word_patience: Duration,
    /// What is kept to know what orders accesses to memory takes about so many bytes at most.
    pub clock_memory: usize,
}

impl Settings {
    /// The settings that a configuration asks for.
    pub fn new(config: &Config) -> Self {
        Self {
            max_steps: config.max_steps,
            livelock_steps: config.livelock_steps,
            leaked_threads: config.leaked_threads,
            stack_size: config.stack_size,
            timeouts: config.timeouts,
            slack: config.slack(),
            delays: config.delays,
            spurious: config.spurious,
            weak_cas: config.weak_cas,
            ask_random: match config.random_bytes {
                RandomBytes::Same => AskRandom::Never,
                RandomBytes::Vary => AskRandom::IfDrawn,
            },
            memory_model: config.memory_model,
            clocks: match config.races {
                Toggle::On => Toggle::On,
                Toggle::Off => config.clocks,
            },
            races: config.races,
            polls: config.polls,
            accesses: Toggle::Off,
            every_access: Toggle::Off,
            parallelism: config.parallelism,
            idle_limit: 512,
            sharing: Usage::SkipPrivate,
            until: Until::TheEnd,
            trap: config.trap,
            heap: match config.isolation {
                Isolation::On | Isolation::Fork => HeapUse::Arena(ArenaSettings::new(config)),
                Isolation::Off => HeapUse::System,
            },
            statics: match config.isolation {
                Isolation::On => Statics::PutBack,
                Isolation::Off | Isolation::Fork => Statics::Leave,
            },
            processes: match config.isolation {
                Isolation::Fork => Processes::Forked,
                Isolation::On | Isolation::Off => Processes::One,
            },
            limits: Limits {
                word_patience: config.stall / 500,
                clock_memory: config.own_memory / 4,
            },
        }
    }
}

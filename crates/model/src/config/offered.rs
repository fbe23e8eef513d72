//! The settings, as they are offered to people.

use super::StrategyName;
use crate::Config;

/// A setting, as it is offered to people.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// How it is written in files and arguments; in the environment it is in capitals, after
    /// `SELVEDGE_`.
    pub key: &'static str,
    /// What it takes.
    pub takes: &'static str,
    /// What it does.
    pub help: &'static str,
}

const fn setting(key: &'static str, takes: &'static str, help: &'static str) -> Setting {
    Setting { key, takes, help }
}

impl Config {
    /// Every setting there is.
    pub const SETTINGS: &'static [Setting] = &[
        setting("strategy", StrategyName::OFFERED, "who decides which thread goes next"),
        setting("executions", "a number", "at most this many executions of a test"),
        setting("time", "a duration such as 10s or 500ms", "at most this long for a test"),
        setting(
            "suite_time",
            "a duration such as 2m, or none",
            "about this long for all tests together: each gets a share of it unless `executions` or `time` \
             says how much it may take (cargo selvedge only)",
        ),
        setting(
            "saturation",
            "a number of executions, or none",
            "stop when this many executions, and eight times as many as the last new order has taken, \
             show nothing new",
        ),
        setting(
            "preemptions",
            "a number or none",
            "at most this many preemptions in an execution of the exhaustive strategy",
        ),
        setting(
            "max_steps",
            "a number",
            "at most this many steps of an execution are recorded and explored; it goes on after them \
             if things still change, and is a livelock if not",
        ),
        setting(
            "livelock_steps",
            "a number or none",
            "an execution with more steps than this is a livelock, even if things still change",
        ),
        setting(
            "leaked_threads",
            "report or allow",
            "whether it is a finding that threads are left when the test function has returned",
        ),
        setting("seed", "a number", "makes a whole campaign repeatable"),
        setting("stack_size", "a size such as 512k or 2M", "the stack of each thread"),
        setting("timeouts", "off, rare or eager", "how often timed waits end while others can run"),
        setting(
            "slack",
            "a duration such as 10ms",
            "timed waits end early only if their deadline is at most this far ahead; unless it is set, all do with \
             timeouts = eager",
        ),
        setting(
            "delays",
            "off, or a duration such as 20ms",
            "threads get to run later than the deadline that they wait for, by so much in all in an execution; \
             as often as timeouts says",
        ),
        setting("spurious", "off, rare or eager", "how often waits end for no reason"),
        setting(
            "weak_cas",
            "off, rare or eager",
            "how often compare_exchange_weak fails for no reason",
        ),
        setting(
            "memory_model",
            "sc or weak",
            "whether loads of atomics see the newest value only, or also older ones that their orderings allow",
        ),
        setting(
            "polls",
            "off, rare or eager",
            "how often futures are polled for no reason, get another waker, or are dropped early",
        ),
        setting(
            "random_bytes",
            "same or vary",
            "whether hash maps have other seeds, and tests that ask the system for random bytes get others, \
             from execution to execution",
        ),
        setting("clocks", "on or off", "keep happens-before clocks for observers"),
        setting("check_determinism", "on or off", "run each schedule twice and compare the events"),
        setting("shrink", "on or off", "make the schedule of a finding shorter"),
        setting(
            "stall",
            "a duration such as 10s",
            "report a thread as blocked outside of control if it has slept for this long without a \
             step, whatever the clock says while it or others work",
        ),
        setting("parallelism", "a number", "what available_parallelism() says"),
        setting(
            "isolation",
            "on, off or fork",
            "begin each execution with new memory and the same statics (cargo selvedge only), or in a \
             process of its own",
        ),
        setting(
            "memory",
            "a size such as 512M or 2G",
            "end an execution whose own data takes more than this (cargo selvedge only)",
        ),
        setting(
            "own_memory",
            "a size such as 256M or 1G",
            "keep less of an execution than there is to keep when Selvedge itself would need more than \
             this for a test, and say so; explore the test no further when that is not enough",
        ),
        setting(
            "quarantine",
            "a size such as 16M or 256M",
            "how much freed memory is kept from being used again (cargo selvedge only)",
        ),
        setting(
            "leaks",
            "on or off",
            "report memory that is left over after the test (cargo selvedge only)",
        ),
        setting(
            "races",
            "on or off",
            "look for data races of plain memory (cargo selvedge with the memory layer only)",
        ),
        setting(
            "allowed_races",
            "0x1c40 or more of them, with commas",
            "instructions that may race; cargo selvedge knows them by allow-races",
        ),
        setting(
            "detectors",
            "usual, off, all or names such as deadlock, missed-signal",
            "who looks for what has not failed but could",
        ),
        setting(
            "confirm",
            "a number",
            "at most this many executions try to bring a prediction about",
        ),
        setting(
            "confirm_time",
            "a duration such as 1s",
            "at most this long is tried to bring a prediction about",
        ),
        setting(
            "metrics",
            "none, all, or names such as avio*, sp",
            "the coverage metrics that are kept",
        ),
        setting(
            "thread_sites",
            "a number",
            "how many places at the beginning of a thread tell it from others",
        ),
        setting(
            "goldilock_weights",
            "1/5/5/10 or other numbers",
            "what the states SCT, SCL, LS and E of the metric goldilocksc count for",
        ),
        setting(
            "series",
            "none, or series and executions such as 100x2000",
            "compute the quality of the metrics over random series",
        ),
        setting(
            "trace",
            "none or a folder",
            "write everything that happens in executions to a file in this folder",
        ),
        setting(
            "trace_size",
            "a size such as 64M",
            "how large that file may be; executions that do not fit are left out",
        ),
        setting("replay", "a schedule", "run this schedule instead of exploring"),
        setting("trap", "a number", "raise SIGTRAP before this step, for a debugger"),
    ];
}

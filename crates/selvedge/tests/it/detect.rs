//! What detectors say of small programs: of each kind some that are wrong and some that are not.

mod atomicity;
mod correct;
mod deadlock_negative;
mod deadlock_positive;
mod held_across;
mod learned;
mod missed_signal;
mod races;

use selvedge::{Builder, Report, StrategyName};
use std::sync::Arc;

/// A program.
pub(crate) type Program = fn();

/// Runs one execution that passes, with a detector, and tries so often to bring about what is
/// predicted.
pub(crate) fn after_one_pass(detector: &str, program: Program, confirm: &str) -> Report {
    after_passes(1, detector, program, confirm)
}

/// As [`after_one_pass`], with several executions.
pub(crate) fn after_passes(
    executions: u64,
    detector: &str,
    program: Program,
    confirm: &str,
) -> Report {
    after_passes_if(|| true, executions, detector, program, confirm)
}

/// As [`after_passes`], if this is true when they are over.
pub(crate) fn after_passes_if(
    is_suitable: fn() -> bool,
    executions: u64,
    detector: &str,
    program: Program,
    confirm: &str,
) -> Report {
    let once = |seed, detectors: &str, confirm: &str| {
        Builder::new()
            .strategy(StrategyName::Random)
            .executions(executions)
            .seed(seed)
            .set("spurious", "off")
            .set("detectors", detectors)
            .set("confirm", confirm)
            .set("confirm_time", "60s")
            .explore(program)
            .unwrap()
    };
    let passes = |seed: &u64| once(*seed, "off", "0").finding.is_none() && is_suitable();
    let seed = (0..500).find(passes).expect("some execution passes");
    once(seed, detector, confirm)
}

/// Runs many executions with a detector.
pub(crate) fn after_many(detector: &str, program: Program) -> Report {
    Builder::new()
        .strategy(StrategyName::Random)
        .executions(100)
        .set("detectors", detector)
        .set("confirm_time", "60s")
        .explore(program)
        .unwrap()
}

/// Two threads side by side, both joined.
pub(crate) fn both<T: Send + Sync + 'static>(
    shared: T,
    first: impl Fn(&T) + Send + 'static,
    second: impl Fn(&T) + Send + 'static,
) {
    let shared = Arc::new(shared);
    let other = Arc::clone(&shared);
    let one = selvedge::thread::spawn(move || first(&shared));
    let two = selvedge::thread::spawn(move || second(&other));
    one.join().unwrap();
    two.join().unwrap();
}

//! How long an execution takes.

use crate::clock::processor_time;
use crate::engines::Ran;
use std::time::Duration;

/// An engine with a strategy, and the program compiled for it.
#[derive(Clone, Copy)]
pub(crate) struct Contender {
    /// Runs the program so many times.
    pub(crate) engine: fn(fn(), u64) -> Ran,
    /// The program.
    pub(crate) program: fn(),
}

/// What an execution takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// Processor time, in seconds.
    pub(crate) seconds: f64,
    /// Steps, if the engine counts them.
    pub(crate) steps: Option<f64>,
}

impl Cost {
    /// Executions in a second.
    pub(crate) fn rate(self) -> f64 {
        1.0 / self.seconds
    }
}

/// How each contender is measured: so often, so long each time, and the best counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slices {
    pub(crate) count: u32,
    pub(crate) length: Duration,
}

/// What an execution costs each of the contenders; nothing for those that can not run the program
/// again and again. Their slices take turns, so that a disturbance hits all of them alike.
pub(crate) fn side_by_side<const N: usize>(
    contenders: [Option<Contender>; N],
    slices: Slices,
) -> [Option<Cost>; N] {
    let sizes = contenders
        .map(|contender| contender.and_then(|contender| executions_in(slices.length, contender)));
    let mut best = [None; N];
    for _ in 0..slices.count {
        for index in 0..N {
            let (Some(contender), Some(size)) = (contenders[index], sizes[index]) else { continue };
            let cost = measure(contender, size);
            let known: &mut Option<Cost> = &mut best[index];
            if known.is_none_or(|known| cost.seconds < known.seconds) {
                *known = Some(cost);
            }
        }
    }
    best
}

fn measure(contender: Contender, executions: u64) -> Cost {
    let before = processor_time();
    let ran = (contender.engine)(contender.program, executions);
    let time = processor_time() - before;
    Cost {
        seconds: time.as_secs_f64() / ran.executions as f64,
        steps: ran.steps.map(|steps| steps as f64 / ran.executions as f64),
    }
}

/// How many executions fit into a slice. Found out beforehand, so that no engine has to look at
/// the clock while it is measured.
fn executions_in(slice: Duration, contender: Contender) -> Option<u64> {
    let mut executions = 1;
    loop {
        // Not by the clock on the wall: on a busy machine a slice would have so few that what happens
        // once counts most.
        let before = processor_time();
        let ran = (contender.engine)(contender.program, executions);
        if ran.executions < executions {
            return None;
        }
        let took = processor_time() - before;
        if took >= slice / 8 {
            let fit = ran.executions as f64 * slice.as_secs_f64() / took.as_secs_f64();
            return Some((fit as u64).max(1));
        }
        executions *= 4;
    }
}

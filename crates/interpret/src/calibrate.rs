//! What each call does alone, on a new object.

use crate::coarse::Chooser;
use crate::drive::Listener;
use crate::outcome::{Came, Texts};
use crate::runner::{Changed, Runner};
use crate::steer::Steer;
use selvedge_harness::{Alone, CallId, EndedAs, Told, WireError};
use std::collections::BTreeSet;

/// What was learned.
pub(crate) struct Calibrated {
    /// Calls that do not come back.
    pub(crate) alone: Vec<(CallId, Alone)>,
    /// Whether a call has left values behind.
    pub(crate) leaves: bool,
    /// Constructors that fail each time.
    pub(crate) broken: Vec<CallId>,
}

/// Makes each call once with each constructor. The command is told of each before, so that it knows which one has
/// brought the process down.
pub(crate) fn calibrate(
    runner: &mut Runner,
    steer: &mut Steer,
    calls: &[CallId],
    listener: &mut Listener<'_>,
) -> Result<Calibrated, WireError> {
    let mut calibrated = Calibrated { alone: Vec::new(), leaves: false, broken: Vec::new() };
    let constructors = steer.constructors().to_vec();
    let mut working = BTreeSet::new();
    for &call in calls {
        listener(Told::Trying(call))?;
        for &constructor in &constructors {
            let test = steer.alone(constructor, call);
            runner.take(&test);
            let came =
                runner.order(Chooser::Follow(&[]), Changed::default(), &mut Texts::default());
            let Came::Of(outcome) = came else { continue };
            working.insert(constructor);
            calibrated.leaves |= outcome.leaked > 0;
            let alone = match outcome.ended {
                EndedAs::Passed if outcome.panicked != 0 => Alone::Panics,
                EndedAs::Passed => continue,
                EndedAs::Blocked => Alone::Blocks,
                EndedAs::Panicked => Alone::Panics,
                EndedAs::Crashed | EndedAs::Memory => Alone::Crashes,
                EndedAs::TooLong | EndedAs::Other => Alone::TooLong,
            };
            if calibrated.alone.iter().all(|(known, _)| *known != call) {
                calibrated.alone.push((call, alone));
            }
        }
    }
    calibrated.broken = constructors.into_iter().filter(|one| !working.contains(one)).collect();
    Ok(calibrated)
}

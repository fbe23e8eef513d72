//! Who watches the executions of a test, and what they make of one.

use selvedge_engine::Outcome;
use selvedge_model::{Config, FindingKind, Toggle};
use selvedge_observe::Watchers;
use selvedge_observe::detect::fast_track::FastTrack;

/// Those that the configuration asks for.
pub(crate) fn of_config(config: &Config) -> Watchers {
    Watchers {
        races: match config.races {
            Toggle::On => Some(FastTrack::new(config.allowed_races.clone())),
            Toggle::Off => None,
        },
        ..Watchers::default()
    }
}

/// What went wrong in an execution. A data race comes first: what follows from it may be anything.
pub(crate) fn finding(outcome: &Outcome<'_>, watchers: &Watchers) -> Option<FindingKind> {
    let race = watchers.races.as_ref().and_then(FastTrack::race);
    race.map(|race| outcome.data_race(race)).or_else(|| outcome.finding())
}

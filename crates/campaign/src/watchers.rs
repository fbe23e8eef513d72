//! Who watches the executions of a test.

use selvedge_model::{Config, Toggle};
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

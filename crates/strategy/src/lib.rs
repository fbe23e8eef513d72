//! Who goes next: one file a strategy.
//!
//! Every strategy sees the pending operation of every thread and is a function of its seed and of
//! the executions that it has seen: the same campaign, run again, takes the same decisions.
#![forbid(unsafe_code)]

mod exhaustive;
mod exported;
mod pct;
mod places;
mod portfolio;
mod pos;
mod profile;
mod random;
mod replay;
mod rng;
mod round_robin;
mod steer;
mod surw;

pub use exhaustive::Exhaustive;
pub use pct::Pct;
pub use portfolio::Portfolio;
pub use pos::Pos;
pub use random::Random;
pub use replay::{Misfit, Replay};
pub use rng::Rng;
pub use round_robin::RoundRobin;
pub use steer::Steer;
pub use surw::{Selection, Surw};

use selvedge_model::{Config, Strategy, StrategyName};

/// The strategy that a configuration asks for.
pub fn of_config(config: &Config) -> Box<dyn Strategy> {
    let seed = config.seed;
    match config.strategy {
        StrategyName::Portfolio => Box::new(Portfolio::new(seed)),
        StrategyName::Random => Box::new(Random::new(seed)),
        StrategyName::Pct(depth) => Box::new(Pct::new(seed, depth)),
        StrategyName::Pos => Box::new(Pos::new(seed)),
        StrategyName::Surw => Box::new(Surw::new(seed, Selection::OneObject)),
        StrategyName::Urw => Box::new(Surw::new(seed, Selection::Everything)),
        StrategyName::RoundRobin => Box::new(RoundRobin::new(seed)),
        StrategyName::Exhaustive => Box::new(Exhaustive::new(config.preemptions)),
    }
}

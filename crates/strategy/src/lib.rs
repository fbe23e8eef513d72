//! Who goes next: one file a strategy.
//!
//! Every strategy sees the pending operation of every thread and is a function of its seed and of
//! the executions that it has seen: the same campaign, run again, takes the same decisions.
#![forbid(unsafe_code)]

mod corpus;
mod exhaustive;
mod exported;
mod fest;
mod opening;
mod orders;
mod pairs;
mod pct;
mod period;
mod places;
mod portfolio;
mod pos;
mod profile;
mod random;
mod replay;
mod rff;
mod rng;
mod round_robin;
mod shared;
mod steer;
mod surw;
pub mod tsa;

pub use exhaustive::Exhaustive;
pub use fest::Fest;
pub use orders::{Orders, Sight};
pub use pct::Pct;
pub use period::Period;
pub use portfolio::Portfolio;
pub use pos::Pos;
pub use random::Random;
pub use replay::{Misfit, Replay};
pub use rff::Rff;
pub use rng::Rng;
pub use round_robin::RoundRobin;
pub use steer::Steer;
pub use surw::{Selection, Surw};
pub use tsa::Tsa;

use selvedge_model::{Config, Rate, Strategy, StrategyName};
use tsa::Wakes;

/// The strategy that a configuration asks for.
pub fn of_config(config: &Config) -> Box<dyn Strategy> {
    let seed = config.seed;
    let wakes = match config.spurious {
        Rate::Off => Wakes::Notified,
        Rate::Rare | Rate::Eager => Wakes::Spurious,
    };
    match config.strategy {
        StrategyName::Portfolio => Box::new(Portfolio::new(seed, wakes)),
        StrategyName::Random => Box::new(Random::new(seed)),
        StrategyName::Pct(depth) => Box::new(Pct::new(seed, depth)),
        StrategyName::Pos => Box::new(Pos::new(seed)),
        StrategyName::Period => Box::new(Portfolio::of_one(|known| Period::new(seed, known))),
        StrategyName::Rff => Box::new(Portfolio::of_one(|known| Rff::new(seed, known))),
        StrategyName::Fest => Box::new(Portfolio::of_one(|known| Fest::new(seed, known))),
        StrategyName::Surw => {
            Box::new(Portfolio::of_one(|known| Surw::new(seed, Selection::OneObject, known)))
        }
        StrategyName::Urw => {
            Box::new(Portfolio::of_one(|known| Surw::new(seed, Selection::Everything, known)))
        }
        StrategyName::Tsa => Box::new(Tsa::new(seed, wakes)),
        StrategyName::TsaH => Box::new(Tsa::without_rule_3(seed, wakes)),
        StrategyName::Guided(metric) => Box::new(Tsa::guided(seed, wakes, metric)),
        StrategyName::RoundRobin => Box::new(RoundRobin::new(seed)),
        StrategyName::Exhaustive => Box::new(Exhaustive::new(config.preemptions)),
    }
}

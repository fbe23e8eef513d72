//! Who goes next: one file a strategy. Which there are is said by the table in `model`.
//!
//! Every strategy sees the pending operation of every thread and is a function of its seed and of
//! the executions that it has seen: the same campaign, run again, takes the same decisions.
#![forbid(unsafe_code)]

mod corpus;
mod exported;
mod opening;
mod orders;
mod pairs;
mod pct;
mod places;
mod profile;
mod replay;
mod rng;
mod shared;
mod steer;

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
pub use tsa::{Conditions, Estimate, Precedence, Tsa, Wakes};

use selvedge_model::{Config, Strategy, StrategyName};

/// Declares a module for each file and finds the one that makes a strategy.
macro_rules! modules {
    ($($module:ident { $($(#[doc = $doc:literal])+ $name:ident = $text:literal,)+ })+) => {
        $(mod $module;)+

        /// The strategy that a configuration asks for.
        pub fn of_config(config: &Config) -> Box<dyn Strategy> {
            match config.strategy {
                StrategyName::Pct(depth) => Box::new(Pct::new(config.seed, depth)),
                StrategyName::Guided(metric) => {
                    Box::new(Tsa::guided(config.seed, Wakes::of(config), metric))
                }
                $($(StrategyName::$name)|+ => $module::make(config),)+
            }
        }
    };
}

selvedge_model::with_strategies!(modules);

//! The metrics, one file each. Which there are is said by the table in `model`.

mod definitions;

use super::Metric;
use selvedge_model::{MetricName, Weights};

/// Whether threads and variables are parts of the requirements: the metrics with a star.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Star {
    With,
    Without,
}

impl Star {
    /// Whether the name of a metric has one.
    fn of(name: MetricName) -> Self {
        match name.name().ends_with('*') {
            true => Self::With,
            false => Self::Without,
        }
    }
}

/// Declares a module for each file and finds the one that makes a metric.
macro_rules! modules {
    ($($module:ident { $($(#[doc = $doc:literal])+ $name:ident = $text:literal,)+ })+) => {
        $(mod $module;)+

        /// The metric of that name.
        pub fn metric(name: MetricName, weights: Weights) -> Box<dyn Metric> {
            match name { $($(MetricName::$name)|+ => $module::make(name, weights),)+ }
        }
    };
}

selvedge_model::with_metrics!(modules);

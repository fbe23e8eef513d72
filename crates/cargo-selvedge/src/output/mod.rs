//! What people and machines are told.

mod annotations;
pub(crate) mod colour;
pub(crate) mod coverage;
pub(crate) mod history;
mod json;
mod junit;
pub(crate) mod lines;
mod passed;
mod progress;
mod repeated;
mod saturated;
mod summary;
mod tell;
pub(crate) mod trace;

pub(crate) use annotations::annotate;
pub(crate) use json::{JsonLines, Named};
pub(crate) use junit::{Case, Verdict, junit, write_junit};
pub(crate) use passed::passed;
pub(crate) use progress::Screen;
pub(crate) use repeated::{Places, Repeated, Shared, shared};
pub(crate) use saturated::unseen;
pub(crate) use summary::{Counts, budget, summarise};
pub(crate) use tell::{Status, error, explain, note, seconds, warn};
pub(crate) use trace::describe;

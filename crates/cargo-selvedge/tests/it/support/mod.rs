//! Projects to run the command on.

mod project;
mod ran;
pub(crate) mod sources;

pub(crate) use project::Project;
pub(crate) use ran::{Ran, without_times};

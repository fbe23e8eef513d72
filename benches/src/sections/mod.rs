//! The sections of the report, one file each.

pub(crate) mod bugs;
pub(crate) mod memory;
pub(crate) mod metrics;
pub(crate) mod outcomes;
pub(crate) mod speed;

//! Findings that are kept on disk, each in a folder of its own below `target/selvedge/findings`.

mod build;
mod code;
mod earlier;
mod id;
mod kept;
mod places;
mod regression;
mod store;
#[cfg(test)]
mod tests;

pub(crate) use build::Built;
pub(crate) use code::{Code, KnownCode, code_of};
pub(crate) use earlier::{AllEarlier, Earlier, How, Origin, Tried};
pub(crate) use id::Id;
pub(crate) use kept::Kept;
pub(crate) use places::PlaceNames;
pub(crate) use regression::{Regression, Regressions};
pub(crate) use store::{Added, Store};

//! Places in the program, as data.

use crate::{CodeAddress, Source, Spot};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A place in the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Place {
    /// A line of the source.
    Line(Source),
    /// An instruction. Its line is known to debug information.
    Code(CodeAddress),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(source) => source.fmt(f),
            Self::Code(address) => write!(f, "code {address}"),
        }
    }
}

impl From<Spot> for Place {
    fn from(spot: Spot) -> Self {
        match spot {
            Spot::Line(site) => Self::Line(site.source()),
            Spot::Code(address) => Self::Code(address),
        }
    }
}

//! Findings that are kept on disk, each in a folder of its own below `target/selvedge/findings`.

mod code;
mod id;
mod store;

pub(crate) use code::{Code, KnownCode, code_of};
pub(crate) use id::Id;
pub(crate) use store::{Built, Kept, Store};

//! Campaigns that are kept: what was run, covered and found, in one SQLite file.
//!
//! [`data`] has what is kept as plain data types, [`Database`] opens a file; it is written while
//! tests are explored (`write`), read by whoever goes on or reports (`read`), and files of several
//! machines become one (`merge`). [`history`] says what has changed from campaign to campaign. The tables are described in `schema.sql`.
//!
//! One process writes to a campaign, the command; several commands may write to the same file.
#![forbid(unsafe_code)]

mod attempts;
mod check;
pub mod data;
mod error;
pub mod history;
mod key;
mod merge;
mod moved;
mod names;
mod open;
mod read;
mod schema;
mod write;

pub use attempts::Parts;
pub use error::StoreError;
pub use key::family;
pub use merge::Merged;
pub use open::{Access, Database};
pub use read::Places;
pub use write::Lines;

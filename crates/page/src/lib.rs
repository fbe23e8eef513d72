//! What a campaign has found and covered, for looking at and for other programs.
//!
//! [`data::Report`] is everything that is told; a [`Maker`] fills it from findings and reports. From
//! there it becomes one HTML file that needs no network ([`html`]), JSON (it is what serde makes of
//! it; [`schema`] says what that looks like), SARIF ([`sarif`]) and LCOV ([`lcov`]).
#![forbid(unsafe_code)]

mod conflict;
mod coverage;
pub mod data;
mod excerpt;
mod finding;
mod html;
mod lcov;
mod make;
mod order;
pub mod sample;
mod sarif;
mod schema;

pub use html::{MakeError, html};
pub use lcov::lcov;
pub use make::{Head, Maker, Tested};
pub use sarif::sarif;
pub use schema::schema;

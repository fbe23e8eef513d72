//! Coverage: what a test has exercised, and metrics of one's own.
//!
//! Metrics that come with Selvedge are chosen with [`Builder::metrics`](crate::Builder::metrics) or
//! the setting `metrics`. A [`Metric`] of one's own sees every execution as [`Facts`]: operations and
//! accesses with numbers for threads, objects and places. It names what it sees as tuples of these
//! numbers, says what they stand for, and is handed to
//! [`Builder::metric`](crate::Builder::metric). What was covered is in the report, with files and
//! lines.

pub use selvedge_model::{
    AccessKind, Event, Growth, Hold, Identity, Link, LockAction, Meaning, MetricChoice, MetricName,
    MetricReport, Moment, Named, NamedObject, NamedThread, OperationKind, Order, Outcome, Part,
    Place, Quality, Record, Requirement, Series, ValueUse,
};
pub use selvedge_observe::coverage::{
    FIRST_WORD, Fact, Facts, Found, Member, Metric, NONE, PARTS, PartKind, SiteNumber, Sites,
    Tuple, What, tuple,
};

//! Files with campaigns, as those see them who write, read and merge them.

mod files;
mod history;
mod merge;
mod round_trip;
mod support;

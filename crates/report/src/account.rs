//! What there is to say about a finding, before it is laid out.

use crate::kinds;
use crate::names::Names;
use crate::relevant::Objects;
use selvedge_model::{CodeAddress, Finding, Source, ThreadPath};

/// A finding in words. Each kind of finding makes its own.
#[derive(Default)]
pub(crate) struct Account<'a> {
    /// The kind, as the headline begins.
    pub(crate) kind: &'static str,
    /// The headline without the kind.
    pub(crate) title: String,
    /// Further lines that belong to the headline, such as those of a panic message.
    pub(crate) details: Vec<String>,
    /// The facts, in groups.
    pub(crate) blocks: Vec<Block<'a>>,
    /// Remarks on what the reader can do or should know.
    pub(crate) notes: Vec<String>,
    /// How threads came to their end, as last rows of the interleaving.
    pub(crate) ends: Vec<End<'a>>,
    /// The objects that the finding is about: their steps are always shown.
    pub(crate) about: Objects,
}

/// Facts about one subject.
#[derive(Default)]
pub(crate) struct Block<'a> {
    /// Such as a thread.
    pub(crate) subject: String,
    /// What is known of it.
    pub(crate) facts: Vec<Fact<'a>>,
    /// The calls that led there, innermost first, where no line is known.
    pub(crate) calls: &'a [CodeAddress],
    /// The functions of the workspace's own that led there, innermost first, if there is more to say than the line.
    pub(crate) callers: &'a [String],
}

/// One fact, and where in the source it shows.
pub(crate) struct Fact<'a> {
    pub(crate) text: String,
    pub(crate) at: Option<&'a Source>,
}

/// Something that is no step but belongs into a thread's column.
pub(crate) struct End<'a> {
    pub(crate) thread: &'a ThreadPath,
    pub(crate) text: String,
    pub(crate) at: Option<&'a Source>,
    pub(crate) place: Place,
}

/// Where an [`End`] is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Below everything else: it is still so when the execution ends.
    Bottom,
    /// Below the last step of its thread: others may have gone on after it.
    AfterItsThread,
    /// Below a step, or above all of them: it is an access to memory that happened there.
    AccessAfter(Option<usize>),
}

impl<'a> Account<'a> {
    pub(crate) fn of(finding: &'a Finding, names: &Names<'a>) -> Self {
        kinds::account(finding, names)
    }
}

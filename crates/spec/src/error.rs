//! Mistakes in a written schedule, as data.

use crate::Span;
use std::fmt;

/// A mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The part of the text that it is about. Always inside of the text, at character boundaries.
    pub span: Span,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// What is said at the place itself; nothing if the message says it all.
    pub label: Option<String>,
    /// Other parts of the text that have to do with it.
    pub labels: Vec<Label>,
    /// What to write instead.
    pub help: Option<String>,
}

/// A part of the text that has to do with a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The part.
    pub span: Span,
    /// What it has to do with the mistake.
    pub text: String,
}

impl Error {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), label: None, labels: Vec::new(), help: None }
    }

    pub(crate) fn here(mut self, text: impl Into<String>) -> Self {
        self.label = Some(text.into());
        self
    }

    pub(crate) fn and(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    pub(crate) fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// All mistakes of a text, in the order of their places. At least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors(pub Vec<Error>);

impl Errors {
    /// Nothing if there are no mistakes.
    pub(crate) fn check(mut errors: Vec<Error>) -> Result<(), Self> {
        if errors.is_empty() {
            return Ok(());
        }
        errors.sort_by_key(|error| (error.span.start, error.span.end));
        Err(Self(errors))
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}

impl IntoIterator for Errors {
    type Item = Error;
    type IntoIter = std::vec::IntoIter<Error>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

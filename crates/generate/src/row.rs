//! What can be called, as data.

use crate::manner::Manner;
use crate::template::Template;
use selvedge_harness::Role;

/// What stands around a handle that a call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Nothing.
    Plain,
    /// `Option`.
    Option,
    /// `Result`.
    Result,
}

/// What is kept of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Its value.
    Value,
    /// Whether there is one.
    Shape(Way),
    /// The values of its elements, in no order.
    Elements,
    /// Nothing.
    Nothing,
}

/// How a call is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// As it is.
    Plainly,
    /// It returns a future, which is run to its end.
    Awaited,
    /// It returns a future, which is polled once and dropped.
    PolledOnce,
}

/// What is done with a handle that a call returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handle {
    /// What stands around it.
    pub way: Way,
    /// Statements that go before.
    pub lets: Vec<Template>,
    /// What is called on `h`.
    pub call: Template,
    /// How it runs.
    pub runs: Runs,
    /// What is kept of the result.
    pub shown: Shown,
    /// Whether the result is held for a moment.
    pub held: Held,
}

/// What a call does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Statements that go before.
    pub lets: Vec<Template>,
    /// What is called on `o`.
    pub call: Template,
    /// How it runs.
    pub runs: Runs,
    /// What is kept of the result.
    pub shown: Shown,
    /// Whether what it returns is held for a moment, in which others may come in.
    pub held: Held,
    /// What is done with a handle that it returns, instead.
    pub handle: Option<Handle>,
}

/// Whether a result is held for a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// It is.
    Yes,
    /// It is dropped at once.
    No,
}

/// What a call needs of its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// `&self`.
    Shared,
    /// `&mut self`.
    Exclusive,
    /// `self`.
    Owned,
}

/// A constructor or a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// How people name it.
    pub name: String,
    /// The type and method whose call it is, for what is told of the reach.
    pub method: (String, String),
    /// The part that it is called on.
    pub part: usize,
    /// What it needs of that part.
    pub needs: Needs,
    /// The roles of its arguments.
    pub roles: Vec<Role>,
    /// What it does.
    pub body: Body,
    pub(crate) manner: Manner,
}

/// A method that is not called, and why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// The type and the method.
    pub method: (String, String),
    /// Why.
    pub reason: String,
}

//! A finding: what is wrong, how it came about, how to see it again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Its name: the same whenever the same problem shows in the same test.
    pub id: String,
    /// The number of the test.
    pub test: usize,
    /// Whether the last run of the test that is recorded has met it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_last_run: Option<bool>,
    /// The kind, such as `data-race`.
    pub kind: String,
    /// In one line.
    pub headline: String,
    /// Further lines that belong to it, such as those of a panic message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// The place that it is best shown at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
    /// What is wrong, by subject.
    pub facts: Vec<Facts>,
    /// What the reader can do or should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The threads, in the order of their columns.
    pub lanes: Vec<Lane>,
    /// What happened, in order.
    pub rows: Vec<Row>,
    /// What comes before what.
    pub arrows: Vec<Arrow>,
    /// The rows that matter most: the racing accesses, the locks of a circle, the last operations
    /// before the failure.
    pub conflict: Vec<usize>,
    /// Where the objects in it were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub created: Vec<Fact>,
    /// How many steps the execution had, recorded or not.
    pub steps: u64,
    /// The last that the test printed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub printed: String,
    /// The decisions that lead there.
    pub schedule: String,
    /// The command that shows it again.
    pub command: String,
    /// Which execution of the campaign met it, from 1.
    pub execution: u64,
    /// The strategy that met it.
    pub strategy: String,
    /// Whether it was seen again with this schedule.
    pub replayed: bool,
}

/// What is known of one subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Facts {
    /// Such as a thread.
    pub subject: String,
    /// What is known of it.
    pub facts: Vec<Fact>,
    /// The calls that led there, innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
}

/// Something that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fact {
    /// In words.
    pub text: String,
    /// Where it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lane {
    /// As people call it.
    pub label: String,
    /// Where it was spawned; nowhere for the test's own thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spawned: Option<usize>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// The number of the lane; none if it speaks of several threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lane: Option<usize>,
    /// In words.
    pub text: String,
    /// Where, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
    /// What it is.
    #[serde(default, skip_serializing_if = "Role::is_step")]
    pub role: Role,
    /// The number of the step, from 1, or of the last one if it stands for several; none for what
    /// is no step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The first of the steps that it stands for, if it is a fold of one thread.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<Self>,
}

/// What a row is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A step.
    #[default]
    Step,
    /// A step that gives something back.
    Release,
    /// It stands for steps that are not shown.
    Fold,
    /// It says how a thread ended.
    End,
    /// It is an access to memory that races.
    Race,
}

impl Role {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    fn is_step(&self) -> bool {
        *self == Self::Step
    }
}

/// What one row did comes before what another one did, in this execution and for a reason: the
/// numbers of the two rows, and the reason.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub struct Arrow(pub usize, pub usize, pub Order);

/// Why something comes before something else.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// A thread is spawned and starts.
    Spawn,
    /// A thread ends and is joined.
    Join,
    /// A lock is given back and taken.
    Lock,
    /// A message is sent and received.
    Message,
    /// A thread is woken.
    Wake,
    /// A value is written and read.
    Value,
    /// An initialisation or a barrier is passed.
    Done,
}

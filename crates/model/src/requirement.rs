//! Requirements: what coverage metrics count, and how much of it was seen.

use crate::{ObjectKind, Place, Source};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A coverage task: something that an execution can do, named so that people find it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Requirement {
    /// What it is made of, in the order of the metric's definition.
    pub parts: Vec<Part>,
}

impl Requirement {
    /// The file that its first place is in.
    pub fn file(&self) -> Option<&str> {
        self.parts.iter().find_map(|part| match &part.is {
            Named::Place(Place::Line(source)) => Some(source.file.as_str()),
            _ => None,
        })
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, part) in self.parts.iter().enumerate() {
            if position > 0 {
                f.write_str(", ")?;
            }
            if !part.role.is_empty() {
                write!(f, "{} ", part.role)?;
            }
            part.is.fmt(f)?;
        }
        Ok(())
    }
}

/// One element of a requirement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Part {
    /// What it is in the requirement, such as *then* or *thread*; may be empty.
    pub role: String,
    /// What stands there.
    pub is: Named,
}

/// Something that a requirement names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Named {
    /// A place in the program.
    Place(Place),
    /// An object or a variable.
    Object(NamedObject),
    /// A thread.
    Thread(NamedThread),
    /// Several objects or threads, such as locks.
    Set(Vec<Named>),
    /// A state or mode of the metric.
    State(String),
    /// There is none: the initial value, or no object at all.
    Nothing,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(place) => place.fmt(f),
            Self::Object(object) => object.fmt(f),
            Self::Thread(thread) => thread.fmt(f),
            Self::Set(set) => {
                f.write_str("{")?;
                for (position, named) in set.iter().enumerate() {
                    let before = if position > 0 { ", " } else { "" };
                    write!(f, "{before}{named}")?;
                }
                f.write_str("}")
            }
            Self::State(state) => f.write_str(state),
            Self::Nothing => f.write_str("nothing"),
        }
    }
}

/// An object as a requirement names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NamedObject {
    /// What it is; nothing for plain memory.
    pub kind: Option<ObjectKind>,
    /// Where it was made, or where it was used first if that is not known.
    pub origin: Option<Place>,
    /// Which of those with this origin, from 1, if they are told apart.
    pub number: Option<u32>,
}

impl fmt::Display for NamedObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Some(kind) => kind.fmt(f)?,
            None => f.write_str("memory")?,
        }
        if let Some(number) = self.number {
            write!(f, " {number}")?;
        }
        if let Some(origin) = &self.origin {
            write!(f, " of {origin}")?;
        }
        Ok(())
    }
}

/// A thread as a requirement names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NamedThread {
    /// Where it was spawned; nothing for the test's own thread.
    pub spawned: Option<Source>,
    /// A number made of what tells it from others that were spawned there, if they are told apart.
    pub mark: Option<u64>,
}

impl fmt::Display for NamedThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.spawned {
            Some(spawned) => write!(f, "thread of {spawned}")?,
            None => f.write_str("the test's thread")?,
        }
        match self.mark {
            Some(mark) => write!(f, " ~{:04x}", mark & 0xffff),
            None => Ok(()),
        }
    }
}

/// What a metric has seen in a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetricReport {
    /// Its name, with the level of identity if that is not the usual one.
    pub metric: String,
    /// What was covered, sorted.
    pub covered: Vec<Requirement>,
    /// What is known to be possible from what was covered and has not been seen, sorted. Empty for
    /// metrics that can not tell.
    pub uncovered: Vec<Requirement>,
    /// What the covered ones count for together, if the metric weighs them.
    pub weight: Option<u64>,
    /// How many requirements were covered after which execution, wherever that changed.
    pub growth: Vec<Growth>,
    /// How many requirements an execution covered, in the mean.
    pub average: f64,
    /// How good the metric is for this test, if that was asked for.
    pub quality: Option<Quality>,
}

/// A point of a growth curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Growth {
    /// After this many executions …
    pub execution: u64,
    /// … this many requirements were covered.
    pub covered: u64,
}

/// How a metric behaves over random series of executions.
///
/// Source: Z. Letko, *Analysis and Testing of Concurrent Programs* (2012), section 3.5.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// How many requirements a series covers, in the mean.
    pub total: f64,
    /// How much of that a single execution covers, from 0 to 1: nearly 1 means that there is
    /// nothing left to find after the first execution.
    pub average: f64,
    /// How many different values the growing number of covered requirements takes in a series, as
    /// a part of its length, from 0 to 1.
    pub smooth: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_requirement_reads_as_a_sentence_of_places() {
        let at = |line| Place::Line(Source { file: "src/lib.rs".to_owned(), line, column: 5 });
        let part = |role: &str, is| Part { role: role.to_owned(), is };
        let requirement = Requirement {
            parts: vec![
                part("", Named::Place(at(3))),
                part("then", Named::Place(at(9))),
                part(
                    "on",
                    Named::Object(NamedObject {
                        kind: Some(ObjectKind::Mutex),
                        origin: Some(at(1)),
                        number: None,
                    }),
                ),
                part("by", Named::Thread(NamedThread { spawned: None, mark: None })),
            ],
        };
        assert_eq!(
            requirement.to_string(),
            "src/lib.rs:3:5, then src/lib.rs:9:5, on mutex of src/lib.rs:1:5, by the test's thread"
        );
        assert_eq!(requirement.file(), Some("src/lib.rs"));
    }
}

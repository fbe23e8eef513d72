//! What the command says about a test, in the JSON that it writes.

use super::kept::Call;
use super::meaning::{Meaning, Order, Reach};
use super::place::Place;
use crate::Result;
use serde::Deserialize;

/// What came of a test.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The target that it belongs to.
    pub(crate) target: String,
    /// Its name.
    pub(crate) test: String,
    /// Whether it was migrated.
    pub(crate) outcome: Outcome,
    /// The schedule that was inferred; empty if none was.
    pub(crate) schedule: String,
    /// What that schedule means.
    pub(crate) meaning: Meaning,
    /// How long the test takes, as it is published and as it was migrated.
    pub(crate) times: Option<Times>,
}

/// Whether a test was migrated.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was, and what was made of it has been verified. So many of its sleeps are still there.
    Verified(usize),
    /// It was not, for this reason.
    Refused(String),
}

/// Seconds on real threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// With sleeps.
    pub(crate) original: f64,
    /// With a schedule.
    pub(crate) migrated: f64,
}

#[derive(Deserialize)]
struct Said {
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    test: String,
    status: Status,
    reason: Option<String>,
    schedule: Vec<String>,
    events: Vec<Gap>,
    orderings: Vec<Ordering>,
    sleeps_left: Vec<serde::de::IgnoredAny>,
    seconds: Seconds,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Status {
    Migrated,
    Left,
    Refused,
}

#[derive(Deserialize)]
struct Ordering {
    before: Gap,
    blocking: bool,
    after: Gap,
}

#[derive(Deserialize)]
struct Gap {
    file: String,
    line: u32,
    at: Side,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Side {
    Before,
    End,
}

#[derive(Deserialize)]
struct Seconds {
    original: Option<f64>,
    migrated: Option<f64>,
}

impl Answer {
    /// What a call says about the tests that were asked for. One that it says nothing about is refused.
    pub(crate) fn all(call: &Call, names: &[String]) -> Result<Vec<Self>> {
        let said = match &call.trouble {
            Some(_) => Said { tests: Vec::new() },
            None => Said::deserialize(&call.said)?,
        };
        let trouble = call.trouble.as_deref().unwrap_or("the command says nothing about it");
        let answer = |name: &String| {
            let test = said.tests.iter().find(|test| test.test == *name);
            test.map_or_else(|| Self::none(&call.target, name, trouble), |test| test.answer(call))
        };
        Ok(names.iter().map(answer).collect())
    }

    fn none(target: &str, test: &str, trouble: &str) -> Self {
        Self {
            target: target.to_owned(),
            test: test.to_owned(),
            outcome: Outcome::Refused(trouble.to_owned()),
            schedule: String::new(),
            meaning: Meaning::default(),
            times: None,
        }
    }

    /// Whether it was migrated.
    pub(crate) fn is_verified(&self) -> bool {
        matches!(self.outcome, Outcome::Verified(_))
    }
}

impl Test {
    fn answer(&self, call: &Call) -> Answer {
        let times = match self.seconds {
            Seconds { original: Some(original), migrated: Some(migrated) } => {
                Some(Times { original, migrated })
            }
            _ => None,
        };
        let order = |ordering: &Ordering| Order {
            before: ordering.before.place(call),
            reach: if ordering.blocking { Reach::Blocked } else { Reach::Happened },
            after: ordering.after.place(call),
        };
        Answer {
            target: call.target.clone(),
            test: self.test.clone(),
            outcome: self.outcome(),
            schedule: self.schedule.join(", "),
            meaning: Meaning {
                events: self.events.iter().map(|event| event.place(call)).collect(),
                orderings: self.orderings.iter().map(order).collect(),
            },
            times,
        }
    }

    fn outcome(&self) -> Outcome {
        match self.status {
            Status::Migrated => Outcome::Verified(self.sleeps_left.len()),
            Status::Left | Status::Refused => {
                let reason = self.reason.as_deref().unwrap_or("no reason is given");
                Outcome::Refused(reason.to_owned())
            }
        }
    }
}

impl Gap {
    /// The place in the published file, whose path is that inside of the package.
    fn place(&self, call: &Call) -> Place {
        let file = self.file.strip_prefix(&call.package).unwrap_or(&self.file);
        let file = file.trim_start_matches('/').to_owned();
        match self.at {
            Side::Before => Place::Before(file, self.line),
            Side::End => Place::EndOf(file, self.line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migration::meaning::Places;

    #[test]
    fn what_the_command_says_means_the_same_as_the_schedule() {
        let gap = |line: u32, at: &str| {
            format!(r#""file":"/p/src/lib.rs","line":{line},"column":9,"at":"{at}""#)
        };
        let (take, end) = (gap(7, "before"), gap(9, "end"));
        let text = format!(
            r#"{{"tests":[{{"test":"a","status":"migrated","schedule":["[take] -> done"],
                "events":[{{"name":"take",{take}}},{{"name":"done",{end}}}],
                "orderings":[{{"before":{{"event":"take",{take}}},"blocking":true,"after":{{"event":"done",{end}}}}}],
                "sleeps_left":[],"seconds":{{"original":1.0,"migrated":0.5}}}}]}}"#
        );
        let call = Call {
            target: "lib".to_owned(),
            package: "/p".to_owned(),
            said: serde_json::from_str(&text).unwrap(),
            trouble: None,
        };
        let answers = Answer::all(&call, &["a".to_owned(), "b".to_owned()]).unwrap();
        let places = Places {
            events: [
                ("take".to_owned(), Place::Before("src/lib.rs".to_owned(), 7)),
                ("done".to_owned(), Place::EndOf("src/lib.rs".to_owned(), 9)),
            ]
            .into(),
            ends: Default::default(),
        };
        assert_eq!(answers[0].outcome, Outcome::Verified(0));
        assert_eq!(answers[0].meaning, Meaning::of(&answers[0].schedule, &places).unwrap());
        let unsaid = Outcome::Refused("the command says nothing about it".to_owned());
        assert_eq!(answers[1].outcome, unsaid);
    }
}

//! What the command says about a test, in the JSON that it writes.

use super::kept::Call;
use super::meaning::{Meaning, Places};
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
    /// The schedule that was inferred, if one was.
    pub(crate) schedule: Option<String>,
    /// What that schedule means.
    pub(crate) meaning: Meaning,
    /// How long the test takes, as it is published and as it was migrated.
    pub(crate) times: Option<Times>,
}

/// Whether a test was migrated.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was, and what was made of it has been verified.
    Verified,
    /// It was not, for this reason.
    Refused(String),
}

/// Seconds on real threads.
#[derive(Clone, Copy, Debug, Deserialize)]
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
    schedule: Option<String>,
    #[serde(default)]
    events: Vec<Named>,
    #[serde(default)]
    threads: Vec<Named>,
    times: Option<Times>,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Status {
    Verified,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Named {
    name: String,
    file: String,
    line: u32,
    gap: Gap,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Gap {
    Before,
    End,
}

impl Answer {
    /// What a call says about the tests that were asked for. One that it says nothing about is refused.
    pub(crate) fn all(call: &Call, names: &[String]) -> Result<Vec<Self>> {
        let said = match &call.trouble {
            Some(_) => Said { tests: Vec::new() },
            None => Said::deserialize(&call.said)?,
        };
        let trouble = call.trouble.as_deref().unwrap_or("the command says nothing about it");
        names
            .iter()
            .map(|name| match said.tests.iter().find(|test| test.test == *name) {
                Some(test) => test.answer(&call.target),
                None => Ok(Self {
                    target: call.target.clone(),
                    test: name.clone(),
                    outcome: Outcome::Refused(trouble.to_owned()),
                    schedule: None,
                    meaning: Meaning::default(),
                    times: None,
                }),
            })
            .collect()
    }

    /// Whether it was migrated.
    pub(crate) fn is_verified(&self) -> bool {
        self.outcome == Outcome::Verified
    }
}

impl Test {
    fn answer(&self, target: &str) -> Result<Answer> {
        let named = |named: &[Named]| {
            named.iter().map(|named| (named.name.clone(), named.place())).collect()
        };
        let places = Places { events: named(&self.events), ends: named(&self.threads) };
        let meaning = match &self.schedule {
            Some(schedule) => Meaning::of(schedule, &places)?,
            None => Meaning::default(),
        };
        let outcome = match (&self.status, &self.reason) {
            (Status::Verified, _) => Outcome::Verified,
            (Status::Other, Some(reason)) => Outcome::Refused(reason.clone()),
            (Status::Other, None) => Outcome::Refused("no reason is given".to_owned()),
        };
        Ok(Answer {
            target: target.to_owned(),
            test: self.test.clone(),
            outcome,
            schedule: self.schedule.clone(),
            meaning,
            times: self.times,
        })
    }
}

impl Named {
    fn place(&self) -> Place {
        match self.gap {
            Gap::Before => Place::Before(self.file.clone(), self.line),
            Gap::End => Place::EndOf(self.file.clone(), self.line),
        }
    }
}

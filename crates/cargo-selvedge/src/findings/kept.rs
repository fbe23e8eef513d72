//! A finding with all that is needed to run its test again.

use super::build::{Built, is_name, settings};
use super::{Code, Id, PlaceNames};
use crate::compile::Binary;
use crate::exit::{Exit, Failure};
use anyhow::Context;
use selvedge_model::{Finding, NamedProblem, Problem, Whereabouts};
use serde::{Deserialize, Serialize};

/// The version of the format of `finding.json`.
const FORMAT: u32 = 1;

/// A finding that is longer than this, as text, is not read: reading takes several times as much.
pub(super) const LONGEST: usize = 32 << 20;

/// A finding with more values than this is not read: the smallest take a few bytes of text, and many
/// times as much in memory. The longest way that is told has fewer.
const MOST_VALUES: usize = 1 << 20;

/// A finding with all that is needed to run its test again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The version of this format.
    pub(crate) format: u32,
    /// The version of the command that found it.
    pub(crate) selvedge: String,
    /// The compiler that built the test.
    pub(crate) rustc: String,
    /// The package.
    pub(crate) package: String,
    /// The name of cargo's target.
    pub(crate) target: String,
    /// The kind of cargo's target.
    pub(crate) target_kind: String,
    /// The test's name within the target.
    pub(crate) test: String,
    /// How it was built.
    #[serde(flatten)]
    pub(crate) built: Built,
    /// The settings with which it was explored.
    pub(crate) settings: Vec<(String, String)>,
    /// What tells it from other problems of its kind, in names that stay when lines move. Made of
    /// the sources as they were then. Older versions did not write it; then lines have to do.
    #[serde(default)]
    aspects: Option<Vec<Vec<String>>>,
    /// The finding itself.
    pub(crate) finding: Finding,
    /// What the addresses in it mean: the binary may be gone when somebody asks.
    #[serde(default)]
    pub(crate) code: Vec<Code>,
}

impl Kept {
    /// A finding that was just made.
    pub(crate) fn new(
        rustc: &str,
        binary: &Binary,
        test: &str,
        built: Built,
        settings: &[(String, String)],
        finding: Finding,
        places: &PlaceNames<'_>,
    ) -> Self {
        Self {
            format: FORMAT,
            selvedge: env!("CARGO_PKG_VERSION").to_owned(),
            rustc: rustc.to_owned(),
            package: binary.package_name.clone(),
            target: binary.target.clone(),
            target_kind: binary.kind.clone(),
            test: test.to_owned(),
            built,
            settings: settings.to_vec(),
            aspects: Some(places.name(&Problem::of(&finding.kind)).aspects),
            finding,
            code: Vec::new(),
        }
    }

    /// Reads the text of `finding.json`.
    pub(crate) fn read(text: &str) -> anyhow::Result<Self> {
        anyhow::ensure!(text.len() <= LONGEST, "it is longer than {} MiB", LONGEST >> 20);
        anyhow::ensure!(values(text) <= MOST_VALUES, "it has more than {MOST_VALUES} values");
        let kept: Self = serde_json::from_str(text).context("it is damaged")?;
        anyhow::ensure!(
            kept.format == FORMAT,
            "it has format {}, and this version reads {FORMAT}",
            kept.format
        );
        Ok(kept)
    }

    /// The text of `finding.json`.
    pub(crate) fn text(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string_pretty(self)?)
    }

    /// What tells it from other problems.
    pub(crate) fn problem(&self) -> NamedProblem {
        let problem = Problem::of(&self.finding.kind);
        let named = problem.named(|place| match place {
            Whereabouts::Line(source) => vec![source.to_string()],
            Whereabouts::Calls(frames) => {
                frames.first().map(ToString::to_string).into_iter().collect()
            }
        });
        match &self.aspects {
            Some(aspects) => NamedProblem { aspects: aspects.clone(), ..named },
            None => named,
        }
    }

    /// What it is called.
    pub(crate) fn id(&self) -> Id {
        Id::of(self)
    }

    /// Whether it is the same problem of the same test.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let test = |kept: &Self| {
            let Self { package, target_kind, target, test, .. } = kept.clone();
            (package, target_kind, target, test)
        };
        test(self) == test(other) && self.problem() == other.problem()
    }

    /// Whether a finding of the same test, in whatever build, is this problem.
    pub(crate) fn is_shown_by(&self, finding: &Finding, places: &PlaceNames<'_>) -> bool {
        match self.aspects {
            Some(_) => places.name(&Problem::of(&finding.kind)) == self.problem(),
            None => finding.kind.same_problem(&self.finding.kind),
        }
    }

    /// The settings with which it is replayed.
    pub(crate) fn replay_settings(&self) -> anyhow::Result<Vec<(String, String)>> {
        settings(&self.settings)
    }

    /// Refuses names that are none: they are given to other programs.
    pub(crate) fn check_names(&self) -> anyhow::Result<()> {
        for name in [&self.package, &self.target, &self.test] {
            if !is_name(name) {
                let message = format!("the finding names `{name}`, which is no name");
                return Err(Failure::with(Exit::Usage, message));
            }
        }
        Ok(())
    }
}

/// At least as many values as a text of JSON has.
fn values(text: &str) -> usize {
    let (mut count, mut within, mut escaped) = (1, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = within,
            b'"' => within = !within,
            b',' | b'[' | b'{' if !within => count += 1,
            _ => {}
        }
    }
    count
}

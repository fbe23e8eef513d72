//! Calls as statements.

use super::helpers::Helper;
use crate::harness::Harness;
use crate::row::{Needs, Row, Runs, Shown, Way};
use crate::template::Filling;
use selvedge_harness::{Results, Seen, Stand, Violation};
use std::collections::BTreeSet;

/// Whether panics of calls are caught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Catches {
    /// Some order of the calls panics, so a panic is a result like any other.
    Panics,
    Nothing,
}

/// Which results are compared.
pub(super) struct Records {
    /// For each slot.
    compared: Vec<bool>,
    pub(super) catches: Catches,
}

impl Records {
    pub(super) fn of(harness: &Harness, violation: &Violation) -> Self {
        let rows = harness.calls();
        // While others run, some results may be those of no order.
        let promises: Vec<_> = violation
            .test
            .calls()
            .map(|(stand, called)| {
                let row = rows[called.call.index()];
                let exact = row.manner.results == Results::Exact && !row.manner.tries;
                !matches!(stand, Stand::Thread(_)) || exact && row.body.runs != Runs::PolledOnce
            })
            .collect();
        let all = || violation.possible.iter().chain([&violation.seen]);
        // What is always the same blank or nothing tells nothing.
        let tells = |slot: usize| {
            all().any(|seen| {
                seen.results[slot]
                    .as_deref()
                    .is_some_and(|text| !matches!(text, "()" | "_" | "gone" | "…"))
            })
        };
        // Values that are not judged are not compared.
        let judged = |slot: usize| all().all(|seen| seen.results[slot].as_deref() != Some("…"));
        let compared = (0..violation.test.len())
            .map(|slot| tells(slot) && judged(slot) && promises[slot])
            .collect();
        let panics = violation.possible.iter().flat_map(|seen| &seen.results).flatten();
        let panics = panics.into_iter().any(|text| text.starts_with("panicked"));
        Self { compared, catches: if panics { Catches::Panics } else { Catches::Nothing } }
    }

    /// Whether the results that are compared are those of some order, although all of them together are not.
    pub(super) fn explain(&self, violation: &Violation) -> bool {
        let slots = || (0..violation.test.len()).filter(|slot| self.compared[*slot]);
        violation
            .possible
            .iter()
            .any(|one| slots().all(|slot| self.text(one, slot) == self.text(&violation.seen, slot)))
    }

    /// The name under which a result is kept.
    pub(super) fn name(&self, slot: usize) -> Option<String> {
        self.compared[slot].then(|| format!("r{slot}"))
    }

    /// What is compared with it.
    pub(super) fn text(&self, seen: &Seen, slot: usize) -> String {
        let text = seen.results[slot].clone().unwrap_or_default();
        if text.starts_with("panicked") { "panicked".to_owned() } else { text }
    }
}

/// A call as code.
pub(super) struct Statement {
    pub(super) code: Vec<String>,
    /// Whether the part is gone afterwards.
    pub(super) takes: bool,
}

pub(super) fn statement(
    row: &Row,
    filling: Filling<'_>,
    name: Option<String>,
    helpers: &mut BTreeSet<Helper>,
    catches: Catches,
) -> Statement {
    let mut code: Vec<_> = row.body.lets.iter().map(|one| one.fill(filling)).collect();
    let call = run(row.body.runs, row.body.call.fill(filling), helpers);
    let shown = match &row.body.handle {
        None => show(&call, row.body.shown, row.body.runs),
        Some(handle) => {
            let lets: String = handle.lets.iter().map(|one| one.fill(filling) + " ").collect();
            let then = show(
                &run(handle.runs, handle.call.fill(filling), helpers),
                handle.shown,
                handle.runs,
            );
            match handle.way {
                Way::Plain => format!("{{ let mut h = {call}; {lets}{then} }}"),
                Way::Option => {
                    format!(
                        "match {call} {{ Some(mut h) => {{ {lets}{then} }} None => \"None\".to_owned() }}"
                    )
                }
                Way::Result => {
                    format!(
                        "match {call} {{ Ok(mut h) => {{ {lets}{then} }} Err(_) => \"Err\".to_owned() }}"
                    )
                }
            }
        }
    };
    let shown = match catches {
        Catches::Panics => {
            helpers.insert(Helper::Caught);
            format!("caught(|| {shown})")
        }
        Catches::Nothing => shown,
    };
    code.push(match name {
        Some(name) => format!("let {name} = {shown};"),
        None if catches == Catches::Nothing
            && row.body.handle.is_none()
            && row.body.shown != Shown::Elements =>
        {
            format!("let _ = {call};")
        }
        None => format!("let _ = {shown};"),
    });
    Statement { code, takes: row.needs == Needs::Owned }
}

fn run(runs: Runs, call: String, helpers: &mut BTreeSet<Helper>) -> String {
    match runs {
        Runs::Plainly => call,
        Runs::Awaited => {
            helpers.insert(Helper::WaitFor);
            format!("wait_for({call})")
        }
        Runs::PolledOnce => {
            helpers.insert(Helper::PollOnce);
            format!("poll_once({call})")
        }
    }
}

/// An expression that is the text of a result.
fn show(call: &str, shown: Shown, runs: Runs) -> String {
    let inner = match shown {
        Shown::Value => return format!("format!(\"{{:?}}\", {call})"),
        Shown::Elements => {
            return format!(
                "{{ let mut all: Vec<_> = {call}.into_iter().take(4).map(|one| format!(\"{{one:?}}\")).collect(); all.sort(); \
                 format!(\"[{{}}]\", all.join(\", \")) }}"
            );
        }
        Shown::Shape(Way::Option) => "is_some()",
        Shown::Shape(Way::Result) => "is_ok()",
        Shown::Shape(Way::Plain) | Shown::Nothing => match runs {
            Runs::PolledOnce => return format!("format!(\"{{:?}}\", {call}.is_some())"),
            Runs::Plainly | Runs::Awaited => {
                return format!("{{ let _ = {call}; \"\\\"_\\\"\".to_owned() }}");
            }
        },
    };
    match runs {
        Runs::PolledOnce => format!("format!(\"{{:?}}\", {call}.map(|one| one.{inner}))"),
        Runs::Plainly | Runs::Awaited => format!("format!(\"{{:?}}\", {call}.{inner})"),
    }
}

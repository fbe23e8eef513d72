//! Data races that the user allows.
//!
//! A test process knows instructions, the user names functions. So a test is explored as it is; if
//! the race that is found is allowed, it is explored again, with the instruction on a list.

use super::plan::Planned;
use crate::symbols::Symbols;
use selvedge_model::{CodeAddress, FindingKind, RacingAccess, Report};
use selvedge_report::{SourceFiles, Sources};
use std::path::Path;

/// The settings for another exploration, if a report has a race that is allowed.
pub(super) fn without_race(
    planned: &Planned,
    settings: &[(String, String)],
    report: &Report,
) -> Option<Vec<(String, String)>> {
    let names = &planned.settings.allow_races;
    let FindingKind::DataRace { first, second, .. } = &report.finding.as_ref()?.kind else {
        return None;
    };
    if names.is_empty() {
        return None;
    }
    let files = SourceFiles::default();
    let symbols = Symbols::of(&planned.binary.executable, &files, Path::new(""));
    let is_allowed = |access: &&CodeAddress| {
        let functions = symbols.code(**access);
        functions.iter().any(|function| names.iter().any(|name| function.contains(name.as_str())))
    };
    let place = |access: &RacingAccess| access.frames.first().copied();
    let places = [place(first), place(second)];
    let allowed: Vec<_> = places.iter().flatten().filter(is_allowed).collect();
    if allowed.is_empty() {
        return None;
    }
    let mut settings = settings.to_vec();
    let known = settings.iter().rposition(|(key, _)| key == KEY).map(|at| settings.remove(at).1);
    let more = allowed.into_iter().map(ToString::to_string);
    let list: Vec<_> = known.into_iter().chain(more).collect();
    settings.push((KEY.to_owned(), list.join(",")));
    Some(settings)
}

/// The setting with the list.
const KEY: &str = "allowed_races";

//! What earlier runs have found is tried before a test is explored.

use super::{Brief, Outcome, Runner, asked, may_go_on};
use crate::findings::{How, Tried};
use crate::run::Worker;
use crate::run::allowed::without_race;
use crate::run::worker::go_on;
use crate::settings::REPLAY;
use selvedge_model::{Report, Stopped};

/// What came of trying.
#[derive(Default)]
pub(super) struct First {
    /// The first schedule that shows something, with the settings that it needs.
    pub(super) shown: Option<(Box<Report>, Brief)>,
    /// All that were tried.
    pub(super) tried: Vec<Tried>,
}

impl Runner<'_> {
    /// Runs the schedules of earlier findings, up to the first that shows something.
    pub(super) fn try_first(
        &self,
        (binary, test): (usize, usize),
        worker: &mut Box<Worker>,
        brief: &Brief,
    ) -> First {
        let planned = &self.work.plan.binaries[binary];
        let mut first = First::default();
        for earlier in &brief.first {
            if self.stopped() {
                break;
            }
            let mut needed = brief.clone();
            needed.settings.extend(earlier.settings.iter().cloned());
            let mut replay = needed.clone();
            replay.settings.push((REPLAY.to_owned(), earlier.schedule.to_string()));
            let outcome = self
                .running
                .during(worker.lifeline(), || worker.run(asked(test, &replay), &mut |_| go_on()));
            let is_usable = may_go_on(&outcome);
            let how = match outcome {
                Outcome::Explored(report) if report.finding.is_some() => {
                    // What the user allows is left to the exploration, which looks past it.
                    if without_race(planned, &needed.settings, &report).is_none() {
                        first.shown = Some((report, needed));
                    }
                    Some(How::Fails)
                }
                Outcome::Explored(report) => match report.stopped {
                    Stopped::Misfit(_) => Some(How::Misfit),
                    _ => Some(How::Passes),
                },
                // The exploration will tell what the matter is.
                Outcome::Died(_) | Outcome::Failed(_) => None,
            };
            let (id, origin) = (earlier.id.clone(), earlier.origin);
            first.tried.extend(how.map(|how| Tried { id, origin, how }));
            if !is_usable {
                match self.start(binary) {
                    Ok(started) => *worker = started,
                    Err(_) => break,
                }
            }
            if first.shown.is_some() {
                break;
            }
        }
        first
    }
}

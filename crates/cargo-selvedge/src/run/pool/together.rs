//! One test, explored by several processes at the same time.

use super::{Brief, Event, Member, Runner, asked};
use crate::run::Outcome;
use crate::run::allotment::Allotment;
use crate::run::team::{Heard, Team};
use crate::run::worker::{News, Worker};
use crate::settings::TRACE;
use selvedge_model::{Report, Stopped};
use std::thread;
use std::time::Instant;

/// So many executions show whether a test is sequential.
const FIRST_LOOK: u64 = 2;

impl Runner<'_> {
    /// Explores in several processes at the same time, which tell each other what they learn. Whether
    /// there is anything to explore at all is found out by one of them first.
    pub(super) fn explore_together(
        &self,
        job: usize,
        test: usize,
        worker: &mut Worker,
        brief: &Brief,
    ) -> Outcome {
        let all = Allotment::of(&brief.settings);
        let first = Allotment { executions: all.executions.min(FIRST_LOOK), ..all };
        let mut known = brief.known.clone();
        let look = Brief { settings: first.apply(&brief.settings), ..brief.clone() };
        let looked = self.explore_alone(job, test, worker, &look, &mut |learned| {
            known.append(learned.clone());
        });
        let left = all.after(first.executions);
        let first = match looked {
            Outcome::Explored(report)
                if matches!(report.stopped, Stopped::Executions | Stopped::Long)
                    && left.executions > 0 =>
            {
                *report
            }
            other => return other,
        };
        let count = self.work.processes;
        let team = Team::new(count, &known);
        let brief = |index: usize| {
            let part = left.part(index as u64, count as u64);
            let mut settings = part.apply(&brief.settings);
            // They would all write to the same file.
            settings.retain(|(key, _)| key != TRACE);
            let brief = Brief { settings, known: known.clone(), first: Vec::new() };
            (Member { index: index + 1, seed: part.seed }, brief)
        };
        let (team, brief) = (&team, &brief);
        let outcomes: Vec<Outcome> = thread::scope(|scope| {
            let others: Vec<_> = (1..count)
                .map(|index| {
                    scope.spawn(move || {
                        let binary = self.work.plan.jobs[job].binary;
                        match self.start(binary) {
                            Ok(mut own) => self.join_in(job, test, &mut own, team, brief(index)),
                            Err(why) => Outcome::Failed(why),
                        }
                    })
                })
                .collect();
            let own = self.join_in(job, test, worker, team, brief(0));
            let others = others
                .into_iter()
                .map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            std::iter::once(own).chain(others).collect()
        });
        together(team, first, outcomes)
    }

    /// Explores as one of several processes.
    fn join_in(
        &self,
        job: usize,
        test: usize,
        worker: &mut Worker,
        team: &Team,
        (member, brief): (Member, Brief),
    ) -> Outcome {
        let began = Instant::now();
        let outcome = self.running.during(worker.lifeline(), || {
            worker.run(asked(test, &brief), &mut |News { learned, .. }| {
                let Heard { learned, executions, reply } = team.hear(member.index - 1, learned);
                let elapsed = began.elapsed();
                self.tell(Event::Progress { job, executions, member, learned, elapsed });
                reply
            })
        });
        let goes_on = matches!(
            &outcome,
            Outcome::Explored(report)
                if matches!(report.stopped, Stopped::Executions | Stopped::Time | Stopped::Long)
        );
        if !goes_on {
            team.stop();
        }
        outcome
    }
}

/// One outcome for all processes that have explored a test.
fn together(team: &Team, first: Report, outcomes: Vec<Outcome>) -> Outcome {
    let mut reports = vec![first];
    let mut trouble = None;
    for outcome in outcomes {
        match outcome {
            Outcome::Explored(report) => reports.push(*report),
            other => trouble = trouble.or(Some(other)),
        }
    }
    let report = team.report(reports);
    match (report, trouble) {
        (Some(report), None) => Outcome::Explored(Box::new(report)),
        (Some(report), Some(_)) if report.finding.is_some() => Outcome::Explored(Box::new(report)),
        (_, Some(trouble)) => trouble,
        (None, None) => Outcome::Failed("no process has explored it".to_owned()),
    }
}

//! The rows as data, for whoever draws them.

use super::{Role, created, items};
use crate::account::Account;
use crate::diagram::{Lane, Line};
use crate::fold::Row;
use crate::names::Names;
use crate::operation::{AtomicNames, describe, has_own_site, quirk};
use crate::page::Page;
use crate::{NoSources, Style, diagram};
use selvedge_model::{Finding, Source, ThreadPath};
use std::ops::RangeInclusive;

/// Of a fold, so many steps can be looked at.
const MOST_HIDDEN: usize = 40;

/// The threads that have rows, and the rows.
pub(crate) fn lines(
    finding: &Finding,
    names: &Names<'_>,
    account: &Account<'_>,
    rows: &[Row],
) -> (Vec<Lane>, Vec<Line>) {
    // Who draws looks up sources by itself.
    let items = items(&Page::new(Style::default(), &NoSources), finding, names, account, rows);
    let mut threads: Vec<&ThreadPath> = items.iter().filter_map(|item| item.thread).collect();
    threads.sort_by_key(|path| (names.position(path), *path));
    threads.dedup();
    let lane = |path: &&ThreadPath| {
        let thread = names.position(path)?;
        let spawned = finding.threads[thread].spawned.clone();
        Some(Lane { label: names.label(path), thread, spawned })
    };
    let lanes: Vec<_> = threads.iter().filter_map(lane).collect();
    let number = |path: &ThreadPath| {
        let thread = names.position(path);
        lanes.iter().position(|lane| Some(lane.thread) == thread)
    };
    let mut next = 0;
    let lines = items.into_iter().map(|item| Line {
        lane: item.thread.and_then(number),
        hidden: match (item.role, item.thread) {
            (Role::Fold, Some(thread)) => {
                hidden(finding, names, next..=item.step, thread, number(thread))
            }
            _ => Vec::new(),
        },
        text: item.text,
        at: item.at.cloned(),
        role: match item.role {
            Role::Step => diagram::Role::Step,
            Role::Release => diagram::Role::Release,
            Role::Fold => diagram::Role::Fold,
            Role::End => diagram::Role::End,
            Role::Race => diagram::Role::Race,
        },
        step: {
            // How threads came to their end is no step.
            next = match item.role {
                Role::End | Role::Race => next,
                Role::Step | Role::Release | Role::Fold => item.step + 1,
            };
            item.step
        },
    });
    let lines = lines.collect();
    (lanes, lines)
}

/// The first steps of a thread among some that are not shown.
fn hidden(
    finding: &Finding,
    names: &Names<'_>,
    steps: RangeInclusive<usize>,
    thread: &ThreadPath,
    lane: Option<usize>,
) -> Vec<Line> {
    let own = steps.filter(|&step| finding.steps[step].thread == *thread).take(MOST_HIDDEN);
    let line = |index: usize| {
        let step = &finding.steps[index];
        Line {
            lane,
            text: describe(step, names, AtomicNames::Shown, quirk(finding, index)),
            at: has_own_site(step.kind).then(|| finding.shown_at(index).clone()),
            role: diagram::Role::Step,
            step: index,
            hidden: Vec::new(),
        }
    };
    own.map(line).collect()
}

/// Where the objects of the rows were made.
pub(crate) fn created(finding: &Finding, names: &Names<'_>, rows: &[Row]) -> Vec<(String, Source)> {
    let created = created::created(finding, names, rows);
    created.into_iter().map(|(name, at)| (name, at.clone())).collect()
}

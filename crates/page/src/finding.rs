//! A finding as a report tells it.

use crate::data::{Arrow, Fact, Facts, Finding, Lane, Order, Role, Row};
use crate::make::Places;
use crate::{conflict, order};
use selvedge_model as model;
use selvedge_model::{Replayed, Source};
use selvedge_report::{Diagram, DiagramLine, Role as LineRole, Sources, diagram, place};
use std::collections::BTreeSet;

/// Of what a test printed, so many lines are told, the last ones.
const PRINTED_LINES: usize = 30;
/// And of each so many characters.
const PRINTED_WIDTH: usize = 400;

pub(crate) fn finding(
    id: &str,
    test: usize,
    found: &model::Finding,
    sources: &dyn Sources,
    places: &mut Places,
) -> Finding {
    let drawn = diagram(found, sources);
    let arrows = arrows(found, &drawn);
    let conflict = conflict_rows(found, &drawn);
    let shown_at = best_place(found, &drawn).map(|at| places.number(&at));
    let total = found.steps.len();
    Finding {
        id: id.to_owned(),
        test,
        kind: found.kind.name().to_owned(),
        in_last_run: None,
        place: shown_at,
        facts: drawn
            .facts
            .into_iter()
            .map(|block| Facts {
                subject: block.subject,
                facts: facts(block.facts, places),
                calls: block.calls,
            })
            .collect(),
        lanes: drawn
            .lanes
            .into_iter()
            .map(|lane| Lane {
                label: lane.label,
                spawned: lane.spawned.map(|at| places.number(&at)),
            })
            .collect(),
        rows: drawn.lines.into_iter().map(|line| row(line, total, places)).collect(),
        created: facts(drawn.created.into_iter().map(|(name, at)| (name, Some(at))), places),
        headline: drawn.headline,
        details: drawn.details,
        notes: drawn.notes,
        arrows,
        conflict,
        steps: found.before.saturating_add(total as u64).saturating_add(found.unrecorded),
        printed: printed(&found.output),
        schedule: found.schedule.to_string(),
        command: format!("cargo selvedge replay {id}"),
        execution: found.execution,
        strategy: found.strategy.clone(),
        replayed: found.replayed == Replayed::Yes,
    }
}

fn facts(
    facts: impl IntoIterator<Item = (String, Option<Source>)>,
    places: &mut Places,
) -> Vec<Fact> {
    let fact = |(text, at): (String, Option<Source>)| Fact {
        text,
        place: at.map(|at| places.number(&at)),
    };
    facts.into_iter().map(fact).collect()
}

fn row(line: DiagramLine, total: usize, places: &mut Places) -> Row {
    let role = match line.role {
        LineRole::Step => Role::Step,
        LineRole::Release => Role::Release,
        LineRole::Fold => Role::Fold,
        LineRole::End => Role::End,
        LineRole::Race => Role::Race,
    };
    let is_step = !matches!(role, Role::End | Role::Race) && line.step < total;
    Row {
        lane: line.lane,
        text: line.text,
        place: line.at.map(|at| places.number(&at)),
        role,
        step: is_step.then_some(line.step + 1),
        hidden: line.hidden.into_iter().map(|line| row(line, total, places)).collect(),
    }
}

/// The place that a finding is best shown at. That of a race is known to debug information only.
fn best_place(found: &model::Finding, drawn: &Diagram) -> Option<Source> {
    let race = drawn.lines.iter().rev().find(|line| line.role == LineRole::Race);
    race.and_then(|line| line.at.clone()).or_else(|| place(found).cloned())
}

/// The arrows between the rows that are shown.
fn arrows(found: &model::Finding, drawn: &Diagram) -> Vec<Arrow> {
    let mut arrows: BTreeSet<Arrow> = BTreeSet::new();
    for (from, to, order) in order::edges(found) {
        let ends = (row_from(found, drawn, from), row_to(found, drawn, to, order));
        if let (Some(from), Some(to)) = ends
            && from < to
            && drawn.lines[from].lane != drawn.lines[to].lane
        {
            arrows.insert(Arrow(from, to, order));
        }
    }
    arrows.into_iter().collect()
}

/// The rows of the thread of a step, but for how it ended.
fn own_rows<'a>(
    found: &'a model::Finding,
    drawn: &'a Diagram,
    step: usize,
) -> impl DoubleEndedIterator<Item = (usize, &'a DiagramLine)> {
    let thread = &found.steps[step].thread;
    let number = found.threads.iter().position(|other| other.path == *thread);
    let lane = drawn.lanes.iter().position(|lane| Some(lane.thread) == number);
    drawn
        .lines
        .iter()
        .enumerate()
        .filter(move |(_, line)| line.lane == lane && lane.is_some() && line.role != LineRole::End)
}

/// The row of a step itself, or the fold that has it.
fn row_of(found: &model::Finding, drawn: &Diagram, step: usize) -> Option<usize> {
    let mut steps = own_rows(found, drawn, step).filter(|(_, line)| line.role != LineRole::Race);
    let (index, line) = steps.find(|(_, line)| line.step >= step)?;
    let first = line.hidden.first().map_or(line.step, |first| first.step);
    (first <= step).then_some(index)
}

/// Where an arrow begins: at the step, or at what its thread is shown to have done last before.
fn row_from(found: &model::Finding, drawn: &Diagram, step: usize) -> Option<usize> {
    row_of(found, drawn, step).or_else(|| {
        let mut before = own_rows(found, drawn, step).rev();
        before.find(|(_, line)| line.step < step).map(|(index, _)| index)
    })
}

/// Where an arrow ends: at the step, or, for the start of a thread, at what it is shown to do
/// first. An arrow into another step that is not shown leads nowhere.
fn row_to(found: &model::Finding, drawn: &Diagram, step: usize, order: Order) -> Option<usize> {
    row_of(found, drawn, step).or_else(|| {
        let mut after = own_rows(found, drawn, step);
        let after = after.find(|(_, line)| line.step >= step).filter(|_| order == Order::Spawn);
        after.map(|(index, _)| index)
    })
}

/// The rows of the steps that matter most, and how threads ended.
fn conflict_rows(found: &model::Finding, drawn: &Diagram) -> Vec<usize> {
    let steps = conflict::steps(found);
    let rows = steps.into_iter().filter_map(|step| row_of(found, drawn, step));
    let ends = drawn
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| matches!(line.role, LineRole::End | LineRole::Race));
    let rows: BTreeSet<_> = rows.chain(ends.map(|(index, _)| index)).collect();
    rows.into_iter().collect()
}

/// The last lines of what a test printed.
fn printed(output: &str) -> String {
    let lines: Vec<_> = output.lines().collect();
    let last = &lines[lines.len().saturating_sub(PRINTED_LINES)..];
    let cut: Vec<String> =
        last.iter().map(|line| line.chars().take(PRINTED_WIDTH).collect()).collect();
    cut.join("\n")
}

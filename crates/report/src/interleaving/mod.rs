//! How it came about: the steps that matter, in order.

mod columns;
mod created;
pub(crate) mod drawn;
mod list;
mod lives;

use crate::account::{Account, End, Place};
use crate::fold::Row;
use crate::line::Tone;
use crate::names::Names;
use crate::operation::{AtomicNames, atomic_names, describe, has_own_site, is_release, quirk};
use crate::page::{Excerpt, Page};
use crate::relevant;
use crate::words::count;
use selvedge_model::{Finding, Source, ThreadPath};

/// With more threads than this, columns are too narrow to be read.
const MOST_COLUMNS: usize = 6;

/// A row as it is laid out.
struct Item<'a> {
    /// Whose it is; nobody's in particular if it speaks of rows of several threads.
    thread: Option<&'a ThreadPath>,
    /// What happened.
    text: String,
    /// File and line, shortened; empty if unknown.
    place: String,
    /// The same in full.
    at: Option<&'a Source>,
    /// That line.
    source: Option<Excerpt>,
    role: Role,
    /// The position of the (last) step, to know who lives at that time.
    step: usize,
    /// The call of a library that it is a part of. Parts of one call are one row.
    call: Option<LibraryCall<'a>>,
}

/// A call of a library, as far as it matters whether two of them are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LibraryCall<'a> {
    function: &'a str,
    at: Option<&'a Source>,
}

impl<'a> LibraryCall<'a> {
    /// The call that a step is a part of, if it stands in a library.
    fn of(finding: &'a Finding, step: usize) -> Option<Self> {
        let stack = finding.stacks.of_step(step)?;
        let function = stack.inside.as_deref()?;
        Some(match &stack.at {
            Some(at) => Self { function, at: Some(at) },
            // What threads of a library do by themselves is not told one by one.
            None => Self { function: function.split("::").next().unwrap_or(function), at: None },
        })
    }

    fn text(self) -> String {
        match self.at {
            Some(_) => self.function.to_owned(),
            None => format!("… in {}", self.function),
        }
    }
}

/// What a row is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It shows a step.
    Step,
    /// It shows a step that gives something back.
    Release,
    /// It says what was left out.
    Fold,
    /// It says how a thread ended.
    End,
    /// It shows an access to memory that races.
    Race,
}

impl Role {
    fn is_step(self) -> bool {
        matches!(self, Self::Step | Self::Release | Self::Race)
    }
}

/// Writes the steps that matter, as columns if there is room.
pub(crate) fn write(
    page: &mut Page<'_>,
    finding: &Finding,
    names: &Names<'_>,
    account: &Account<'_>,
) {
    let rows = relevant::select(finding, &account.about);
    let shown = rows.iter().filter(|row| matches!(row, Row::Step(_))).count();
    let items = items(page, finding, names, account, &rows);
    if items.is_empty() {
        return;
    }
    page.blank();
    let all = count(finding.steps.len() as u64, "step");
    let part = if shown == finding.steps.len() { all } else { format!("{shown} of {all}") };
    page.text(0, &format!("what happened ({part}):"), Tone::Strong);
    page.blank();
    let mut threads: Vec<&ThreadPath> = items.iter().filter_map(|item| item.thread).collect();
    threads.sort_by_key(|path| (names.position(path), *path));
    threads.dedup();
    if threads.len() > MOST_COLUMNS || !columns::write(page, finding, names, &threads, &items) {
        list::write(page, names, &threads, &items);
    }
    created::write(page, finding, names, &rows);
}

fn items<'a>(
    page: &Page<'_>,
    finding: &'a Finding,
    names: &Names<'_>,
    account: &Account<'a>,
    rows: &[Row],
) -> Vec<Item<'a>> {
    let shown = rows.iter().filter_map(|row| match *row {
        Row::Step(index) => Some(&finding.steps[index]),
        _ => None,
    });
    let atomics = atomic_names(shown);
    let mut items: Vec<Item<'_>> = Vec::new();
    // How many rows the last item stands for.
    let mut merged = 0;
    for &row in rows {
        let next = item(page, finding, names, atomics, row);
        let is_part = |last: &Item<'_>| match row {
            Row::Step(_) | Row::More { .. } => last.call == next.call && last.thread == next.thread,
            Row::Again { rows, .. } => rows <= merged,
            Row::Skipped { .. } => false,
        };
        match items.last_mut().filter(|last| last.call.is_some() && is_part(last)) {
            Some(last) => {
                last.step = next.step;
                merged += 1;
            }
            None => {
                items.push(next);
                merged = 1;
            }
        }
    }
    let last_step = |end: &End<'_>| finding.steps.iter().rposition(|s| s.thread == *end.thread);
    let mut ends: Vec<_> = account.ends.iter().collect();
    // Who came to a halt first stands first.
    ends.sort_by_key(|end| last_step(end));
    for end in ends {
        let (position, step) = match end.place {
            Place::Bottom => (items.len(), finding.steps.len()),
            Place::AfterItsThread => after_own_steps(&items, end.thread),
            Place::AccessAfter(step) => {
                let is_later = |item: &Item<'_>| {
                    step.is_none_or(|step| item.step > step) && item.role != Role::Race
                };
                let position = items.iter().position(is_later).unwrap_or(items.len());
                (position, step.unwrap_or(0))
            }
        };
        let role = match end.place {
            Place::Bottom | Place::AfterItsThread => Role::End,
            Place::AccessAfter(_) => Role::Race,
        };
        let (place, source) = located(page, names, end.at);
        let text = end.text.clone();
        let thread = Some(end.thread);
        let at = end.at;
        items.insert(position, Item { thread, text, place, at, source, role, step, call: None });
    }
    items
}

/// Where the panic of a thread goes, and the step above it. The finding does not say when it
/// happened; what is given back at the very end of a thread that panicked is most often given
/// back by unwinding, so the panic goes above that.
fn after_own_steps(items: &[Item<'_>], thread: &ThreadPath) -> (usize, usize) {
    let is_own = |item: &Item<'_>| item.thread == Some(thread) && item.role != Role::Release;
    let Some(own) = items.iter().rposition(is_own) else { return (items.len(), 0) };
    let folds = items[own + 1..].iter().take_while(|item| item.thread.is_none()).count();
    (own + 1 + folds, items[own + folds].step)
}

fn item<'a>(
    page: &Page<'_>,
    finding: &'a Finding,
    names: &Names<'_>,
    atomics: AtomicNames,
    row: Row,
) -> Item<'a> {
    let fold = |thread, text| Item {
        thread,
        text,
        place: String::new(),
        at: None,
        source: None,
        role: Role::Fold,
        step: row.last(),
        call: None,
    };
    match row {
        Row::Step(index) => {
            let step = &finding.steps[index];
            let call = LibraryCall::of(finding, index);
            let at = match call {
                Some(call) => call.at,
                None => has_own_site(step.kind).then(|| finding.shown_at(index)),
            };
            let (place, source) = located(page, names, at);
            Item {
                thread: Some(&step.thread),
                text: match call {
                    Some(call) => call.text(),
                    None => describe(step, names, atomics, quirk(finding, index)),
                },
                call,
                place,
                at,
                source,
                role: if is_release(step.kind) { Role::Release } else { Role::Step },
                step: index,
            }
        }
        Row::More { steps, last } => {
            let more = format!("… {steps} more steps");
            let call = LibraryCall::of(finding, last);
            Item { call, ..fold(Some(&finding.steps[last].thread), more) }
        }
        Row::Again { rows: 1, times, .. } => fold(None, format!("↻ {times} times more")),
        Row::Again { rows, times, .. } => {
            fold(None, format!("↻ these {rows} steps {times} times more"))
        }
        Row::Skipped { steps, .. } => fold(None, format!("⋮ {steps} steps left out")),
    }
}

fn located(page: &Page<'_>, names: &Names<'_>, at: Option<&Source>) -> (String, Option<Excerpt>) {
    match at {
        Some(at) => (names.short(at), page.excerpt(at)),
        None => (String::new(), None),
    }
}

//! What the calls in a finding mean: lines of the workspace's own crates, and functions of libraries.
//!
//! A finding comes with addresses. Here they become what its reader needs, by the debug information of the
//! binary: for each operation that stands in a library, the line of the workspace that called the library and the
//! function that was called; and what is known of the library's own locks (see [`locks`]).

mod libraries;
mod locks;
mod names;
mod tasks;
#[cfg(test)]
mod tests;

use crate::symbols::{Frame, Symbols, Whose};
use names::short_name;
use selvedge_model::{CallStack, CodeAddress, Finding, FindingKind, Source, StackNumber, Wait};
use selvedge_report::SourceFiles;
use std::collections::BTreeMap;
use std::path::Path;

/// So many functions of the workspace's own are told of each stack.
const OWN_CALLS: usize = 8;

/// Explains the calls in a finding. Without debug information nothing is added.
pub(crate) fn explain(finding: &mut Finding, binary: &Path, root: &Path) {
    let is_race = matches!(finding.kind, FindingKind::DataRace { .. });
    if finding.stacks.known.is_empty() && !is_race {
        return;
    }
    let files = SourceFiles::default();
    let symbols = Symbols::of(binary, &files, root);
    if let FindingKind::DataRace { first, second, .. } = &mut finding.kind {
        for side in [first, second] {
            let places = side.frames.iter().flat_map(|&frame| symbols.own_places(frame));
            side.line = places.into_iter().find(Source::is_own);
        }
    }
    let stacks = read(&finding.stacks.known, &symbols);
    show_own_lines(finding, &stacks);
    locks::explain(finding, &stacks);
    finding.stacks.tasks = tasks::seen(finding, &stacks);
    finding.stacks.known = stacks.iter().map(explained).collect();
    forget_unused(finding);
}

/// A stack as debug information knows it.
pub(crate) struct Stack {
    /// All calls, innermost first.
    frames: Vec<Frame>,
}

impl Stack {
    /// The calls of the program and its libraries, innermost first.
    fn program(&self) -> impl DoubleEndedIterator<Item = &Frame> + Clone {
        self.frames.iter().filter(|frame| frame.whose == Whose::Program)
    }

    /// The innermost call of the workspace's own.
    fn own(&self) -> Option<&Frame> {
        self.program().find(|frame| frame.at.is_own())
    }
}

fn read(stacks: &[CallStack], symbols: &Symbols<'_>) -> Vec<Stack> {
    let mut known: BTreeMap<CodeAddress, Vec<Frame>> = BTreeMap::new();
    let mut stack = |stack: &CallStack| {
        let frames = stack.frames.iter().flat_map(|&address| {
            known.entry(address).or_insert_with(|| symbols.frames(address)).clone()
        });
        Stack { frames: frames.collect() }
    };
    stacks.iter().map(&mut stack).collect()
}

/// Says of threads that wait in a library at which line of the workspace they do, so that the same wait of the library
/// at two lines is not taken for the same problem.
fn show_own_lines(finding: &mut Finding, stacks: &[Stack]) {
    let Finding { kind, threads, stacks: numbers, .. } = finding;
    let waits: &mut [Wait] = match kind {
        FindingKind::Deadlock { cycle } => cycle,
        FindingKind::DoubleLock { wait } => std::slice::from_mut(wait),
        FindingKind::Stuck { waits, .. }
        | FindingKind::LeakedThreads { waits }
        | FindingKind::Infeasible { waits, .. } => waits,
        _ => &mut [],
    };
    for wait in waits.iter_mut().filter(|wait| !wait.at.is_own()) {
        let position = threads.iter().position(|thread| thread.path == wait.thread.path);
        let number = position.and_then(|position| *numbers.threads.get(position)?);
        let own = number.and_then(|number| stacks.get(number.0 as usize)?.own());
        if let Some(own) = own {
            wait.at = own.at.clone();
        }
    }
}

/// What a reader needs of a stack.
fn explained(stack: &Stack) -> CallStack {
    let own = || stack.program().filter(|frame| frame.at.is_own());
    // The call that left the workspace's own code is the outermost of those further in.
    let inside: Vec<&Frame> = stack.program().take_while(|frame| !frame.at.is_own()).collect();
    CallStack {
        frames: Vec::new(),
        at: stack.own().map(|frame| frame.at.clone()),
        inside: short_name(&inside),
        own: own().take(OWN_CALLS).map(ToString::to_string).collect(),
    }
}

/// Forgets the stacks that tell nothing new: those of steps that stand in the workspace's own code.
fn forget_unused(finding: &mut Finding) {
    for (step, stack) in finding.steps.iter().zip(&mut finding.stacks.steps) {
        if step.at.is_own() {
            *stack = None;
        }
    }
    let stacks = &mut finding.stacks;
    let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
    let mut kept = Vec::new();
    let all = stacks.steps.iter_mut().chain(&mut stacks.threads).chain(&mut stacks.panics);
    for StackNumber(number) in all.flatten() {
        let new = *numbers.entry(*number).or_insert_with(|| {
            kept.push(stacks.known.get(*number as usize).cloned().unwrap_or_default());
            kept.len() as u32 - 1
        });
        *number = new;
    }
    stacks.known = kept;
}

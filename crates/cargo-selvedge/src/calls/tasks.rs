//! Tasks of executors: which futures were polled, and the await at which each was seen last.
//!
//! Executors are ordinary code, so a task is known by the stacks of what it did: code of the workspace's own that an
//! executor's `poll` or `block_on` called. Where it stood when it was polled last is the line of its last operation.
//! tokio marks tasks that have ended, in an atomic of each; so tasks of tokio are told apart and forgotten at their end.
//!
//! May miss: a task that did nothing that others could notice before it waited; and of several tasks of other executors
//! that run the same code, all but the one that was polled last.

use super::Stack;
use super::names::{short_name, split};
use crate::symbols::Frame;
use selvedge_model::{AsyncTask, Effect, Finding, ObjectKind, ThreadPath};
use std::collections::BTreeMap;

/// The type of tokio 1 that keeps the state of a task.
const STATE: &str = "tokio::runtime::task::state::State";
/// So many calls further out an executor is looked for.
const NEAR: usize = 12;
/// Of no more tasks than this is told.
const MOST_TASKS: usize = 16;

/// What tells a task apart: the function of its code, and the atomic of its state if there is one.
type Key = (String, Option<u32>);

/// The tasks that were seen, in the order of their code.
pub(super) fn seen(finding: &Finding, stacks: &[Stack]) -> Vec<AsyncTask> {
    let mut running: BTreeMap<&ThreadPath, u32> = BTreeMap::new();
    let mut tasks: BTreeMap<Key, AsyncTask> = BTreeMap::new();
    for (step, number) in finding.steps.iter().zip(&finding.stacks.steps) {
        let Some(stack) = number.as_ref().and_then(|number| stacks.get(number.0 as usize)) else {
            continue;
        };
        let atomic = step.object.as_ref().filter(|object| object.kind == ObjectKind::Atomic);
        if let (Some(atomic), Some(method)) = (atomic, state_method(stack)) {
            match (method, step.effect) {
                ("transition_to_running", Effect::Changed { .. }) => {
                    running.insert(&step.thread, atomic.number);
                }
                ("transition_to_complete" | "transition_to_terminal", _) => {
                    tasks.retain(|(_, state), _| *state != Some(atomic.number));
                    running.remove(&step.thread);
                }
                ("transition_to_idle", _) => {
                    running.remove(&step.thread);
                }
                _ => {}
            }
        }
        let Some((root, inner)) = polled(stack) else { continue };
        let function = root.function.as_deref().unwrap_or_default().replace("::{{closure}}", "");
        let inside: Vec<&Frame> = stack.program().take_while(|frame| !frame.at.is_own()).collect();
        let task = AsyncTask {
            function: function.clone(),
            thread: step.thread.clone(),
            at: inner.at.clone(),
            inside: short_name(&inside),
        };
        tasks.insert((function, running.get(&step.thread).copied()), task);
    }
    tasks.into_values().take(MOST_TASKS).collect()
}

/// The function of a task's state that the innermost calls are in, if they are in one.
fn state_method(stack: &Stack) -> Option<&str> {
    // Some of them change the state in closures that they hand to one another.
    stack.program().take(4).filter_map(|frame| frame.function.as_deref()).find_map(|function| {
        let (owner, method) = split(function);
        (owner == STATE && method.starts_with("transition")).then_some(method)
    })
}

/// The outermost call of the workspace's own that an executor has made, and the innermost one.
fn polled(stack: &Stack) -> Option<(&Frame, &Frame)> {
    let frames = &stack.frames;
    let is_root = |index: &usize| {
        let is_body = |frame: &Frame| {
            frame.function.as_deref().is_some_and(|name| name.ends_with("{{closure}}"))
        };
        let around = frames[index + 1..].iter().take(NEAR);
        let mut around = around.take_while(|frame| !frame.at.is_own());
        frames[*index].at.is_own()
            && is_body(&frames[*index])
            && around.any(|frame| {
                let name = frame.function.as_deref().map_or("", |function| split(function).1);
                name.starts_with("poll") || name.contains("block_on")
            })
    };
    let root = (0..frames.len()).rev().find(is_root)?;
    Some((&frames[root], stack.own()?))
}

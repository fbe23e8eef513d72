//! Following an earlier execution: what depends on data often needs the same beginning.
//!
//! Kept of an execution is who carried out which action, in order. Whoever follows it lets threads go in
//! that order, and leaves out what can not be: actions of threads that are held, that can not run, or
//! that are about to do something else.

use super::follow::Deed;
use super::model::Model;
use super::sight::Sight;
use selvedge_model::{ThreadId, View};
use std::rc::Rc;

/// The order of the actions of an execution.
#[derive(Debug)]
pub(crate) struct Trace {
    keys: Vec<u64>,
    /// The thread, as a number in `keys`, and the place.
    steps: Vec<(u32, u32)>,
}

/// More of an execution is not kept.
const MOST_STEPS: usize = 2_000;

impl Trace {
    pub(crate) fn new(model: &Model) -> Self {
        let mut steps: Vec<(u32, u32)> = Vec::new();
        let mut visit = 0;
        for action in &model.actions {
            let step = (action.thread, action.stop.0);
            // Several accesses behind one lock are one operation.
            if steps.last() != Some(&step) || action.stop.1 != visit {
                steps.push(step);
                visit = action.stop.1;
            }
            if steps.len() == MOST_STEPS {
                break;
            }
        }
        Self { keys: model.keys.clone(), steps }
    }

    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }
}

/// How far an earlier execution has been followed.
#[derive(Debug)]
pub(crate) struct Lead {
    trace: Rc<Trace>,
    at: usize,
    end: usize,
    /// The threads of the trace in the running execution.
    threads: Vec<Option<ThreadId>>,
    known: usize,
}

impl Lead {
    /// Follows so many actions.
    pub(crate) fn new(trace: &Rc<Trace>, end: usize) -> Self {
        let threads = vec![None; trace.keys.len()];
        Self { trace: Rc::clone(trace), at: 0, end: end.min(trace.len()), threads, known: 0 }
    }

    /// Whose turn it is; nobody if there is nothing left to follow.
    pub(crate) fn choose(
        &mut self,
        view: &View<'_>,
        sight: &mut Sight,
        held: [Option<ThreadId>; 2],
    ) -> Option<ThreadId> {
        for (index, info) in view.threads.iter().enumerate().skip(self.known) {
            if let Some(number) = self.trace.keys.iter().position(|&key| key == info.key) {
                self.threads[number] = Some(ThreadId(index as u32));
            }
        }
        self.known = view.threads.len();
        while self.at < self.end {
            let (number, place) = self.trace.steps[self.at];
            let thread = self.threads[number as usize];
            let runs = thread.filter(|&thread| view.enabled.contains(thread));
            match runs {
                _ if thread.is_some() && held.contains(&thread) => {}
                Some(thread) => match sight.deed(view, thread) {
                    Some(deed) if deed.stop != place => {}
                    _ => return Some(thread),
                },
                // It waits for others, or for being spawned.
                None => {
                    let mut others = view.enabled.iter().filter(|&t| !held.contains(&Some(t)));
                    let other = others.find(|&thread| sight.deed(view, thread).is_none());
                    if other.is_some() {
                        return other;
                    }
                }
            }
            self.at += 1;
        }
        None
    }

    /// An action was carried out.
    pub(crate) fn happened(&mut self, deed: &Deed) {
        if let Some(&(number, place)) = self.trace.steps.get(self.at)
            && self.threads[number as usize] == Some(deed.thread)
            && place == deed.stop
        {
            self.at += 1;
        }
    }
}

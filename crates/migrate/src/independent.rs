//! Which threads of a test have nothing to do with each other: those whose code shares no variable of the
//! test, and none that was made from the same one.
//!
//! What it may miss: threads that share a variable and never use it at the same time count as dependent.
//! What it may get wrong: threads that communicate through a static or a file only, in code that is not the
//! test's own. Statics that are named in the test are seen.

use crate::course::Course;
use crate::log::{ThreadId, What};
use crate::source::{BodyId, Sources};
use std::collections::{BTreeMap, BTreeSet};

/// Who shares something.
#[derive(Clone, Debug)]
pub(crate) struct Independence<'a> {
    sources: &'a Sources,
    /// For each variable, one that stands for all that it has to do with.
    groups: BTreeMap<String, String>,
}

impl<'a> Independence<'a> {
    /// For the threads of a test.
    pub(crate) fn new(sources: &'a Sources, test: BodyId) -> Self {
        let variables = &sources.body(test).variables;
        let mut groups: BTreeMap<String, String> =
            variables.bound.iter().map(|name| (name.clone(), name.clone())).collect();
        for names in &variables.connected {
            let mut known = names.iter().filter_map(|name| groups.get(name).cloned());
            let Some(first) = known.next() else { continue };
            let others: BTreeSet<_> = known.collect();
            for group in groups.values_mut().filter(|group| others.contains(*group)) {
                group.clone_from(&first);
            }
        }
        Self { sources, groups }
    }

    /// Whether two threads are independent of each other in a run. A thread of which no code is known is
    /// not.
    pub(crate) fn between(&self, course: &Course<'_>, a: ThreadId, b: ThreadId) -> bool {
        let (a, b) = (self.of(course, a), self.of(course, b));
        !a.is_empty() && !b.is_empty() && a.is_disjoint(&b)
    }

    /// The groups of what a thread uses.
    fn of(&self, course: &Course<'_>, thread: ThreadId) -> BTreeSet<&str> {
        let Some(thread) = course.thread(thread) else { return BTreeSet::new() };
        let bodies: BTreeSet<_> = thread
            .entries
            .iter()
            .filter_map(|&at| match course.entry(at).what {
                What::Call(id) if self.sources.has(id) => Some(self.sources.body_of(id)),
                _ => None,
            })
            .collect();
        let names = bodies.into_iter().flat_map(|body| &self.sources.body(body).idents);
        names.filter_map(|name| self.group(name)).collect()
    }

    fn group<'n>(&'n self, name: &'n str) -> Option<&'n str> {
        let is_static =
            name.len() > 1 && name.chars().all(|c| c.is_uppercase() || c.is_numeric() || c == '_');
        match self.groups.get(name) {
            Some(group) => Some(group),
            None if is_static => Some(name),
            None => None,
        }
    }
}

//! When an event that is not in the source yet would have occurred in a run.

use super::{Event, Node};
use crate::course::{At, Course, Sleep};
use crate::gap::{Gap, Removed};
use crate::log::{ThreadId, What};
use crate::source::{Sources, StatementId};

/// One run, with what would have been its events.
pub(super) struct Occurrences<'a> {
    pub(super) sources: &'a Sources,
    pub(super) course: &'a Course<'a>,
    pub(super) removed: &'a Removed,
    pub(super) sleeps: &'a [Sleep],
}

impl Occurrences<'_> {
    /// All occurrences of an event, in order.
    pub(super) fn of(&self, event: Event) -> Vec<(At, ThreadId)> {
        match event {
            Event::Starting(gap) => match gap.sleeps(self.sources, self.removed).last() {
                Some(&sleep) => self.ends_of(sleep),
                None => self.passages(gap),
            },
            Event::Finished(gap) => match gap.sleeps(self.sources, self.removed).first() {
                Some(&sleep) => self.entries(|what| *what == What::Call(sleep)),
                None => self.passages(gap),
            },
            Event::Ended(body) => {
                let threads = self.course.threads().filter(|(_, thread)| thread.body == Some(body));
                let mut ends: Vec<_> =
                    threads.filter_map(|(id, thread)| Some((thread.ended?, id))).collect();
                ends.sort();
                ends
            }
        }
    }

    fn ends_of(&self, sleep: StatementId) -> Vec<(At, ThreadId)> {
        let ends = self.sleeps.iter().filter(|other| other.statement == Some(sleep));
        ends.map(|other| (other.to, other.thread)).collect()
    }

    /// When threads come through a gap without a sleep.
    fn passages(&self, gap: Gap) -> Vec<(At, ThreadId)> {
        match gap {
            Gap::Before(statement) => self.entries(|what| *what == What::Call(statement)),
            Gap::End(block) => match self.sources.block(block).statements.last() {
                Some(&last) => self.entries(|what| *what == What::Return(last)),
                None => Vec::new(),
            },
        }
    }

    fn entries(&self, wanted: impl Fn(&What) -> bool) -> Vec<(At, ThreadId)> {
        let all = (0..self.course.len()).map(|at| (at, self.course.entry(at)));
        all.filter(|(_, entry)| wanted(&entry.what)).map(|(at, entry)| (at, entry.thread)).collect()
    }

    /// The last occurrence of an event in a thread before a moment.
    pub(super) fn last(&self, event: Event, thread: ThreadId, before: At) -> Option<Node> {
        let all = self.of(event);
        let at = all.iter().rposition(|&(at, who)| who == thread && at < before)?;
        Some(node(event, at))
    }

    /// The occurrence at a moment.
    pub(super) fn at(&self, event: Event, moment: At) -> Option<Node> {
        let at = self.of(event).iter().position(|&(at, _)| at == moment)?;
        Some(node(event, at))
    }
}

fn node(event: Event, index: usize) -> Node {
    Node { event, occurrence: u32::try_from(index + 1).unwrap_or(u32::MAX) }
}

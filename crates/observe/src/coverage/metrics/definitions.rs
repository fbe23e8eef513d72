//! Which write a read gets its value from.

use crate::coverage::Fact;
use crate::coverage::tables::{At, PerVariable};
use selvedge_model::Link;
use std::collections::VecDeque;

/// The last write to each variable; for channels, the message at the front.
#[derive(Default)]
pub(super) struct Definitions {
    last: PerVariable<Option<At>>,
    messages: PerVariable<VecDeque<At>>,
}

impl Definitions {
    pub(super) fn clear(&mut self) {
        self.last.clear();
        self.messages.each(VecDeque::clear);
    }

    /// Follows the execution; `read` is told of each read and the write it got its value from, or
    /// nothing if the value is older than the execution.
    #[inline]
    pub(super) fn see(&mut self, fact: &Fact, mut read: impl FnMut(&Fact, Option<At>)) {
        let Some(mode) = fact.access() else {
            if fact.meaning.link == Link::TakesBack {
                self.take_back(fact);
            }
            return;
        };
        match fact.meaning.link {
            Link::Sends => {
                self.messages.of(fact.object).push_back(At::of(fact));
            }
            Link::Receives => {
                let message = self.messages.of(fact.object).pop_front();
                read(fact, message);
            }
            _ => {
                let last = self.last.of(fact.object);
                if mode.reads() {
                    read(fact, *last);
                }
                if mode.writes() {
                    *last = Some(At::of(fact));
                }
            }
        }
    }

    /// The sender of a rendezvous channel goes away with its message.
    #[cold]
    fn take_back(&mut self, fact: &Fact) {
        let messages = self.messages.of(fact.object);
        if let Some(position) = messages.iter().rposition(|sent| sent.thread == fact.thread) {
            messages.remove(position);
        }
    }
}

//! What the members of a portfolio know together: every execution teaches all of them, whoever
//! decided in it.

use crate::corpus::Corpus;
use crate::pairs::{News, Pairs};
use crate::profile::Profile;
use selvedge_model::{OperationKind, Record, ThreadId, View};
use std::cell::RefCell;
use std::rc::Rc;

/// What is known of a test.
#[derive(Debug)]
pub(crate) struct Shared {
    /// Who comes to which places how often.
    pub(crate) profile: Profile,
    /// Which places were reached in which order.
    pub(crate) pairs: Pairs,
    /// Executions worth going on from.
    pub(crate) corpus: Corpus,
}

/// Knowledge that several strategies of one campaign use.
pub(crate) type Knowledge = Rc<RefCell<Shared>>;

/// Whether the running thread has just written to an atomic and could go on.
pub(crate) fn is_continuation(view: &View<'_>) -> bool {
    view.pending(view.current).kind == OperationKind::Continue && view.could_continue()
}

impl Shared {
    /// Nothing is known.
    pub(crate) fn nothing() -> Knowledge {
        Rc::new(RefCell::new(Self {
            profile: Profile::new(),
            pairs: Pairs::default(),
            corpus: Corpus::default(),
        }))
    }

    /// An execution is over in which these threads were chosen. Says what it has shown.
    pub(crate) fn learn(&mut self, record: &Record<'_>, chosen: &[ThreadId]) -> News {
        self.profile.learn(record);
        let news = self.pairs.learn(record, &mut self.profile.places);
        if news.is_worth_keeping() {
            self.corpus.add(chosen, self.pairs.latest());
        }
        news
    }
}

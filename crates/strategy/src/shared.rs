//! What the members of a portfolio know together: every execution teaches all of them, whoever
//! decided in it.

use crate::corpus::{Corpus, Origin};
use crate::pairs::{News, Pair, Pairs};
use crate::profile::Profile;
use selvedge_model::{CorpusEntry, OperationKind, Record, Site, ThreadId, View, WrittenOperation};
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
            self.corpus.add(chosen, self.pairs.latest(), Origin::Here);
        }
        news
    }

    /// Executions to go on from that nobody else knows of.
    pub(crate) fn untold(&mut self) -> Vec<CorpusEntry> {
        let Self { profile, corpus, .. } = self;
        let written = |number| {
            let (kind, site) = profile.places.place(number);
            WrittenOperation { kind, source: site.source() }
        };
        let told = corpus.untold().map(|entry| CorpusEntry {
            chosen: in_a_row(&entry.chosen),
            pairs: entry
                .pairs
                .iter()
                .map(|pair| (written(pair.first), written(pair.second)))
                .collect(),
        });
        told.collect()
    }

    /// Others have run these executions. Those that show nothing new are left alone.
    pub(crate) fn take_up(&mut self, corpus: &[CorpusEntry]) {
        let Self { profile, pairs, corpus: own } = self;
        let mut number = |WrittenOperation { kind, source }: &WrittenOperation| {
            profile.places.number((*kind, Site::read(source.clone()))) as u32
        };
        for entry in corpus {
            let theirs = entry.pairs.iter();
            let theirs =
                theirs.map(|(first, second)| Pair { first: number(first), second: number(second) });
            if pairs.take_up(theirs) {
                own.add(&one_by_one(&entry.chosen), pairs.latest(), Origin::Elsewhere);
            }
        }
    }
}

/// So many choices of an execution are told. Who goes on from the beginning of it goes on from it.
const MOST_TOLD: usize = 1 << 12;

/// Choices, each with how many times in a row.
fn in_a_row(chosen: &[ThreadId]) -> Vec<(ThreadId, u32)> {
    let chosen = &chosen[..chosen.len().min(MOST_TOLD)];
    chosen.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
}

/// The opposite.
fn one_by_one(chosen: &[(ThreadId, u32)]) -> Vec<ThreadId> {
    let times = |&(thread, times): &(ThreadId, u32)| std::iter::repeat_n(thread, times as usize);
    chosen.iter().flat_map(times).take(MOST_TOLD).collect()
}

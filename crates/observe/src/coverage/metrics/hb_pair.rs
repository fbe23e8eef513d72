//! HBPair and HBPair*: a place in one thread was synchronised with a place in another.
//!
//! Source: Z. Letko, *Analysis and Testing of Concurrent Programs* (2012), table 3.1:
//! (pl1, pl2, sync object or nothing [, t1, t2]); nothing stands for start and join. The releasing
//! side is pl1 and t1.
//!
//! Deviations: (1) of several threads that may have left something, the last one counts. (2) The
//! releasing side of a lock is the place where it was taken: a guard that goes out of scope has no
//! place of its own. (3) Start pairs with the first operation after the beginning of the thread, and
//! join with its last before the end. (4) A waiter is paired with the last notification that woke
//! anybody: which one it was is not told.
//!
//! May miss: what [`edges`](crate::lockset::edges) misses.

use super::Star;
use crate::coverage::tables::{At, PerThread, PerVariable};
use crate::coverage::{Fact, Found, Metric, NONE, PartKind, What, tuple};
use crate::lockset::edges::{Edge, Edges, Element};
use rustc_hash::FxHashMap;
use selvedge_model::{MetricName, OperationKind};

pub(crate) struct HbPair {
    star: Star,
    edges: Edges,
    left: Left,
    threads: PerThread<Ends>,
}

/// Who left each element last.
#[derive(Default)]
struct Left {
    objects: PerVariable<Option<At>>,
    readers: PerVariable<Option<At>>,
    messages: FxHashMap<Element, At>,
}

/// The first and the last place of a thread.
#[derive(Clone, Copy, Default)]
struct Ends {
    /// Who started it and where, until its first operation.
    started: Option<At>,
    /// Its last place, plus one.
    last: u32,
}

impl Left {
    fn clear(&mut self) {
        self.objects.clear();
        self.readers.clear();
        self.messages.clear();
    }

    #[inline]
    fn leave(&mut self, element: Element, at: Option<At>) {
        match element {
            Element::Lock(object) | Element::Object(object) | Element::Signal(object) => {
                *self.objects.of(object) = at;
            }
            Element::Readers(object) => *self.readers.of(object) = at,
            Element::Message(..) => {
                if let Some(at) = at {
                    self.messages.insert(element, at);
                }
            }
        }
    }

    #[inline]
    fn take(&mut self, element: Element) -> Option<At> {
        match element {
            Element::Lock(object) | Element::Object(object) | Element::Signal(object) => {
                *self.objects.of(object)
            }
            Element::Readers(object) => *self.readers.of(object),
            Element::Message(..) => self.messages.remove(&element),
        }
    }
}

impl HbPair {
    pub(crate) fn new(star: Star) -> Self {
        Self {
            star,
            edges: Edges::default(),
            left: Left::default(),
            threads: PerThread::default(),
        }
    }
}

impl Metric for HbPair {
    fn name(&self) -> String {
        let name = match self.star {
            Star::With => MetricName::HbPairStar,
            Star::Without => MetricName::HbPair,
        };
        name.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        let mut parts =
            vec![PartKind::Site(""), PartKind::Site("before"), PartKind::Object("by way of")];
        if self.star == Star::With {
            parts.push(PartKind::Thread("from"));
            parts.push(PartKind::Thread("to"));
        }
        parts
    }

    fn begin(&mut self) {
        self.edges.begin();
        self.left.clear();
        self.threads.clear();
    }

    fn facts(&mut self, facts: &[Fact], found: &mut Found) {
        let Self { star, edges, left, threads } = self;
        for fact in facts {
            let What::Operation(kind) = fact.what else { continue };
            let mut pair = |from: At, object| {
                if from.thread != fact.thread {
                    found.add(match star {
                        Star::Without => tuple([from.site, fact.site, object]),
                        Star::With => {
                            tuple([from.site, fact.site, object, from.thread, fact.thread])
                        }
                    });
                }
            };
            if !matches!(kind, OperationKind::ThreadStart | OperationKind::ThreadEnd) {
                let ends = threads.of(fact.thread);
                ends.last = fact.site + 1;
                if let Some(started) = ends.started.take() {
                    pair(started, NONE);
                }
            }
            edges.of(fact, |edge| match edge {
                Edge::Leave(element) | Edge::Join(element) => {
                    left.leave(element, Some(At::of(fact)));
                }
                Edge::End(element) => left.leave(element, None),
                Edge::Take(element) => {
                    if let Some(from) = left.take(element) {
                        pair(from, element.object());
                    }
                }
                Edge::Start(child) => threads.of(child).started = Some(At::of(fact)),
                Edge::Await(child) => {
                    if let Some(site) = threads.of(child).last.checked_sub(1) {
                        pair(At { thread: child, site }, NONE);
                    }
                }
            });
        }
    }
}

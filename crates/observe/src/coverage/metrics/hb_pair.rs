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
//! May miss: what [`Edges`] misses, and what fences order.

use super::Star;
use crate::coverage::tables::{At, PerThread, PerVariable};
use crate::coverage::{Fact, Facts, Found, Metric, NONE, PartKind, SiteNumber, What, tuple};
use rustc_hash::FxHashMap;
use selvedge_model::{Edge, Edges, Element, Link, MetricName, OperationKind, Relation, Weights};

pub(crate) struct HbPair {
    star: Star,
    edges: Edges,
    left: Left,
    ends: PerThread<Ends>,
}

/// Who left each element last.
#[derive(Default)]
struct Left {
    /// Of what is at most once at an object.
    objects: PerVariable<Last>,
    /// Of what may be there beside that.
    others: FxHashMap<Element, Last>,
}

/// Who left something last.
struct Last {
    at: At,
    /// The places of the pair that was covered last by way of it: nearly always it is covered
    /// again, and then it does not matter by whom.
    covered: (SiteNumber, SiteNumber),
}

impl Default for Last {
    fn default() -> Self {
        Self { at: NOWHERE, covered: (NONE, NONE) }
    }
}

impl Last {
    /// Who left it, unless the pair is known to be covered.
    #[inline(always)]
    fn take(&mut self, fact: &Fact, star: Star) -> Option<At> {
        let places = (self.at.site, fact.site);
        if (star == Star::Without && places == self.covered) || self.at.thread == NONE {
            return None;
        }
        if self.at.thread != fact.thread {
            self.covered = places;
        }
        Some(self.at)
    }
}

impl Left {
    fn clear(&mut self) {
        self.objects.clear();
        self.others.clear();
    }

    #[inline(always)]
    fn of(&mut self, element: Element) -> &mut Last {
        match element {
            Element::Lock(object)
            | Element::Atomic(object, 0)
            | Element::Initialised(object)
            | Element::Barrier(object)
            | Element::End(object)
            | Element::Signal(object)
            | Element::Futex(object) => self.objects.of(object.0),
            Element::Readers(_)
            | Element::Atomic(..)
            | Element::Token(_)
            | Element::Message(..)
            | Element::Receipt(_)
            | Element::Senders(_)
            | Element::Departed(_)
            | Element::Told
            | Element::Closed
            | Element::Word(_)
            | Element::Receiver(_)
            | Element::Files(_) => self.others.entry(element).or_default(),
        }
    }

    #[inline(always)]
    fn forget(&mut self, element: Element) {
        match element {
            Element::Message(..) | Element::Atomic(_, 1..) => {
                self.others.remove(&element);
            }
            _ => self.of(element).at = NOWHERE,
        }
    }
}

/// The first and the last place of a thread.
struct Ends {
    /// Who started it and where, until its first operation.
    started: Option<At>,
    last: SiteNumber,
}

impl Default for Ends {
    fn default() -> Self {
        Self { started: None, last: NONE }
    }
}

const NOWHERE: At = At { thread: NONE, site: NONE };

impl HbPair {
    pub(crate) fn new(star: Star) -> Self {
        Self { star, edges: Edges::default(), left: Left::default(), ends: PerThread::default() }
    }
}

pub(super) fn make(name: MetricName, _: Weights) -> Box<dyn Metric> {
    Box::new(HbPair::new(Star::of(name)))
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
        self.ends.clear();
    }

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        let Self { star, edges, left, ends } = self;
        let star = *star;
        for fact in facts.iter().filter(|fact| matches!(fact.what, What::Operation(_))) {
            let is_inside = fact.what != What::Operation(OperationKind::ThreadStart)
                && fact.meaning.link != Link::Ends;
            if is_inside {
                let ends = ends.of(fact.thread);
                ends.last = fact.site;
                if let Some(started) = ends.started.take() {
                    pair(star, started, fact, NONE, found);
                }
            }
            edges.of(&fact.act(), Relation::HappensBefore, |edge| match edge {
                Edge::Leave(Element::End(thread)) => {
                    let at = At { thread: fact.thread, site: ends.of(fact.thread).last };
                    left.of(Element::End(thread)).at = if at.site == NONE { NOWHERE } else { at };
                }
                Edge::Take(element @ Element::End(_)) => {
                    if let Some(from) = left.of(element).take(fact, star) {
                        pair(star, from, fact, NONE, found);
                    }
                }
                Edge::Leave(element) | Edge::Join(element) => left.of(element).at = At::of(fact),
                Edge::Carry(from, to) => left.of(to).at = left.of(from).at,
                Edge::LeaveFenced(element) | Edge::Forget(element) => left.forget(element),
                Edge::Take(element) => {
                    if let Some(from) = left.of(element).take(fact, star) {
                        pair(star, from, fact, element.object().0, found);
                    }
                }
                Edge::Start(child) => ends.of(child.0).started = Some(At::of(fact)),
                Edge::JoinFenced(_) | Edge::Glimpse(_) | Edge::Fence(_) => {}
            });
        }
    }
}

#[inline]
fn pair(star: Star, from: At, fact: &Fact, object: u32, found: &mut Found) {
    if from.thread != fact.thread {
        found.add(match star {
            Star::Without => tuple([from.site, fact.site, object]),
            Star::With => tuple([from.site, fact.site, object, from.thread, fact.thread]),
        });
    }
}

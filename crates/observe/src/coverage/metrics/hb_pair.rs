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
use crate::coverage::{Fact, Facts, Found, Metric, NONE, PartKind, SiteNumber, What, tuple};
use crate::lockset::edges::{Edge, Edges, Element};
use selvedge_model::{MetricName, OperationKind, Order};
use std::collections::VecDeque;

pub(crate) struct HbPair {
    star: Star,
    edges: Edges,
    left: Left,
    ends: PerThread<Ends>,
}

/// Who left each element last.
#[derive(Default)]
struct Left {
    objects: PerVariable<Last>,
    readers: PerVariable<Last>,
    /// The messages in each channel, by number.
    messages: PerVariable<VecDeque<(u32, At)>>,
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
        self.readers.clear();
        self.messages.each(VecDeque::clear);
    }

    #[inline(always)]
    fn leave(&mut self, element: Element, at: At) {
        match element {
            Element::Lock(object) | Element::Object(object) | Element::Signal(object) => {
                self.objects.of(object).at = at;
            }
            Element::Readers(object) => self.readers.of(object).at = at,
            Element::Message(channel, number) => {
                self.messages.of(channel).push_back((number, at));
            }
        }
    }

    #[inline(always)]
    fn take(&mut self, element: Element, fact: &Fact, star: Star) -> Option<At> {
        match element {
            Element::Lock(object) | Element::Object(object) | Element::Signal(object) => {
                self.objects.of(object).take(fact, star)
            }
            Element::Readers(object) => self.readers.of(object).take(fact, star),
            Element::Message(channel, number) => {
                let queue = self.messages.of(channel);
                let position = queue.iter().position(|&(sent, _)| sent == number)?;
                queue.remove(position).map(|(_, at)| at)
            }
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
        for fact in facts.iter() {
            let What::Operation(kind) = fact.what else { continue };
            match kind {
                OperationKind::ThreadStart | OperationKind::ThreadEnd => {}
                _ => {
                    let ends = ends.of(fact.thread);
                    ends.last = fact.site;
                    if let Some(started) = ends.started.take() {
                        pair(star, started, fact, NONE, found);
                    }
                }
            }
            // What nearly all operations are, without the detour.
            match kind {
                OperationKind::MutexLock => {
                    if let Some(from) = left.objects.of(fact.object).take(fact, star) {
                        pair(star, from, fact, fact.object, found);
                    }
                    continue;
                }
                OperationKind::MutexUnlock => {
                    left.objects.of(fact.object).at = At::of(fact);
                    continue;
                }
                OperationKind::AtomicRmw if fact.order == Order::Both => {
                    let last = left.objects.of(fact.object);
                    let from = last.take(fact, star);
                    last.at = At::of(fact);
                    if let Some(from) = from {
                        pair(star, from, fact, fact.object, found);
                    }
                    continue;
                }
                _ => {}
            }
            edges.of(fact, |edge| match edge {
                Edge::Leave(element) | Edge::Join(element) => left.leave(element, At::of(fact)),
                Edge::End(element) => left.leave(element, NOWHERE),
                Edge::Take(element) => {
                    if let Some(from) = left.take(element, fact, star) {
                        pair(star, from, fact, element.object(), found);
                    }
                }
                Edge::Start(child) => ends.of(child).started = Some(At::of(fact)),
                Edge::Await(child) => {
                    let site = ends.of(child).last;
                    if site != NONE {
                        pair(star, At { thread: child, site }, fact, NONE, found);
                    }
                }
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

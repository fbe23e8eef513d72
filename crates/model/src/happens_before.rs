//! What every thread has seen: the clocks of an execution.
//!
//! Source: Lamport's relation by vector clocks, as in Flanagan and Freund, *FastTrack* (PLDI 2009), with
//! C++20 release sequences and fences for atomics. Which operation passes what on is said by
//! [`Edges`].
//!
//! Deviations: (1) a clock that an element got from one thread is compared by that thread's entry
//! alone before it is joined, so that most acquisitions cost one comparison; (2) a `SeqCst` access
//! counts as acquire-release and does not order accesses of *different* objects. What `SeqCst` fences let a
//! thread see beside that is kept apart ([`Fenced`]), and only if it is asked for.
//!
//! May miss: order that only a `SeqCst` fence or access establishes between different objects. Never
//! claims order that is not there.

use crate::clock::NEAR;
use crate::{Act, Clock, Edge, Edges, Element, ObjectId, Order, Relation, ThreadId};
use rustc_hash::FxHashMap;

/// An event of an execution, by its thread and its place among that thread's events, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instant {
    /// Whose event it is.
    pub thread: ThreadId,
    /// Which one of them.
    pub time: u32,
}

impl Instant {
    /// Whether who has seen this much has seen the event.
    #[inline]
    pub fn is_seen_by(self, clock: &Clock) -> bool {
        clock.of(self.thread) >= self.time
    }
}

/// What came before `SeqCst` fences that came before.
///
/// `SeqCst` fences have one order, here that in which they are carried out. Whoever comes after a fence can not see
/// values that are older than what came before an earlier fence has seen or written. That is no happens-before: it
/// orders values of atomics, and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fenced {
    /// What came before the fences that were earlier.
    pub clock: Clock,
    /// How many of all fences there were up to the last one that came before.
    pub fences: u32,
}

/// What somebody has seen.
#[derive(Clone, Debug, Default)]
struct Sight {
    all: Clock,
    /// By way of `SeqCst` fences; nothing if there was none, or if it is not kept.
    fenced: Option<Box<Fenced>>,
}

impl Sight {
    #[inline]
    fn join(&mut self, other: &Self) {
        self.all.join(&other.all);
        if let Some(fenced) = &other.fenced {
            self.join_fenced(fenced);
        }
    }

    #[cold]
    fn join_fenced(&mut self, other: &Fenced) {
        let mine = self.fenced.get_or_insert_default();
        mine.clock.join(&other.clock);
        mine.fences = mine.fences.max(other.fences);
    }

    #[inline]
    fn assign(&mut self, other: &Self) {
        self.all.assign(&other.all);
        if self.fenced.is_some() || other.fenced.is_some() {
            self.fenced.clone_from(&other.fenced);
        }
    }

    fn clear(&mut self) {
        self.all.clear();
        self.fenced = None;
    }
}

/// The clocks of one thread.
#[derive(Clone, Debug, Default)]
struct ThreadPast {
    /// What it has seen, its next event included.
    seen: Sight,
    /// What it had seen at its last release fence.
    released: Sight,
    /// What relaxed loads have shown it, to be seen at the next acquire fence.
    glimpsed: Sight,
}

/// What those had seen who left an element.
#[derive(Clone, Debug, Default)]
struct Left {
    sight: Sight,
    /// Who left it last.
    by: Option<Instant>,
    givers: Givers,
}

/// Whose clock that of an element is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Givers {
    /// That of several threads.
    #[default]
    Several,
    /// A copy of that of the thread that left it last.
    One,
}

impl Left {
    /// Whether it is known without a look at all of it that there is nothing new here for somebody
    /// who has seen this much.
    #[inline]
    fn is_seen(&self, seen: &Clock) -> bool {
        self.givers == Givers::One && self.by.is_some_and(|by| by.is_seen_by(seen))
    }

    /// Somebody sees what those had seen that left this.
    #[inline]
    fn show(&self, seen: &mut Sight) {
        if !self.is_seen(&seen.all) {
            seen.join(&self.sight);
        }
    }

    /// A thread leaves this, and nobody else has.
    #[inline]
    fn replace(&mut self, thread: ThreadId, seen: &Sight) {
        self.sight.assign(seen);
        self.by = Some(Instant { thread, time: seen.all.of(thread) });
        self.givers = Givers::One;
    }

    /// A thread leaves this beside others.
    fn add(&mut self, thread: ThreadId, seen: &Sight) {
        self.sight.join(seen);
        self.by = Some(Instant { thread, time: seen.all.of(thread) });
        self.givers = Givers::Several;
    }
}

/// What every thread has seen, while an execution goes on or is gone through.
#[derive(Debug)]
pub struct HappensBefore {
    relation: Relation,
    edges: Edges,
    clocks: Clocks,
}

/// The clocks of threads and elements.
#[derive(Debug, Default)]
struct Clocks {
    threads: Vec<ThreadPast>,
    /// Of elements of which an object is at most one.
    objects: Vec<Left>,
    /// Of those that an object may be beside that, and of those that are no objects.
    others: FxHashMap<Element, Left>,
    /// What came before all `SeqCst` fences so far, if that is kept.
    fences: Option<Fenced>,
}

/// What somebody has seen of whom nothing is known.
static NOTHING: Clock = Clock::new();

impl HappensBefore {
    /// Nobody has seen anything.
    pub fn new(relation: Relation) -> Self {
        Self { relation, edges: Edges::default(), clocks: Clocks::default() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.edges.begin();
        self.clocks.threads.clear();
        self.clocks.fences = None;
        self.forget_elements();
    }

    /// From now on it is kept what `SeqCst` fences let threads see.
    pub fn keep_fences(&mut self) {
        self.clocks.fences.get_or_insert_default();
    }

    /// What came before all `SeqCst` fences so far; nothing if that is not kept.
    #[inline]
    pub fn fences(&self) -> Option<&Fenced> {
        self.clocks.fences.as_ref()
    }

    /// The thread does something that has one order with all `SeqCst` fences and orders nothing but values of atomics.
    pub fn sequential_fence(&mut self, thread: ThreadId) {
        self.clocks.thread(thread);
        if let Clocks { threads, fences: Some(fences), .. } = &mut self.clocks {
            sequential_fence(&mut threads[thread.index()], fences);
        }
    }

    /// What the thread sees by way of `SeqCst` fences, if anything.
    #[inline]
    pub fn fenced(&self, thread: ThreadId) -> Option<&Fenced> {
        self.clocks.threads.get(thread.index())?.seen.fenced.as_deref()
    }

    /// Forgets what was left anywhere, and gives the memory of it back.
    pub fn forget_elements(&mut self) {
        self.clocks.objects.clear();
        self.clocks.others.clear();
    }

    /// About how much memory it takes, in bytes: a clock for each thread, object and message, with an
    /// entry for each thread.
    pub fn weight(&self) -> usize {
        let Clocks { threads, objects, others, .. } = &self.clocks;
        let clocks = 3 * threads.len() + objects.len() + others.len();
        clocks * (2 * size_of::<Left>() + size_of::<u32>() * threads.len().saturating_sub(NEAR))
    }

    /// What the thread has seen, its next event included; nothing if nothing is known of it.
    #[inline]
    pub fn seen(&self, thread: ThreadId) -> &Clock {
        self.clocks.threads.get(thread.index()).map_or(&NOTHING, |past| &past.seen.all)
    }

    /// What those had seen that left an element, if anybody has.
    pub fn left(&self, element: Element) -> Option<&Clock> {
        let Clocks { objects, others, .. } = &self.clocks;
        look_up(objects, others, element).map(|left| &left.sight.all)
    }

    /// What the thread has seen, its next event included.
    #[inline]
    pub fn clock(&mut self, thread: ThreadId) -> &Clock {
        &self.clocks.thread(thread).seen.all
    }

    /// The thread's next event.
    #[inline]
    pub fn next(&mut self, thread: ThreadId) -> Instant {
        Instant { thread, time: self.clock(thread).of(thread) }
    }

    /// The event of the thread is over: what it does from now on is the next one.
    #[inline]
    pub fn tick(&mut self, thread: ThreadId) {
        self.clocks.thread(thread).seen.all.tick(thread);
    }

    /// The thread sees all that any thread has done.
    pub fn see_everything(&mut self, thread: ThreadId) {
        let mut all = std::mem::take(&mut self.clocks.thread(thread).seen);
        self.clocks.threads.iter().for_each(|other| all.join(&other.seen));
        self.clocks.threads[thread.index()].seen = all;
    }

    /// There are messages in a channel of whose sending nothing is known.
    pub fn has_messages(&mut self, channel: ObjectId, count: usize) {
        self.edges.add_messages(channel, count);
    }

    /// The thread throws the messages away that are in a channel.
    pub fn throw_messages_away(&mut self, thread: ThreadId, channel: ObjectId) {
        let clocks = &mut self.clocks;
        self.edges.drain_messages(channel, |edge| {
            clocks.edge(thread, edge);
        });
    }

    /// Takes into account what a thread did, as far as elements count. The event of another thread
    /// that left the last element that this one took.
    #[inline]
    pub fn apply(&mut self, act: &Act, counts: impl Fn(Element) -> bool) -> Option<Instant> {
        let Self { relation, edges, clocks } = self;
        let mut last = None;
        edges.of(act, *relation, |edge| {
            if edge.element().is_none_or(&counts) {
                last = clocks.edge(act.thread, edge).or(last);
            }
        });
        last.filter(|last| last.thread != act.thread)
    }

    /// Takes one edge into account that no operation tells of.
    #[inline]
    pub fn edge(&mut self, thread: ThreadId, edge: Edge) {
        self.clocks.edge(thread, edge);
    }
}

impl Clocks {
    /// Takes one edge into account. Who left the element last, if it was taken.
    #[inline]
    fn edge(&mut self, thread: ThreadId, edge: Edge) -> Option<Instant> {
        self.thread(thread);
        let Self { threads, objects, others, fences } = self;
        let past = &mut threads[thread.index()];
        match edge {
            Edge::Take(element) => {
                let left = look_up(objects, others, element)?;
                left.show(&mut past.seen);
                return left.by;
            }
            Edge::Glimpse(element) => {
                let left = look_up(objects, others, element)?;
                if !left.is_seen(&past.seen.all) {
                    past.glimpsed.join(&left.sight);
                }
            }
            Edge::Leave(element) => left_at(objects, others, element).replace(thread, &past.seen),
            Edge::Join(element) => {
                let left = left_at(objects, others, element);
                match left.is_seen(&past.seen.all) {
                    true => left.replace(thread, &past.seen),
                    false => left.add(thread, &past.seen),
                }
            }
            Edge::LeaveFenced(element) => {
                let left = left_at(objects, others, element);
                left.sight.assign(&past.released);
                (left.by, left.givers) = (None, Givers::Several);
            }
            Edge::JoinFenced(element) => {
                let left = left_at(objects, others, element);
                left.sight.join(&past.released);
                left.givers = Givers::Several;
            }
            Edge::Carry(from, to) => {
                let left = look_up(objects, others, from).cloned().unwrap_or_default();
                *left_at(objects, others, to) = left;
            }
            Edge::Forget(element) => forget(objects, others, element),
            Edge::Start(child) => {
                let parent = past.seen.clone();
                self.thread(child).seen.join(&parent);
            }
            Edge::Fence(order) => fence(past, order, fences),
        }
        None
    }

    #[inline]
    fn thread(&mut self, thread: ThreadId) -> &mut ThreadPast {
        if self.threads.len() <= thread.index() {
            self.add_threads(thread);
        }
        &mut self.threads[thread.index()]
    }

    #[cold]
    fn add_threads(&mut self, last: ThreadId) {
        while self.threads.len() <= last.index() {
            let mut past = ThreadPast::default();
            past.seen.all.tick(ThreadId(self.threads.len() as u32));
            self.threads.push(past);
        }
    }
}

/// What a `SeqCst` fence lets its thread see of values, and later fences of what the thread has seen.
fn sequential_fence(past: &mut ThreadPast, fences: &mut Fenced) {
    past.seen.join_fenced(fences);
    fences.clock.join(&past.seen.all);
    fences.fences += 1;
    past.seen.fenced.get_or_insert_default().fences = fences.fences;
}

fn fence(past: &mut ThreadPast, order: Order, fences: &mut Option<Fenced>) {
    if order.acquires() {
        past.seen.join(&past.glimpsed);
    }
    if order == Order::SeqCst
        && let Some(fences) = fences
    {
        sequential_fence(past, fences);
    }
    if order.releases() {
        past.released.assign(&past.seen);
    }
}

/// Where an element's clock lies.
enum Home {
    /// Among those of objects.
    Object(usize),
    /// Beside them.
    Aside,
}

#[inline]
fn home(element: Element) -> Home {
    match element {
        Element::Lock(object)
        | Element::Initialised(object)
        | Element::Atomic(object, 0)
        | Element::Barrier(object)
        | Element::End(object)
        | Element::Receipt(object)
        | Element::Signal(object)
        | Element::Futex(object)
        | Element::Files(object) => Home::Object(object.index()),
        Element::Readers(_)
        | Element::Atomic(..)
        | Element::Token(_)
        | Element::Message(..)
        | Element::Senders(_)
        | Element::Departed(_)
        | Element::Receiver(_)
        | Element::Word(_)
        | Element::Told
        | Element::Closed => Home::Aside,
    }
}

#[inline]
fn look_up<'a>(
    objects: &'a [Left],
    others: &'a FxHashMap<Element, Left>,
    element: Element,
) -> Option<&'a Left> {
    match home(element) {
        Home::Object(index) => objects.get(index),
        Home::Aside => others.get(&element),
    }
}

#[inline]
fn left_at<'a>(
    objects: &'a mut Vec<Left>,
    others: &'a mut FxHashMap<Element, Left>,
    element: Element,
) -> &'a mut Left {
    match home(element) {
        Home::Object(index) => {
            if objects.len() <= index {
                objects.resize_with(index + 1, Left::default);
            }
            &mut objects[index]
        }
        Home::Aside => others.entry(element).or_default(),
    }
}

fn forget(objects: &mut [Left], others: &mut FxHashMap<Element, Left>, element: Element) {
    match home(element) {
        Home::Object(index) => {
            if let Some(left) = objects.get_mut(index) {
                left.sight.clear();
                (left.by, left.givers) = (None, Givers::Several);
            }
        }
        Home::Aside => {
            others.remove(&element);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Age, OperationKind as Kind, Outcome};

    /// Whether the first of the acts comes before what the last thread does after all of them.
    fn orders(acts: &[(u32, Kind, Order, u32)]) -> bool {
        let mut order = HappensBefore::new(Relation::HappensBefore);
        let first = order.next(ThreadId(acts[0].0));
        for &(thread, kind, memory, object) in acts {
            let act = Act {
                thread: ThreadId(thread),
                object: ObjectId(object),
                second: ObjectId::NONE,
                other: 1,
                order: memory,
                age: Age::ONLY,
                meaning: kind.meaning(Outcome::Done),
            };
            order.apply(&act, |element| !matches!(element, Element::Signal(_)));
            order.tick(act.thread);
        }
        let last = acts[acts.len() - 1].0;
        first.is_seen_by(order.clock(ThreadId(last)))
    }

    fn pair(first: Kind, second: Kind) -> bool {
        orders(&[(1, first, Order::Implied, 7), (2, second, Order::Implied, 7)])
    }

    fn atomic(first: (Kind, Order), second: (Kind, Order)) -> bool {
        orders(&[(1, first.0, first.1, 7), (2, second.0, second.1, 7)])
    }

    #[test]
    fn what_std_promises_orders_and_the_rest_does_not() {
        assert!(pair(Kind::MutexUnlock, Kind::MutexLock));
        assert!(pair(Kind::RwWriteUnlock, Kind::RwRead));
        assert!(pair(Kind::RwReadUnlock, Kind::RwWrite));
        assert!(!pair(Kind::RwReadUnlock, Kind::RwRead));
        assert!(pair(Kind::RwDowngrade, Kind::RwRead));
        assert!(pair(Kind::OnceDone, Kind::OnceGet));
        assert!(pair(Kind::Unpark, Kind::Park));
        assert!(pair(Kind::BarrierWait, Kind::BarrierPass));
        assert!(pair(Kind::Send, Kind::TryReceive));
        assert!(pair(Kind::ThreadEnd, Kind::Join));
        assert!(!pair(Kind::ThreadEnd, Kind::IsFinished));
        assert!(!pair(Kind::NotifyOne, Kind::CondvarWake));
        assert!(pair(Kind::FutexWake, Kind::FutexWoken));
    }

    #[test]
    fn atomics_order_by_what_was_asked_for() {
        use Order::{Acquire, Relaxed, Release};
        let (load, store, rmw) = (Kind::AtomicLoad, Kind::AtomicStore, Kind::AtomicRmw);
        assert!(atomic((store, Release), (load, Acquire)));
        assert!(!atomic((store, Relaxed), (load, Acquire)));
        assert!(!atomic((store, Release), (load, Relaxed)));
        let story = |between| {
            orders(&[(1, store, Release, 7), (3, between, Relaxed, 7), (2, load, Acquire, 7)])
        };
        assert!(story(rmw), "a read-modify-write goes on with the release sequence");
        assert!(!story(store), "a store ends it");
    }

    #[test]
    fn fences_make_relaxed_accesses_order() {
        use Order::{Acquire, Relaxed, Release};
        let (load, store, fence) = (Kind::AtomicLoad, Kind::AtomicStore, Kind::Fence);
        let none = u32::MAX;
        assert!(orders(&[
            (1, fence, Release, none),
            (1, store, Relaxed, 7),
            (2, load, Relaxed, 7),
            (2, fence, Acquire, none),
        ]));
        assert!(!orders(&[
            (1, store, Relaxed, 7),
            (1, fence, Release, none),
            (2, load, Relaxed, 7),
            (2, fence, Acquire, none),
        ]));
    }
}

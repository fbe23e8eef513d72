//! What every thread has seen: the clocks of an execution.
//!
//! Source: Lamport's relation by vector clocks, as in Flanagan and Freund, *FastTrack* (PLDI 2009), with
//! C++20 release sequences and fences for atomics. Which operation passes what on is said by
//! [`Edges`].
//!
//! Deviations: (1) a clock that an element got from one thread is compared by that thread's entry
//! alone before it is joined, so that most acquisitions cost one comparison; (2) a `SeqCst` access
//! counts as acquire-release and does not order accesses of *different* objects.
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

/// The clocks of one thread.
#[derive(Clone, Debug, Default)]
struct ThreadPast {
    /// What it has seen, its next event included.
    all: Clock,
    /// What it had seen at its last release fence.
    released: Clock,
    /// What relaxed loads have shown it, to be seen at the next acquire fence.
    glimpsed: Clock,
}

/// What those had seen who left an element.
#[derive(Clone, Debug, Default)]
struct Left {
    clock: Clock,
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
    fn show(&self, seen: &mut Clock) {
        if !self.is_seen(seen) {
            seen.join(&self.clock);
        }
    }

    /// A thread leaves this, and nobody else has.
    #[inline]
    fn replace(&mut self, thread: ThreadId, seen: &Clock) {
        self.clock.assign(seen);
        self.by = Some(Instant { thread, time: seen.of(thread) });
        self.givers = Givers::One;
    }

    /// A thread leaves this beside others.
    fn add(&mut self, thread: ThreadId, seen: &Clock) {
        self.clock.join(seen);
        self.by = Some(Instant { thread, time: seen.of(thread) });
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
        self.forget_elements();
    }

    /// Forgets what was left anywhere, and gives the memory of it back.
    pub fn forget_elements(&mut self) {
        self.clocks.objects.clear();
        self.clocks.others.clear();
    }

    /// About how much memory it takes, in bytes: a clock for each thread, object and message, with an
    /// entry for each thread.
    pub fn weight(&self) -> usize {
        let Clocks { threads, objects, others } = &self.clocks;
        let clocks = 3 * threads.len() + objects.len() + others.len();
        clocks * (2 * size_of::<Left>() + size_of::<u32>() * threads.len().saturating_sub(NEAR))
    }

    /// What the thread has seen, its next event included; nothing if nothing is known of it.
    #[inline]
    pub fn seen(&self, thread: ThreadId) -> &Clock {
        self.clocks.threads.get(thread.index()).map_or(&NOTHING, |seen| &seen.all)
    }

    /// What the thread has seen, its next event included.
    #[inline]
    pub fn clock(&mut self, thread: ThreadId) -> &Clock {
        &self.clocks.thread(thread).all
    }

    /// The thread's next event.
    #[inline]
    pub fn next(&mut self, thread: ThreadId) -> Instant {
        Instant { thread, time: self.clock(thread).of(thread) }
    }

    /// The event of the thread is over: what it does from now on is the next one.
    #[inline]
    pub fn tick(&mut self, thread: ThreadId) {
        self.clocks.thread(thread).all.tick(thread);
    }

    /// The thread sees all that any thread has done.
    pub fn see_everything(&mut self, thread: ThreadId) {
        let mut all = std::mem::take(&mut self.clocks.thread(thread).all);
        self.clocks.threads.iter().for_each(|other| all.join(&other.all));
        self.clocks.threads[thread.index()].all = all;
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
        let Self { threads, objects, others } = self;
        let seen = &mut threads[thread.index()];
        match edge {
            Edge::Take(element) => {
                let left = look_up(objects, others, element)?;
                left.show(&mut seen.all);
                return left.by;
            }
            Edge::Glimpse(element) => {
                let left = look_up(objects, others, element)?;
                if !left.is_seen(&seen.all) {
                    seen.glimpsed.join(&left.clock);
                }
            }
            Edge::Leave(element) => left_at(objects, others, element).replace(thread, &seen.all),
            Edge::Join(element) => {
                let left = left_at(objects, others, element);
                match left.is_seen(&seen.all) {
                    true => left.replace(thread, &seen.all),
                    false => left.add(thread, &seen.all),
                }
            }
            Edge::LeaveFenced(element) => {
                let left = left_at(objects, others, element);
                left.clock.assign(&seen.released);
                (left.by, left.givers) = (None, Givers::Several);
            }
            Edge::JoinFenced(element) => {
                let left = left_at(objects, others, element);
                left.clock.join(&seen.released);
                left.givers = Givers::Several;
            }
            Edge::Forget(element) => forget(objects, others, element),
            Edge::Start(child) => {
                let parent = seen.all.clone();
                self.thread(child).all.join(&parent);
            }
            Edge::Fence(order) => fence(seen, order),
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
            let mut seen = ThreadPast::default();
            seen.all.tick(ThreadId(self.threads.len() as u32));
            self.threads.push(seen);
        }
    }
}

fn fence(seen: &mut ThreadPast, order: Order) {
    if order.acquires() {
        seen.all.join(&seen.glimpsed);
    }
    if order.releases() {
        seen.released.assign(&seen.all);
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
        | Element::Atomic(object)
        | Element::Barrier(object)
        | Element::End(object)
        | Element::Receipt(object)
        | Element::Signal(object)
        | Element::Futex(object)
        | Element::Files(object) => Home::Object(object.index()),
        Element::Readers(_)
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
                left.clock.clear();
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
    use crate::{OperationKind as Kind, Outcome};

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

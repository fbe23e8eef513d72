//! Locks that go from hand to hand: those of things that one thread has at a time, such as what a pool
//! hands out. Their threads never meet at the lock, although no lock that is held says so; what keeps
//! them apart is the data of whoever hands things out.
//!
//! They are recognised by what executions show: whenever another thread comes to such a lock, the one
//! that was there before has passed it on in some other way than by the lock itself. If that was so
//! for all locks of one origin, and often enough, then the only pairs of different threads are
//! those of a last action before it is passed on and a first action after.
//!
//! May falsely recognise a lock that two threads could meet at, until an execution in which they do.

use super::model::{Model, NONE};
use rustc_hash::FxHashMap;
use selvedge_model::{Clock, Link, ObjectId, ObjectInfo, ObjectKind, Operation, Record, Site};

/// So many times must locks of one origin have been passed on.
const ENOUGH: u32 = 3;

/// An execution whose clocks take more memory than this, in bytes, is not looked at to its end: it has
/// very many threads.
const MOST_CLOCKS: usize = 64 << 20;

/// What is known of the locks of one origin.
#[derive(Debug, Default)]
struct ObjectPast {
    met: bool,
    passed_on: u32,
    /// The places before a lock was passed on and after.
    ends: Vec<u32>,
    starts: Vec<u32>,
}

/// What is known of all locks.
#[derive(Debug, Default)]
pub(crate) struct Handovers {
    seen: FxHashMap<(ObjectKind, Site), ObjectPast>,
}

/// Two places, and the two actions that showed them, if there are any.
pub(crate) type Pair = (u32, u32, (u32, u32));

fn origin(info: &ObjectInfo) -> (ObjectKind, Site) {
    (info.kind, info.created.unwrap_or(info.first))
}

impl Handovers {
    /// Takes an execution into account, of which all lock actions are in the model.
    pub(crate) fn learn(&mut self, record: &Record<'_>, model: &Model) {
        let mut passing = Passing::default();
        let mut actions = model.actions.iter().enumerate().peekable();
        let mut last: Vec<u32> = vec![NONE; record.objects.len()];
        for (position, event) in record.events.iter().enumerate() {
            if actions.peek().is_none() || passing.weight() > MOST_CLOCKS {
                break;
            }
            let thread = event.thread.index();
            if let Some((index, action)) = actions.next_if(|(_, a)| a.position == position as u32)
                && let Some(info) = record.objects.get(action.object as usize)
            {
                let before = std::mem::replace(&mut last[action.object as usize], index as u32);
                let seen = self.seen.entry(origin(info)).or_default();
                if before != NONE {
                    let previous = model.action(before);
                    // What is ordered in every execution proves nothing.
                    if previous.thread != action.thread && !model.precedes(previous, action) {
                        match passing.has_seen(thread, previous.thread, previous.time) {
                            true => seen.pass_on(previous.first, action.first),
                            false => seen.met = true,
                        }
                    }
                }
            }
            passing.apply(thread, &event.operation);
        }
    }

    /// The pairs at an object if it goes from hand to hand.
    pub(crate) fn pairs(
        &self,
        record: &Record<'_>,
        object: u32,
        model: &Model,
    ) -> Option<Vec<Pair>> {
        let info = record.objects.get(object as usize)?;
        let seen = self.seen.get(&origin(info))?;
        if seen.met || seen.passed_on < ENOUGH {
            return None;
        }
        let mut pairs = Vec::new();
        for (_, list) in &model.objects[object as usize] {
            for actions in list.windows(2) {
                let (first, second) = (model.action(actions[0]), model.action(actions[1]));
                pairs.push((first.first, second.second, (actions[0], actions[1])));
            }
        }
        for &end in &seen.ends {
            for &start in &seen.starts {
                pairs.push((end, start, (NONE, NONE)));
            }
        }
        Some(pairs)
    }
}

impl ObjectPast {
    fn pass_on(&mut self, end: u32, start: u32) {
        self.passed_on += 1;
        if !self.ends.contains(&end) {
            self.ends.push(end);
        }
        if !self.starts.contains(&start) {
            self.starts.push(start);
        }
    }
}

/// Who has seen what, in this execution, by way of objects that both have used.
#[derive(Default)]
struct Passing {
    threads: Vec<Clock>,
    objects: Vec<Clock>,
}

impl Passing {
    /// About how much memory it takes, in bytes.
    fn weight(&self) -> usize {
        let clocks = self.threads.len() + self.objects.len();
        clocks * (size_of::<Clock>() + size_of::<u32>() * self.threads.len())
    }

    fn thread(&mut self, thread: usize) -> &mut Clock {
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Clock::new);
        }
        &mut self.threads[thread]
    }

    fn has_seen(&mut self, thread: usize, other: u32, time: u32) -> bool {
        self.thread(thread).of(selvedge_model::ThreadId(other)) > time
    }

    fn apply(&mut self, thread: usize, operation: &Operation) {
        self.thread(thread).tick(selvedge_model::ThreadId(thread as u32));
        // Who has been woken has met who woke it, whatever for.
        if operation.kind.link() == Link::Notified {
            self.meet(thread, operation.second);
        }
        if operation.object != ObjectId::NONE {
            self.meet(thread, operation.object);
        }
    }

    fn meet(&mut self, thread: usize, object: ObjectId) {
        if self.objects.len() <= object.index() {
            self.objects.resize_with(object.index() + 1, Clock::new);
        }
        let (clock, left) = (&mut self.threads[thread], &mut self.objects[object.index()]);
        clock.join(left);
        left.join(clock);
    }
}

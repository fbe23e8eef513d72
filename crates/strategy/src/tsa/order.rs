//! What comes before what in every execution in which threads do the same.
//!
//! Source: the precedence relation of the paper, which is that of thread creation,
//! and what it proposes as future work: more of happens-before.
//!
//! Only such orders are claimed as do not depend on who came first:
//! 1. a thread's actions come after its creation, and before what follows a join of it;
//! 2. a receiver's n-th message was preceded by a sender's k-th if all messages of the others are
//!    fewer than n − k + 1; with one sender, by its n-th. The same holds of `park` and `unpark`;
//! 3. to find a channel closed, all its senders must have gone away;
//! 4. what follows a thread's n-th arrival at a barrier comes after the n-th arrival of every other
//!    thread, if all of them have arrived as often;
//! 5. a wait on a condition variable ends after the first notification that can have ended it, if
//!    one thread alone notifies.
//!
//! 2 for `park`, and 5, hold only if waits do not end for no reason ([`Wakes`]).
//!
//! May claim an order that another execution does not have, if threads send, notify or wait more
//! often there. May miss an order that data bring about.

use rustc_hash::FxHashMap;
use selvedge_model::{Clock, Config, Effect, Event, Link, Rate, ThreadId, WaitFor};

/// Whether waits on condition variables and `park` may end for no reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wakes {
    /// They end when somebody asks for it.
    Notified,
    /// They may end at any time.
    Spurious,
}

impl Wakes {
    /// As a configuration has it.
    pub(crate) fn of(config: &Config) -> Self {
        match config.spurious {
            Rate::Off => Self::Notified,
            Rate::Rare | Rate::Eager => Self::Spurious,
        }
    }
}

/// What is known to order threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// The creation of threads alone, as in the paper.
    Creation,
    /// Whatever orders them in every execution.
    Certain(Wakes),
}

/// What a thread has seen.
#[derive(Clone, Debug, Default)]
struct ThreadPast {
    /// How many events it has had.
    time: u32,
    /// The number of its clock.
    clock: u32,
    /// The barrier that it has arrived at with its last event, and how often by now.
    arrived: Option<(u32, usize)>,
    /// Its clock when it last began to wait for a notification.
    waits_since: u32,
}

/// Something that some threads give and others take: messages, tokens of `park`.
#[derive(Debug, Default)]
struct Supply {
    /// Who gives, how much in the whole execution, and what each had seen when it gave.
    givers: Vec<(usize, usize, Vec<u32>)>,
    /// How much each thread has taken so far.
    takers: Vec<(usize, usize)>,
}

/// The notifications of a condition variable.
#[derive(Debug, Default)]
struct Notifications {
    by: Vec<usize>,
    /// When each happened, as time of its thread, and what that thread had seen.
    when: Vec<(usize, u32, u32)>,
}

/// The clocks of an execution, while its events are gone through.
#[derive(Debug)]
pub(crate) struct Order {
    precedence: Precedence,
    threads: Vec<ThreadPast>,
    clocks: Vec<Clock>,
    ended: FxHashMap<usize, u32>,
    supplies: FxHashMap<u32, Supply>,
    /// What those had seen who went away from a channel.
    gone: FxHashMap<u32, u32>,
    /// Who arrives at a barrier, and what each had seen then.
    barriers: FxHashMap<u32, Vec<(usize, Vec<u32>)>>,
    notifications: FxHashMap<u32, Notifications>,
}

impl Order {
    pub(crate) fn new(precedence: Precedence, events: &[Event]) -> Self {
        let mut order = Self {
            precedence,
            threads: Vec::new(),
            clocks: vec![Clock::new()],
            ended: FxHashMap::default(),
            supplies: FxHashMap::default(),
            gone: FxHashMap::default(),
            barriers: FxHashMap::default(),
            notifications: FxHashMap::default(),
        };
        if matches!(precedence, Precedence::Certain(_)) {
            events.iter().for_each(|event| order.count(event));
        }
        order
    }

    /// Learns how much there will be of what.
    fn count(&mut self, event: &Event) {
        let thread = event.thread.index();
        let object = event.operation.object.0;
        match event.meaning().link {
            Link::Sends | Link::GivesToken => {
                self.supplies.entry(object).or_default().giver(thread).1 += 1;
            }
            Link::Arrives => {
                let members = self.barriers.entry(object).or_default();
                if !members.iter().any(|(member, _)| *member == thread) {
                    members.push((thread, Vec::new()));
                }
            }
            Link::Notifies => {
                let by = &mut self.notifications.entry(object).or_default().by;
                if !by.contains(&thread) {
                    by.push(thread);
                }
            }
            _ => {}
        }
    }

    /// About how much memory the clocks take, in bytes.
    pub(crate) fn weight(&self) -> usize {
        self.clocks.len() * (size_of::<Clock>() + size_of::<u32>() * self.threads.len())
    }

    /// The number of a thread's clock and its time, for its next event.
    pub(crate) fn now(&mut self, thread: usize) -> (u32, u32) {
        let seen = self.thread(thread);
        (seen.clock, seen.time)
    }

    /// Whether what has this clock comes after that moment of another thread.
    pub(crate) fn is_after(&self, clock: u32, thread: u32, time: u32) -> bool {
        self.clocks[clock as usize].of(ThreadId(thread)) > time
    }

    /// How many events of a thread come before what has this clock.
    pub(crate) fn seen_of(&self, clock: u32, thread: u32) -> u32 {
        self.clocks[clock as usize].of(ThreadId(thread))
    }

    fn thread(&mut self, thread: usize) -> &mut ThreadPast {
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, ThreadPast::default);
        }
        &mut self.threads[thread]
    }

    /// The clock of whatever comes after the thread's running event.
    fn after(&mut self, thread: usize) -> u32 {
        let ThreadPast { time, clock, .. } = *self.thread(thread);
        let mut after = self.clocks[clock as usize].clone();
        after.set(ThreadId(thread as u32), time + 1);
        self.clocks.push(after);
        self.clocks.len() as u32 - 1
    }

    /// The thread comes after what has this clock.
    fn join(&mut self, thread: usize, other: u32) {
        let own = self.thread(thread).clock;
        let mut joined = self.clocks[own as usize].clone();
        joined.join(&self.clocks[other as usize]);
        if joined != self.clocks[own as usize] {
            self.clocks.push(joined);
            self.thread(thread).clock = self.clocks.len() as u32 - 1;
        }
    }

    /// What must have happened before the event is taken into account. To be called before
    /// [`now`](Self::now) and [`end`](Self::end).
    pub(crate) fn begin(&mut self, event: &Event) {
        let Precedence::Certain(wakes) = self.precedence else { return };
        let thread = event.thread.index();
        let object = event.operation.object.0;
        if let Some((barrier, times)) = self.thread(thread).arrived.take() {
            self.pass(thread, barrier, times);
        }
        match event.meaning().link {
            Link::AfterEnd => {
                if let Effect::Thread(other) = event.effect
                    && let Some(&ended) = self.ended.get(&other.index())
                {
                    self.join(thread, ended);
                }
            }
            Link::Receives => self.take(thread, object),
            // Who only looks may have found no message.
            Link::AfterSenders if event.operation.kind.wait() == WaitFor::Message => {
                if let Some(&gone) = self.gone.get(&object) {
                    self.join(thread, gone);
                }
            }
            Link::TakesToken if wakes == Wakes::Notified => self.take(thread, object),
            Link::Notified if wakes == Wakes::Notified => {
                let since = self.thread(thread).waits_since;
                self.wake(thread, event.operation.second.0, since);
            }
            _ => {}
        }
    }

    /// What comes after the event is told of it.
    pub(crate) fn end(&mut self, event: &Event) {
        let thread = event.thread.index();
        let object = event.operation.object.0;
        if let (Link::Starts, Effect::Thread(child)) = (event.meaning().link, event.effect) {
            let after = self.after(thread);
            self.thread(child.index()).clock = after;
        }
        if matches!(self.precedence, Precedence::Certain(_)) {
            self.leave(event, thread, object);
        }
        self.thread(thread).time += 1;
    }

    fn leave(&mut self, event: &Event, thread: usize, object: u32) {
        match event.meaning().link {
            Link::Ends => {
                let after = self.after(thread);
                self.ended.insert(thread, after);
            }
            Link::Sends | Link::GivesToken => self.give(thread, object),
            Link::EndsSending => {
                let mut after = self.after(thread);
                if let Some(&others) = self.gone.get(&object) {
                    let mut both = self.clocks[after as usize].clone();
                    both.join(&self.clocks[others as usize]);
                    self.clocks.push(both);
                    after = self.clocks.len() as u32 - 1;
                }
                self.gone.insert(object, after);
            }
            Link::Arrives => {
                let after = self.after(thread);
                let members = self.barriers.entry(object).or_default();
                if let Some((_, times)) = members.iter_mut().find(|(member, _)| *member == thread) {
                    times.push(after);
                    let times = times.len();
                    self.thread(thread).arrived = Some((object, times));
                }
            }
            Link::AwaitsNotification => {
                let clock = self.thread(thread).clock;
                self.thread(thread).waits_since = clock;
            }
            Link::Notifies => {
                let after = self.after(thread);
                let time = self.thread(thread).time;
                let notifications = self.notifications.entry(object).or_default();
                notifications.when.push((thread, time, after));
            }
            _ => {}
        }
    }

    fn give(&mut self, thread: usize, object: u32) {
        let after = self.after(thread);
        self.supplies.entry(object).or_default().giver(thread).2.push(after);
    }

    /// The thread takes one more; of each giver, so many must have been given that what the others
    /// give in all is not enough.
    fn take(&mut self, thread: usize, object: u32) {
        let Some(supply) = self.supplies.get_mut(&object) else { return };
        let taken = supply.taken_by(thread);
        let total: usize = supply.givers.iter().map(|(_, given, _)| given).sum();
        let needed: Vec<u32> = supply
            .givers
            .iter()
            .filter_map(|(_, given, when)| {
                let from_this = (taken + given).checked_sub(total)?.checked_sub(1)?;
                when.get(from_this).copied()
            })
            .collect();
        needed.into_iter().for_each(|clock| self.join(thread, clock));
    }

    fn pass(&mut self, thread: usize, barrier: u32, times: usize) {
        let Some(members) = self.barriers.get(&barrier) else { return };
        let arrivals: Option<Vec<u32>> =
            members.iter().map(|(_, when)| when.get(times - 1).copied()).collect();
        // If somebody has not arrived as often, others were enough to open it.
        for clock in arrivals.into_iter().flatten() {
            self.join(thread, clock);
        }
    }

    fn wake(&mut self, thread: usize, condvar: u32, since: u32) {
        let Some(notifications) = self.notifications.get(&condvar) else { return };
        let &[by] = notifications.by.as_slice() else { return };
        // Those that came before the wait in every execution can not have ended it.
        let seen = self.seen_of(since, by as u32);
        let first = notifications.when.iter().find(|&&(_, time, _)| time >= seen);
        if let Some(&(_, _, clock)) = first {
            self.join(thread, clock);
        }
    }
}

impl Supply {
    fn giver(&mut self, thread: usize) -> &mut (usize, usize, Vec<u32>) {
        let index = match self.givers.iter().position(|(giver, ..)| *giver == thread) {
            Some(index) => index,
            None => {
                self.givers.push((thread, 0, Vec::new()));
                self.givers.len() - 1
            }
        };
        &mut self.givers[index]
    }

    /// How much the thread has taken, this one included.
    fn taken_by(&mut self, thread: usize) -> usize {
        let index = match self.takers.iter().position(|(taker, _)| *taker == thread) {
            Some(index) => index,
            None => {
                self.takers.push((thread, 0));
                self.takers.len() - 1
            }
        };
        self.takers[index].1 += 1;
        self.takers[index].1
    }
}

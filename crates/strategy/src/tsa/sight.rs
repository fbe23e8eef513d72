//! What the strategy sees at a step: the pending operation of each thread as an action in pairs.

use super::follow::{Deed, Follow, Places};
use super::goal::{Goal, Role};
use super::names::NOTHING;
use super::table::Table;
use selvedge_model::{Event, GuidedMetric, Link, Operation, Outcome, ThreadId, View};

/// What follows on taking a lock at a place, as far as it was seen: where the data are accessed
/// first and last.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Expected {
    pub(crate) closes_at: u32,
    pub(crate) sets_to: u32,
}

/// What is known when a thread is to be chosen.
#[derive(Debug)]
pub(crate) struct Sight {
    pub(crate) goal: Goal,
    pub(crate) places: Places,
    pub(crate) table: Table,
    pub(crate) follow: Follow,
    /// By the place of the operation that takes the lock.
    pub(crate) expected: Vec<Expected>,
    /// The pending action of each thread, if it is known.
    deeds: Vec<Pending>,
}

#[derive(Clone, Copy, Debug)]
enum Pending {
    Unknown,
    Is(Option<Deed>),
}

impl Sight {
    pub(crate) fn new(goal: Goal) -> Self {
        Self {
            goal,
            places: Places::new(),
            table: Table::new(goal),
            follow: Follow::default(),
            expected: Vec::new(),
            deeds: Vec::new(),
        }
    }

    /// A new execution begins.
    pub(crate) fn begin(&mut self) {
        self.follow.clear();
        self.deeds.clear();
    }

    /// What the thread is about to do, if it matters.
    #[inline]
    pub(crate) fn deed(&mut self, view: &View<'_>, thread: ThreadId) -> Option<Deed> {
        if self.deeds.len() < view.threads.len() {
            self.deeds.resize(view.threads.len(), Pending::Unknown);
        }
        match self.deeds[thread.index()] {
            Pending::Is(deed) => deed,
            Pending::Unknown => {
                let deed = self.of_operation(thread, view.pending(thread));
                self.deeds[thread.index()] = Pending::Is(deed);
                deed
            }
        }
    }

    fn of_operation(&mut self, thread: ThreadId, operation: &Operation) -> Option<Deed> {
        let Operation { kind, object, site, .. } = *operation;
        let meaning = kind.meaning(Outcome::Done);
        let role = self.goal.of_pending(kind);
        if role.any() {
            let place = self.places.names.of_site(site);
            let object = object.0;
            return Some(Deed {
                thread,
                object,
                meaning,
                role,
                stop: place,
                closes_at: place,
                sets_to: place,
            });
        }
        if self.goal.is_about_data() && meaning.locks().is_some() {
            let place = self.places.names.of_site(site);
            let Expected { closes_at, sets_to } = *self.expected.get(place as usize)?;
            let role = Role { sets: sets_to != NOTHING, closes: closes_at != NOTHING };
            let object = object.0;
            let stop = place;
            return role.any().then_some(Deed {
                thread,
                object,
                meaning,
                role,
                stop,
                closes_at,
                sets_to,
            });
        }
        None
    }

    /// What an event was, if it matters.
    pub(crate) fn of_event(&mut self, event: &Event) -> Option<Deed> {
        let role = self.goal.of_event(event);
        let meaning = event.meaning();
        let forgets =
            self.goal.0 == GuidedMetric::HbPair && meaning.link == Link::Stores && !role.sets;
        if !role.any() && !forgets {
            return None;
        }
        let place = self.places.names.of_site(event.operation.site);
        let (thread, object) = (event.thread, event.operation.object.0);
        // A store that releases nothing ends what earlier ones have left.
        let (role, sets_to) = match forgets {
            true => (Role { sets: true, ..role }, NOTHING),
            false => (role, place),
        };
        Some(Deed { thread, object, meaning, role, stop: place, closes_at: place, sets_to })
    }

    /// An event of the running execution; what it was, if it matters.
    #[inline]
    pub(crate) fn happened(&mut self, event: &Event) -> Option<Deed> {
        if let Some(pending) = self.deeds.get_mut(event.thread.index()) {
            *pending = Pending::Unknown;
        }
        if event.meaning().link == Link::TakesBack {
            self.follow.take_back(event.thread, event.operation.object.0);
        }
        let deed = match self.of_event(event) {
            Some(deed) => Some(deed),
            // Accesses are not told of while the execution runs, so what they are is guessed.
            None if self.goal.is_about_data() && event.meaning().locks().is_some() => {
                self.of_operation(event.thread, &event.operation)
            }
            None => None,
        };
        let deed = deed?;
        let pair = self.follow.apply(self.goal, &deed, &mut self.places.seconds);
        if let Some(pair) = pair
            && self.goal.0 == GuidedMetric::SyncPair
        {
            self.table.cover(pair, 0, &self.places);
        }
        Some(deed)
    }

    /// Whether the action is in an open requirement.
    #[inline]
    pub(crate) fn is_relevant(&self, deed: &Deed) -> bool {
        self.relevant(deed) > 0
    }

    /// In how many open requirements the action is.
    #[inline]
    pub(crate) fn relevant(&self, deed: &Deed) -> u32 {
        match deed.closes_at == deed.sets_to {
            true => self.table.relevant(deed.closes_at),
            false => self.table.relevant(deed.closes_at) + self.table.relevant(deed.sets_to),
        }
    }

    /// The number of the action as the second of pairs, if it closes any.
    #[inline]
    pub(crate) fn second(&self, deed: &Deed) -> Option<u32> {
        match deed.role.closes {
            true => self.follow.second(self.goal, deed, &self.places.seconds),
            false => None,
        }
    }

    /// Whether the action would cover something as things stand.
    #[inline]
    pub(crate) fn covers_now(&self, deed: &Deed, second: Option<u32>) -> bool {
        let before = self.follow.before(self.goal, deed);
        before.zip(second).is_some_and(|pair| self.table.is_wanted(pair))
    }

    /// Whether the second action, which has this number, would cover something directly after the
    /// first. Both are at one object.
    #[inline]
    pub(crate) fn covers_after(&self, first: &Deed, then: &Deed, second: Option<u32>) -> bool {
        first.role.sets
            && first.thread != then.thread
            && second.is_some_and(|second| self.table.is_wanted((first.sets_to, second)))
    }
}

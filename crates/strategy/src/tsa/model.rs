//! The thread model of an execution: what each thread did at which objects, with which locks in hand,
//! and what of it is ordered in every execution.
//!
//! Source: section 2.2.1 of the paper, with actions that set and close pairs in the place of lock
//! actions (see [`goal`](super::goal)); for the paper's own pairs each lock action does both.

use super::follow::Places;
use super::goal::{Goal, Role};
use super::names::NOTHING;
use super::order::{Order, Precedence};
use super::sections::{Section, Sections};
use rustc_hash::FxHashMap;
use selvedge_model::{Event, Hold, LockAction, Record, Variable};

/// Stands for no action and no section.
pub(crate) const NONE: u32 = u32::MAX;

/// Something that a thread did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Action {
    pub(crate) thread: u32,
    pub(crate) object: u32,
    pub(crate) role: Role,
    /// Its place as the first of pairs.
    pub(crate) first: u32,
    /// Its number as the second of pairs; nothing if it has none.
    pub(crate) second: u32,
    /// The place of the operation at which the thread can be held back before it, and which visit of
    /// that place by the thread it was, from 1.
    pub(crate) stop: (u32, u32),
    /// How it takes the object, if it takes it as a lock.
    pub(crate) hold: Option<Hold>,
    /// For whom it is the first of pairs.
    pub(crate) left_for: Audience,
    /// How many events there were before it, in the execution and of its thread.
    pub(crate) position: u32,
    pub(crate) time: u32,
    pub(crate) clock: u32,
    /// The section that it begins.
    own: u32,
    /// The sections that its thread is in, as a range of [`Model::held`].
    held: (u32, u32),
    /// The next action of its thread at the object that sets, and the last one before.
    pub(crate) next: u32,
    pub(crate) previous: u32,
}

/// Who sees what an action leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    Anybody,
    /// Readers do not see what readers leave.
    Writers,
}

/// A thread model.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) actions: Vec<Action>,
    /// The actions at each object, by thread, in order.
    pub(crate) objects: Vec<Vec<(u32, Vec<u32>)>>,
    pub(crate) order: Order,
    sections: Sections,
    held: Vec<u32>,
    /// The key of each thread.
    pub(crate) keys: Vec<u64>,
}

/// A longer execution is not looked at to its end.
const MOST_ACTIONS: usize = 50_000;

/// Nor one whose clocks take more memory than this, in bytes: it has very many threads.
const MOST_CLOCKS: usize = 64 << 20;

/// What is known of threads while a model is made.
#[derive(Default)]
struct Visits {
    /// How often each thread was at each place.
    count: FxHashMap<(u32, u32), u32>,
    /// Where each thread has taken each lock that it holds, and which visit that was.
    stops: FxHashMap<(u32, u32), (u32, u32)>,
    /// Where each thread was last at each object.
    own: FxHashMap<(u32, u32), u32>,
}

impl Model {
    /// The model of an execution.
    pub(crate) fn new(
        record: &Record<'_>,
        goal: Goal,
        precedence: Precedence,
        places: &mut Places,
    ) -> Self {
        let mut model = Self {
            actions: Vec::new(),
            objects: Vec::new(),
            order: Order::new(precedence, record.events),
            sections: Sections::default(),
            held: Vec::new(),
            keys: record.threads.iter().map(|info| info.key).collect(),
        };
        let mut visits = Visits::default();
        let mut accesses = if goal.is_about_data() { record.accesses } else { &[] };
        for (position, event) in record.events.iter().enumerate() {
            while let [(step, access), rest @ ..] = accesses
                && *step <= position
            {
                if let Variable::Data(object) = access.variable {
                    let place = places.names.of_spot(access.spot);
                    let at = (access.thread.0, object.0);
                    let stop = visits.stops.get(&at).copied().unwrap_or((NOTHING, 0));
                    let role = goal.of_access(access.kind);
                    model.act(goal, position, at, place, role, stop, &mut visits, places);
                }
                accesses = rest;
            }
            model.event(goal, position, event, &mut visits, places);
            if model.actions.len() >= MOST_ACTIONS || model.order.weight() >= MOST_CLOCKS {
                break;
            }
        }
        model.link();
        model
    }

    fn event(
        &mut self,
        goal: Goal,
        position: usize,
        event: &Event,
        visits: &mut Visits,
        places: &mut Places,
    ) {
        let at = (event.thread.0, event.operation.object.0);
        self.order.begin(event);
        let role = goal.of_event(event);
        let takes = event.meaning().locks();
        let mut action = None;
        if role.any() || (takes.is_some() && goal.is_about_data()) {
            let place = places.names.of_site(event.operation.site);
            let stop = match event.operation.kind.gives_back() {
                // What can be held back is the operation that takes the lock.
                true => visits.stops.get(&at).copied().unwrap_or((NOTHING, 0)),
                false => {
                    let visit = visits.count.entry((event.thread.0, place)).or_insert(0);
                    *visit += 1;
                    (place, *visit)
                }
            };
            if takes.is_some() {
                visits.stops.insert(at, stop);
            }
            if role.any() {
                action = Some(self.actions.len());
                self.act(goal, position, at, place, role, stop, visits, places);
                if event.meaning().lock == LockAction::GivesBack(Hold::Shared) {
                    self.actions.last_mut().expect("it was added").left_for = Audience::Writers;
                }
            }
        }
        let section = self.sections.apply(position as u32, event);
        if let (Some(action), Some(section)) = (action, section) {
            self.actions[action].own = section;
            self.actions[action].hold = takes;
        }
        self.order.end(event);
    }

    #[expect(clippy::too_many_arguments, reason = "they are what an action is made of")]
    fn act(
        &mut self,
        goal: Goal,
        position: usize,
        (thread, object): (u32, u32),
        place: u32,
        role: Role,
        stop: (u32, u32),
        visits: &mut Visits,
        places: &mut Places,
    ) {
        let begin = self.held.len() as u32;
        self.held.extend_from_slice(self.sections.open(thread as usize));
        let (clock, time) = self.order.now(thread as usize);
        let second = match goal.is_of_three() {
            false => place,
            true => match visits.own.insert((thread, object), place) {
                Some(before) => places.seconds.of(before, place),
                None => NOTHING,
            },
        };
        self.actions.push(Action {
            thread,
            object,
            role,
            first: place,
            second,
            stop,
            hold: None,
            left_for: Audience::Anybody,
            position: position as u32,
            time,
            clock,
            own: NONE,
            held: (begin, self.held.len() as u32),
            next: NONE,
            previous: NONE,
        });
    }

    /// Sorts actions by object and thread, and finds out which comes next.
    fn link(&mut self) {
        for index in 0..self.actions.len() {
            let Action { thread, object, .. } = self.actions[index];
            let object = object as usize;
            if self.objects.len() <= object {
                self.objects.resize_with(object + 1, Vec::new);
            }
            let threads = &mut self.objects[object];
            let found = threads.iter().position(|(user, _)| *user == thread);
            let found = found.unwrap_or_else(|| {
                threads.push((thread, Vec::new()));
                threads.len() - 1
            });
            threads[found].1.push(index as u32);
        }
        let Self { actions, objects, .. } = self;
        for (_, list) in objects.iter().flatten() {
            let mut previous = NONE;
            for &index in list {
                actions[index as usize].previous = previous;
                if actions[index as usize].role.sets {
                    previous = index;
                }
            }
            let mut next = NONE;
            for &index in list.iter().rev() {
                actions[index as usize].next = next;
                if actions[index as usize].role.sets {
                    next = index;
                }
            }
        }
    }

    pub(crate) fn action(&self, index: u32) -> &Action {
        &self.actions[index as usize]
    }

    /// Whether the first comes before the second in every execution.
    pub(crate) fn precedes(&self, first: &Action, second: &Action) -> bool {
        match first.thread == second.thread {
            true => first.position < second.position,
            false => self.order.is_after(second.clock, first.thread, first.time),
        }
    }

    /// The sections that the thread is in when it comes to the action.
    fn held(&self, action: &Action) -> impl Iterator<Item = &Section> {
        let (begin, end) = action.held;
        self.held[begin as usize..end as usize].iter().map(|&number| self.sections.get(number))
    }

    /// Whether the two threads have a lock in hand that excludes the other: one all the time from
    /// its action `from` to its action `to`, the other when it comes to `at`.
    pub(crate) fn excludes(&self, from: &Action, to: &Action, at: &Action, own: OwnLock) -> bool {
        let opened = match own {
            OwnLock::Counts if from.own != NONE => Some(self.sections.get(from.own)),
            _ => None,
        };
        self.held(from).chain(opened).any(|section| {
            let Some(hold) = section.hold_until(to.position) else { return false };
            let conflicts = |other: Hold| hold.excludes(other);
            let taken = match own {
                OwnLock::Counts if at.object == section.object => at.hold,
                _ => None,
            };
            taken.is_some_and(conflicts)
                || self.held(at).any(|other| {
                    other.object == section.object
                        && other.hold_until(at.position).is_some_and(conflicts)
                })
        })
    }
}

/// Whether locksets include the lock that the action itself takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OwnLock {
    /// as in the paper, in which a lock that is held can not be taken again by others anyway.
    LeftOut,
    /// It does: reader-writer locks can be held by several threads, and can be turned from one
    /// kind into the other.
    Counts,
}

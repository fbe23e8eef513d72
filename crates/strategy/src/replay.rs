//! Replay: takes the decisions that a schedule names, and no others.
//!
//! A decision is recognised by the operation that its thread is about to carry out. Between the
//! decisions the execution takes its undisturbed course, so a schedule goes on fitting when code
//! that it does not mention has changed.

use crate::exported::{from_bytes, to_bytes};
use rustc_hash::FxHashMap;
use selvedge_model::{
    Choice, Decision, Event, Fault, Operation, OperationKind, Pick, Point, Progress, Rate,
    Schedule, Site, Strategy, ThreadId, ThreadPath, ValueName, View, Written,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Follows a schedule.
#[derive(Debug)]
pub struct Replay {
    decisions: Vec<(Decision, DecisionState)>,
    /// Which decisions there are for the so manieth time that a thread, known by its key, does such a
    /// thing. A long execution may have very many.
    places: FxHashMap<(u64, OperationKind, u32), Vec<usize>>,
    /// How often each thread has done what at which place.
    done: FxHashMap<(ThreadId, OperationKind, Site), u32>,
    /// The keys of the threads that have been seen.
    keys: Vec<u64>,
    /// How many events there were.
    steps: u64,
    /// Which decisions name a value that is written when a thread, known by its key, does such a thing for the so
    /// manieth time.
    values: FxHashMap<(u64, OperationKind, u32), Vec<usize>>,
    /// The steps that have written the values that decisions name.
    written: FxHashMap<usize, u64>,
}

/// What has become of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum DecisionState {
    Waiting,
    Taken,
    Impossible,
}

/// A decision that could not be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Which decision of the schedule it is, from 1.
    pub number: usize,
    /// The decision.
    pub decision: Decision,
    /// Why it could not be taken.
    pub reason: MisfitReason,
}

/// Why a decision could not be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MisfitReason {
    /// Its place was never reached.
    NeverReached,
    /// Its place was reached, but what it says was not possible there.
    Impossible,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Decision { at, choice } = &self.decision;
        write!(f, "decision {} of the schedule no longer fits: ", self.number)?;
        let place = at.source.as_ref().map(|source| format!(" at {source}")).unwrap_or_default();
        match (self.reason, choice) {
            (MisfitReason::Impossible, Choice::Switch(thread)) => write!(
                f,
                "when thread {} is about to {}{place}, thread {thread} can not run",
                at.thread, at.kind
            ),
            (MisfitReason::Impossible, Choice::Wake(n)) => write!(
                f,
                "when thread {} is about to {}{place}, there are no {} waiters",
                at.thread,
                at.kind,
                n + 1
            ),
            (MisfitReason::Impossible, _) => write!(
                f,
                "when thread {} is about to {}{place}, that can not happen",
                at.thread, at.kind
            ),
            _ => {
                write!(f, "thread {} never came to {}{place}", at.thread, at.kind)?;
                if at.occurrence > 1 {
                    write!(f, " for the {}. time", at.occurrence)?;
                }
                Ok(())
            }
        }
    }
}

impl Replay {
    /// Will follow the schedule, in every execution anew.
    pub fn new(schedule: Schedule) -> Self {
        let mut places: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (index, Decision { at, .. }) in schedule.decisions.iter().enumerate() {
            places.entry((at.thread.key(), at.kind, at.occurrence)).or_default().push(index);
        }
        let mut values: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (index, decision) in schedule.decisions.iter().enumerate() {
            if let Some(at) = named_value(decision) {
                values.entry((at.thread.key(), at.kind, at.occurrence)).or_default().push(index);
            }
        }
        Self {
            decisions: schedule
                .decisions
                .into_iter()
                .map(|d| (d, DecisionState::Waiting))
                .collect(),
            places,
            done: FxHashMap::default(),
            keys: Vec::new(),
            steps: 0,
            values,
            written: FxHashMap::default(),
        }
    }

    /// The first decision of the schedule that the last execution could not take, if any.
    pub fn misfit(&self) -> Option<Misfit> {
        let index = self.decisions.iter().position(|(_, state)| *state != DecisionState::Taken)?;
        let (decision, state) = &self.decisions[index];
        let reason = match state {
            DecisionState::Impossible => MisfitReason::Impossible,
            _ => MisfitReason::NeverReached,
        };
        Some(Misfit { number: index + 1, decision: decision.clone(), reason })
    }

    /// The position of the decision that is to be taken now, if any, among those whose choice
    /// `fits`.
    fn due(&mut self, view: &View<'_>, fits: impl Fn(&Choice) -> bool) -> Option<usize> {
        let known = self.keys.len();
        self.keys.extend(view.threads.iter().skip(known).map(|info| info.key));
        let thread = view.current;
        let key = view.threads[thread.index()].key;
        let Operation { kind, site, .. } = *view.pending(thread);
        let done = |kind| self.done.get(&(thread, kind, site)).copied().unwrap_or(0);
        let occurrence = match kind {
            OperationKind::Continue => {
                done(OperationKind::AtomicRmw)
                    + done(OperationKind::AtomicCas)
                    + done(OperationKind::AtomicStore)
            }
            _ => done(kind) + 1,
        };
        self.places.get(&(key, kind, occurrence))?.iter().copied().find(|&index| {
            let (decision, state) = &self.decisions[index];
            *state == DecisionState::Waiting
                && decision.at.source.as_ref().is_none_or(|source| source.is_at(site))
                && fits(&decision.choice)
        })
    }

    /// Takes the decision for a choice that concerns the running thread alone.
    fn take(&mut self, view: &View<'_>, fits: impl Fn(&Choice) -> bool) -> Option<Choice> {
        let index = self.due(view, fits)?;
        self.decisions[index].1 = DecisionState::Taken;
        Some(self.decisions[index].0.choice.clone())
    }
}

/// The operation that wrote the value that a decision names, if it names one.
fn named_value(decision: &Decision) -> Option<&Point> {
    match decision.choice.value()? {
        ValueName::By(at) => Some(at),
        ValueName::Initial => None,
    }
}

impl Strategy for Replay {
    fn name(&self) -> String {
        "replay".to_owned()
    }

    fn begin(&mut self) -> Progress {
        self.decisions.iter_mut().for_each(|(_, state)| *state = DecisionState::Waiting);
        self.done.clear();
        self.steps = 0;
        self.written.clear();
        // The test's own thread is there from the beginning.
        self.keys = vec![ThreadPath::main().key()];
        Progress::Continue
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        let switch = |choice: &Choice| matches!(choice, Choice::Switch(_));
        if let Some(index) = self.due(view, switch)
            && let Choice::Switch(path) = &self.decisions[index].0.choice
        {
            match view.find(path).filter(|&thread| view.enabled.contains(thread)) {
                Some(thread) => {
                    self.decisions[index].1 = DecisionState::Taken;
                    return thread;
                }
                None => self.decisions[index].1 = DecisionState::Impossible,
            }
        }
        view.undisturbed()
    }

    fn pick(&mut self, view: &View<'_>, pick: Pick<'_>, of: usize) -> usize {
        let fits = |choice: &Choice| match (pick, choice) {
            (Pick::Waiter, Choice::Wake(_))
            | (Pick::RandomBytes, Choice::RandomBytes(_))
            | (Pick::Delay(_), Choice::Delay(_))
            | (Pick::Value(_), Choice::Sees(_))
            | (Pick::Place(_), Choice::Below(_)) => true,
            (
                Pick::Waiter | Pick::RandomBytes | Pick::Delay(_) | Pick::Value(_) | Pick::Place(_),
                _,
            ) => false,
        };
        let Some(index) = self.due(view, fits) else { return 0 };
        let written = Written(self.written.get(&index).copied());
        let (decision, state) = &mut self.decisions[index];
        let is_known = |name: &ValueName| written.0.is_some() || *name == ValueName::Initial;
        let place = |among: &[Written]| among.iter().position(|value| *value == written);
        let picked = match (pick, &decision.choice) {
            (_, Choice::Wake(n) | Choice::RandomBytes(n) | Choice::Delay(n)) => Some(*n as usize),
            (Pick::Value(values), Choice::Sees(name)) if is_known(name) => place(values),
            (Pick::Place(values), Choice::Below(name)) if is_known(name) => {
                place(values).map(|above| above + 1)
            }
            _ => None,
        };
        let picked = picked.filter(|&n| n < of);
        *state = if picked.is_some() { DecisionState::Taken } else { DecisionState::Impossible };
        picked.unwrap_or(0)
    }

    fn fault(&mut self, view: &View<'_>, fault: Fault, _: Rate) -> bool {
        let wanted = Choice::from(fault);
        self.take(view, |choice| *choice == wanted).is_some()
    }

    fn wants_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &Event) {
        let Operation { kind, site, .. } = event.operation;
        let done = self.done.entry((event.thread, kind, site)).or_default();
        *done += 1;
        self.steps += 1;
        // A decision whose operation is carried out without having been asked for: there was
        // nothing to decide.
        let Some(&key) = self.keys.get(event.thread.index()) else { return };
        for &index in self.values.get(&(key, kind, *done)).into_iter().flatten() {
            let source = named_value(&self.decisions[index].0).and_then(|at| at.source.as_ref());
            if source.is_some_and(|source| source.is_at(site)) {
                self.written.insert(index, self.steps - 1);
            }
        }
        for &index in self.places.get(&(key, kind, *done)).into_iter().flatten() {
            let (decision, state) = &mut self.decisions[index];
            let source = decision.at.source.as_ref();
            if *state == DecisionState::Waiting && source.is_some_and(|source| source.is_at(site)) {
                *state = DecisionState::Impossible;
            }
        }
    }

    fn export(&self) -> Vec<u8> {
        let states: Vec<DecisionState> = self.decisions.iter().map(|(_, state)| *state).collect();
        to_bytes(&states)
    }

    fn import(&mut self, exported: &[u8]) {
        let states: Vec<DecisionState> = from_bytes(exported);
        for ((_, state), now) in self.decisions.iter_mut().zip(states) {
            *state = now;
        }
    }
}

//! Circles of dependencies.

use super::LONGEST;
use super::dependency::{Dependency, Wants};
use selvedge_model::{Hold, ObjectId};
use std::collections::BTreeMap;

/// At most so many extensions of paths are looked at, so that a program with very many nested locks
/// does not take for ever.
const MOST_LOOKS: usize = 200_000;
/// At most so many circles of one execution are told.
const MOST_CYCLES: usize = 256;

/// Dependencies, each of which waits for the next one, and the last for the first.
#[derive(Clone, Debug)]
pub(super) struct Cycle<'a> {
    pub(super) parts: Vec<&'a Dependency>,
    /// Those who wait to write, for each part whose lock is held by a reader only: behind them it
    /// has to wait although it only wants to read.
    pub(super) writers: Vec<&'a Dependency>,
}

impl Cycle<'_> {
    /// The locks without which it would be no circle.
    pub(super) fn locks(&self) -> Vec<ObjectId> {
        let wants = self.parts.iter().map(|part| part.wants);
        wants
            .filter_map(|wants| match wants {
                Wants::Lock(object, _) => Some(object),
                Wants::Event(_) => None,
            })
            .collect()
    }
}

/// All circles, each once, those with fewer threads first.
pub(super) fn cycles(dependencies: &[Dependency]) -> Vec<Cycle<'_>> {
    let mut search = Search::new(dependencies);
    for (start, dependency) in dependencies.iter().enumerate() {
        search.extend(start, Cycle { parts: vec![dependency], writers: Vec::new() });
    }
    let mut found = search.found;
    found.sort_by_key(|cycle| cycle.parts.len());
    found
}

struct Search<'a> {
    all: &'a [Dependency],
    /// The dependencies that hold a lock.
    holding: BTreeMap<ObjectId, Vec<usize>>,
    /// The dependencies that wait to write a lock.
    writing: BTreeMap<ObjectId, Vec<usize>>,
    found: Vec<Cycle<'a>>,
    looks: usize,
}

impl<'a> Search<'a> {
    fn new(all: &'a [Dependency]) -> Self {
        let mut holding: BTreeMap<ObjectId, Vec<usize>> = BTreeMap::new();
        let mut writing: BTreeMap<ObjectId, Vec<usize>> = BTreeMap::new();
        for (index, dependency) in all.iter().enumerate() {
            for lock in &dependency.held {
                holding.entry(lock.object).or_default().push(index);
            }
            if let Wants::Lock(object, Hold::Exclusive) = dependency.wants {
                writing.entry(object).or_default().push(index);
            }
        }
        Self { all, holding, writing, found: Vec::new(), looks: 0 }
    }

    /// Looks for everything that the last part can wait for. All parts have a higher index than the
    /// first one, so that each circle is found once.
    fn extend(&mut self, start: usize, path: Cycle<'a>) {
        let last = path.parts[path.parts.len() - 1];
        let candidates: Vec<usize> = match last.wants {
            Wants::Lock(object, _) => self.holding.get(&object).cloned().unwrap_or_default(),
            Wants::Event(event) => {
                let of_thread = |index: &usize| self.all[*index].at.thread == event.thread;
                (0..self.all.len()).filter(of_thread).collect()
            }
        };
        for index in candidates.into_iter().filter(|&index| index >= start) {
            self.looks += 1;
            if self.looks > MOST_LOOKS || self.found.len() >= MOST_CYCLES {
                return;
            }
            let next = &self.all[index];
            let closes = index == start;
            if !closes && !path.parts.iter().all(|part| part.can_meet(next)) {
                continue;
            }
            let Some(writer) = self.blocks(next, last) else { continue };
            let mut longer = path.clone();
            longer.writers.extend(writer);
            match closes {
                true if path.parts.len() > 1 && writers_are_others(&longer) => {
                    self.found.push(longer);
                }
                false if path.parts.len() < LONGEST => {
                    longer.parts.push(next);
                    self.extend(start, longer);
                }
                _ => {}
            }
        }
    }

    /// Whether `holder` at its wait keeps `waiter` waiting; if it takes a writer to do that, who.
    fn blocks(&self, holder: &Dependency, waiter: &Dependency) -> Option<Option<&'a Dependency>> {
        match waiter.wants {
            Wants::Event(event) => {
                (holder.at.thread == event.thread && holder.at.time < event.time).then_some(None)
            }
            Wants::Lock(object, mode) => {
                let theirs = holder.held.iter().filter(|lock| lock.object == object);
                if theirs.clone().any(|lock| mode.excludes(lock.hold)) {
                    return Some(None);
                }
                theirs.clone().next()?;
                let writers = self.writing.get(&object)?;
                let mut writers = writers.iter().map(|&index| &self.all[index]);
                // Who holds the lock for reading is in the writer's way: that is no gate.
                let waits_with = |other: &&Dependency| {
                    other.at.thread != holder.at.thread
                        && other.at.thread != waiter.at.thread
                        && other.can_meet(holder)
                        && other.can_meet(waiter)
                };
                writers.find(waits_with).map(Some)
            }
        }
    }
}

/// Whether those who wait to write are none of those in the circle.
fn writers_are_others(cycle: &Cycle<'_>) -> bool {
    let in_circle =
        |writer: &&Dependency| cycle.parts.iter().any(|part| part.at.thread == writer.at.thread);
    !cycle.writers.iter().any(in_circle)
}

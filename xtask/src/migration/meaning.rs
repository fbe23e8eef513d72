//! What a schedule means once its names are taken away: places, and orders between them.

use super::place::Place;
use crate::Result;
use selvedge_spec::{EventName, EventRef, Formula, FormulaKind, Spec};
use std::collections::{BTreeMap, BTreeSet};

/// Where the names of a schedule stand.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// The events that were added to the test.
    pub(crate) events: BTreeMap<String, Place>,
    /// The ends of the threads that have a name.
    pub(crate) ends: BTreeMap<String, Place>,
}

/// The places of a schedule and their order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// Where events stand.
    pub(crate) events: BTreeSet<Place>,
    /// What comes before what.
    pub(crate) orderings: BTreeSet<Order>,
}

/// One thing comes before another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Order {
    /// What comes first.
    pub(crate) before: Place,
    /// How far its thread has got by then.
    pub(crate) reach: Reach,
    /// What comes later.
    pub(crate) after: Place,
}

/// How far a thread has got after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// The event has happened.
    Happened,
    /// The event has happened and the thread is blocked.
    Blocked,
}

impl Meaning {
    /// The meaning of a schedule.
    pub(crate) fn of(schedule: &str, places: &Places) -> Result<Self> {
        let spec = Spec::parse(schedule).map_err(|errors| format!("{schedule}: {errors:?}"))?;
        let mut meaning = Self::default();
        for ordering in &spec.orderings {
            let after = places.of(&ordering.event);
            meaning.events.insert(after.clone());
            let mut anchors = BTreeSet::new();
            places.anchors(&ordering.condition, &mut anchors);
            for (before, reach) in anchors {
                meaning.events.insert(before.clone());
                meaning.orderings.insert(Order { before, reach, after: after.clone() });
            }
        }
        Ok(meaning)
    }
}

impl Places {
    /// The place of an event. All its occurrences are there.
    fn of(&self, event: &EventRef) -> Place {
        let thread = event.thread.as_ref();
        let place = match &event.name {
            EventName::Named(name) => self.events.get(name),
            EventName::End => thread.and_then(|thread| self.ends.get(&thread.0)),
            EventName::Start | EventName::Block | EventName::Unblock => None,
        };
        place.cloned().unwrap_or_else(|| Place::None(format!("{:?}@{thread:?}", event.name)))
    }

    /// The events of a condition.
    fn anchors(&self, condition: &Formula, found: &mut BTreeSet<(Place, Reach)>) {
        match &condition.kind {
            FormulaKind::Event(event) => {
                found.insert((self.of(event), Reach::Happened));
            }
            FormulaKind::BlockEvent(event) => {
                found.insert((self.of(event), Reach::Blocked));
            }
            FormulaKind::All(parts) | FormulaKind::Any(parts) => {
                parts.iter().for_each(|part| self.anchors(part, found));
            }
            FormulaKind::Blocked(_) | FormulaKind::Not(_) | FormulaKind::Ordered(..) => {
                found.insert((Place::None(format!("{:?}", condition.kind)), Reach::Happened));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(line: u32) -> Place {
        Place::Before("a.rs".to_owned(), line)
    }

    #[test]
    fn names_and_occurrences_do_not_matter_but_places_and_blocking_do() {
        let places = |names: [&str; 3]| Places {
            events: names
                .iter()
                .zip(1..)
                .map(|(name, at)| ((*name).to_owned(), line(at)))
                .collect(),
            ends: BTreeMap::new(),
        };
        let one = Meaning::of("[a#1] && [a#2] -> b, b -> c", &places(["a", "b", "c"])).unwrap();
        let other = Meaning::of("[x] -> y, y -> z", &places(["x", "y", "z"])).unwrap();
        assert_eq!(one, other);
        let without = Meaning::of("x -> y, y -> z", &places(["x", "y", "z"])).unwrap();
        assert_eq!(without.events, one.events);
        assert_eq!(without.orderings.intersection(&one.orderings).count(), 1);
    }

    #[test]
    fn the_end_of_a_thread_is_that_of_its_body() {
        let end = Place::EndOf("a.rs".to_owned(), 9);
        let places = Places {
            events: [("a".to_owned(), line(1)), ("done".to_owned(), end.clone())].into(),
            ends: [("t".to_owned(), end)].into(),
        };
        let by_end = Meaning::of("end@t -> a", &places).unwrap();
        assert_eq!(by_end, Meaning::of("done -> a", &places).unwrap());
    }
}

//! Which places of a program are the same after its files have been edited.
//!
//! A requirement names places by line and column, and lines move. So the places of each file, in
//! their order, are aligned with those of the same file at the other time: two places can be the same
//! if their columns are, and as many as possible are (the longest common subsequence).
//!
//! What may be missed: a place that was moved behind others, or to another column or file, is taken
//! for another one. What may be wrong: where a place was removed and a different one added between
//! the same neighbours, in the same column, they are taken for one. Files with very many places are
//! compared line by line.

use selvedge_model::{Named, NamedObject, NamedThread, Part, Place, Requirement, Source};
use std::collections::{BTreeMap, BTreeSet};

/// Files with more places than this are not aligned.
const MOST: usize = 3000;

/// Where places have moved to.
#[derive(Debug, Default)]
pub(crate) struct Moved(BTreeMap<Source, Source>);

impl Moved {
    /// From the places of some requirements to those of others.
    pub(crate) fn of(was: &BTreeSet<Requirement>, is: &BTreeSet<Requirement>) -> Self {
        let (was, is) = (places(was), places(is));
        let mut moved = BTreeMap::new();
        for (file, old) in &was {
            let Some(new) = is.get(file) else { continue };
            if old.len() > MOST || new.len() > MOST {
                continue;
            }
            let old: Vec<_> = old.iter().copied().collect();
            let new: Vec<_> = new.iter().copied().collect();
            for (old, new) in aligned(&old, &new) {
                let at = |(line, column)| Source { file: file.clone(), line, column };
                moved.insert(at(old), at(new));
            }
        }
        Self(moved)
    }

    /// The same requirement at the other time; nothing if one of its places is gone.
    pub(crate) fn follow(&self, requirement: &Requirement) -> Option<Requirement> {
        let part = |part: &Part| {
            let is = self.named(&part.is)?;
            Some(Part { role: part.role.clone(), is })
        };
        let parts = requirement.parts.iter().map(part).collect::<Option<_>>()?;
        Some(Requirement { parts })
    }

    fn named(&self, named: &Named) -> Option<Named> {
        Some(match named {
            Named::Place(place) => Named::Place(self.place(place)?),
            Named::Object(NamedObject { kind, origin, number }) => {
                let origin = match origin {
                    Some(origin) => Some(self.place(origin)?),
                    None => None,
                };
                Named::Object(NamedObject { kind: *kind, origin, number: *number })
            }
            Named::Thread(NamedThread { spawned, mark }) => {
                let spawned = match spawned {
                    Some(spawned) => Some(self.0.get(spawned)?.clone()),
                    None => None,
                };
                Named::Thread(NamedThread { spawned, mark: *mark })
            }
            Named::Set(members) => {
                let members = members.iter().map(|member| self.named(member));
                let mut members = members.collect::<Option<Vec<_>>>()?;
                members.sort();
                Named::Set(members)
            }
            Named::State(_) | Named::Nothing => named.clone(),
        })
    }

    fn place(&self, place: &Place) -> Option<Place> {
        match place {
            Place::Line(source) => self.0.get(source).cloned().map(Place::Line),
            Place::Code(_) => None,
        }
    }
}

/// A requirement without the marks of threads, which are made of lines.
pub(crate) fn comparable(requirement: &Requirement) -> Requirement {
    fn unmark(named: &mut Named) {
        match named {
            Named::Thread(thread) => thread.mark = None,
            Named::Set(members) => members.iter_mut().for_each(unmark),
            _ => {}
        }
    }
    let mut requirement = requirement.clone();
    requirement.parts.iter_mut().for_each(|part| unmark(&mut part.is));
    requirement
}

/// The places that requirements name, by file: lines and columns, in order.
fn places(requirements: &BTreeSet<Requirement>) -> BTreeMap<String, BTreeSet<At>> {
    fn add(named: &Named, all: &mut BTreeMap<String, BTreeSet<At>>) {
        let source = match named {
            Named::Place(Place::Line(source)) => Some(source),
            Named::Object(NamedObject { origin: Some(Place::Line(source)), .. }) => Some(source),
            Named::Thread(NamedThread { spawned, .. }) => spawned.as_ref(),
            Named::Set(members) => {
                members.iter().for_each(|member| add(member, all));
                None
            }
            _ => None,
        };
        if let Some(Source { file, line, column }) = source {
            if !all.contains_key(file) {
                all.insert(file.clone(), BTreeSet::new());
            }
            if let Some(places) = all.get_mut(file) {
                places.insert((*line, *column));
            }
        }
    }
    let mut all = BTreeMap::new();
    for part in requirements.iter().flat_map(|requirement| &requirement.parts) {
        add(&part.is, &mut all);
    }
    all
}

/// A line and a column.
type At = (u32, u32);

/// The longest common subsequence, by columns.
fn aligned(old: &[At], new: &[At]) -> Vec<(At, At)> {
    // How long it is from each pair of positions on.
    let width = new.len() + 1;
    let mut length = vec![0u16; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            length[i * width + j] = match old[i].1 == new[j].1 {
                true => length[(i + 1) * width + j + 1] + 1,
                false => length[(i + 1) * width + j].max(length[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        if old[i].1 == new[j].1 {
            pairs.push((old[i], new[j]));
            (i, j) = (i + 1, j + 1);
        } else if length[(i + 1) * width + j] >= length[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(first: (u32, u32), second: (u32, u32)) -> Requirement {
        let part = |(line, column)| {
            let source = Source { file: "src/lib.rs".to_owned(), line, column };
            Part { role: String::new(), is: Named::Place(Place::Line(source)) }
        };
        Requirement { parts: vec![part(first), part(second)] }
    }

    #[test]
    fn places_are_followed_over_lines_that_were_added_and_removed() {
        let was =
            BTreeSet::from([pair((3, 5), (4, 9)), pair((4, 9), (8, 13)), pair((9, 1), (9, 1))]);
        // Two lines were added in front; the place in column 13 is gone.
        let is = BTreeSet::from([pair((5, 5), (6, 9)), pair((11, 1), (11, 1))]);
        let moved = Moved::of(&was, &is);
        assert_eq!(moved.follow(&pair((3, 5), (4, 9))), Some(pair((5, 5), (6, 9))));
        assert_eq!(moved.follow(&pair((9, 1), (9, 1))), Some(pair((11, 1), (11, 1))));
        assert_eq!(moved.follow(&pair((4, 9), (8, 13))), None);
    }

    #[test]
    fn the_marks_of_threads_do_not_matter() {
        let thread = |mark| {
            let is = Named::Thread(NamedThread { spawned: None, mark });
            Requirement { parts: vec![Part { role: "by".to_owned(), is }] }
        };
        assert_eq!(comparable(&thread(Some(3))), comparable(&thread(Some(4))));
        assert_ne!(comparable(&thread(Some(3))), comparable(&pair((1, 1), (1, 1))));
    }
}

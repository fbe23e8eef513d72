//! What sleeps mean, written by hand.

use super::meaning::{Meaning, Places};
use super::place::Place;
use crate::Result;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const FILE: &str = "benches/migration/translations.toml";

/// A test as somebody has translated it.
#[derive(Debug)]
pub(crate) struct Translation {
    /// The crate.
    pub(crate) krate: String,
    /// The target of the crate.
    pub(crate) target: String,
    /// The test.
    pub(crate) test: String,
    /// What the schedule says.
    pub(crate) meaning: Meaning,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(rename = "crate")]
    krate: String,
    target: String,
    test: String,
    file: String,
    #[expect(dead_code, reason = "for those who read the file")]
    intention: String,
    schedule: String,
    events: Vec<Named>,
    #[serde(default)]
    threads: Vec<Named>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
    before: Option<u32>,
    end_of: Option<u32>,
}

/// All translations.
pub(crate) fn read(root: &Path) -> Result<Vec<Translation>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct List {
        translation: Vec<Entry>,
    }
    let text = fs::read_to_string(root.join(FILE))
        .map_err(|error| format!("failed to read {FILE}: {error}"))?;
    let list: List = toml::from_str(&text).map_err(|error| format!("{FILE}: {error}"))?;
    list.translation.into_iter().map(Entry::translation).collect()
}

impl Entry {
    fn translation(self) -> Result<Translation> {
        let places = |named: &[Named]| -> Result<BTreeMap<String, Place>> {
            named.iter().map(|named| Ok((named.name.clone(), named.place(&self.file)?))).collect()
        };
        let places = Places { events: places(&self.events)?, ends: places(&self.threads)? };
        let meaning = Meaning::of(&self.schedule, &places)?;
        let Self { krate, target, test, .. } = self;
        Ok(Translation { krate, target, test, meaning })
    }
}

impl Named {
    fn place(&self, file: &str) -> Result<Place> {
        match (self.before, self.end_of) {
            (Some(line), None) => Ok(Place::Before(file.to_owned(), line)),
            (None, Some(line)) => Ok(Place::EndOf(file.to_owned(), line)),
            _ => Err(format!("{FILE}: `{}` needs either `before` or `end_of`", self.name).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::migration::place::Place;
    use crate::migration::subject;

    #[test]
    fn each_translation_is_of_a_subject_and_has_a_place_for_each_name() {
        let root = crate::root().unwrap();
        let subjects = subject::read(root).unwrap();
        let translations = super::read(root).unwrap();
        assert!(translations.len() >= 30);
        for translation in translations {
            let test = &translation.test;
            let listed =
                subjects.iter().filter(|subject| subject.name == translation.krate).any(|one| {
                    let mut tests =
                        one.tests.iter().filter(|tests| tests.target == translation.target);
                    tests.any(|tests| tests.names.contains(test))
                });
            assert!(listed, "{} {test}", translation.krate);
            let meaning = &translation.meaning;
            assert!(!meaning.orderings.is_empty(), "{test}");
            let nowhere = meaning.events.iter().find(|place| matches!(place, Place::None(_)));
            assert_eq!(nowhere, None, "{test}");
        }
    }
}

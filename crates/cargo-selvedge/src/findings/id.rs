//! What a finding is called.

use super::Kept;
use crate::exit::{Exit, Failure};
use std::fmt;

/// The name of a finding: the same whenever the same problem shows in the same test, on every
/// machine, however lines around it have moved. Made of what tells one problem from another
/// (`selvedge_model::Problem`), and of the test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id(String);

impl Id {
    /// The name of a problem in a test.
    pub(super) fn of(kept: &Kept) -> Self {
        let Kept { package, target_kind, target, test, .. } = kept;
        let problem = kept.problem();
        let mut hash = Hash::default();
        [package, target_kind, target, test].into_iter().for_each(|part| hash.add(part));
        hash.add(problem.kind);
        for aspect in &problem.aspects {
            // Where one ends and the next begins counts as well.
            hash.add(&aspect.len().to_string());
            aspect.iter().for_each(|part| hash.add(part));
        }
        Self(hash.name())
    }

    /// A name that is given from outside.
    pub(crate) fn given(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The one of these names that is this, or the only one that begins like this.
    pub(crate) fn that_begins(all: &[Self], beginning: &str) -> anyhow::Result<Self> {
        if let Some(exact) = all.iter().find(|id| id.0 == beginning) {
            return Ok(exact.clone());
        }
        let fitting: Vec<_> = all.iter().filter(|id| id.0.starts_with(beginning)).collect();
        let message = match fitting.as_slice() {
            [id] => return Ok((*id).clone()),
            [] if all.is_empty() => format!("there is no finding '{beginning}'"),
            [] => format!("there is no finding '{beginning}'; there are {}", names(all)),
            several => format!("'{beginning}' may be any of {}", names(several.iter().copied())),
        };
        Err(Failure::with(Exit::Usage, message))
    }

    /// The name for one of several problems that would have the same.
    pub(super) fn another(&self, number: u32) -> Self {
        Self(format!("{}-{number}", self.0))
    }

    /// As a folder is named.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

fn names<'a>(ids: impl IntoIterator<Item = &'a Id>) -> String {
    let names: Vec<_> = ids.into_iter().map(Id::as_str).collect();
    names.join(", ")
}

/// FNV-1a, which is short and will give the same numbers for ever, mixed at the end.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, part: &str) {
        // No byte of a text is 255.
        for byte in part.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Twelve digits: among a million findings, two share one with a probability of one in 500.
    fn name(&self) -> String {
        let mut hash = self.0;
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        format!("{:012x}", (hash ^ (hash >> 33)) >> 16)
    }
}

//! What a finding is called.

use selvedge_model::{FindingKind, Wait};
use std::fmt;

/// The name of a finding: the same whenever the same problem shows in the same test, on every
/// machine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id(String);

impl Id {
    /// The name of a problem in a test.
    pub(crate) fn of(package: &str, target: &str, test: &str, kind: &FindingKind) -> Self {
        let mut parts = vec![package.to_owned(), target.to_owned(), test.to_owned()];
        parts.push(kind.name().to_owned());
        parts.extend(places(kind));
        Self(format!("{:08x}", hash(&parts) as u32))
    }

    /// A name that is given from outside.
    pub(crate) fn given(text: &str) -> Self {
        Self(text.to_owned())
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

/// The places that tell one problem of a kind from another.
fn places(kind: &FindingKind) -> Vec<String> {
    let waits = |waits: &[Wait]| {
        let mut places: Vec<_> =
            waits.iter().map(|wait| format!("{} {}", wait.kind, wait.at)).collect();
        places.sort();
        places
    };
    match kind {
        FindingKind::Panic(panic) => match &panic.at {
            Some(at) => vec![at.to_string()],
            None => vec![panic.message.clone()],
        },
        FindingKind::Deadlock { cycle } => waits(cycle),
        FindingKind::DoubleLock { wait } => vec![wait.at.to_string()],
        FindingKind::Stuck { waits: all, .. } => waits(all),
        _ => Vec::new(),
    }
}

/// FNV-1a, which is short and will give the same numbers for ever.
fn hash(parts: &[String]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_model::{Panic, Source, ThreadPath, ThreadReport};

    fn panic_at(line: u32, message: &str) -> FindingKind {
        FindingKind::Panic(Panic {
            thread: ThreadReport { path: ThreadPath::main(), name: None, spawned: None },
            message: message.to_owned(),
            at: Some(Source { file: "src/lib.rs".to_owned(), line, column: 9 }),
        })
    }

    #[test]
    fn the_same_problem_has_the_same_name_and_another_one_another() {
        let id = |test, kind| Id::of("queue", "queue", test, &kind);
        assert_eq!(id("close", panic_at(3, "left: 1")), id("close", panic_at(3, "left: 2")));
        assert_ne!(id("close", panic_at(3, "")), id("close", panic_at(4, "")));
        assert_ne!(id("close", panic_at(3, "")), id("open", panic_at(3, "")));
    }

    #[test]
    fn names_do_not_change_from_version_to_version() {
        assert_eq!(Id::of("queue", "queue", "close", &panic_at(3, "")).as_str(), "659406ff");
    }
}

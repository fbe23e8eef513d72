//! The subjects: thread-safe types and their tests, in the manner of Table 1 of the source.
//!
//! Each runs as it is under the engine and on ordinary threads. Every method takes locks at lines of
//! its own, so methods are told apart by the metric.

mod cache;
mod crew;
mod files;
mod hash_set;
mod hash_table;
mod linked_list;
mod list;
mod pool;
mod tree_set;

use crew::Plan;

/// What a subject is like, which says how good the estimation has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Collection,
    Server,
    Pool,
    Crate,
}

/// A type with a test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// How many threads the test starts.
    pub(crate) threads: usize,
    pub(crate) test: Test,
}

/// What is run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Test {
    /// A function of this program.
    Here(fn()),
    /// A test of the project in `benches/crates`, by name.
    OfCrate(&'static str),
}

const LIST: Plan<crew::Both<list::List>> =
    Plan { make: list::make, methods: &list::METHODS, check: list::check };
const LINKED: Plan<crew::Both<linked_list::LinkedList>> =
    Plan { make: linked_list::make, methods: &linked_list::METHODS, check: linked_list::check };
const HASH_SET: Plan<crew::Both<hash_set::HashSet>> =
    Plan { make: hash_set::make, methods: &hash_set::METHODS, check: hash_set::check };
const TREE_SET: Plan<crew::Both<tree_set::TreeSet>> =
    Plan { make: tree_set::make, methods: &tree_set::METHODS, check: tree_set::check };
const TABLE: Plan<hash_table::HashTable> =
    Plan { make: hash_table::make, methods: &hash_table::METHODS, check: hash_table::check };
const SMALL_TABLE: Plan<hash_table::HashTable> = Plan { methods: &hash_table::FEW, ..TABLE };

const fn collection(name: &'static str, threads: usize, test: fn()) -> Subject {
    Subject { name, kind: Kind::Collection, threads, test: Test::Here(test) }
}

const fn server(name: &'static str, kind: Kind, threads: usize, test: fn()) -> Subject {
    Subject { name, kind, threads, test: Test::Here(test) }
}

const fn published(name: &'static str, threads: usize, test: &'static str) -> Subject {
    Subject { name, kind: Kind::Crate, threads, test: Test::OfCrate(test) }
}

/// All subjects: collections with the suffix 1 for many threads and 2 for many methods a thread.
pub(crate) const ALL: [Subject; 16] = [
    collection("list1", 26, || LIST.many_threads()),
    collection("list2", 4, || LIST.run(4)),
    collection("hash_set1", 21, || HASH_SET.many_threads()),
    collection("hash_set2", 3, || HASH_SET.run(3)),
    collection("hash_table1", 5, || SMALL_TABLE.many_threads()),
    collection("hash_table2", 5, || TABLE.run(5)),
    collection("linked_list1", 26, || LINKED.many_threads()),
    collection("linked_list2", 13, || LINKED.run(13)),
    collection("tree_set1", 21, || TREE_SET.many_threads()),
    collection("tree_set2", 3, || TREE_SET.run(3)),
    server("cache", Kind::Server, 10, cache::test),
    server("pool", Kind::Pool, 10, pool::test),
    server("files", Kind::Server, 6, files::test),
    published("crossbeam-channel", 6, "tests::crossbeam_channel"),
    published("crossbeam-utils", 4, "tests::crossbeam_utils"),
    published("threadpool", 4, "tests::threadpool"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge::{Builder, StrategyName};

    /// The subjects that are functions of this program.
    fn here() -> impl Iterator<Item = (Subject, fn())> {
        ALL.into_iter().filter_map(|subject| match subject.test {
            Test::Here(test) => Some((subject, test)),
            Test::OfCrate(_) => None,
        })
    }

    #[test]
    fn every_subject_is_correct_on_ordinary_threads() {
        for (_, test) in here() {
            test();
        }
    }

    #[test]
    fn every_subject_is_correct_under_the_engine() {
        for (subject, test) in here() {
            let settings = Builder::new().strategy(StrategyName::Random).seed(1).executions(40);
            let report = settings.explore(test).expect("the settings are right");
            assert!(report.finding.is_none(), "{}: {:#?}", subject.name, report.finding);
            // The test's own thread is one of them.
            assert_eq!(report.threads, subject.threads + 1, "{}", subject.name);
        }
    }
}

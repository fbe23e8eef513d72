//! What a method promises while others run, as far as its name says.
//!
//! Each of these rules takes something away from what can be found, so the lists are short: they have what was
//! forced by a correct type.

use selvedge_harness::Results;

/// What is known of a method by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manner {
    pub(crate) results: Results,
    /// `Effect::Bulk` or `Effect::Atomic`.
    pub(crate) bulk: bool,
    /// `Failing::UnderContention` or `Failing::ForAReason`.
    pub(crate) tries: bool,
}

impl Manner {
    /// What is promised by two methods, one after the other, of which at least one is of this manner.
    pub(crate) fn and(self, other: Self) -> Self {
        let results = match (self.results, other.results) {
            (Results::Layout, _) | (_, Results::Layout) => Results::Layout,
            (Results::Weak, _) | (_, Results::Weak) => Results::Weak,
            (Results::Exact, Results::Exact) => Results::Exact,
        };
        Self { results, bulk: self.bulk || other.bulk, tries: self.tries || other.tries }
    }
}

const WEAK: [&str; 19] = [
    "len",
    "is_empty",
    "is_full",
    "size",
    "count",
    "iter",
    "iter_mut",
    "keys",
    "values",
    "snapshot",
    "any",
    "all",
    "for_each",
    "stats",
    "depth",
    "iter_sync",
    "any_sync",
    "iter_async",
    "any_async",
];
const WEAK_ENDS: [&str; 2] = ["_count", "_len"];
const WEAK_BEGINNINGS: [&str; 2] = ["num_", "scan"];

const LAYOUT: [&str; 9] = [
    "capacity",
    "hasher",
    "shards",
    "hash_usize",
    "as_ptr",
    "ptr_eq",
    "weighted_size",
    "entry_count",
    "max_capacity",
];
const LAYOUT_BEGINNINGS: [&str; 5] = ["capacity_", "bucket_", "shard_", "determine_", "same_"];

const BULK_BEGINNINGS: [&str; 9] = [
    "clear",
    "retain",
    "drain",
    "extend",
    "prune",
    "invalidate_",
    "remove_range",
    "scan",
    "try_iter",
];

/// What the name says.
pub(crate) fn manner(name: &str) -> Manner {
    let name = name.trim_start_matches('_');
    let begins = |list: &[&str]| list.iter().any(|beginning| name.starts_with(beginning));
    let ends = |list: &[&str]| list.iter().any(|end| name.ends_with(end));
    let results = if LAYOUT.contains(&name) || begins(&LAYOUT_BEGINNINGS) {
        Results::Layout
    } else if WEAK.contains(&name) || ends(&WEAK_ENDS) || begins(&WEAK_BEGINNINGS) {
        Results::Weak
    } else {
        Results::Exact
    };
    let bulk = begins(&BULK_BEGINNINGS) || ends(&["_all"]) || name.contains("_all_");
    let tries = begins(&["try_", "poll_"]) || ends(&["_weak"]) || name.contains("is_locked");
    Manner { results, bulk, tries }
}

#[cfg(test)]
mod tests {
    use super::{Results, manner};

    #[test]
    fn only_what_a_correct_type_has_forced_is_given_the_benefit_of_the_doubt() {
        assert_eq!(manner("len").results, Results::Weak);
        assert_eq!(manner("receiver_count").results, Results::Weak);
        assert_eq!(manner("capacity").results, Results::Layout);
        assert!(manner("retain").bulk && manner("invalidate_all").bulk);
        assert!(manner("try_lock").tries && manner("compare_exchange_weak").tries);
        for exact in ["hash_code", "append", "get", "insert", "pop", "name", "last", "lengthen"] {
            let manner = manner(exact);
            assert_eq!(
                (manner.results, manner.bulk, manner.tries),
                (Results::Exact, false, false),
                "{exact}"
            );
        }
    }
}

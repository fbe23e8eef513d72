//! What is done to a call of the compiler, in one table.
//!
//! A *unit* is what cargo has the compiler make in one call. [`treatment`] says for each kind of
//! unit, and for what its package is to tell of, which mirrors and flags it gets.

use std::hash::{DefaultHasher, Hash, Hasher};

/// What a call of the compiler makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Nothing: cargo asks what the compiler can do.
    Question,
    /// Something that runs while others are compiled: a build script, a procedural macro, a crate
    /// that these are made of. Cargo compiles them without `--target`, because we give it one.
    Host,
    /// A crate of the library of test authors, which explores and must not be explored.
    Ours,
    /// A crate that the settings list as uninstrumented.
    Uninstrumented,
    /// Any other code, without tests: a library, a binary, an example, a test with its own harness.
    Code,
    /// Any other code, with its tests and Rust's harness.
    Tests,
}

/// Which accesses to memory a crate tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tells {
    /// None.
    Nothing,
    /// Atomic ones, so that reference counts order what they have to order.
    Atomics,
    /// All.
    Everything,
}

/// What a unit gets of the kit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mirrors {
    /// Nothing.
    None,
    /// What the crates that it uses refer to.
    Reachable,
    /// The same, and it is told that it is part of the kit.
    Part,
    /// The mirrors as `std` and `core`.
    Std,
    /// And our runner as `test`.
    StdAndTest,
}

/// A flag that is added unless the unit has one that says the same or the opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Preset {
    pub(crate) flag: &'static str,
    /// Beginnings of arguments that stand against it.
    pub(crate) unless: &'static [&'static str],
}

/// What is done to a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Treatment {
    pub(crate) mirrors: Mirrors,
    /// Flags that are added.
    pub(crate) flags: &'static [&'static str],
    /// Flags that are added if nobody has decided otherwise.
    pub(crate) defaults: &'static [Preset],
    /// Options of code generation that are taken away.
    pub(crate) without: &'static [&'static str],
}

/// The compiler is called as it would be without us.
const AS_IT_IS: Treatment =
    Treatment { mirrors: Mirrors::None, flags: &[], defaults: &[], without: &[] };

/// Optimisation across crates is nothing that tests need. The kit has no code for it, and it would
/// take longer than anything else. Where things stand in the source is read off the binary.
const NOT_WANTED: &[&str] = &["lto", "linker-plugin-lto", "strip"];

/// The pass, over functions that ask for it, which none does: it replaces atomic accesses anywhere.
/// Calls at the beginning and end of each function are not wanted.
const ATOMICS: &[&str] =
    &["-Cpasses=tsan-module", "-Cpasses=tsan", "-Cllvm-args=-tsan-instrument-func-entry-exit=0"];

/// The pass, over all functions. Volatile accesses are to be told apart.
///
/// It comes before all optimisations, since those remove reads whose value is not used. For the same
/// reason the compiler is not asked to optimise by itself (`opt-level`): it would before LLVM does. Only
/// what the compiler reads and nobody asked for goes first (`dce`): to see which variant an enum is, it
/// may load the whole enum.
const EVERYTHING: &[&str] = &[
    "-Cno-prepopulate-passes",
    "-Cpasses=forceattrs",
    "-Cpasses=function(dce)",
    "-Cpasses=tsan-module",
    "-Cpasses=function(tsan)",
    "-Cpasses=default<O1>",
    "-Cllvm-args=-force-attribute=sanitize_thread",
    "-Cllvm-args=-tsan-instrument-func-entry-exit=0",
    "-Cllvm-args=-tsan-distinguish-volatile",
];

/// What the memory layer needs.
const LEVELS: &[Preset] = &[
    // Where an access stands is known to debug information only.
    Preset { flag: "-Cdebuginfo=line-tables-only", unless: &["debuginfo=", "-g"] },
];

/// What is done to a unit whose package is to tell of these accesses.
pub(crate) const fn treatment(unit: Unit, tells: Tells) -> Treatment {
    let mirrors = match unit {
        Unit::Question | Unit::Host => return AS_IT_IS,
        // Whoever calls the functions of the memory layer is compiled against the mirrors.
        Unit::Ours => return Treatment { mirrors: Mirrors::Part, without: NOT_WANTED, ..AS_IT_IS },
        Unit::Uninstrumented => {
            return Treatment { mirrors: Mirrors::Reachable, without: NOT_WANTED, ..AS_IT_IS };
        }
        Unit::Code => Mirrors::Std,
        Unit::Tests => Mirrors::StdAndTest,
    };
    match tells {
        Tells::Nothing => Treatment { mirrors, without: NOT_WANTED, ..AS_IT_IS },
        Tells::Atomics => Treatment { mirrors, flags: ATOMICS, defaults: &[], without: NOT_WANTED },
        Tells::Everything => {
            Treatment { mirrors, flags: EVERYTHING, defaults: LEVELS, without: NOT_WANTED }
        }
    }
}

const UNITS: [Unit; 6] =
    [Unit::Question, Unit::Host, Unit::Ours, Unit::Uninstrumented, Unit::Code, Unit::Tests];

const ALL_TELLS: [Tells; 3] = [Tells::Nothing, Tells::Atomics, Tells::Everything];

/// Changes whenever the table does.
pub(crate) fn fingerprint() -> u64 {
    let mut hasher = DefaultHasher::new();
    for unit in UNITS {
        for tells in ALL_TELLS {
            treatment(unit, tells).hash(&mut hasher);
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of the table in a few words: mirrors, flags, defaults, and what is taken away.
    fn row(unit: Unit, tells: Tells) -> String {
        let Treatment { mirrors, flags, defaults, without } = treatment(unit, tells);
        let defaults: Vec<_> = defaults.iter().map(|default| default.flag).collect();
        format!(
            "{mirrors:?} | {} | {} | {}",
            flags.join(" "),
            defaults.join(" "),
            without.join(" ")
        )
    }

    #[test]
    fn what_does_not_run_in_tests_is_left_alone() {
        for tells in ALL_TELLS {
            assert_eq!(row(Unit::Question, tells), "None |  |  | ");
            assert_eq!(row(Unit::Host, tells), "None |  |  | ");
        }
    }

    #[test]
    fn what_is_not_explored_finds_the_mirrors_of_what_it_uses() {
        for tells in ALL_TELLS {
            assert_eq!(row(Unit::Ours, tells), "Part |  |  | lto linker-plugin-lto strip");
            assert_eq!(
                row(Unit::Uninstrumented, tells),
                "Reachable |  |  | lto linker-plugin-lto strip"
            );
        }
    }

    #[test]
    fn what_runs_in_tests_gets_the_mirrors_and_the_runner_where_there_are_tests() {
        for (unit, mirrors) in [(Unit::Code, "Std"), (Unit::Tests, "StdAndTest")] {
            assert_eq!(
                row(unit, Tells::Nothing),
                format!("{mirrors} |  |  | lto linker-plugin-lto strip")
            );
            assert_eq!(
                row(unit, Tells::Atomics),
                format!(
                    "{mirrors} | -Cpasses=tsan-module -Cpasses=tsan \
                     -Cllvm-args=-tsan-instrument-func-entry-exit=0 |  | \
                     lto linker-plugin-lto strip"
                )
            );
            assert_eq!(
                row(unit, Tells::Everything),
                format!(
                    "{mirrors} | -Cno-prepopulate-passes -Cpasses=forceattrs -Cpasses=function(dce) \
                     -Cpasses=tsan-module -Cpasses=function(tsan) -Cpasses=default<O1> \
                     -Cllvm-args=-force-attribute=sanitize_thread \
                     -Cllvm-args=-tsan-instrument-func-entry-exit=0 \
                     -Cllvm-args=-tsan-distinguish-volatile | \
                     -Cdebuginfo=line-tables-only | \
                     lto linker-plugin-lto strip"
                )
            );
        }
    }
}

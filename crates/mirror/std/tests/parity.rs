//! The mirror offers what std offers.
//!
//! `parity/inventory.txt` lists the stable interface of the mirrored modules, read from std's own
//! documentation. `parity/probes/` has code for every line of it that compiles only if the item is
//! there, with the same signature, bounds and constness. The same files are compiled twice:
//!
//! - `real`, against std: shows that the probes claim nothing that std does not keep;
//! - `mirror`, against selvedge-std: shows that the mirror keeps it too.
//!
//! So most failures of this test are compile errors, and each of them names the missing item.
//! `cargo run -p xtask -- inventory` and `-- probes` bring both up to date with a new compiler;
//! `by_hand.rs` has the items that no generator can probe, `beyond.rs` what the documentation of
//! std does not list but programs rely on.
//!
//! Not compared: attributes (`must_use`, `track_caller`), blanket implementations, behaviour, and
//! whether the mirror offers *more* than std, except for auto traits.

// The inventory includes std's extensions for Unix.
#![cfg(unix)]

use std::collections::BTreeSet;

/// The oldest compiler whose std the inventory may describe. A newer one is fine: it has more
/// items, and the probes of older ones still hold.
const OLDEST_COMPILER: [u32; 3] = [1, 95, 0];

const INVENTORY: &str = include_str!("parity/inventory.txt");

/// Compiles code for each item, and remembers the items' names.
macro_rules! probes {
    ($($name:literal { $($code:item)* })*) => {
        pub(crate) const NAMES: &[&str] = &[$($name),*];
        $(const _: () = { $($code)* };)*
    };
}

/// Compiles only if a type does not implement a trait: a second implementation of `Ambiguous` would
/// leave the compiler without a choice.
macro_rules! refuses {
    ($type:ty: $bound:path) => {
        const _: fn() = || {
            trait Ambiguous<Marker> {
                fn probe() {}
            }
            struct Implemented;
            impl<T: ?Sized> Ambiguous<()> for T {}
            impl<T: ?Sized + $bound> Ambiguous<Implemented> for T {}
            <$type as Ambiguous<_>>::probe();
        };
    };
}

/// Types that lack one auto trait, to show that a bound is really asked for.
mod witness {
    pub(crate) type NotSend = std::sync::MutexGuard<'static, u8>;
    pub(crate) type NotSync = std::cell::Cell<u8>;
    pub(crate) type NotUnwindSafe = &'static mut u8;
    pub(crate) type NotRefUnwindSafe = std::cell::Cell<u8>;
}

/// One file of probes, against the modules of one crate.
///
/// `os` is always the real one: extension traits of std must work on the mirror's types.
macro_rules! probe_file {
    ($module:ident, $file:literal, $root:ident) => {
        #[allow(
            dead_code,
            deprecated,
            unused_imports,
            unused_qualifications,
            clippy::all,
            reason = "a probe is compiled and never called, and repeats what std declares"
        )]
        pub(crate) mod $module {
            use super::super::witness::{NotRefUnwindSafe, NotSend, NotSync, NotUnwindSafe};
            use std::os;
            use $root::{future, hint, sync, thread, thread_local, time};

            include!($file);
        }
    };
}

macro_rules! half {
    ($half:ident, $root:ident) => {
        mod $half {
            probe_file!(atomic, "parity/probes/atomic.rs", $root);
            probe_file!(by_hand, "parity/probes/by_hand.rs", $root);
            probe_file!(beyond, "parity/probes/beyond.rs", $root);
            probe_file!(hint_, "parity/probes/hint.rs", $root);
            probe_file!(mpsc, "parity/probes/mpsc.rs", $root);
            probe_file!(os_, "parity/probes/os.rs", $root);
            probe_file!(sync_, "parity/probes/sync.rs", $root);
            probe_file!(thread_, "parity/probes/thread.rs", $root);
            probe_file!(time_, "parity/probes/time.rs", $root);

            /// The names of all probes of items that the inventory lists.
            pub(crate) fn names() -> impl Iterator<Item = &'static str> {
                [
                    atomic::NAMES,
                    by_hand::NAMES,
                    hint_::NAMES,
                    mpsc::NAMES,
                    os_::NAMES,
                    sync_::NAMES,
                    thread_::NAMES,
                    time_::NAMES,
                ]
                .into_iter()
                .flatten()
                .copied()
            }
        }
    };
}

half!(real, std);
half!(mirror, selvedge_std);

/// The lines of the inventory, without comments.
fn lines() -> impl Iterator<Item = &'static str> {
    INVENTORY.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// What identifies an item: its line without the last column, the version.
fn name(line: &str) -> &str {
    line.rsplit_once("  ").map_or(line, |(name, _version)| name)
}

/// A value from the inventory's head, such as `# items: 1023`.
fn head(key: &str) -> &'static str {
    let prefix = format!("# {key}: ");
    INVENTORY
        .lines()
        .find_map(|line| line.strip_prefix(&prefix))
        .unwrap_or_else(|| panic!("the inventory has no line `{prefix}…`"))
}

#[track_caller]
fn check_names(probed: impl Iterator<Item = &'static str>) {
    let listed: BTreeSet<&str> = lines().map(name).collect();
    let probed: Vec<&str> = probed.collect();
    let distinct: BTreeSet<&str> = probed.iter().copied().collect();
    let unprobed: Vec<_> = listed.difference(&distinct).collect();
    let unlisted: Vec<_> = distinct.difference(&listed).collect();
    assert!(unprobed.is_empty(), "items without a probe: {unprobed:#?}");
    assert!(unlisted.is_empty(), "probes of items that are not in the inventory: {unlisted:#?}");
    assert_eq!(probed.len(), distinct.len(), "some item is probed twice");
}

#[test]
fn every_item_is_probed_in_std() {
    check_names(real::names());
}

#[test]
fn every_item_is_probed_in_the_mirror() {
    check_names(mirror::names());
}

#[test]
fn the_inventory_is_complete_and_sorted() {
    let names: Vec<&str> = lines().map(name).collect();
    assert_eq!(head("items"), names.len().to_string(), "the inventory was cut or edited");
    let unsorted: Vec<_> = names.windows(2).filter(|pair| pair[0] >= pair[1]).collect();
    assert!(unsorted.is_empty(), "not sorted: {unsorted:#?}");
}

#[test]
fn the_inventory_describes_a_known_compiler() {
    let version = head("compiler").split_whitespace().nth(1).expect("`rustc <version> …`");
    let numbers: Vec<u32> = version
        .split(['.', '-'])
        .take(3)
        .map(|number| number.parse().expect("a version is made of numbers"))
        .collect();
    assert!(
        numbers.as_slice() >= OLDEST_COMPILER.as_slice(),
        "the inventory is of rustc {version}, the mirror needs {OLDEST_COMPILER:?} or newer"
    );
}

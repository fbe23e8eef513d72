//! The proof that a mirror of std offers what std offers.
//!
//! The installed HTML documentation is the only description of std's interface that comes with a
//! stable toolchain and tells stable items from unstable ones. It is read in this order:
//!
//! ```text
//!     docs     find the pages and the version they were made for
//!     html     turn a piece of rustdoc's HTML into Rust text with full paths
//!     page     cut a page into its sections
//!     signature, brackets     take the Rust text of a header apart
//!     collect  decide what belongs to the inventory: a list of `item::Item`
//!     inventory, probe        write that list as text, and as code that uses every item
//! ```
//!
//! The probes are compiled twice, against std and against the mirror. The first shows that the
//! probes are right, the second that the mirror is.

use std::path::{Path, PathBuf};

use crate::{Output, Result};

mod brackets;
mod collect;
mod docs;
mod html;
mod inventory;
mod item;
mod page;
mod probe;
mod signature;

/// The modules that the mirror stands in for, each with all that is stable in it.
const MODULES: &[&str] =
    &["hint", "os::unix::thread", "sync", "sync::atomic", "sync::mpsc", "thread", "time"];

/// Where the files of the proof live, relative to the root of the workspace.
const HOME: &str = "crates/mirror/std/tests/parity";

/// Makes `inventory.txt`.
pub(crate) fn inventory() -> Result<Output> {
    let docs = docs::Docs::of_toolchain()?;
    let collection = collect::collect(&docs)?;
    Ok(Output { path: home("inventory.txt"), text: inventory::render(&docs, &collection) })
}

/// Makes one file of probes for each module of std.
pub(crate) fn probes() -> Result<Vec<Output>> {
    let docs = docs::Docs::of_toolchain()?;
    let collection = collect::collect(&docs)?;
    let outputs = probe::FILES.iter().map(|file| Output {
        path: home("probes").join(file.name),
        text: probe::render(file, &collection.items),
    });
    Ok(outputs.collect())
}

fn home(file: &str) -> PathBuf {
    Path::new(HOME).join(file)
}

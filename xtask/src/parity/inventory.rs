//! `inventory.txt`: one line per stable item, for people and for the completeness test.

use std::fmt::Write;

use super::docs::{Docs, FOLDER};
use super::item::{Collection, LeftOut};

/// The whole file. Columns are separated by two spaces; the first two are the item's name.
pub(super) fn render(docs: &Docs, collection: &Collection) -> String {
    let LeftOut { unstable, other_platforms, markers } = collection.left_out;
    let mut text = format!(
        "\
# The stable interface of the std modules that selvedge-std mirrors.
# Generated: cargo run -p xtask -- inventory
#
# compiler: {}
# source: <sysroot>/{FOLDER}
# items: {}
# left out: {unstable} unstable items (an unstable module or type counts once),
#           {other_platforms} implementations for other platforms,
#           {markers} implementations of Drop, Unpin and unnameable marker traits,
#           all blanket implementations
#
# Columns, separated by two spaces: path, kind or header of the implementation, stable since.
# `auto` means that the compiler derives the implementation. Allocator parameters are left at their default.

",
        docs.version(),
        collection.items.len(),
    );
    for item in &collection.items {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}  {}", item.name(), item.since);
    }
    text
}

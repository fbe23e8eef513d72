//! Memory was left over that nobody can free any more.

use super::memory_blocks;
use crate::account::Account;
use crate::words::{bytes, count as counted};
use selvedge_model::MemoryBlock;

pub(super) fn account(blocks: &[MemoryBlock], count: u64, size: u64) -> Account<'_> {
    let size = bytes(usize::try_from(size).unwrap_or(usize::MAX));
    let mut notes = vec![
        "nothing that is left after the test refers to them; a pointer that is stored in another \
         form than an address is not recognised"
            .to_owned(),
    ];
    if count > blocks.len() as u64 {
        let shown = match blocks.len() {
            1 => "the first is".to_owned(),
            n => format!("the first {n} are"),
        };
        notes.insert(0, format!("only {shown} shown"));
    }
    Account {
        kind: "leak",
        title: format!("{size} in {} of memory were never freed", counted(count, "block")),
        blocks: blocks.iter().flat_map(memory_blocks::of).collect(),
        notes,
        ..Account::default()
    }
}

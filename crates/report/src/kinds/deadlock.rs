//! Threads wait for each other in a circle.

use super::waits;
use crate::account::Account;
use crate::names::Names;
use crate::words::count;
use selvedge_model::Wait;

pub(super) fn account<'a>(cycle: &'a [Wait], names: &Names<'a>) -> Account<'a> {
    let mut blocks = waits::blocks(cycle, names);
    // A circle begins anywhere; the lowest thread is where a reader looks first.
    let first = (0..cycle.len()).min_by_key(|&index| &cycle[index].thread.path);
    blocks.rotate_left(first.unwrap_or(0));
    Account {
        kind: "deadlock",
        title: format!("{} wait for each other", count(cycle.len() as u64, "thread")),
        blocks,
        ends: waits::ends(cycle, names),
        about: waits::objects(cycle, names),
        ..Account::default()
    }
}

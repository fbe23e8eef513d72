//! The test is over, but not all of its threads are.

use super::waits;
use crate::account::Account;
use crate::names::Names;
use crate::words::count;
use selvedge_model::Wait;

pub(super) fn account<'a>(waits: &'a [Wait], names: &Names<'a>) -> Account<'a> {
    let threads = count(waits.len() as u64, "thread");
    let verb = if waits.len() == 1 { "has" } else { "have" };
    Account {
        kind: "leaked threads",
        title: format!("the test has returned, but {threads} {verb} not ended"),
        blocks: waits::blocks(waits, names),
        ends: waits::ends(waits, names),
        about: waits::objects(waits, names),
        ..Account::default()
    }
}

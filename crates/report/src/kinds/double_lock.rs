//! A thread waits for what it holds itself.

use super::waits;
use crate::account::Account;
use crate::names::Names;
use selvedge_model::{Hold, Wait, WaitFor};
use std::slice;

pub(super) fn account<'a>(wait: &'a Wait, names: &Names<'a>) -> Account<'a> {
    let is_library = names.finding.stacks.awaited(&wait.thread.path).is_some();
    let which = match wait.kind.wait() {
        _ if is_library => "which it holds itself",
        WaitFor::ThreadEnd => "which is itself",
        WaitFor::Lock(Hold::Initialising) => "which it is initialising itself",
        _ => "which it holds itself",
    };
    let waits = slice::from_ref(wait);
    Account {
        kind: "double lock",
        title: format!("thread {} {}, {which}", wait.thread, waits::want(wait, names)),
        blocks: waits::blocks(waits, names),
        ends: waits::ends(waits, names),
        about: waits::objects(waits, names),
        ..Account::default()
    }
}

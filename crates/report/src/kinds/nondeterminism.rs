//! The same schedule gave another execution.

use crate::account::{Account, Block, Fact};
use crate::names::Names;
use crate::operation::{AtomicNames, describe};
use crate::relevant::key;
use selvedge_model::Step;

pub(super) fn account<'a>(
    number: u64,
    first: Option<&'a Step>,
    second: Option<&'a Step>,
    names: &Names<'_>,
) -> Account<'a> {
    let block = |subject: &str, step: Option<&'a Step>| {
        let fact = match step {
            Some(step) => {
                let what = describe(step, names, AtomicNames::Shown, None);
                Fact {
                    text: format!("thread {}: {what}", names.label(&step.thread)),
                    at: Some(&step.at),
                }
            }
            None => Fact { text: "the execution was over".to_owned(), at: None },
        };
        Block { subject: subject.to_owned(), facts: vec![fact], ..Block::default() }
    };
    let steps = first.into_iter().chain(second);
    Account {
        kind: "nondeterminism",
        title: format!("the same schedule went another way at step {number}"),
        blocks: vec![block("the first time", first), block("the second time", second)],
        notes: vec![
            "something beside the schedule decides: real time, addresses, hash seeds, files, or \
             state that an earlier execution left in a static"
                .to_owned(),
        ],
        about: steps.filter_map(|step| step.object.as_ref().map(key)).collect(),
        ..Account::default()
    }
}

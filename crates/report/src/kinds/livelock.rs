//! Nothing changes any more, and there is no end.

use crate::account::{Account, Block, Fact};
use crate::relevant::{Objects, key};
use crate::words::count;
use selvedge_model::{Finding, SpinSite};

/// The objects of so many last steps are what the threads spin on.
const LAST_STEPS: usize = 64;

pub(super) fn account<'a>(finding: &'a Finding, steps: u64, sites: &'a [SpinSite]) -> Account<'a> {
    let mut blocks: Vec<Block<'a>> = Vec::new();
    for site in sites {
        let subject = format!("thread {}", site.thread);
        let fact = Fact { text: format!("{} × {}", site.times, site.kind), at: Some(&site.at) };
        match blocks.iter_mut().find(|block| block.subject == subject) {
            Some(block) => block.facts.push(fact),
            None => blocks.push(Block { subject, facts: vec![fact], ..Block::default() }),
        }
    }
    let verb = if blocks.len() == 1 { "goes" } else { "go" };
    let threads = count(blocks.len() as u64, "thread");
    let last = finding.steps.iter().rev().take(LAST_STEPS);
    let about: Objects = last.filter_map(|step| step.object.as_ref().map(key)).collect();
    Account {
        kind: "livelock",
        title: format!("no end after {steps} steps, {threads} {verb} round and round"),
        blocks,
        notes: vec![
            "if the test only needs more steps, raise max_steps and livelock_steps".to_owned(),
        ],
        about,
        ..Account::default()
    }
}

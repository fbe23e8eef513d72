//! Nobody can run.

use super::waits;
use crate::account::{Account, Block, Fact};
use crate::names::Names;
use crate::relevant::{Objects, key};
use crate::words::count;
use selvedge_model::{Finding, LastNotify, Link, Wait, WaitFor};

pub(super) fn account<'a>(
    finding: &Finding,
    waits: &'a [Wait],
    notifies: &'a [LastNotify],
    names: &Names<'a>,
) -> Account<'a> {
    let threads = count(waits.len() as u64, "thread");
    let verb = if waits.len() == 1 { "waits" } else { "wait" };
    let mut blocks = waits::blocks(waits, names);
    blocks.extend(waits::tasks(names));
    // What becomes of the condition variables of a library says nothing to its users.
    let is_inside = |last: &LastNotify| {
        let mut waiting = waits.iter().filter(|wait| wait.object.as_ref() == Some(&last.object));
        waiting.any(|wait| waits::inside(wait, names).is_some())
    };
    let own = notifies.iter().filter(|last| !is_inside(last));
    blocks.extend(own.map(|last| notified(last, names)));
    let mut about = waits::objects(waits, names);
    about.extend(waits.iter().flat_map(|wait| given_back(finding, wait)));
    about.extend(notifies.iter().map(|last| key(&last.object)));
    Account {
        kind: "stuck",
        title: format!("nobody can run, {threads} {verb} for ever"),
        blocks,
        ends: waits::ends(waits, names),
        about,
        ..Account::default()
    }
}

/// The mutex that a thread gave back to wait for a notification. The finding names only the
/// condition variable, but whether those who notify take the mutex too is half of the story.
fn given_back(finding: &Finding, wait: &Wait) -> Objects {
    if wait.kind.wait() != WaitFor::Notification {
        return Objects::new();
    }
    let mut own = finding.steps.iter().filter(|step| step.thread == wait.thread.path);
    let begun = own.rfind(|step| step.kind.link() == Link::AwaitsNotification);
    begun.and_then(|step| step.second.as_ref()).map(key).into_iter().collect()
}

/// The fate of a condition variable's last notification, which is often the whole story.
fn notified<'a>(last: &'a LastNotify, names: &Names<'_>) -> Block<'a> {
    let fact = match &last.notify {
        None => Fact { text: "was never notified".to_owned(), at: None },
        Some((thread, kind, at)) => {
            let fate = match last.woke {
                0 => "nobody was waiting".to_owned(),
                n => format!("woke {}", count(n, "thread")),
            };
            Fact { text: format!("last {kind} by {}: {fate}", thread.path), at: Some(at) }
        }
    };
    Block { subject: names.object(&last.object), facts: vec![fact], ..Block::default() }
}

//! Circles as warnings.

use super::super::scene::Names;
use super::super::{Certainty, Suspicion};
use super::cycle::Cycle;
use super::dependency::{Dependency, Wants};
use selvedge_model::{
    Confidence, DetectorName, Event, HeldLock, Hold, Instant, Link, ObjectId, Operation,
    OperationKind, Outcome, Record, Role, Site, Steering, Stop, Treatment, Trouble, WaitFor,
    Warning,
};

/// A circle as a warning, with a way to bring it about. Whether there is doubt is not looked at.
pub(super) fn suspicion(cycle: &Cycle<'_>, record: &Record<'_>, names: &Names<'_>) -> Suspicion {
    let mut witness = Vec::new();
    for (index, part) in cycle.parts.iter().enumerate() {
        let before = cycle.parts[(index + cycle.parts.len() - 1) % cycle.parts.len()];
        if let Some(lock) = holds_for(part, before) {
            witness.push(names.role(part.at.thread, how_held(lock), operation_of(lock)));
        }
        witness.push(wait(part, names));
        if let Wants::Event(event) = before.wants
            && let Some(event) = find(record, event)
        {
            witness.push(names.role(event.thread, has_to(event.operation.kind), event.operation));
        }
    }
    for writer in &cycle.writers {
        witness.push(names.role(writer.at.thread, "meanwhile waits to write", writer.operation));
    }
    let threads = cycle.parts.len();
    let behind = match cycle.writers.is_empty() {
        true => "",
        false => "; readers wait here as soon as a writer does",
    };
    // The engine lets readers in past writers that wait, as some systems do.
    let steering = cycle.writers.is_empty().then(|| steering(cycle, names));
    Suspicion {
        warning: Warning {
            kind: Trouble::Deadlock,
            detector: DetectorName::Deadlock,
            summary: format!("{threads} threads can come to wait for each other{behind}"),
            witness,
            confidence: Confidence::Predicted,
            treatment: Treatment::Untried,
        },
        steering,
        certainty: Certainty::OnlyIfConfirmed,
    }
}

/// The lock that the part holds and the one before it wants.
fn holds_for<'a>(part: &'a Dependency, before: &Dependency) -> Option<&'a HeldLock<Site>> {
    let Wants::Lock(object, _) = before.wants else { return None };
    part.held.iter().find(|lock| lock.object == object)
}

fn how_held(lock: &HeldLock<Site>) -> &'static str {
    match lock.hold {
        Hold::Initialising => "initialises",
        Hold::Shared => "holds for reading",
        Hold::Exclusive => "holds",
    }
}

fn operation_of(lock: &HeldLock<Site>) -> Operation {
    Operation::new(lock.kind, lock.object, lock.site)
}

fn wait(part: &Dependency, names: &Names<'_>) -> Role {
    let Dependency { at, operation, wants, .. } = *part;
    let does = match (operation.kind.wait(), wants) {
        (WaitFor::ThreadEnd, Wants::Event(end)) => {
            let joined = names.thread(end.thread).path;
            let does = format!("waits for thread {joined} to end");
            return names.role(at.thread, &does, operation);
        }
        (WaitFor::Notification, Wants::Event(_)) => {
            "waits for a notification, without giving back more than"
        }
        (WaitFor::Notification, Wants::Lock(..)) => "is woken and waits for",
        // It found that all was done; earlier it would have had to wait.
        (WaitFor::Never, _) => "waits for",
        _ => operation.kind.waiting(),
    };
    names.role(at.thread, does, operation)
}

/// What the other one waits for.
fn has_to(kind: OperationKind) -> &'static str {
    match kind.meaning(Outcome::Done).link {
        Link::Ends => "has to end after that",
        Link::Sends => "has to send after that to",
        Link::Notifies => "has to notify after that",
        Link::GivesToken => "has to unpark the other one after that",
        Link::Receives => "has to receive after that from",
        _ => "has to finish after that",
    }
}

/// The event with the given place among its thread's.
fn find<'a>(record: &Record<'a>, at: Instant) -> Option<&'a Event> {
    let mut events = record.events.iter().filter(|event| event.thread == at.thread);
    events.nth(at.time as usize - 1)
}

/// Each thread is to be held back at its wait, with what the others want in hand.
fn steering(cycle: &Cycle<'_>, names: &Names<'_>) -> Steering {
    let parts = cycle.parts.iter().enumerate();
    let hold = parts.map(|(index, part)| {
        let before = cycle.parts[(index + cycle.parts.len() - 1) % cycle.parts.len()];
        let kind = match part.wants {
            // What it does first is to begin its wait.
            Wants::Event(_) if part.operation.kind.wait() == WaitFor::Notification => {
                OperationKind::CondvarWait
            }
            _ => part.operation.kind,
        };
        Stop {
            thread: names.thread(part.at.thread).path,
            kind,
            at: part.operation.site.source(),
            holding: holds_for(part, before).map(|lock| lock.site.source()).into_iter().collect(),
        }
    });
    Steering { hold: hold.collect(), until: Vec::new() }
}

/// Threads that read a lock a second time while another one may wait to write it.
pub(super) fn second_reads(all: &[Dependency], names: &Names<'_>) -> Vec<Suspicion> {
    let mut told: Vec<Suspicion> = Vec::new();
    let wants = |dependency: &Dependency, hold| matches!(dependency.wants, Wants::Lock(_, wanted) if wanted == hold);
    for reader in all.iter().filter(|dependency| wants(dependency, Hold::Shared)) {
        let object: ObjectId = reader.operation.object;
        let Some(first) = reader.held.iter().find(|lock| lock.object == object) else { continue };
        let writes = |other: &&Dependency| {
            other.operation.object == object
                && wants(other, Hold::Exclusive)
                && other.can_meet(reader)
        };
        let Some(writer) = all.iter().find(writes) else { continue };
        let thread = reader.at.thread;
        let witness = vec![
            names.role(thread, "holds for reading", operation_of(first)),
            names.role(writer.at.thread, "waits to write", writer.operation),
            names.role(thread, "reads again, behind the writer,", reader.operation),
        ];
        let warning = Warning {
            kind: Trouble::Deadlock,
            detector: DetectorName::Deadlock,
            summary: "a thread that reads twice can come to wait behind a writer that waits for it"
                .to_owned(),
            witness,
            confidence: Confidence::Predicted,
            treatment: Treatment::Untried,
        };
        if !told.iter().any(|known| known.warning.same_problem(&warning)) {
            // Readers come past waiting writers under control, so this can not be brought about.
            told.push(Suspicion { warning, steering: None, certainty: Certainty::Told });
        }
    }
    told
}

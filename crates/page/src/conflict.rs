//! The operations of a finding that matter most, to be marked in its diagram.
//!
//! Of threads that wait, these are what they hold and what they wait for; of a data race, its two
//! accesses. Of a thread that failed by itself, it is a guess: the last time that somebody came in
//! between two accesses of one thread to one object, in one of the four ways that no order of the
//! two threads as wholes explains (S. Lu et al., *AVIO: Detecting atomicity violations via access
//! interleaving invariants*, 2006); if there is no such time, the last two accesses of different
//! threads to an object that the thread has used.
//!
//! May miss: what happened on several objects together, and plain memory. May mark what is harmless:
//! the last interleaving need not be the one that hurt.

use selvedge_model::{Finding, FindingKind, Hold, Link, ObjectKind, Step, ThreadPath, Wait};

/// The steps that matter most, by position. How threads ended matters in any case.
pub(crate) fn steps(finding: &Finding) -> Vec<usize> {
    let mut steps = match &finding.kind {
        FindingKind::Deadlock { cycle: waits }
        | FindingKind::LeakedThreads { waits }
        | FindingKind::Infeasible { waits, .. } => held(finding, waits),
        FindingKind::DoubleLock { wait } => held(finding, std::slice::from_ref(wait)),
        FindingKind::Stuck { waits, notifies } => {
            let mut steps = held(finding, waits);
            let notifies = notifies.iter().filter_map(|last| last.notify.as_ref());
            steps.extend(notifies.filter_map(|(thread, kind, at)| {
                finding.steps.iter().rposition(|step| {
                    step.thread == thread.path && step.kind == *kind && step.at == *at
                })
            }));
            steps
        }
        FindingKind::DataRace { .. } => Vec::new(),
        FindingKind::Panic(panic) => interfered(finding, &panic.thread.path),
        FindingKind::Crash { thread, .. } | FindingKind::Exit { thread, .. } => {
            interfered(finding, &thread.path)
        }
        _ => match finding.steps.last() {
            Some(last) => interfered(finding, &last.thread),
            None => Vec::new(),
        },
    };
    steps.sort_unstable();
    steps.dedup();
    steps
}

/// Where the locks were taken that threads hold while they wait.
fn held(finding: &Finding, waits: &[Wait]) -> Vec<usize> {
    let taken = |wait: &Wait, held: &selvedge_model::Held| {
        finding.steps.iter().rposition(|step| {
            step.thread == wait.thread.path
                && step.kind == held.kind
                && step.object.as_ref() == Some(&held.object)
        })
    };
    let holds = waits.iter().flat_map(|wait| wait.holds.iter().map(move |held| (wait, held)));
    holds.filter_map(|(wait, held)| taken(wait, held)).collect()
}

/// An access to an object.
struct Access<'a> {
    step: usize,
    thread: &'a ThreadPath,
    reads: bool,
    writes: bool,
}

/// The accesses by which others have interfered, as far as that can be guessed.
fn interfered(finding: &Finding, thread: &ThreadPath) -> Vec<usize> {
    let key = |step: &Step| step.object.as_ref().map(|object| (object.kind, object.number));
    let mut objects: Vec<(ObjectKind, u32)> = Vec::new();
    // What the thread itself used last comes first, then what others did.
    for own in [true, false] {
        let steps = finding.steps.iter().rev().filter(|step| (step.thread == *thread) == own);
        for object in steps.filter_map(key) {
            if !objects.contains(&object) {
                objects.push(object);
            }
        }
    }
    let accesses = |object| -> Vec<Access<'_>> {
        let own = finding.steps.iter().enumerate().filter(|(_, step)| key(step) == Some(object));
        own.filter_map(|(index, step)| access(index, step)).collect()
    };
    let mut pair = None;
    for object in objects {
        let accesses = accesses(object);
        if let Some(triple) = torn_apart(&accesses) {
            return triple.to_vec();
        }
        pair = pair.or_else(|| last_pair(&accesses));
    }
    pair.map(Vec::from).unwrap_or_default()
}

fn access(index: usize, step: &Step) -> Option<Access<'_>> {
    let meaning = step.kind.meaning(step.effect.outcome());
    let (reads, writes) = match (meaning.link, step.kind.locks()) {
        (Link::Loads, _) => (true, false),
        (Link::Stores, _) => (false, true),
        (Link::Updates, _) => (true, true),
        (_, Some(Hold::Shared)) => (true, false),
        (_, Some(Hold::Exclusive)) => (true, meaning.locks().is_some()),
        _ => return None,
    };
    Some(Access { step: index, thread: &step.thread, reads, writes })
}

/// The last two accesses of a thread with a foreign one in between that no serial order explains.
fn torn_apart(accesses: &[Access<'_>]) -> Option<[usize; 3]> {
    for (position, last) in accesses.iter().enumerate().rev() {
        let Some(first) = accesses[..position].iter().rposition(|a| a.thread == last.thread) else {
            continue;
        };
        let between = &accesses[first + 1..position];
        let first = &accesses[first];
        let tears = |foreign: &&Access<'_>| {
            (foreign.writes && (first.reads || last.reads))
                || (foreign.reads && first.writes && last.writes)
        };
        if let Some(foreign) = between.iter().rev().find(tears) {
            return Some([first.step, foreign.step, last.step]);
        }
    }
    None
}

/// The last two accesses of different threads of which one writes.
fn last_pair(accesses: &[Access<'_>]) -> Option<[usize; 2]> {
    let pairs = accesses.iter().zip(accesses.get(1..)?).rev();
    let conflicts =
        |(a, b): &(&Access<'_>, &Access<'_>)| a.thread != b.thread && (a.writes || b.writes);
    pairs.into_iter().find(conflicts).map(|(a, b)| [a.step, b.step])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(story: &[(&str, bool, bool)]) -> Option<[usize; 3]> {
        let threads: Vec<ThreadPath> =
            story.iter().map(|(thread, ..)| thread.parse().unwrap()).collect();
        let accesses: Vec<_> = story
            .iter()
            .zip(&threads)
            .enumerate()
            .map(|(step, (&(_, reads, writes), thread))| Access { step, thread, reads, writes })
            .collect();
        torn_apart(&accesses)
    }

    #[test]
    fn a_lost_update_is_marked_by_its_read_the_foreign_write_and_its_write() {
        let (read, write) = (("1", true, false), ("1", false, true));
        let story = [read, ("2", true, false), ("2", false, true), write, ("0", true, false)];
        assert_eq!(marked(&story), Some([0, 2, 3]));
    }

    #[test]
    fn a_foreign_read_between_two_reads_harms_nobody() {
        assert_eq!(marked(&[("1", true, false), ("2", true, false), ("1", true, false)]), None);
        assert_eq!(marked(&[("1", true, true), ("2", true, true), ("0", true, false)]), None);
    }
}

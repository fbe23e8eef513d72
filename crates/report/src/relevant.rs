//! Which steps of an execution matter for its finding.
//!
//! A step can matter if another thread could have noticed it: it is no bookkeeping (start and end
//! of a thread, yields, fences, looks at the clock, polls that were not disturbed), its object was used by several threads or is
//! one that the finding is about, and if it gives something back, somebody has used the object
//! afterwards. A thread that has no such step is represented by its last ones. Of all these, some
//! are shown whatever happens:
//!
//! 1. steps on the objects that the finding is about,
//! 2. the steps on both sides of each switch of threads,
//! 3. the last steps of each thread,
//! 4. steps that came out unusual (refused, timed out, woken for no reason).
//!
//! The rest is folded where there is much of it (see [`fold`](crate::fold)).
//!
//! May leave out what matters: plain memory is not seen, so a step that only orders plain accesses
//! looks like any other, and an object that another thread reaches only in other executions looks
//! private. May show what does not matter: an object is kept although its order was irrelevant.

use crate::fold::{Row, fold};
use crate::operation::is_release;
use selvedge_model::{
    Effect, Finding, FindingKind, ObjectKind, ObjectName, Outcome, Step, Telling, ThreadPath, Wait,
};
use std::collections::{BTreeMap, BTreeSet};

/// So many last steps of each thread are always shown.
const LAST_STEPS: usize = 2;
/// A thread that failed by itself is judged by so many of its last steps on shared objects.
const LATE_STEPS: usize = 6;
/// If there are more rows than this, some in the middle are left out.
const MOST_ROWS: usize = 64;

/// Objects, each by what tells it apart within an execution.
pub(crate) type Objects = BTreeSet<(ObjectKind, u32)>;

/// What tells an object apart within an execution.
pub(crate) fn key(object: &ObjectName) -> (ObjectKind, u32) {
    (object.kind, object.number)
}

/// The rows to be shown for a finding that is about these objects.
pub(crate) fn select(finding: &Finding, about: &Objects) -> Vec<Row> {
    let candidates = candidates(finding, about);
    let matters = matters(&finding.steps, &candidates, about);
    let most = match finding.kind {
        // Threads that go round and round do so in any order.
        FindingKind::Livelock { .. } => MOST_ROWS / 2,
        _ => MOST_ROWS,
    };
    fold(&finding.steps, &candidates, &matters, most)
}

/// The objects that a thread which failed by itself had to do with at last, if possible together
/// with others.
pub(crate) fn late_objects(finding: &Finding, thread: &ThreadPath) -> Objects {
    let shared = shared_objects(&finding.steps);
    let own = finding.steps.iter().rev().filter(|step| step.thread == *thread);
    let objects: Vec<_> = own
        .filter_map(|step| step.object.as_ref().map(key))
        .filter(|object| object.0 != ObjectKind::Thread)
        .collect();
    let late: Objects =
        objects.iter().copied().filter(|o| shared.contains(o)).take(LATE_STEPS).collect();
    // A thread that others never came to disturb is judged by what it did alone.
    if late.is_empty() { objects.into_iter().take(LATE_STEPS).collect() } else { late }
}

/// The objects that several threads used.
fn shared_objects(steps: &[Step]) -> Objects {
    let mut users: BTreeMap<_, &ThreadPath> = BTreeMap::new();
    let mut shared = Objects::new();
    for step in steps {
        if let Some(object) = step.object.as_ref().map(key)
            && users.entry(object).or_insert(&step.thread) != &&step.thread
        {
            shared.insert(object);
        }
    }
    shared
}

/// The positions of the steps that another thread could have noticed.
fn candidates(finding: &Finding, about: &Objects) -> Vec<usize> {
    let shared = shared_objects(&finding.steps);
    // Seen from the end: the objects that somebody still uses.
    let waited_for = waits(&finding.kind).iter().filter_map(|wait| wait.object.as_ref().map(key));
    let mut used_later: Objects = waited_for.collect();
    let mut candidates = Vec::new();
    for (index, step) in finding.steps.iter().enumerate().rev() {
        let object = step.object.as_ref().map(key);
        // A thread concerns its parent and itself, even if it never came to run.
        let noticed = object.is_none_or(|object| {
            object.0 == ObjectKind::Thread || shared.contains(&object) || about.contains(&object)
        });
        let used = object.is_none_or(|object| used_later.contains(&object));
        if is_bookkeeping(step) || (is_release(step.kind) && !used) {
            continue;
        }
        if noticed || is_unusual(step.effect) || step.age.is_old() {
            candidates.push(index);
        }
        if !is_release(step.kind) {
            used_later.extend(object);
        }
    }
    let seen: BTreeSet<_> = candidates.iter().map(|&index| &finding.steps[index].thread).collect();
    let unseen = finding.threads.iter().map(|thread| &thread.path);
    for thread in unseen.filter(|thread| !seen.contains(thread)) {
        let own = finding.steps.iter().enumerate().rev().filter(|(_, s)| s.thread == *thread);
        let own = own.filter(|(_, step)| !is_bookkeeping(step) && !is_release(step.kind));
        candidates.extend(own.map(|(index, _)| index).take(LAST_STEPS));
    }
    candidates.sort_unstable();
    candidates
}

fn is_unusual(effect: Effect) -> bool {
    // That a compare-exchange finds another value is nothing unusual.
    effect.outcome() != Outcome::Done && !matches!(effect, Effect::Kept(_))
}

fn is_bookkeeping(step: &Step) -> bool {
    match step.kind.telling() {
        Telling::Plain => false,
        Telling::IfUnusual => !is_unusual(step.effect),
        Telling::Never => true,
    }
}

/// The threads that wait at the end.
pub fn waits(kind: &FindingKind) -> &[Wait] {
    match kind {
        FindingKind::Deadlock { cycle } => cycle,
        FindingKind::DoubleLock { wait } => std::slice::from_ref(wait),
        FindingKind::Stuck { waits, .. }
        | FindingKind::LeakedThreads { waits }
        | FindingKind::Infeasible { waits, .. } => waits,
        _ => &[],
    }
}

/// For each candidate, whether it is to be shown whatever happens.
fn matters(steps: &[Step], candidates: &[usize], about: &Objects) -> Vec<bool> {
    let thread = |position: usize| candidates.get(position).map(|&index| &steps[index].thread);
    let mut left: BTreeMap<&ThreadPath, usize> = BTreeMap::new();
    let mut matters = vec![false; candidates.len()];
    for (position, &index) in candidates.iter().enumerate().rev() {
        let step = &steps[index];
        let left = left.entry(&step.thread).or_insert(LAST_STEPS);
        let is_last = *left > 0;
        *left = left.saturating_sub(1);
        let before = position.checked_sub(1).and_then(thread);
        let at_switch = [before, thread(position + 1)]
            .into_iter()
            .flatten()
            .any(|neighbour| *neighbour != step.thread);
        let concerned = step.object.as_ref().is_some_and(|object| about.contains(&key(object)));
        matters[position] = is_last || at_switch || is_unusual(step.effect) || concerned;
    }
    matters
}

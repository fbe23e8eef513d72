//! Regions, relevant statements, orderings, and fewer of them.

use super::graph::Graph;
use super::occurrences::Occurrences;
use super::{Blocking, Dropped, Event, Inferred, Left, Node, Ordering, Runs};
use crate::course::{At, Course, Moment, Sleep, State};
use crate::gap::{Gap, Removed};
use crate::independent::Independence;
use crate::log::{ThreadId, What};
use crate::source::{Captures, Kind, Loop, Sources, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// How long before the end of a sleep the others are looked at, at most: whoever wakes at about the same
/// time has not come further than its own sleep.
const MARGIN: u64 = 10_000_000;

/// Infers what a test is about from runs of it that passed.
pub fn infer(sources: &Sources, runs: Runs<'_>) -> Inferred {
    let courses: Vec<_> = runs.logs.iter().map(|log| Course::new(sources, log)).collect();
    let (mut removed, mut left) = classify(sources, &courses);
    let mut dropped = None;
    loop {
        let (inferred, justified) = infer_without(sources, runs, &courses, &removed);
        // What stays changes what the others stand between.
        let stays = |sleep: &StatementId| {
            !justified.contains(&Event::Starting(Gap::at(sources, &removed, *sleep)))
        };
        // What was seen too seldom is seen of sleeps that are looked at.
        let dropped = *dropped.get_or_insert(inferred.dropped);
        let stays: Vec<_> = removed.iter().copied().filter(stays).collect();
        if stays.is_empty() {
            return Inferred { removed, left, dropped, ..inferred };
        }
        for sleep in stays {
            removed.remove(&sleep);
            left.push((Some(sleep), Left::Unordered));
        }
    }
}

/// What is inferred if these sleeps are taken away, and the events behind sleeps that an ordering was
/// inferred for.
fn infer_without(
    sources: &Sources,
    runs: Runs<'_>,
    courses: &[Course<'_>],
    removed: &Removed,
) -> (Inferred, BTreeSet<Event>) {
    let independence = Independence::new(sources, runs.test);
    let sleeps: Vec<_> = courses.iter().map(Course::sleeps).collect();
    let runs_of: Vec<_> = courses
        .iter()
        .zip(&sleeps)
        .map(|(course, sleeps)| Occurrences { sources, course, removed, sleeps })
        .collect();
    // A bag: an ordering counts once for each run.
    let mut seen: BTreeMap<Ordering, usize> = BTreeMap::new();
    for run in &runs_of {
        for ordering in sleep_induced_orderings(run, &independence) {
            *seen.entry(ordering).or_default() += 1;
        }
    }
    let enough = |count: usize| count as f64 >= runs.confidence * runs.logs.len() as f64;
    let confident: Vec<_> =
        seen.iter().filter(|&(_, &count)| enough(count)).map(|(ordering, _)| *ordering).collect();
    let unsteady = unsteady(&seen, enough);
    let mut dropped = Dropped { rare: seen.len() - confident.len(), ..Dropped::default() };
    let sequential = sequential_orderings(&runs_of, &confident);
    let (mut orderings, mut justified) = minimize(confident, &sequential, &mut dropped);
    // What is refused for them is no reason to leave their sleeps.
    justified.extend(unsteady.iter().map(|ordering| ordering.after.event));
    sort(&mut orderings, runs_of.first());
    let names = names(courses);
    (Inferred { orderings, unsteady, seen, dropped, names, ..Inferred::default() }, justified)
}

/// Which sleeps are about ordering.
fn classify(
    sources: &Sources,
    courses: &[Course<'_>],
) -> (Removed, Vec<(Option<StatementId>, Left)>) {
    let alone = courses.iter().all(|course| course.threads().count() < 2);
    let mut removed = Removed::new();
    let mut left: Vec<(Option<StatementId>, Left)> = Vec::new();
    for sleep in courses.iter().flat_map(Course::sleeps) {
        let statement = sleep.statement.or(sleep.innermost);
        let loops = statement.map_or(&[][..], |id| &sources.statement(id).loops);
        let why = match sleep.statement {
            None => match in_macro(sources, sleep.innermost) {
                Some(name) => Left::InMacro(name),
                None => Left::Elsewhere,
            },
            Some(_) if loops.contains(&Loop::Polling) => Left::Polling,
            Some(_) if loops.contains(&Loop::Endless) => Left::Endless,
            Some(_) if alone => Left::Alone,
            Some(statement) => {
                removed.insert(statement);
                continue;
            }
        };
        if !left.contains(&(statement, why.clone())) {
            left.push((statement, why));
        }
    }
    for statement in courses.iter().flat_map(Course::unfinished_sleeps) {
        let why = (Some(statement), Left::Outlived);
        if !removed.contains(&statement) && !left.iter().any(|(other, _)| *other == why.0) {
            left.push(why);
        }
    }
    (removed, left)
}

fn in_macro(sources: &Sources, statement: Option<StatementId>) -> Option<String> {
    let statement = statement?;
    let file = sources.file(sources.statement(statement).file);
    let found = file.in_macros.iter().find(|mac| mac.statement == Some(statement))?;
    Some(found.name.clone())
}

/// The orderings that the sleeps of one run stand for.
fn sleep_induced_orderings(
    run: &Occurrences<'_>,
    independence: &Independence<'_>,
) -> BTreeSet<Ordering> {
    let mut orderings = BTreeSet::new();
    for sleep in run.sleeps {
        let Some(statement) = sleep.statement.filter(|statement| run.removed.contains(statement))
        else {
            continue;
        };
        let starting = Event::Starting(Gap::at(run.sources, run.removed, statement));
        // Of several sleeps in one gap the last one counts.
        let Some(after) = run.at(starting, sleep.to) else { continue };
        for (thread, _) in run.course.threads().filter(|(thread, _)| *thread != sleep.thread) {
            if independence.between(run.course, sleep.thread, thread) {
                continue;
            }
            if let Some((before, blocking)) = relevant(run, sleep, thread) {
                orderings.insert(Ordering { before, blocking, after });
            }
        }
    }
    orderings
}

/// What a thread had come to when a sleep of another one ended.
fn relevant(run: &Occurrences<'_>, sleep: &Sleep, thread: ThreadId) -> Option<(Node, Blocking)> {
    let now = shortly_before_the_end(run.course, sleep);
    let moment = run.course.moment(thread, now);
    let node = |event| run.last(event, thread, now);
    match moment.state {
        State::Absent | State::Running | State::Sleeping(None) => None,
        State::Sleeping(Some(statement)) => {
            let gap = Gap::at(run.sources, run.removed, statement);
            let entry = run.sources.statement(statement);
            // Whoever asks again and again has come nowhere.
            if entry.loops.contains(&Loop::Polling) {
                return None;
            }
            // That a pool has begun with something is worth to know, that a thread has is not.
            let is_first = gap.previous(run.sources, run.removed).is_none();
            let begun = is_first
                && run.course.thread(thread)?.body.is_none()
                && sleep.statement != Some(statement);
            let worth = match is_first && run.course.thread(thread)?.body.is_none() {
                true => begun,
                false => worked(run, thread, since_start(run, sleep, thread)..now),
            };
            worth.then(|| node(Event::Finished(gap))).flatten().map(|node| (node, Blocking::No))
        }
        State::Blocked(since) => {
            let later = run.course.moment(thread, sleep.to);
            if later.state != State::Blocked(since) {
                return None;
            }
            blocked(run, sleep, thread, &moment, now)
        }
        State::Ended => {
            let done = moment.done?;
            let event = match run.course.thread(thread)?.body {
                Some(body) => Event::Ended(body),
                None => finished(run, done),
            };
            Some((node(event)?, Blocking::No))
        }
    }
}

/// What it means that a thread waits.
fn blocked(
    run: &Occurrences<'_>,
    sleep: &Sleep,
    thread: ThreadId,
    moment: &Moment,
    now: At,
) -> Option<(Node, Blocking)> {
    let Some(active) = moment.stack.last() else {
        // A thread of a pool that has nothing to do.
        return Some((run.last(finished(run, moment.done?), thread, now)?, Blocking::No));
    };
    let gap = Gap::at(run.sources, run.removed, active.statement);
    let waits_for_threads =
        active.started_threads || run.sources.statement(active.statement).joins.is_some();
    if !waits_for_threads {
        return Some((run.last(Event::Starting(gap), thread, now)?, Blocking::Yes));
    }
    if !worked(run, thread, since_start(run, sleep, thread)..now) {
        return None;
    }
    // Code that was run by the statement that now waits, such as the closure of a scope, is over.
    let inner = moment.done.filter(|&done| {
        run.course.encloses(active.statement, done)
            && run.sources.body_of(done) != run.sources.body_of(active.statement)
    });
    let (event, blocking) = match inner {
        Some(done) => {
            // What it owns is dropped before its thread waits.
            let owns = run.sources.body(run.sources.body_of(done)).captures == Captures::Moved;
            (finished(run, done), if owns { Blocking::Yes } else { Blocking::No })
        }
        None => (Event::Finished(gap), Blocking::No),
    };
    Some((run.last(event, thread, now)?, blocking))
}

/// The event at the end of the code that a thread of a pool has run.
fn finished(run: &Occurrences<'_>, done: StatementId) -> Event {
    Event::Finished(Gap::end(run.sources.body(run.sources.body_of(done)).root))
}

/// Since when whatever a thread did is in no order with the thread that sleeps: since it started that one,
/// directly or not, or since ever.
fn since_start(run: &Occurrences<'_>, sleep: &Sleep, thread: ThreadId) -> At {
    let mut current = sleep.thread;
    while let Some((parent, at, _)) = run.course.thread(current).and_then(|one| one.started) {
        if parent == thread {
            return at;
        }
        current = parent;
    }
    0
}

/// Whether a thread has carried out a statement that calls something, not only to start threads.
fn worked(run: &Occurrences<'_>, thread: ThreadId, during: std::ops::Range<At>) -> bool {
    let (mut started, mut sleep) = (false, None);
    for at in during {
        let entry = run.course.entry(at);
        let (What::Call(_) | What::Return(_) | What::ThreadStart(_)) = entry.what else { continue };
        if entry.thread != thread {
            continue;
        }
        match entry.what {
            What::Call(id) if sleep.is_none() => {
                let sleeps = run.sources.has(id) && run.sources.statement(id).kind == Kind::Sleep;
                (started, sleep) = (false, sleeps.then_some(id));
            }
            What::ThreadStart(_) => started = true,
            What::Return(id) if sleep == Some(id) => sleep = None,
            What::Return(id)
                if sleep.is_none()
                    && !started
                    && run.sources.has(id)
                    && run.sources.statement(id).call.is_some() =>
            {
                return true;
            }
            _ => {}
        }
    }
    false
}

/// The moment at which the others are looked at.
fn shortly_before_the_end(course: &Course<'_>, sleep: &Sleep) -> At {
    let (from, to) = (course.entry(sleep.from).time, course.entry(sleep.to).time);
    course.position(to - ((to - from) / 4).min(MARGIN))
}

/// Orderings that would be confident if it did not matter which occurrences they are between.
fn unsteady(seen: &BTreeMap<Ordering, usize>, enough: impl Fn(usize) -> bool) -> Vec<Ordering> {
    let key =
        |ordering: &Ordering| (ordering.before.event, ordering.blocking, ordering.after.event);
    let mut unsteady = Vec::new();
    for (ordering, &count) in seen {
        if enough(count) || ordering.after.occurrence == 1 && ordering.before.occurrence == 1 {
            continue;
        }
        let all: usize = seen
            .iter()
            .filter(|(other, _)| key(other) == key(ordering) && other.after == ordering.after)
            .map(|(_, count)| count)
            .sum();
        if enough(all) {
            unsteady.push(*ordering);
        }
    }
    unsteady
}

/// What comes before what in every run because a thread does one after the other, or because a thread is
/// started or joined.
fn sequential_orderings(
    runs: &[Occurrences<'_>],
    orderings: &[Ordering],
) -> BTreeSet<(Node, Node)> {
    let nodes: BTreeSet<_> =
        orderings.iter().flat_map(|ordering| [ordering.before, ordering.after]).collect();
    let events: BTreeSet<_> = nodes.iter().map(|node| node.event).collect();
    let mut common: Option<BTreeSet<(Node, Node)>> = None;
    for run in runs {
        let places: Vec<_> = events
            .iter()
            .flat_map(|&event| {
                let all = run.of(event).into_iter().enumerate();
                all.map(move |(index, (at, thread))| {
                    let occurrence = u32::try_from(index + 1).unwrap_or(u32::MAX);
                    (Node { event, occurrence }, at, thread)
                })
            })
            .filter(|(node, _, _)| nodes.contains(node))
            .collect();
        let mut pairs = BTreeSet::new();
        for &(before, at, thread) in &places {
            for &(after, later, other) in &places {
                let same_event =
                    before.event == after.event && before.occurrence < after.occurrence;
                let ordered = same_event
                    || (at < later && thread == other)
                    || started_after(run.course, other, thread, at)
                    || joined_before(run, thread, other, later)
                    || (thread == other && at == later && is_same_gap(before, after));
                if before != after && ordered {
                    pairs.insert((before, after));
                }
            }
        }
        common = Some(match common {
            None => pairs,
            Some(common) => common.intersection(&pairs).copied().collect(),
        });
    }
    common.unwrap_or_default()
}

/// "Finished" comes before "starting" where both stand in one gap without a sleep.
fn is_same_gap(before: Node, after: Node) -> bool {
    matches!((before.event, after.event), (Event::Finished(a), Event::Starting(b)) if a == b)
}

/// Whether a thread was started, directly or not, by another one after a moment of that one.
fn started_after(course: &Course<'_>, thread: ThreadId, by: ThreadId, at: At) -> bool {
    let mut current = thread;
    while let Some((parent, when, _)) = course.thread(current).and_then(|thread| thread.started) {
        if parent == by {
            return at < when;
        }
        current = parent;
    }
    false
}

/// Whether a thread was joined by another one before a moment of that one: explicitly, or at the end of
/// the statement in which it was started.
fn joined_before(run: &Occurrences<'_>, thread: ThreadId, by: ThreadId, before: At) -> bool {
    let Some(entry) = run.course.thread(thread) else { return false };
    let (Some((parent, start, Some(statement))), Some(end)) = (entry.started, entry.ended) else {
        return false;
    };
    if parent != by || end >= before {
        return false;
    }
    let Some(joiner) = run.course.thread(by) else { return false };
    let bound = run.sources.statement(statement).binds.as_deref();
    joiner.entries.iter().filter(|&&at| end < at && at < before).any(|&at| {
        let What::Return(id) = run.course.entry(at).what else { return false };
        if !run.sources.has(id) {
            return false;
        }
        let explicit = bound.is_some() && run.sources.statement(id).joins.as_deref() == bound;
        // A scope: a call that encloses the statement that started the thread, and had begun before.
        let scope = run.course.encloses(id, statement)
            && run.sources.is_call(id)
            && run.course.moment(by, start).stack.iter().any(|active| active.statement == id);
        explicit || scope
    })
}

/// Fewer orderings that say the same, and the later events of all that are kept or implied by those that
/// are.
fn minimize(
    mut orderings: Vec<Ordering>,
    sequential: &BTreeSet<(Node, Node)>,
    dropped: &mut Dropped,
) -> (Vec<Ordering>, BTreeSet<Event>) {
    let graph = Graph::new(&orderings, sequential);
    let all = orderings.len();
    orderings.retain(|ordering| !graph.is_cyclic(ordering));
    dropped.cyclic = all - orderings.len();
    let anyway = Graph::new([], sequential);
    let says_more = |ordering: &&Ordering| {
        ordering.blocking == Blocking::Yes || !anyway.reaches(ordering.before, ordering.after)
    };
    let justified = orderings.iter().filter(says_more).map(|o| o.after.event).collect();
    let graph = Graph::new(&orderings, sequential);
    let acyclic = orderings.len();
    let own: BTreeSet<_> = sequential.iter().copied().collect();
    orderings.retain(|ordering| {
        let is_own =
            ordering.blocking == Blocking::No && own.contains(&(ordering.before, ordering.after));
        !graph.is_implied(ordering) && !is_own
    });
    dropped.implied = acyclic - orderings.len();
    (orderings, justified)
}

/// In the order in which a run has shown them, which is how people tell it.
fn sort(orderings: &mut [Ordering], run: Option<&Occurrences<'_>>) {
    let Some(run) = run else { return };
    let place = |node: Node| {
        let all = run.of(node.event);
        all.get(node.occurrence as usize - 1).map_or(At::MAX, |&(at, _)| at)
    };
    orderings.sort_by_key(|ordering| (place(ordering.after), place(ordering.before), *ordering));
}

/// Names of threads that are given in the test itself.
fn names(courses: &[Course<'_>]) -> BTreeMap<crate::source::BodyId, String> {
    let mut names: BTreeMap<_, Option<String>> = BTreeMap::new();
    for (_, thread) in courses.iter().flat_map(Course::threads) {
        let Some(body) = thread.body.filter(|_| thread.started.is_some()) else { continue };
        let name = Some(thread.name.clone()).filter(|name| !name.is_empty());
        let known = names.entry(body).or_insert_with(|| name.clone());
        if *known != name {
            *known = None;
        }
    }
    names.into_iter().filter_map(|(body, name)| Some((body, name?))).collect()
}

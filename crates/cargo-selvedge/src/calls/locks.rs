//! Who holds the locks of libraries and who waits for them, read off the atomics that they are made of.
//!
//! The steps on an atomic whose innermost function belongs to a lock of the table (see [`libraries`](super::libraries)) are
//! steps on that lock. A call that takes the lock has taken it when its thread has gone on with something else, or has
//! changed the atomic in the function itself, which is the way of a free lock. A call that gives it back has done so
//! with its first step.
//!
//! If these threads wait for each other in a circle, that is a deadlock: none of the calls in it comes back by itself.
//!
//! May miss: locks of which the steps are too many to be told, that were handed over by who gave them back, or on which a
//! function was called that the table does not know, such as those that wait for a limited time. Then nobody is said to
//! hold them. May falsely report: nothing that is known, as long as the table is right.

use super::Stack;
use super::libraries::{Does, LIBRARIES, Library, Way, Ways};
use super::names::split;
use crate::symbols::Frame;
use selvedge_model::{
    Effect, Finding, FindingKind, LibraryLock, LibraryUse, ObjectKind, Source, StackNumber, Step,
    ThreadPath, Wait,
};
use std::collections::BTreeMap;

/// A call of a function of the table.
struct Call<'a> {
    library: usize,
    does: Option<Does>,
    /// Whether the operation stands in the function itself.
    is_direct: bool,
    /// The calls that led to it, innermost first.
    callers: &'a [Frame],
    /// The line of the workspace's own.
    own: Option<&'a Source>,
}

impl Call<'_> {
    fn is_same(&self, other: &Call<'_>) -> bool {
        self.library == other.library && self.callers == other.callers
    }
}

/// The call of the table that a stack is in. With `Innermost::Listed` only if its innermost function of all libraries is
/// one of the table.
fn call<'a>(stack: &'a Stack, innermost: Innermost) -> Option<Call<'a>> {
    let listed = |frame: &Frame| {
        let (owner, _) = split(frame.function.as_deref()?);
        let owner = owner.split('<').next().unwrap_or(owner).trim_end_matches("::");
        LIBRARIES.iter().position(|library| library.types.contains(&owner))
    };
    let first = stack.program().next()?;
    if innermost == Innermost::Listed && listed(first).is_none() {
        return None;
    }
    let library = stack.program().find_map(&listed)?;
    // The call is the outermost one of the innermost stretch of such functions.
    let begin = stack.frames.iter().position(|frame| listed(frame) == Some(library))?;
    let own = stack.frames.iter().position(|frame| frame.at.is_own());
    let end = own.unwrap_or(stack.frames.len());
    let entry = (begin..end).rev().find(|&at| listed(&stack.frames[at]) == Some(library))?;
    let (_, method) = split(stack.frames[entry].function.as_deref()?);
    let does = LIBRARIES[library].functions.iter().find(|(name, _)| *name == method);
    let is_direct = stack.frames[begin].function == stack.frames[entry].function;
    Some(Call {
        library,
        does: does.map(|(_, does)| *does),
        is_direct,
        callers: &stack.frames[entry + 1..],
        own: stack.own().map(|frame| &frame.at),
    })
}

/// What the innermost function of a stack has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Innermost {
    Listed,
    Anything,
}

/// What is known of a lock.
struct Lock<'a> {
    library: usize,
    holders: Vec<(&'a ThreadPath, Way, Option<&'a Source>)>,
    /// The calls that may have taken it or may still be about to.
    trying: BTreeMap<&'a ThreadPath, (Call<'a>, Way)>,
    /// Whether everything that was done to it is known.
    is_known: bool,
}

impl<'a> Lock<'a> {
    fn new(library: usize) -> Self {
        Self { library, holders: Vec::new(), trying: BTreeMap::new(), is_known: true }
    }

    fn step(&mut self, thread: &'a ThreadPath, step: &Step, call: Call<'a>) {
        if let Some((before, _)) = self.trying.get(thread)
            && !before.is_same(&call)
        {
            self.has_left(thread);
        }
        let own = call.own;
        match call.does {
            Some(Does::Takes(way)) => {
                if call.is_direct && has_changed(step.effect) {
                    self.holders.push((thread, way, own));
                    self.trying.remove(thread);
                } else {
                    self.trying.insert(thread, (call, way));
                }
            }
            Some(Does::Tries(way)) => {
                if has_changed(step.effect) {
                    self.holders.push((thread, way, own));
                }
            }
            Some(Does::Gives(way)) => {
                let mine =
                    self.holders.iter().rposition(|(by, how, _)| (*by, *how) == (thread, way));
                // A guard may have been sent to another thread.
                let any = || self.holders.iter().rposition(|(_, how, _)| *how == way);
                if let Some(position) = mine.or_else(any) {
                    self.holders.remove(position);
                }
            }
            Some(Does::Looks) => {}
            None => self.is_known = false,
        }
    }

    /// A thread has gone on: what it tried has come about.
    fn has_left(&mut self, thread: &'a ThreadPath) {
        if let Some((call, way)) = self.trying.remove(thread) {
            self.holders.push((thread, way, call.own));
        }
    }
}

fn has_changed(effect: Effect) -> bool {
    matches!(effect, Effect::Changed { .. } | Effect::Wrote(_))
}

/// Adds what is known of locks to a finding. Makes it a deadlock if the threads that can not go on wait for each other.
pub(super) fn explain(finding: &mut Finding, stacks: &[Stack]) {
    let of = |number: &Option<StackNumber>| stacks.get(number.as_ref()?.0 as usize);
    let (locks, circle) = {
        let finding: &Finding = finding;
        let locks = follow(finding, &of);
        let waits = waits(finding, &locks, &of);
        (locks_told(&locks, &waits), circle(finding, &locks, &waits))
    };
    finding.stacks.locks = locks;
    if let (Some(circle), FindingKind::Stuck { waits, .. }) = (circle, &finding.kind) {
        let wait =
            |thread: &ThreadPath| waits.iter().find(|wait| wait.thread.path == *thread).cloned();
        let mut circle: Vec<Wait> = circle.iter().filter_map(wait).collect();
        finding.kind = match circle.len() {
            0 => return,
            1 => FindingKind::DoubleLock { wait: Box::new(circle.remove(0)) },
            _ => FindingKind::Deadlock { cycle: circle },
        };
    }
}

/// The atomics that are locks, by their numbers.
type Locks<'a> = BTreeMap<u32, Lock<'a>>;

fn follow<'a>(
    finding: &'a Finding,
    of: &dyn Fn(&Option<StackNumber>) -> Option<&'a Stack>,
) -> Locks<'a> {
    let mut locks = Locks::new();
    // What came before the steps that are told is not known.
    if finding.before > 0 {
        return locks;
    }
    for (step, stack) in finding.steps.iter().zip(&finding.stacks.steps) {
        let Some(stack) = of(stack) else { continue };
        let called = call(stack, Innermost::Listed);
        let object = step.object.as_ref().filter(|object| object.kind == ObjectKind::Atomic);
        let anywhere = call(stack, Innermost::Anything);
        for (number, lock) in &mut locks {
            let is_here = object.is_some_and(|object| object.number == *number);
            let is_inside = lock.trying.get(&step.thread).is_some_and(|(before, _)| {
                anywhere.as_ref().is_some_and(|now| before.is_same(now))
            });
            if !is_here && !is_inside {
                lock.has_left(&step.thread);
            }
        }
        if let (Some(object), Some(called)) = (object, called) {
            let lock = locks.entry(object.number).or_insert_with(|| Lock::new(called.library));
            lock.step(&step.thread, step, called);
        }
    }
    locks
}

/// Which lock each thread waits for, with how and where.
type Waits<'a> = BTreeMap<&'a ThreadPath, (u32, Way, Option<&'a Source>)>;

fn waits<'a>(
    finding: &'a Finding,
    locks: &Locks<'a>,
    of: &dyn Fn(&Option<StackNumber>) -> Option<&'a Stack>,
) -> Waits<'a> {
    let mut waits = Waits::new();
    for (thread, stack) in finding.threads.iter().zip(&finding.stacks.threads) {
        let Some(now) = of(stack).and_then(|stack| call(stack, Innermost::Anything)) else {
            continue;
        };
        let Some(Does::Takes(way)) = now.does else { continue };
        let tried = locks.iter().find(|(_, lock)| {
            lock.trying.get(&thread.path).is_some_and(|(before, _)| before.is_same(&now))
        });
        if let Some((&number, _)) = tried {
            waits.insert(&thread.path, (number, way, now.own));
        }
    }
    waits
}

impl Lock<'_> {
    /// Those who hold it, if that is known: without those who are still in the call.
    fn known_holders(&self) -> &[(&ThreadPath, Way, Option<&Source>)] {
        if self.is_known { &self.holders } else { &[] }
    }
}

fn locks_told(locks: &Locks<'_>, waits: &Waits<'_>) -> Vec<LibraryLock> {
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    let told = |thread: &ThreadPath, way: Way, at: Option<&Source>, library: &Library| LibraryUse {
        thread: thread.clone(),
        at: at.cloned(),
        way: (library.ways == Ways::Several).then(|| way.words().to_owned()),
    };
    let mut all = Vec::new();
    for (number, lock) in locks {
        let library = &LIBRARIES[lock.library];
        let kind_number = numbers.entry(library.kind).or_default();
        *kind_number += 1;
        let holders = lock.known_holders().iter();
        let waiters = waits.iter().filter(|(_, (lock, _, _))| lock == number);
        let lock = LibraryLock {
            kind: library.kind.to_owned(),
            number: *kind_number,
            atomic: *number,
            holders: holders.map(|(by, way, at)| told(by, *way, *at, library)).collect(),
            waiters: waiters.map(|(by, (_, way, at))| told(by, *way, *at, library)).collect(),
        };
        if !lock.holders.is_empty() || !lock.waiters.is_empty() {
            all.push(lock);
        }
    }
    all
}

/// The threads for which another one waits.
fn awaited<'a>(
    thread: &ThreadPath,
    finding: &'a Finding,
    locks: &'a Locks<'a>,
    waits: &Waits<'a>,
) -> Vec<&'a ThreadPath> {
    if let Some((number, way, _)) = waits.get(thread)
        && let Some(lock) = locks.get(number)
    {
        let holders: Vec<_> = lock
            .known_holders()
            .iter()
            .filter(|(_, held, _)| *way == Way::Alone || *held != Way::Reading)
            .map(|(holder, _, _)| *holder)
            .collect();
        // A reader that finds nobody but readers stands behind a writer that waits.
        if holders.is_empty() && *way != Way::Alone {
            let writers =
                waits.iter().filter(|(_, (other, way, _))| other == number && *way == Way::Alone);
            return writers.map(|(writer, _)| *writer).collect();
        }
        return holders;
    }
    let wait =
        selvedge_report::waits(&finding.kind).iter().find(|wait| wait.thread.path == *thread);
    wait.map(|wait| wait.for_threads.iter().collect()).unwrap_or_default()
}

/// Threads each of which waits for the next one, and the last for the first. At least one of them waits for a lock of a
/// library.
fn circle(finding: &Finding, locks: &Locks<'_>, waits: &Waits<'_>) -> Option<Vec<ThreadPath>> {
    fn follow<'a>(
        path: &mut Vec<&'a ThreadPath>,
        next: &dyn Fn(&ThreadPath) -> Vec<&'a ThreadPath>,
    ) -> bool {
        let (first, last) = (path[0], path[path.len() - 1]);
        next(last).into_iter().any(|other| {
            if other == first {
                return true;
            }
            if path.contains(&other) {
                return false;
            }
            path.push(other);
            let leads_back = follow(path, next);
            if !leads_back {
                path.pop();
            }
            leads_back
        })
    }
    let next = |thread: &ThreadPath| awaited(thread, finding, locks, waits);
    waits.keys().find_map(|&thread| {
        let mut path = vec![thread];
        follow(&mut path, &next).then(|| path.into_iter().cloned().collect())
    })
}

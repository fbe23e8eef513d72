//! Which schedules there are with a given number of preemptions, and in which order they are tried.

use crate::Rng;
use rustc_hash::FxHashSet;

/// A thread runs until just before its conflicting operation number `until`, counted from 0, or
/// for as long as it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Segment {
    /// The position of the thread in the list of threads.
    pub(super) thread: usize,
    pub(super) until: Option<u32>,
}

/// When the threads run that no segment speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Rest {
    First,
    Last,
}

/// A schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Plan {
    pub(super) segments: Vec<Segment>,
    pub(super) rest: Rest,
}

/// A thread, as far as plans go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Thread {
    /// Threads of one class do the same, so that one stands for all of them.
    pub(super) class: u64,
    /// Its conflicting operations.
    pub(super) points: Vec<Point>,
}

/// Where a thread stands before a conflicting operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Point {
    /// It holds no lock, or is about to take another one.
    Open,
    /// In a critical section. Whoever conflicts with it mostly wants the same lock, and then it
    /// does not matter where in the section it stands.
    Inside,
}

impl Thread {
    fn count(&self) -> u32 {
        self.points.len() as u32
    }
}

/// Plans that are tried together, in random order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level {
    preemptions: u32,
    stops: Stops,
}

/// Where threads are preempted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stops {
    Open,
    /// At least one of them in a critical section.
    Inside,
}

const fn level(preemptions: u32, stops: Stops) -> Level {
    Level { preemptions, stops }
}

/// In this order. One preemption shows more than none.
const LEVELS: [Level; 9] = [
    level(1, Stops::Open),
    level(0, Stops::Open),
    level(1, Stops::Inside),
    level(2, Stops::Open),
    level(2, Stops::Inside),
    level(3, Stops::Open),
    level(3, Stops::Inside),
    level(4, Stops::Open),
    level(4, Stops::Inside),
];

/// The plans that are still to be tried, the ones with few preemptions first.
#[derive(Debug, Default)]
pub(super) struct Plans {
    /// In reverse order.
    ready: Vec<Plan>,
    tried: FxHashSet<Plan>,
    /// The next level.
    level: usize,
}

/// No more than so many of a level; the others are left to chance.
const MOST: usize = 4096;

impl Plans {
    /// The next plan for these threads.
    pub(super) fn next(&mut self, threads: &[Thread], rng: &mut Rng) -> Option<Plan> {
        if threads.is_empty() {
            return None;
        }
        loop {
            while let Some(plan) = self.ready.pop() {
                let fits = plan.segments.iter().all(|segment| segment.thread < threads.len());
                if fits && self.tried.insert(plan.clone()) {
                    return Some(plan);
                }
            }
            let level = *LEVELS.get(self.level)?;
            self.ready = make(threads, level, rng);
            self.level += 1;
        }
    }

    /// More is known of the threads: what was left out is made up for.
    pub(super) fn grow(&mut self, threads: &[Thread], rng: &mut Rng) {
        if self.tried.len() > MOST {
            return;
        }
        let mut ready = Vec::new();
        for &level in LEVELS[..self.level].iter().rev() {
            ready.extend(make(threads, level, rng));
        }
        ready.retain(|plan| !self.tried.contains(plan));
        self.ready = ready;
    }
}

/// All plans of a level, or some of them if there are very many, in random order.
fn make(threads: &[Thread], level: Level, rng: &mut Rng) -> Vec<Plan> {
    let Level { preemptions, stops } = level;
    let mut plans = Vec::new();
    let points: u32 = threads.iter().map(Thread::count).sum();
    let room = 2.0 * f64::from(points.max(1)).powi(preemptions as i32) * threads.len() as f64;
    if room <= 64.0 * MOST as f64 {
        extend(threads, preemptions, &mut Vec::new(), &mut plans);
    } else {
        for _ in 0..MOST {
            plans.extend(draw(threads, preemptions, rng));
        }
    }
    plans.retain(|plan| stops_of(threads, plan) == stops);
    for last in (1..plans.len()).rev() {
        plans.swap(last, rng.below(last as u64 + 1) as usize);
    }
    plans.truncate(MOST);
    plans
}

fn stops_of(threads: &[Thread], plan: &Plan) -> Stops {
    let is_inside = |segment: &Segment| {
        segment.until.is_some_and(|until| {
            threads[segment.thread].points.get(until as usize) == Some(&Point::Inside)
        })
    };
    if plan.segments.iter().any(is_inside) { Stops::Inside } else { Stops::Open }
}

/// Every way to go on from these segments.
fn extend(threads: &[Thread], left: u32, segments: &mut Vec<Segment>, plans: &mut Vec<Plan>) {
    for thread in candidates(threads, segments) {
        if left == 0 {
            segments.push(Segment { thread, until: None });
            let rests: &[Rest] = match others(threads, segments) {
                0 => &[Rest::Last],
                _ => &[Rest::Last, Rest::First],
            };
            plans.extend(rests.iter().map(|&rest| Plan { segments: segments.clone(), rest }));
            segments.pop();
            continue;
        }
        for until in reached(segments, thread) + 1..threads[thread].count() {
            segments.push(Segment { thread, until: Some(until) });
            extend(threads, left - 1, segments, plans);
            segments.pop();
        }
    }
}

/// One way to go on, if the drawn threads have enough operations.
fn draw(threads: &[Thread], preemptions: u32, rng: &mut Rng) -> Option<Plan> {
    let mut segments = Vec::new();
    for left in (0..=preemptions).rev() {
        let candidates = candidates(threads, &segments);
        let thread = *candidates.get(rng.below(candidates.len().max(1) as u64) as usize)?;
        let until = if left == 0 {
            None
        } else {
            let from = reached(&segments, thread) + 1;
            let room = threads[thread].count().checked_sub(from).filter(|&room| room > 0)?;
            Some(from + rng.below(u64::from(room)) as u32)
        };
        segments.push(Segment { thread, until });
    }
    let rest = if rng.coin() { Rest::First } else { Rest::Last };
    Some(Plan { segments, rest })
}

/// The threads that may come next: not the one that has just stopped, and of those of one class
/// that have not run yet only the first.
fn candidates(threads: &[Thread], segments: &[Segment]) -> Vec<usize> {
    let mut fresh = Vec::new();
    let mut candidates = Vec::new();
    for (position, thread) in threads.iter().enumerate() {
        let has_just_run = segments.last().is_some_and(|last| last.thread == position);
        if has_just_run || thread.points.is_empty() {
            continue;
        }
        if segments.iter().any(|segment| segment.thread == position) {
            candidates.push(position);
        } else if !fresh.contains(&thread.class) {
            fresh.push(thread.class);
            candidates.push(position);
        }
    }
    candidates
}

/// How far a thread has come in these segments.
fn reached(segments: &[Segment], thread: usize) -> u32 {
    let own = segments.iter().rev().find(|segment| segment.thread == thread);
    own.and_then(|segment| segment.until).unwrap_or(0)
}

/// How many threads with conflicting operations no segment speaks of.
fn others(threads: &[Thread], segments: &[Segment]) -> usize {
    let spoken_of = |position| segments.iter().any(|segment| segment.thread == position);
    let other =
        |(position, thread): &(usize, &Thread)| !thread.points.is_empty() && !spoken_of(*position);
    threads.iter().enumerate().filter(other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread(class: u64, points: usize) -> Thread {
        Thread { class, points: vec![Point::Open; points] }
    }

    fn all(threads: &[Thread], preemptions: u32) -> Vec<Plan> {
        make(threads, level(preemptions, Stops::Open), &mut Rng::new(1))
    }

    #[test]
    fn without_preemptions_every_class_of_threads_goes_first_and_last() {
        let threads = [thread(1, 3), thread(2, 3), thread(2, 3), thread(2, 3), thread(3, 0)];
        assert_eq!(all(&threads, 0).len(), 4);
    }

    #[test]
    fn a_preemption_comes_before_each_operation_but_the_first() {
        let threads = [thread(1, 4), thread(2, 2)];
        // Before operations 1, 2 and 3 of one thread and before operation 1 of the other.
        assert_eq!(all(&threads, 1).len(), 4);
        let plans = all(&threads, 2);
        assert!(plans.iter().all(|plan| plan.segments.len() == 3 && plan.rest == Rest::Last));
    }

    #[test]
    fn a_hundred_equal_threads_are_as_good_as_two() {
        let mut threads = vec![thread(1, 2); 100];
        threads.push(thread(2, 2));
        assert_eq!(all(&threads, 1).len(), 2 * 3);
    }

    #[test]
    fn preemptions_in_critical_sections_come_later() {
        let section = vec![Point::Open, Point::Inside, Point::Inside, Point::Open];
        let threads = [Thread { class: 1, points: section }, thread(2, 1)];
        assert_eq!(all(&threads, 1).len(), 1);
        let inside = make(&threads, level(1, Stops::Inside), &mut Rng::new(1));
        assert_eq!(inside.len(), 2);
    }

    #[test]
    fn no_plan_is_handed_out_twice() {
        let threads = [thread(1, 3), thread(2, 3)];
        let (mut plans, mut rng) = (Plans::default(), Rng::new(3));
        let mut seen = FxHashSet::default();
        while let Some(plan) = plans.next(&threads, &mut rng) {
            assert!(seen.insert(plan));
        }
        assert!(seen.len() > 20, "{}", seen.len());
    }
}

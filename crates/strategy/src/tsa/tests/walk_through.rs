//! The walk-through of section 2.4, decision by decision. Where the paper leaves a choice open, it says
//! what it chose; a seed of ours is taken that chooses the same.

use super::story::{M, at, worked_example};
use crate::Rng;
use crate::tsa::Estimate;
use crate::tsa::controller::{Controller, Otherwise, Rule, Turn};
use crate::tsa::goal::Goal;
use crate::tsa::sight::Sight;
use selvedge_model::{
    Age, Effect, Event, GuidedMetric, ObjectId, Operation, OperationKind, Order, Site, ThreadId,
    ThreadInfo, ThreadSet, View,
};

/// The threads of figure 2.
const A: ThreadId = ThreadId(1);
const B: ThreadId = ThreadId(2);
/// Its lock statements, as lines: 2a is 21, 4a is 41, 2b is 22, 4b is 42.
const PAIRS: [(u32, u32); 10] = [
    (21, 41),
    (21, 22),
    (21, 42),
    (41, 22),
    (41, 42),
    (22, 42),
    (22, 21),
    (22, 41),
    (42, 21),
    (42, 41),
];

struct Scene {
    sight: Sight,
    controller: Controller,
    rng: Rng,
    pending: [Operation; 3],
}

fn lock(line: u32) -> Operation {
    Operation::new(OperationKind::MutexLock, ObjectId(M), at(line))
}

fn unlock(line: u32) -> Operation {
    Operation { kind: OperationKind::MutexUnlock, ..lock(line) }
}

impl Scene {
    /// Both threads are before their first lock statement.
    fn new(seed: u64, otherwise: Otherwise, covered: &[(u32, u32)]) -> Self {
        let mut sight = Sight::new(Goal(GuidedMetric::SyncPair));
        for pair in PAIRS {
            let number = |line| sight.places.names.of_site(at(line));
            let mut number = number;
            let pair_of_numbers = (number(pair.0), number(pair.1));
            sight.table.estimate(pair_of_numbers, 0, None, &sight.places);
            if covered.contains(&pair) {
                sight.table.cover(pair_of_numbers, 0, &sight.places);
            }
        }
        let pending = [unlock(1), lock(21), lock(22)];
        Self { sight, controller: Controller::new(otherwise), rng: Rng::new(seed), pending }
    }

    fn turn(&mut self) -> Turn {
        let info = |pending: Operation| ThreadInfo {
            pending,
            parent: ThreadId::MAIN,
            ordinal: 0,
            key: 0,
            spawned: None,
        };
        let threads: Vec<ThreadInfo> = self.pending.map(info).into();
        let mut enabled = ThreadSet::new();
        enabled.insert(A);
        enabled.insert(B);
        let view = View { enabled: &enabled, threads: &threads, current: A, step: 0 };
        self.controller.turn(&view, &mut self.sight, &mut self.rng)
    }

    /// The thread carries out its action and comes to the next.
    fn execute(&mut self, thread: ThreadId, next: Operation) {
        let operation = std::mem::replace(&mut self.pending[thread.index()], next);
        let (order, effect) = (Order::Implied, Effect::Done);
        self.sight.happened(&Event { thread, order, age: Age::ONLY, operation, effect });
    }

    fn wants(&mut self, first: u32, second: u32) -> bool {
        let number = |names: &mut crate::tsa::names::Names, line| names.of_site(at(line));
        let names = &mut self.sight.places.names;
        let pair = (number(names, first), number(names, second));
        self.sight.table.is_wanted(pair)
    }
}

fn selects(selected: ThreadId) -> Turn {
    Turn { selected, rule: None, executes: None }
}

/// The six iterations of the first execution, as far as they go as the paper says.
fn first_execution(seed: u64) -> Result<Scene, (usize, Turn)> {
    let mut scene = Scene::new(seed, Otherwise::FewestRequirements, &[]);
    let expect = |iteration: usize, scene: &mut Scene, expected: Turn| {
        let turn = scene.turn();
        if turn == expected { Ok(()) } else { Err((iteration, turn)) }
    };
    // 1: 2a is selected and paused.
    expect(1, &mut scene, selects(A))?;
    // 2: 2b is selected and paused; rule 2 chooses 2a, since 2b can follow.
    expect(2, &mut scene, Turn { rule: Some((Rule::Two, A)), ..selects(B) })?;
    // 3: 2a is selected again, rule 2 chooses it again, and it is executed.
    let executed = |rule, thread| Turn {
        rule: Some((rule, thread)),
        executes: Some(thread),
        ..selects(thread)
    };
    expect(3, &mut scene, executed(Rule::Two, A))?;
    scene.execute(A, unlock(31));
    // 4: 3a is no lock action and is executed.
    expect(4, &mut scene, Turn { executes: Some(A), ..selects(A) })?;
    scene.execute(A, lock(41));
    // 5: 4a is selected and paused; rule 1 chooses 2b, which covers <2a, 2b>.
    expect(5, &mut scene, Turn { rule: Some((Rule::One, B)), ..selects(A) })?;
    // 6: 2b is selected, rule 1 chooses it again, and it is executed.
    assert!(scene.wants(21, 22));
    expect(6, &mut scene, executed(Rule::One, B))?;
    scene.execute(B, unlock(32));
    Ok(scene)
}

#[test]
fn the_first_execution_of_the_walk_through() {
    let mut farthest = 0;
    let scene = (0..64).find_map(|seed| match first_execution(seed) {
        Ok(scene) => Some(scene),
        Err((iteration, turn)) => {
            // Open choices are: who is selected at first, which of the two rule 2 chooses, and in
            // iteration 5 whether rule 1 chooses 2b or 4a, which covers something at once as well.
            assert!([1, 2, 5].contains(&iteration), "iteration {iteration} was {turn:?}");
            farthest = farthest.max(iteration);
            None
        }
    });
    let mut scene = scene.unwrap_or_else(|| panic!("no seed came beyond iteration {farthest}"));
    assert!(!scene.wants(21, 22), "<2a, 2b> was moved to the covered ones");
    assert!(scene.wants(22, 42));
}

/// What was covered before the second example of the walk-through.
const COVERED: [(u32, u32); 7] =
    [(21, 22), (21, 41), (41, 42), (22, 21), (22, 41), (22, 42), (42, 41)];

#[test]
fn rule_3_lets_go_whoever_is_in_the_fewest_open_requirements() {
    let mut seen = 0;
    for seed in 0..64 {
        let mut scene = Scene::new(seed, Otherwise::FewestRequirements, &COVERED);
        // The paper selects 2a first; whoever it is, the other comes then.
        if scene.turn() != selects(A) {
            continue;
        }
        seen += 1;
        // 2a is in <2a, 4b> and <4b, 2a>, 2b in <4a, 2b> alone.
        let expected = Turn { selected: B, rule: Some((Rule::Three, B)), executes: Some(B) };
        assert_eq!(scene.turn(), expected);
    }
    assert!(seen > 0);
}

#[test]
fn without_rule_3_anybody_is_let_go() {
    let mut chosen = [0; 3];
    for seed in 0..64 {
        let mut scene = Scene::new(seed, Otherwise::Anybody, &COVERED);
        scene.turn();
        if let Some((_, thread)) = scene.turn().rule {
            chosen[thread.index()] += 1;
        }
    }
    assert!(chosen[A.index()] > 10 && chosen[B.index()] > 10, "{chosen:?}");
}

#[test]
fn the_worked_example_has_the_ten_pairs_of_the_seed() {
    let story = worked_example();
    let estimate = Estimate::of_seed(&story.record());
    let line = |site: Site| site.line();
    let mut expected: Vec<String> = PAIRS
        .iter()
        .map(|&(first, second)| {
            let (first, second) = (line(at(first)), line(at(second)));
            format!("story.rs:{first}:1, then story.rs:{second}:1")
        })
        .collect();
    expected.sort();
    let mut estimated: Vec<String> =
        estimate.requirements().iter().map(ToString::to_string).collect();
    estimated.sort();
    assert_eq!(estimated, expected);
}

//! What an exploration tells while it goes on, and how another one goes on from there.

use selvedge::sync::Mutex;
use selvedge::thread;
use selvedge_campaign::{Explored, Exploring, Watched, watched};
use selvedge_model::{Config, Frequency, Learned, Requirement, StrategyName};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn config(strategy: StrategyName, executions: u64) -> Config {
    let mut config = Config { strategy, executions, ..Config::default() };
    config.set("metrics", "sp, hbpair*, avio*:real, goldilock*, sites").unwrap();
    config
}

/// Three threads that take two locks, in the same order.
fn test() {
    let locks = Arc::new((Mutex::new(0), Mutex::new(0)));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let locks = Arc::clone(&locks);
            thread::spawn(move || {
                let mut first = locks.0.lock().unwrap();
                *first += 1;
                *locks.1.lock().unwrap() += *first;
            })
        })
        .collect();
    *locks.1.lock().unwrap() += 1;
    for thread in threads {
        thread.join().unwrap();
    }
}

/// Explores, and says all that was told on the way and at the end.
fn explore(config: Config, known: Learned) -> (Explored, Learned) {
    let mut told = Learned::default();
    let on_progress = &mut |exploring: Exploring<'_>| told.append(exploring.news());
    let name = "test".to_owned();
    let watched_test = Watched { config, metrics: Vec::new(), name, known, on_progress };
    let explored = watched(watched_test, Arc::new(test)).unwrap();
    told.append(explored.learned.clone());
    (explored, told)
}

/// What was told, added up by metric.
fn added_up(learned: &Learned) -> BTreeMap<String, BTreeMap<Requirement, (Frequency, u64)>> {
    let mut all: BTreeMap<String, BTreeMap<_, (Frequency, u64)>> = BTreeMap::new();
    for metric in &learned.metrics {
        let sum = all.entry(metric.metric.clone()).or_default();
        for covered in &metric.covered {
            let (frequency, first) = (covered.frequency, covered.first);
            sum.entry(covered.requirement.clone())
                .and_modify(|(sum, _)| *sum = sum.and(frequency))
                .or_insert((frequency, first));
        }
    }
    all
}

#[test]
fn what_is_told_adds_up_to_the_report() {
    let (explored, told) = explore(config(StrategyName::Random, 3000), Learned::default());
    assert_eq!((told.executions, told.steps), (explored.report.executions, explored.report.steps));
    let sums = added_up(&told);
    for metric in &explored.report.coverage {
        let covered: Vec<_> = sums[&metric.metric].keys().cloned().collect();
        assert_eq!(covered, metric.covered, "{}", metric.metric);
        let growth = &told.metrics.iter().find(|one| one.metric == metric.metric).unwrap().growth;
        assert_eq!(*growth, metric.growth, "{}", metric.metric);
        // Each point of the growth is where something was covered first.
        for point in growth.iter().filter(|point| point.covered > 0) {
            let until =
                sums[&metric.metric].values().filter(|(_, first)| *first <= point.execution);
            assert_eq!(until.count() as u64, point.covered, "{}", metric.metric);
        }
    }
}

#[test]
fn executions_to_go_on_from_are_told_and_nobody_tells_of_those_that_it_was_told_of() {
    for strategy in [StrategyName::Portfolio, StrategyName::Rff, StrategyName::Fest] {
        let (_, told) = explore(config(strategy, 300), Learned::default());
        assert!(!told.corpus.is_empty(), "{strategy:?}");
        let shown: BTreeSet<_> = told.corpus.iter().flat_map(|entry| &entry.pairs).collect();
        for entry in &told.corpus {
            assert!(!entry.pairs.is_empty() && !entry.chosen.is_empty());
            assert!(entry.pairs.iter().all(|(first, _)| first.source.file.ends_with("learned.rs")));
        }
        // Whoever goes on knows what they have shown: only what is new is told.
        let again = Config { seed: 99, ..config(strategy, 300) };
        let (_, more) = explore(again, told.clone());
        for entry in &more.corpus {
            assert!(
                entry.pairs.iter().all(|pair| !shown.contains(pair)),
                "{strategy:?}: {entry:?}"
            );
        }
        // The same executions, for one who knows nothing, show the same again.
        let again = Config { seed: 99, ..config(strategy, 300) };
        let (_, same) = explore(again, Learned::default());
        assert!(same.corpus.iter().flat_map(|entry| &entry.pairs).any(|pair| shown.contains(pair)));
    }
}

#[test]
fn a_strategy_goes_on_from_what_others_have_run() {
    let (_, told) = explore(config(StrategyName::Fest, 300), Learned::default());
    let corpus = Learned { corpus: told.corpus, ..Learned::default() };
    // Which execution was the first to cover each requirement.
    let course =
        |known: &Learned| added_up(&explore(config(StrategyName::Fest, 40), known.clone()).1);
    assert_eq!(course(&corpus), course(&corpus));
    assert_ne!(course(&corpus), course(&Learned::default()));
}

#[test]
fn executions_that_repeat_each_other_make_their_requirements_more_frequent() {
    for (executions, expected) in
        [(1, Frequency::Once), (2, Frequency::Twice), (3, Frequency::Often), (40, Frequency::Often)]
    {
        // Every execution is the same, apart from those that stop more often, where it is a part.
        let (_, told) = explore(config(StrategyName::RoundRobin, executions), Learned::default());
        let sums = added_up(&told);
        let firsts: Vec<_> =
            sums.values().flat_map(BTreeMap::values).filter(|(_, first)| *first == 1).collect();
        assert!(!firsts.is_empty());
        assert!(
            firsts.iter().all(|(frequency, _)| *frequency == expected),
            "after {executions}: {sums:?}"
        );
    }
}

#[test]
fn whoever_goes_on_knows_what_was_covered_and_counts_on() {
    let (first, mut known) = explore(config(StrategyName::Random, 50), Learned::default());
    let again = Config { seed: 99, ..config(StrategyName::Random, 3000) };
    let (second, told) = explore(again, known.clone());
    let before = added_up(&known);
    for (metric, sum) in added_up(&told) {
        for (requirement, (_, first)) in sum {
            let known = before.get(&metric).and_then(|known| known.get(&requirement));
            match known {
                // Told for as long as it is not known to be covered often, with its first execution.
                Some((frequency, known)) => {
                    assert_ne!(*frequency, Frequency::Often, "{requirement}");
                    assert_eq!(first, *known, "{requirement}");
                }
                None => assert!(first > 50, "{requirement} at {first}"),
            }
        }
    }
    known.append(told);
    let sums = added_up(&known);
    for (metric, before) in second.report.coverage.iter().zip(&first.report.coverage) {
        let covered: Vec<_> = sums[&metric.metric].keys().cloned().collect();
        assert_eq!(metric.covered, covered, "{}", metric.metric);
        assert!(before.covered.iter().all(|one| metric.covered.contains(one)));
        // It begins with where it stands, or with what is new.
        assert!(metric.growth.iter().all(|point| point.execution > 50));
        assert!(metric.growth.iter().all(|point| point.covered >= before.covered.len() as u64));
    }
}

#[test]
fn what_others_have_learned_is_no_news_any_more() {
    let (_, known) = explore(config(StrategyName::Random, 3000), Learned::default());
    let mut told = Learned::default();
    let mut untold = Some(known.clone());
    let on_progress = &mut |exploring: Exploring<'_>| {
        if let Some(known) = untold.take() {
            exploring.tell(known);
        } else if exploring.executions() > 20_000 {
            exploring.stop();
        }
        told.append(exploring.news());
    };
    let config = Config { seed: 5, ..config(StrategyName::Random, u64::MAX) };
    let watched_test = Watched {
        config,
        metrics: Vec::new(),
        name: "test".to_owned(),
        known: Learned::default(),
        on_progress,
    };
    let explored = watched(watched_test, Arc::new(test)).unwrap();
    assert!(explored.report.executions > 20_000, "it was stopped, and not before");
    // All that the other one has covered is in the report, told or not.
    for (metric, covered) in added_up(&known) {
        let report = explored.report.coverage.iter().find(|one| one.metric == metric).unwrap();
        assert!(covered.keys().all(|one| report.covered.binary_search(one).is_ok()), "{metric}");
    }
}

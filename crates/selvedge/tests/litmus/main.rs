//! Weak memory: what litmus tests show under `memory_model = weak` is what the memory model allows.
//!
//! The outcomes of each program are computed by brute force over the axioms. No execution may show another one, and a
//! search with enough executions shows them all. `LITMUS_PROGRAMS=2000` tries so many random programs,
//! `LITMUS_PROGRAM=17` the one with this number.

mod axioms;
mod findings;
mod known;
mod program;
mod running;

use axioms::{Model, Outcome, outcomes};
use known::{KNOWN, Known};
use program::Program;
use selvedge::Builder;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// So many executions show every outcome of a known program.
const EXECUTIONS: u64 = 6_000;
/// So many random programs are tried unless somebody asks for more.
const PROGRAMS: u64 = 200;
/// With so many executions each.
const EXECUTIONS_OF_RANDOM: u64 = 400;

/// What the search shows.
fn search(program: &Program, memory: &str, strategy: &str, executions: u64) -> BTreeSet<Outcome> {
    let seen = Arc::new(Mutex::new(BTreeSet::new()));
    let (theirs, program) = (Arc::clone(&seen), Arc::new(program.clone()));
    let report = Builder::new()
        .set("strategy", strategy)
        .set("memory_model", memory)
        .set("detectors", "off")
        .executions(executions)
        .explore(move || {
            let outcome = running::run(&program);
            theirs.lock().expect("nobody panics").insert(outcome);
        })
        .expect("the settings are right");
    assert!(report.finding.is_none(), "{:?}", report.finding);
    let seen = seen.lock().expect("nobody panics");
    seen.clone()
}

/// What is wrong with the outcomes that were seen.
fn differs(seen: &BTreeSet<Outcome>, allowed: &BTreeSet<Outcome>) -> Option<String> {
    let forbidden: Vec<_> = seen.difference(allowed).collect();
    (!forbidden.is_empty()).then(|| format!("seen, and forbidden: {forbidden:?}"))
}

#[test]
fn the_axioms_say_what_the_literature_says() {
    for Known { name, program, shows, verdict } in KNOWN {
        let all = outcomes(&Program::read(program), Model::Cpp20);
        let shown = all.iter().any(|outcome| known::matches(outcome, shows));
        assert_eq!(shown, *verdict == known::Verdict::Allowed, "{name}: {all:?}");
    }
}

#[test]
fn every_outcome_that_weak_memory_allows_is_seen_and_no_other() {
    let mut wrong = Vec::new();
    for Known { name, program, .. } in KNOWN {
        let program = Program::read(program);
        let allowed = outcomes(&program, Model::Cpp20);
        let seen = search(&program, "weak", "random", EXECUTIONS);
        wrong.extend(differs(&seen, &allowed).map(|why| format!("{name}: {why}")));
        let missed: Vec<_> = allowed.difference(&seen).collect();
        if !missed.is_empty() {
            wrong.push(format!("{name}: never seen: {missed:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), KNOWN.len(), wrong.join("\n"));
}

#[test]
fn without_weak_memory_only_sequential_outcomes_are_seen() {
    for Known { name, program, .. } in KNOWN {
        let program = Program::read(program);
        let seen = search(&program, "sc", "random", EXECUTIONS_OF_RANDOM);
        let why = differs(&seen, &outcomes(&program, Model::Sequential));
        assert_eq!(why, None, "{name}");
    }
}

/// A number that somebody asks for.
fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|number| number.parse().expect("a number of programs"))
}

#[test]
fn random_programs_never_show_what_is_forbidden() {
    let numbers = match asked("LITMUS_PROGRAM") {
        Some(number) => number..number + 1,
        None => 0..asked("LITMUS_PROGRAMS").unwrap_or(PROGRAMS),
    };
    let tried = numbers.end - numbers.start;
    let (mut complete, mut weak, mut wrong) = (0, 0, Vec::new());
    for number in numbers {
        let program = Program::random(number);
        let allowed = outcomes(&program, Model::Cpp20);
        weak += u64::from(allowed != outcomes(&program, Model::Sequential));
        let mut seen = BTreeSet::new();
        for strategy in ["random", "portfolio"] {
            seen.extend(search(&program, "weak", strategy, EXECUTIONS_OF_RANDOM));
        }
        match differs(&seen, &allowed) {
            Some(why) => wrong.push(format!("program {number}: {why}\n{program:?}")),
            None => complete += u64::from(seen == allowed),
        }
    }
    #[expect(clippy::print_stdout, reason = "the figures that the fuzzer is run for")]
    {
        println!(
            "{complete} of {tried} with every outcome; {weak} have some that need weak memory"
        );
    }
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(complete * 10 >= tried * 8, "only {complete} of {tried} with every outcome");
}

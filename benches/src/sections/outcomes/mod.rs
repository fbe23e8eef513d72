//! Which outcomes of litmus programs are seen, and which the language allows.

pub(crate) mod peer;
mod set;

use crate::args::Size;
use crate::engines::selvedge;
use crate::program::Litmus;
use crate::report::{Section, Verdict};
use ::selvedge::{Rate, Stopped, StrategyName};
use peer::ask_peer;
use set::{Collector, Outcomes, compared, listed, set};

struct Budget {
    /// Executions of the samplers.
    sampled: u64,
    /// Executions of the exhaustive search.
    exhaustive: u64,
    /// Seconds for each of loom's searches.
    loom: &'static str,
}

impl Budget {
    const fn new(size: Size) -> Self {
        match size {
            Size::Quick => Self { sampled: 20_000, exhaustive: 200_000, loom: "2" },
            Size::Usual | Size::Full => Self { sampled: 20_000, exhaustive: 2_000_000, loom: "10" },
        }
    }
}

pub(crate) fn measure(size: Size) -> Section {
    let budget = Budget::new(size);
    let mut section = Section::new("Outcomes");
    let mut rows = Vec::new();
    for litmus in selvedge::litmus::ALL {
        eprintln!("outcomes: {}", litmus.name);
        let expected = set(litmus.consistent.unwrap_or(litmus.allowed));
        let mut row = vec![format!("`{}`", litmus.name), listed(&set(litmus.allowed))];
        for (strategy, executions) in [
            (StrategyName::Exhaustive, budget.exhaustive),
            (StrategyName::Portfolio, budget.sampled),
        ] {
            let (seen, how) = explore(litmus, strategy, executions);
            row.push(format!("{}{how}", compared(&seen, &expected)));
            let as_expected = seen == expected;
            row.push(match litmus.consistent {
                Some(_) if as_expected => "sequentially consistent subset".to_owned(),
                _ => section.verdict(Verdict::of(as_expected)),
            });
        }
        let sampled = budget.sampled.to_string();
        row.push(ask_peer("shuttle", litmus, &sampled));
        row.push(ask_peer("loom", litmus, budget.loom));
        rows.push(row);
    }
    section.say(&format!(
        "The set of outcomes that exhaustive searches (Selvedge, loom) and {} executions of a sampler \
         (Selvedge's portfolio, shuttle) show; in brackets how many executions the exhaustive \
         search had. Rows in which the language allows more than \
         sequential consistency does are held against the sequentially consistent subset, which \
         is all that Selvedge models. Faults are rare, as by default, except that \
         `notify_choice` has no spurious wake-ups: a waiter must be seen to be chosen, not to \
         wake by itself.",
        budget.sampled
    ));
    section.table(
        &[
            "program",
            "allowed",
            "selvedge exhaustive",
            "exact",
            "selvedge portfolio",
            "exact",
            "shuttle random",
            "loom",
        ],
        &rows,
    );
    section
}

/// What Selvedge sees, and how far it got where that is worth saying.
fn explore(litmus: &Litmus, strategy: StrategyName, executions: u64) -> (Outcomes, String) {
    let collector = Collector::default();
    let mut settings = selvedge::settings(strategy, 1, executions);
    if litmus.name == "notify_choice" {
        settings = settings.spurious(Rate::Off);
    }
    let report = settings.explore(collector.test(litmus.run)).expect("the settings are right");
    let how = match (&report.finding, &report.stopped) {
        (Some(finding), _) => format!("; stopped by a {}", finding.kind.name()),
        (None, Stopped::Exhausted | Stopped::Sequential) => {
            format!(" (exhausted: {})", report.executions)
        }
        (None, _) if strategy == StrategyName::Exhaustive => {
            format!(" (first {})", report.executions)
        }
        (None, _) => String::new(),
    };
    let seen = collector.lock().clone();
    (seen, how)
}

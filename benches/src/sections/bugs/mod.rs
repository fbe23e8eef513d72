//! How many executions until the bug is found.

mod cell;
pub(crate) mod loom_search;

use crate::args::Size;
use crate::engines::shuttle::Sampler;
use crate::engines::{selvedge, shuttle};
use crate::figures::{NONE, factor};
use crate::program::find;
use crate::report::{Section, Verdict};
use ::selvedge::StrategyName;
use cell::{Cell, once};
use std::ops::Range;

/// How many times as many executions as the best of shuttle's samplers the portfolio may need.
const BAR: f64 = 2.0;

const STRATEGIES: [StrategyName; 7] = [
    StrategyName::Random,
    StrategyName::Pct(1),
    StrategyName::Pct(2),
    StrategyName::Pct(3),
    StrategyName::Pos,
    StrategyName::Surw,
    StrategyName::Urw,
];

const SAMPLERS: [Sampler; 5] =
    [Sampler::Random, Sampler::Pct(1), Sampler::Pct(2), Sampler::Pct(3), Sampler::Urw];

/// How much is spent on a cell.
struct Budget {
    seeds: Range<u64>,
    /// Executions for each seed.
    executions: u64,
    /// Executions of the exhaustive search, which has no seed.
    exhaustive: u64,
    /// Seconds for each search by loom.
    loom: &'static str,
}

impl Budget {
    const fn new(size: Size) -> Self {
        match size {
            Size::Quick => {
                Self { seeds: 1000..1020, executions: 5_000, exhaustive: 50_000, loom: "1" }
            }
            Size::Usual | Size::Full => {
                Self { seeds: 1000..1040, executions: 20_000, exhaustive: 500_000, loom: "5" }
            }
        }
    }
}

pub(crate) fn measure(size: Size) -> Section {
    let budget = Budget::new(size);
    let (mut bars, mut details) = (Vec::new(), Vec::new());
    let mut section = Section::new("Bugs");
    for program in selvedge::buggy::ALL {
        let name = program.name;
        eprintln!("bugs: {name}");
        let ours = |strategy| {
            Cell::new(budget.seeds.clone(), |seed| {
                selvedge::search(program.run, strategy, seed, budget.executions)
            })
        };
        let portfolio = ours(StrategyName::Portfolio);
        let strategies = STRATEGIES.map(ours);
        let exhaustive =
            selvedge::search(program.run, StrategyName::Exhaustive, 0, budget.exhaustive);
        let peer = find(shuttle::buggy::ALL, name);
        let samplers = SAMPLERS.map(|sampler| {
            Cell::new(budget.seeds.clone(), |seed| {
                shuttle::search(peer, sampler, seed, budget.executions)
            })
        });
        let best = samplers.iter().map(Cell::mean).fold(f64::INFINITY, f64::min);

        let mut bar = vec![format!("`{name}`"), portfolio.shown()];
        bar.extend(samplers.iter().map(Cell::shown));
        let ratio = portfolio.mean() / best;
        bar.push(if ratio.is_finite() { factor(ratio) } else { NONE.to_owned() });
        // Where neither finds it the bar is not reached either: the ratio is no number.
        bar.push(section.verdict(Verdict::at_most(BAR, ratio)));
        bars.push(bar);

        let mut detail = vec![format!("`{name}`"), portfolio.shown()];
        detail.extend(strategies.iter().map(Cell::shown));
        detail.push(once(exhaustive));
        detail.push(loom_search::search(name, "all", budget.loom));
        detail.push(loom_search::search(name, "2", budget.loom));
        details.push(detail);
    }
    section.say(&format!(
        "Executions until the bug is found: the mean over {} seeds, at most {} executions each. A \
         seed that does not find it counts with all its executions; *(9/10)* says that 9 of 10 \
         seeds found it, – that none did. The bar is twice the best of shuttle's samplers.",
        budget.seeds.clone().count(),
        budget.executions
    ));
    section.table(
        &[
            "bug",
            "selvedge portfolio",
            "shuttle random",
            "pct 1",
            "pct 2",
            "pct 3",
            "urw",
            "ratio to best",
            "≤ 2×",
        ],
        &bars,
    );
    section.say(&format!(
        "Selvedge's strategies one by one, and the enumerations: Selvedge's, at most {} \
         executions; loom's, all schedules and those with at most two preemptions, at most {} s \
         each. † loom aborted the process.",
        budget.exhaustive, budget.loom
    ));
    section.table(
        &[
            "bug",
            "portfolio",
            "random",
            "pct 1",
            "pct 2",
            "pct 3",
            "pos",
            "surw",
            "urw",
            "exhaustive",
            "loom",
            "loom ≤ 2",
        ],
        &details,
    );
    section
}

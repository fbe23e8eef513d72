//! How soon the strategies find the bugs of SCTBench and ConVul, beside what others have
//! published.

pub(crate) mod anchors;
pub(crate) mod args;
mod search;

use crate::figures::{NONE, factor, plain, rate};
use crate::machine;
use crate::report::{Section, Verdict};
use anchors::{Best, best, own_bar};
use args::Sct;
use search::{Found, executions_per_second, find_with_seeds};
use selvedge::StrategyName;
use selvedge_fixtures::{Program, SCT};

/// How many times as many executions as the best of the others the portfolio may need.
const RATIO: f64 = 1.5;
/// On so many of the rows.
const SHARE: f64 = 0.9;
/// So many of the programs in others' tables the blind sampler finds alone.
const BLIND: usize = 35;

/// Everything that was measured of one program.
struct Row {
    program: &'static Program,
    /// One for each strategy.
    found: Vec<Found>,
    best: Option<Best>,
    /// Executions in a second under the random strategy and under the portfolio.
    rates: [f64; 2],
}

impl Row {
    fn of(&self, sct: &Sct, strategy: StrategyName) -> Option<&Found> {
        let index = sct.strategies.iter().position(|name| *name == strategy)?;
        self.found.get(index)
    }

    /// The portfolio's executions over the best of the others'.
    fn ratio(&self, sct: &Sct) -> Option<f64> {
        let portfolio = self.of(sct, StrategyName::Portfolio)?;
        Some(portfolio.mean()? / self.best?.mean)
    }
}

/// Measures and writes the report.
pub(crate) fn measure(sct: &Sct) -> Result<String, String> {
    if let Some(unknown) =
        sct.programs.iter().find(|name| SCT.iter().all(|program| program.name != **name))
    {
        return Err(format!("there is no program '{unknown}'"));
    }
    let wanted = |program: &&Program| {
        sct.programs.is_empty() || sct.programs.iter().any(|name| name == program.name)
    };
    let rows: Vec<Row> = SCT.iter().filter(wanted).map(|program| row(sct, program)).collect();
    let mut section = Section::new("Executions until the bug is found");
    section.say(&format!(
        "The mean over {} seeds, at most {} executions each (SafeStack {}). A seed that does not \
         find it counts with all its executions; *(9/20)* says that 9 of 20 seeds found it, – that \
         none did. *best of others* is the smallest mean in the published row among the cells \
         that the most trials found, *ratio* the portfolio's mean over it. The rates are \
         executions of the corrected twin in a second of one core, random and portfolio.",
        sct.seeds, sct.limit, sct.safe_stack
    ));
    let heads: Vec<String> = std::iter::once("program".to_owned())
        .chain(sct.strategies.iter().map(ToString::to_string))
        .chain(["best of others", "ratio", "≤ 1.5×", "random", "portfolio"].map(str::to_owned))
        .collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let lines: Vec<_> = rows.iter().map(|row| line(sct, row, &mut section)).collect();
    section.table(&heads, &lines);
    summary(sct, &rows, &mut section);
    Ok(format!(
        "# SCTBench and ConVul\n\nWritten by `{}`; do not edit.\n\n- Versions: {}\n- Machine: {}\n\n{}",
        sct.command(),
        machine::versions(),
        machine::machine(),
        section.text()
    ))
}

fn row(sct: &Sct, program: &'static Program) -> Row {
    eprint!("sct: {}", program.name);
    let limit = if program.name == "safe_stack" { sct.safe_stack } else { sct.limit };
    let found: Vec<Found> = sct
        .strategies
        .iter()
        .map(|strategy| {
            let found = find_with_seeds(program.buggy, *strategy, sct.seeds, limit);
            eprint!("  {strategy} {}", found.shown());
            found
        })
        .collect();
    eprintln!();
    let rates = [StrategyName::Random, StrategyName::Portfolio]
        .map(|strategy| executions_per_second(program.fixed, strategy));
    Row { program, found, best: best(program.name), rates }
}

fn line(sct: &Sct, row: &Row, section: &mut Section) -> Vec<String> {
    let mut cells = vec![row.program.name.to_owned()];
    cells.extend(row.found.iter().map(Found::shown));
    cells.push(match row.best {
        Some(Best { column, mean, trials: 20 }) => format!("{mean} {column}"),
        Some(Best { column, mean, trials }) => format!("{mean} ({trials}/20) {column}"),
        None => NONE.to_owned(),
    });
    let ratio = row.ratio(sct);
    cells.push(ratio.map_or_else(|| NONE.to_owned(), factor));
    cells.push(match (row.best, row.of(sct, StrategyName::Portfolio)) {
        (Some(_), Some(_)) => {
            section.verdict(Verdict::of(ratio.is_some_and(|ratio| ratio <= RATIO)))
        }
        _ => NONE.to_owned(),
    });
    cells.extend(row.rates.map(rate));
    cells
}

fn summary(sct: &Sct, rows: &[Row], section: &mut Section) {
    let mut lines: Vec<Vec<String>> = Vec::new();
    if sct.strategies.contains(&StrategyName::Portfolio) {
        let compared: Vec<f64> = rows
            .iter()
            .filter(|row| row.best.is_some())
            .map(|row| row.ratio(sct).unwrap_or(f64::INFINITY))
            .collect();
        let within = compared.iter().filter(|ratio| **ratio <= RATIO).count();
        let verdict = Verdict::at_least(SHARE * compared.len() as f64, within as f64);
        lines.push(vec![
            "portfolio within 1.5× of the best of others, ≥ 90 % of the rows".to_owned(),
            format!("{within} of {}", compared.len()),
            section.verdict(verdict),
        ]);
        let all =
            |row: &&Row| row.of(sct, StrategyName::Portfolio).is_some_and(|found| found.by_all());
        let found = rows.iter().filter(all).count();
        lines.push(vec![
            "portfolio finds it with every seed".to_owned(),
            format!("{found} of {}", rows.len()),
            section.verdict(Verdict::of(found == rows.len())),
        ]);
    }
    if sct.strategies.contains(&StrategyName::Surw) {
        let compared = rows.iter().filter(|row| row.best.is_some());
        let by_all = |row: &&Row| row.of(sct, StrategyName::Surw).is_some_and(Found::by_all);
        let found = compared.clone().filter(by_all).count();
        lines.push(vec![
            format!("surw alone finds it with every seed, of {} rows of others", compared.count()),
            found.to_string(),
            section.verdict(Verdict::at_least(BLIND as f64, found as f64)),
        ]);
    }
    let bars = [("reorder_100", 10.0), ("twostage_100", 60.0), ("safe_stack", 400_000.0)];
    let own = rows.iter().filter_map(|row| Some((row.program.name, own_bar(row.program.name)?)));
    for (name, bar) in bars.into_iter().chain(own) {
        let row = rows.iter().find(|row| row.program.name == name);
        let Some(found) = row.and_then(|row| row.of(sct, StrategyName::Portfolio)) else {
            continue;
        };
        let mean = found.mean().unwrap_or(f64::INFINITY);
        lines.push(vec![
            format!("{name} by the portfolio, executions, ≤ {bar}"),
            format!("{} in {} s", found.shown(), plain(found.seconds_each())),
            section.verdict(Verdict::at_most(bar, mean)),
        ]);
    }
    section.say("The bars:");
    section.table(&["bar", "measured", "reached"], &lines);
}

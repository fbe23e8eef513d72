//! Executions a second, with and without clocks.

use crate::engines::{loom, selvedge, shuttle};
use crate::figures::{NONE, factor, rate, time};
use crate::measure::{Contender, Cost, Slices, side_by_side};
use crate::program::find;
use crate::report::{Section, Verdict};

/// A program, how much faster than shuttle random choices and the default have to be, and whether
/// loom can run it at all: it has room for four threads besides the first.
struct Row(&'static str, Option<f64>, f64, Loom);

#[derive(Clone, Copy)]
enum Loom {
    Runs,
    TooManyThreads,
}

/// How much faster than shuttle the default has to be on every program, and on short ones.
const PORTFOLIO_BAR: f64 = 2.5;
const SHORT_BAR: f64 = 4.0;

const ROWS: [Row; 14] = [
    Row("mutex_inc(2, 1)", Some(8.0), SHORT_BAR, Loom::Runs),
    Row("mutex_inc(2, 10)", None, SHORT_BAR, Loom::Runs),
    Row("mutex_inc(2, 100)", Some(10.0), PORTFOLIO_BAR, Loom::Runs),
    Row("mutex_inc(2, 1000)", None, PORTFOLIO_BAR, Loom::Runs),
    Row("mutex_inc(16, 100)", None, PORTFOLIO_BAR, Loom::TooManyThreads),
    Row("mutex_inc(64, 100)", None, PORTFOLIO_BAR, Loom::TooManyThreads),
    Row("atomic_inc(2, 100)", Some(4.0), PORTFOLIO_BAR, Loom::Runs),
    Row("atomic_private(2, 100)", None, PORTFOLIO_BAR, Loom::Runs),
    Row("spsc(3, 2)", Some(5.0), SHORT_BAR, Loom::Runs),
    Row("spsc(100, 4)", Some(4.0), PORTFOLIO_BAR, Loom::Runs),
    Row("channel3(2)", Some(6.0), SHORT_BAR, Loom::Runs),
    Row("channel3(100)", None, PORTFOLIO_BAR, Loom::Runs),
    Row("condvar_pingpong(2)", Some(7.0), SHORT_BAR, Loom::Runs),
    Row("condvar_pingpong(100)", Some(8.0), PORTFOLIO_BAR, Loom::Runs),
];

/// How much faster than loom every program that it can run has to be.
const LOOM_BAR: f64 = 20.0;
/// How much more an execution may cost with clocks.
const CLOCKS_BAR: f64 = 1.2;

/// Adds the tables of executions a second and of what clocks cost.
pub(super) fn measure(section: &mut Section, slices: Slices) {
    let (mut rows, mut clock_rows) = (Vec::new(), Vec::new());
    for row in ROWS {
        eprintln!("speed: {}", row.0);
        let [random, clocks, portfolio, shuttle, loom] = side_by_side(contenders(&row), slices);
        let Row(name, bar, portfolio_bar, _) = row;
        let mut cells = vec![format!("`{name}`"), shown(shuttle), shown(random)];
        cells.extend(compare(section, random, shuttle, bar));
        cells.push(shown(portfolio));
        cells.extend(compare(section, portfolio, shuttle, Some(portfolio_bar)));
        cells.push(shown(loom));
        cells.extend(compare(section, random, loom, Some(LOOM_BAR)));
        rows.push(cells);
        if let (Some(off), Some(on)) = (random, clocks) {
            let ratio = on.seconds / off.seconds;
            clock_rows.push(vec![
                format!("`{name}`"),
                time(off.seconds),
                time(on.seconds),
                factor(ratio),
                format!("≤ {}", factor(CLOCKS_BAR)),
                section.verdict(Verdict::at_most(CLOCKS_BAR, ratio)),
            ]);
        }
    }
    section.say("Executions a second:");
    section.table(
        &[
            "program",
            "shuttle",
            "selvedge",
            "ratio",
            "bar",
            "",
            "portfolio",
            "ratio",
            "bar",
            "",
            "loom",
            "ratio",
            "bar",
            "",
        ],
        &rows,
    );
    section.say("What happens-before clocks cost (random choices, clocks on against off):");
    section.table(&["program", "off", "on", "ratio", "bar", ""], &clock_rows);
}

/// Selvedge at random, with clocks (only where there is a bar to reach) and as it is by default,
/// shuttle, and loom where it can.
fn contenders(row: &Row) -> [Option<Contender>; 5] {
    let &Row(name, bar, _, with_loom) = row;
    let ours = find(selvedge::steady::ALL, name);
    let random = Contender { engine: selvedge::random, program: ours };
    let clocks = Contender { engine: selvedge::random_with_clocks, program: ours };
    let portfolio = Contender { engine: selvedge::portfolio, program: ours };
    let theirs = find(shuttle::steady::ALL, name);
    let shuttle = Contender { engine: shuttle::random, program: theirs };
    let loom = match with_loom {
        Loom::Runs => {
            let program = find(loom::steady::ALL, name);
            Some(Contender { engine: loom::exhaustive, program })
        }
        Loom::TooManyThreads => None,
    };
    [Some(random), bar.map(|_| clocks), Some(portfolio), Some(shuttle), loom]
}

fn shown(cost: Option<Cost>) -> String {
    cost.map_or(NONE.to_owned(), |cost| rate(cost.rate()))
}

/// How much faster ours is than theirs, the bar and whether it is reached.
fn compare(
    section: &mut Section,
    ours: Option<Cost>,
    theirs: Option<Cost>,
    bar: Option<f64>,
) -> [String; 3] {
    let none = || NONE.to_owned();
    let (Some(ours), Some(theirs)) = (ours, theirs) else { return [none(), none(), none()] };
    let ratio = theirs.seconds / ours.seconds;
    let Some(bar) = bar else { return [factor(ratio), none(), none()] };
    let verdict = section.verdict(Verdict::at_least(bar, ratio));
    [factor(ratio), format!("≥ {}", factor(bar)), verdict]
}

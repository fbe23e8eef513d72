//! What single things cost: a step, a thread, an execution.

use crate::engines::{Ran, selvedge, shuttle};
use crate::figures::{NONE, factor, plain, time};
use crate::measure::{Contender, Cost, Slices, side_by_side};
use crate::program::find;
use crate::report::{Section, Verdict};

/// How much of shuttle's cost a step, a thread and an execution may have.
const COST_BAR: f64 = 0.25;
/// How much more a step may cost with 256 threads than with 2.
const GROWTH_BAR: f64 = 1.5;

/// The same thing on both engines, in seconds.
#[derive(Clone, Copy)]
struct Both {
    selvedge: f64,
    shuttle: f64,
}

/// Adds the tables of costs and of how the cost of a step grows.
pub(super) fn measure(section: &mut Section, slices: Slices) {
    let mut rows = Vec::new();
    let few = step(slices, "yields(2, 1000)");
    rows.push(compared(section, "step, `yields(2, 1000)`", few, Some(COST_BAR)));
    let mut without_bar = |name| {
        let cost = step(slices, name);
        rows.push(compared(section, &format!("step, `{name}`"), cost, None));
        cost
    };
    without_bar("yields(16, 1000)");
    without_bar("yields(64, 1000)");
    let many = without_bar("yields(256, 100)");
    // A thread that only yields soon has to wait for a change in Selvedge, so these steps, each of
    // which changes something, stand beside those.
    let busy_few = without_bar("atomic_inc(2, 1000)");
    let busy_many = without_bar("atomic_inc(256, 100)");

    let (ours, theirs) =
        executions(slices, selvedge::random_alone, "one_choice()", "spawn_join(0)");
    let empty = Both { selvedge: ours.seconds, shuttle: theirs.seconds };
    rows.push(compared(section, "empty execution", empty, Some(COST_BAR)));
    for threads in [16, 64] {
        let what = format!("thread, spawned and joined, of {threads}");
        let cost = thread(slices, threads, empty);
        rows.push(compared(section, &what, cost, Some(COST_BAR)));
    }

    section.say(
        "What single things cost. A step is what each engine counts as one. A thread is the slope \
         from the empty execution to the one with so many threads. Selvedge runs a program without \
         any decision only once, so its empty execution has one weak compare-exchange in it, which \
         is asked to fail (`weak_cas=eager`); shuttle's is truly empty.",
    );
    section.table(&["cost of", "selvedge", "shuttle", "ratio", "bar", ""], &rows);
    section.say("How much more a step costs with 256 threads than with 2:");
    let rows = [
        growth(section, "`yields`", few, many, Some(GROWTH_BAR)),
        growth(section, "`atomic_inc`", busy_few, busy_many, None),
    ];
    section.table(&["steps of", "selvedge", "shuttle", "bar", ""], &rows);
}

/// What a step of the program costs.
fn step(slices: Slices, name: &str) -> Both {
    let (ours, theirs) = executions(slices, selvedge::random, name, name);
    let our_steps = ours.steps.expect("selvedge counts steps");
    let their_steps = shuttle::steps(find(shuttle::steady::ALL, name));
    eprintln!("  steps: selvedge {}, shuttle {}", plain(our_steps), plain(their_steps));
    Both { selvedge: ours.seconds / our_steps, shuttle: theirs.seconds / their_steps }
}

/// What a thread costs that has nothing to do.
fn thread(slices: Slices, threads: u32, empty: Both) -> Both {
    let name = format!("spawn_join({threads})");
    let (ours, theirs) = executions(slices, selvedge::random, &name, &name);
    Both {
        selvedge: (ours.seconds - empty.selvedge) / f64::from(threads),
        shuttle: (theirs.seconds - empty.shuttle) / f64::from(threads),
    }
}

/// What executions cost of one program on Selvedge and of another, or the same, on shuttle.
fn executions(
    slices: Slices,
    engine: fn(fn(), u64) -> Ran,
    ours: &str,
    theirs: &str,
) -> (Cost, Cost) {
    eprintln!("speed: {ours}");
    let ours = find(selvedge::steady::ALL, ours);
    let theirs = find(shuttle::steady::ALL, theirs);
    let contenders = [
        Some(Contender { engine, program: ours }),
        Some(Contender { engine: shuttle::random, program: theirs }),
    ];
    let [ours, theirs] = side_by_side(contenders, slices);
    (ours.expect("selvedge repeats it"), theirs.expect("shuttle repeats it"))
}

/// The row of a cost.
fn compared(section: &mut Section, what: &str, cost: Both, bar: Option<f64>) -> Vec<String> {
    let ratio = cost.selvedge / cost.shuttle;
    let [bar, verdict] = held_against(section, bar, ratio);
    vec![what.to_owned(), time(cost.selvedge), time(cost.shuttle), factor(ratio), bar, verdict]
}

/// The row of how a cost grows. The bar is for Selvedge alone.
fn growth(
    section: &mut Section,
    what: &str,
    few: Both,
    many: Both,
    bar: Option<f64>,
) -> Vec<String> {
    let ours = many.selvedge / few.selvedge;
    let [bar, verdict] = held_against(section, bar, ours);
    vec![what.to_owned(), factor(ours), factor(many.shuttle / few.shuttle), bar, verdict]
}

/// The cells for a bar that a ratio must not exceed, and for whether it does.
fn held_against(section: &mut Section, bar: Option<f64>, ratio: f64) -> [String; 2] {
    match bar {
        Some(bar) => [format!("≤ {}", factor(bar)), section.verdict(Verdict::at_most(bar, ratio))],
        None => [NONE.to_owned(), NONE.to_owned()],
    }
}

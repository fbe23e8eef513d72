//! What coverage metrics cost.

use crate::engines::selvedge;
use crate::figures::{factor, time};
use crate::measure::{Contender, Slices, side_by_side};
use crate::program::find;
use crate::report::{Section, Verdict};

const PROGRAMS: [&str; 8] = [
    "mutex_inc(2, 1)",
    "mutex_inc(2, 100)",
    "mutex_inc(16, 100)",
    "atomic_inc(2, 100)",
    "spsc(100, 4)",
    "channel3(100)",
    "condvar_pingpong(2)",
    "condvar_pingpong(100)",
];

/// How much more an execution may cost with four metrics.
const BAR: f64 = 1.6;

/// Adds the table of what metrics cost.
pub(super) fn measure(section: &mut Section, slices: Slices) {
    let mut rows = Vec::new();
    for name in PROGRAMS {
        eprintln!("speed: {name} with metrics");
        let program = find(selvedge::steady::ALL, name);
        let contender = |engine| Some(Contender { engine, program });
        let [off, on] = side_by_side(
            [contender(selvedge::random), contender(selvedge::random_with_metrics)],
            slices,
        );
        let (Some(off), Some(on)) = (off, on) else { continue };
        let ratio = on.seconds / off.seconds;
        rows.push(vec![
            format!("`{name}`"),
            time(off.seconds),
            time(on.seconds),
            factor(ratio),
            format!("≤ {}", factor(BAR)),
            section.verdict(Verdict::at_most(BAR, ratio)),
        ]);
    }
    section.say("What the metrics sp, hbpair, dupairs and avio cost together (random choices):");
    section.table(&["program", "off", "on", "ratio", "bar", ""], &rows);
}

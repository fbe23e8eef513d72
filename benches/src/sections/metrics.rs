//! What coverage metrics cost.

use crate::args::Size;
use crate::engines::selvedge;
use crate::figures::{factor, time};
use crate::measure::{Contender, Slices, side_by_side};
use crate::program::find;
use crate::report::{Section, Verdict};
use std::time::Duration;

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

pub(crate) fn measure(size: Size) -> Section {
    let slices = match size {
        Size::Quick => Slices { count: 5, length: Duration::from_millis(100) },
        Size::Usual | Size::Full => Slices { count: 15, length: Duration::from_millis(150) },
    };
    let mut section = Section::new("Metrics");
    let mut rows = Vec::new();
    for name in PROGRAMS {
        eprintln!("metrics: {name}");
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
    section.say(&format!(
        "What the metrics sp, hbpair, dupairs and avio cost an execution together: processor time, \
         best of {} slices that take turns, random choices.",
        slices.count
    ));
    section.table(&["program", "off", "on", "ratio", "bar", ""], &rows);
    section
}

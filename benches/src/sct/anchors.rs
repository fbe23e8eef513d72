//! What others have published for the same programs: executions until the bug is found.
//!
//! The first five columns are from the data of the authors of RFF (20 trials of 5 minutes), the
//! other four from those of SURW (20 trials of 10,000 executions; SafeStack 1,000,000).

/// What one of the others needs for one program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Anchor {
    /// The mean over the trials that found it, and how many of 20 did.
    Found(f64, u32),
    /// No trial found it.
    Never,
    /// Not measured.
    Unknown,
}

use Anchor::{Never, Unknown};

/// What the columns stand for.
pub(crate) const COLUMNS: [&str; 9] =
    ["PCT3", "PERIOD", "RFF", "POS", "QL", "SURW", "PCT10", "POS'", "RW"];

/// The row of a program.
type Row = (&'static str, [Anchor; 9]);

/// Found by all trials.
const fn m(mean: u32) -> Anchor {
    Anchor::Found(mean as f64, 20)
}

/// Found by some of the trials.
const fn k(mean: u32, trials: u32) -> Anchor {
    Anchor::Found(mean as f64, trials)
}

const N: Anchor = Never;
const U: Anchor = Unknown;

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("aget_bug2", [m(1), m(9), m(1), m(1), m(1), m(2), m(2), m(1), m(1)]),
    ("pbzip2", [N, k(45, 9), k(2, 1), N, N, U, U, U, U]),
    ("string_buffer", [m(195), m(27), m(15), m(18), m(1405), m(8), m(26), m(23), k(2243, 19)]),
    ("account", [m(9), m(10), m(1), m(1), m(6), m(6), m(4), m(4), m(18)]),
    ("bluetooth_driver", [m(161), m(9), m(45), m(72), m(155), m(70), m(83), m(36), m(215)]),
    ("carter01", [m(5), m(4), m(2), m(2), m(1), U, m(3), m(2), m(1)]),
    ("circular_buffer", [m(5), m(3), m(2), m(2), m(2), m(3), m(5), m(2), m(4)]),
    ("deadlock01", [m(20), m(3), m(5), m(4), m(1), m(2), m(7), m(4), m(3)]),
    ("lazy01", [m(10), m(7), m(6), m(5), m(12), m(2), m(5), m(5), m(21)]),
    ("queue", [m(12), m(4), m(1), m(1), m(1), m(2), m(2), m(1), m(1)]),
    ("reorder_3", [m(241), m(6), m(7), m(223), k(45843, 18), m(7), m(148), m(86), N]),
    ("reorder_4", [m(395), m(9), m(6), m(1464), N, m(7), m(362), m(533), N]),
    ("reorder_5", [m(1126), m(12), m(6), k(4377, 17), N, m(10), m(1094), m(2169), N]),
    ("reorder_10", [m(2356), m(27), m(6), N, N, m(17), k(4462, 12), N, N]),
    ("reorder_20", [m(2128), m(39), m(6), N, N, m(6), k(3297, 17), N, N]),
    ("reorder_50", [k(12346, 7), m(129), m(6), N, N, m(13), k(9422, 1), N, N]),
    ("reorder_100", [k(7447, 1), m(297), m(6), N, N, m(194), N, N, N]),
    ("stack", [m(2), m(8), m(2), m(2), m(1), m(5), m(3), m(2), m(176)]),
    ("token_ring", [m(8), m(2), m(5), m(7), m(12), m(8), m(8), m(9), m(13)]),
    ("twostage", [m(9), m(4), m(8), m(15), m(336), m(8), m(9), m(15), m(464)]),
    ("twostage_20", [m(188), m(76), m(22), m(185), N, m(6), m(101), m(156), N]),
    ("twostage_50", [m(849), m(286), m(35), k(1984, 19), N, m(20), m(692), m(1637), N]),
    ("twostage_100", [k(3888, 6), m(690), m(56), N, N, m(454), k(5726, 9), k(6674, 3), N]),
    ("wronglock", [m(88), m(4), m(1), m(1), m(37), m(7), m(20), m(10), m(36)]),
    ("wronglock_3", [m(40), m(5), m(1), m(1), m(37), m(9), m(14), m(11), m(36)]),
    ("interlocked_wsq", [k(24, 14), m(57), m(1), m(1), N, m(6), m(13), m(14), N]),
    ("interlocked_wsq_with_state", [k(16, 1), m(224), m(7), m(9), m(16), m(6), m(204), m(5), m(26)]),
    ("state_wsq", [k(12, 1), m(249), m(1), m(1), N, m(7), m(199), m(6), U]),
    ("wsq", [m(12), m(57), m(10), m(10), N, m(6), m(16), m(12), U]),
    ("cve_2009_3547", [m(6), m(2), m(1), m(1), m(1), m(4), m(3), m(3), m(5)]),
    ("cve_2011_2183", [m(9), m(3), m(2), m(2), m(1), m(3), m(3), m(2), m(2)]),
    ("cve_2013_1792", [m(87), m(13), m(23), m(50), m(388), m(15), m(50), m(39), m(364)]),
    ("cve_2015_7550", [m(8), m(3), m(6), m(7), m(1), m(6), m(4), m(6), m(1)]),
    ("cve_2016_1972", [N, k(3, 7), m(39), m(86), k(74, 6), m(11), k(2712, 19), m(34), m(299)]),
    ("cve_2016_1973", [m(8), m(6), m(3), m(7), m(5947), m(5), m(6), m(5), m(308)]),
    ("cve_2016_7911", [m(16), m(3), m(13), m(12), m(1), m(8), m(15), m(11), m(3)]),
    ("cve_2016_9806", [m(4), m(6), m(11), m(14), m(554), m(3), m(4), m(7), m(2209)]),
    ("cve_2017_15265", [N, m(11), m(36), N, N, N, N, N, N]),
    ("cve_2017_6346", [m(15), m(5), m(5), m(13), m(1), m(15), m(20), m(10), m(3)]),
    ("bounded_buffer", [m(15), k(8, 16), m(8), m(6), m(14), m(9), m(6), m(5), m(7)]),
    ("ctrace", [m(1), m(3), m(1), m(1), m(1), U, m(2), m(1), m(1)]),
    ("qsort_mt", [m(3838), m(27), m(322), m(646), N, k(3048, 19), k(3689, 15), k(3004, 18), k(3442, 19)]),
    ("radbench_bug4", [m(1), U, m(1), m(1), m(1), m(23), m(1044), m(240), k(1688, 19)]),
    ("radbench_bug6", [m(1), U, m(1), m(1), m(1), m(4), m(21), m(18), m(48)]),
    ("safe_stack", [N, N, N, N, N, k(368_921, 19), N, N, N]),
    ("barnes", [N, m(2), m(3), m(2), m(2), m(3), m(2), m(3), m(3)]),
    ("fft", [m(1), m(2), m(1), m(1), m(1), U, m(2), m(1), m(1)]),
    ("lu", [N, m(2), m(1), m(1), m(47), m(3), m(3), m(3), m(43)]),
];

/// What is expected of the programs that are in nobody's table.
const OWN_BARS: &[(&str, f64)] = &[("philosophers_7", 20.0)];

/// The best of the others at a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Best {
    pub(crate) column: &'static str,
    pub(crate) mean: f64,
    pub(crate) trials: u32,
}

/// The best cell of the row: the smallest mean among those that the most trials have found. A mean
/// over the few trials that were lucky says nothing about the others.
pub(crate) fn best(program: &str) -> Option<Best> {
    let (_, row) = ROWS.iter().find(|(name, _)| *name == program)?;
    let cells = COLUMNS.into_iter().zip(row);
    let found = cells.filter_map(|(column, anchor)| match *anchor {
        Anchor::Found(mean, trials) => Some(Best { column, mean, trials }),
        Never | Unknown => None,
    });
    found.min_by(|a, b| b.trials.cmp(&a.trials).then(a.mean.total_cmp(&b.mean)))
}

/// At most so many executions, whatever others need.
pub(crate) fn own_bar(program: &str) -> Option<f64> {
    OWN_BARS.iter().find(|(name, _)| *name == program).map(|(_, bar)| *bar)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_program() {
        for (name, _) in ROWS {
            let known = selvedge_fixtures::SCT.iter().any(|program| program.name == *name);
            assert!(known, "{name}");
        }
    }

    #[test]
    fn complete_cells_beat_lucky_ones() {
        let best = best("cve_2016_1972").unwrap();
        assert_eq!((best.column, best.mean), ("SURW", 11.0));
    }
}

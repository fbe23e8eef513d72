//! How good a metric is for a test: Total, Average and Smooth over random series of executions.
//!
//! Source: Z. Letko, *Analysis and Testing of Concurrent Programs* (2012), section 3.5: over series
//! drawn at random from a pool of executions, *Total* is the mean number of requirements that a
//! series covers, *Average* the mean number that one execution covers divided by Total, and *Smooth*
//! the mean number of different cumulative values divided by the length of the series.
//!
//! Deviations: (1) executions are drawn with replacement, so that a series may be as long as one
//! likes.

use selvedge_model::{Quality, Series};

/// What each execution has covered, by the numbers of the requirements.
pub(crate) type Runs = Vec<Box<[u32]>>;

/// The quality of a metric over random series; nothing if there were no executions.
pub(crate) fn quality(runs: &Runs, series: Series) -> Option<Quality> {
    if runs.is_empty() || series.count == 0 || series.length == 0 {
        return None;
    }
    let mut random = Random(0x5e1f_ed6e);
    let (mut total, mut single, mut values) = (0u64, 0u64, 0u64);
    let most = runs.iter().flatten().max().map_or(0, |&most| most as usize + 1);
    // In which series each requirement was covered last.
    let mut last = vec![u32::MAX; most];
    for number in 0..series.count {
        for _ in 0..series.length {
            let run = &runs[random.below(runs.len())];
            let before = total;
            for &requirement in run {
                let last = &mut last[requirement as usize];
                total += u64::from(*last != number);
                *last = number;
            }
            single += run.len() as u64;
            values += u64::from(total > before);
        }
    }
    let (count, length) = (f64::from(series.count), f64::from(series.length));
    let total = total as f64 / count;
    let executions = count * length;
    Some(Quality {
        total,
        average: if total > 0.0 { single as f64 / executions / total } else { 0.0 },
        smooth: values as f64 / executions,
    })
}

/// Numbers that look random and are the same in every run (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z % bound as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERIES: Series = Series { count: 50, length: 40 };

    #[test]
    fn a_metric_that_sees_everything_at_once_has_average_one_and_grows_once() {
        let runs: Runs = vec![Box::new([0, 1, 2]); 10];
        let quality = quality(&runs, SERIES).unwrap();
        assert_eq!((quality.total, quality.average), (3.0, 1.0));
        assert_eq!(quality.smooth, 1.0 / 40.0);
    }

    #[test]
    fn a_metric_that_never_sees_the_same_again_grows_with_every_new_execution() {
        let runs: Runs = (0..100_000).map(|n| Box::from([n])).collect();
        let quality = quality(&runs, SERIES).unwrap();
        assert!(quality.smooth > 0.99, "{quality:?}");
        assert!((quality.average - 1.0 / quality.total).abs() < 1e-9, "{quality:?}");
    }

    #[test]
    fn without_executions_there_is_no_quality() {
        assert_eq!(quality(&Runs::new(), SERIES), None);
    }
}

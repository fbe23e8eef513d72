//! Precision and recall.

use std::collections::BTreeSet;

/// How well a set that was inferred agrees with the one that was written by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Score {
    /// In both.
    right: usize,
    /// What was inferred.
    inferred: usize,
    /// What was written.
    written: usize,
}

/// The mean of scores, as the original has it: over tests. A test for which nothing was inferred has
/// no precision, and no part in either mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mean {
    /// How much of what was inferred is right.
    pub(crate) precision: f64,
    /// How much of what is right was inferred.
    pub(crate) recall: f64,
    /// The same, with nothing inferred counted as nothing found.
    pub(crate) recall_of_all: f64,
}

impl Score {
    /// Compares what was inferred with what was written.
    pub(crate) fn new<T: Ord>(inferred: &BTreeSet<T>, written: &BTreeSet<T>) -> Self {
        let right = inferred.intersection(written).count();
        Self { right, inferred: inferred.len(), written: written.len() }
    }

    /// Whether all is as it was written.
    pub(crate) fn is_perfect(self) -> bool {
        self.right == self.inferred && self.right == self.written
    }
}

impl Mean {
    /// The mean, or nothing if nothing was inferred for any test.
    pub(crate) fn of(scores: &[Score]) -> Option<Self> {
        let with_result = scores.iter().filter(|score| score.inferred > 0);
        let count = with_result.clone().count();
        if count == 0 {
            return None;
        }
        let precision: f64 = with_result.map(|score| ratio(score.right, score.inferred)).sum();
        let recall: f64 = scores.iter().map(|score| ratio(score.right, score.written)).sum();
        Some(Self {
            precision: precision / count as f64,
            recall: recall / count as f64,
            recall_of_all: recall / scores.len() as f64,
        })
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(inferred: &[u32], written: &[u32]) -> Score {
        Score::new(&inferred.iter().copied().collect(), &written.iter().copied().collect())
    }

    #[test]
    fn means_are_over_tests_and_leave_out_those_without_a_result() {
        let scores = [score(&[1, 2], &[1]), score(&[1], &[1, 2]), score(&[], &[1])];
        let mean = Mean::of(&scores).unwrap();
        assert_eq!((mean.precision, mean.recall, mean.recall_of_all), (0.75, 0.75, 0.5));
        assert_eq!(Mean::of(&scores[2..]), None);
        assert!(score(&[1], &[1]).is_perfect() && !scores[0].is_perfect());
    }
}

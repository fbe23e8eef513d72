//! In how many executions each requirement was covered, as far as it matters, and what of that is
//! news.

use selvedge_model::Frequency;

/// Counts that go up to three, by the numbers of requirements.
#[derive(Default)]
pub(crate) struct Frequencies {
    counts: Vec<Count>,
    /// Those whose count has changed since that was last asked, in the order of the first change.
    changed: Vec<u32>,
}

/// How often a requirement was covered.
#[derive(Clone, Copy, Default)]
struct Count {
    /// In so many executions, here or elsewhere, at most [`OFTEN`].
    all: u8,
    /// In so many executions here since that was last asked.
    untold: u8,
    /// The first execution.
    first: u64,
}

/// More is not counted.
const OFTEN: u8 = 3;

/// What became of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    /// It may still grow.
    Rare,
    /// It does not grow any more.
    Often,
}

impl Counted {
    pub(crate) fn is_rare(self) -> bool {
        self == Self::Rare
    }
}

/// A requirement that was covered more often since that was last asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct News {
    pub(crate) number: u32,
    /// In how many executions since then.
    pub(crate) frequency: Frequency,
    pub(crate) first: u64,
}

impl Frequencies {
    /// There is another requirement.
    pub(crate) fn add(&mut self) {
        self.counts.push(Count::default());
    }

    /// An execution has covered a requirement.
    #[inline]
    pub(crate) fn count(&mut self, number: u32, execution: u64) -> Counted {
        let count = &mut self.counts[number as usize];
        if count.all == OFTEN {
            return Counted::Often;
        }
        if count.all == 0 {
            count.first = execution;
        }
        if count.untold == 0 {
            self.changed.push(number);
        }
        count.all += 1;
        count.untold += 1;
        if count.all == OFTEN { Counted::Often } else { Counted::Rare }
    }

    /// How many requirements were covered in exactly one execution, and how many in two.
    pub(crate) fn rare(&self) -> (u64, u64) {
        let with = |all| self.counts.iter().filter(|count| count.all == all).count() as u64;
        (with(1), with(2))
    }

    /// A requirement was covered elsewhere.
    pub(crate) fn learn(&mut self, number: u32, frequency: Frequency, first: u64) {
        let count = &mut self.counts[number as usize];
        let more = match frequency {
            Frequency::Once => 1,
            Frequency::Twice => 2,
            Frequency::Often => OFTEN,
        };
        count.first = if count.all == 0 { first } else { count.first.min(first) };
        count.all = (count.all + more).min(OFTEN);
    }

    /// What has changed here since this was last asked.
    pub(crate) fn news(&mut self) -> Vec<News> {
        let Self { counts, changed } = self;
        let news = changed.drain(..).map(|number| {
            let count = &mut counts[number as usize];
            let frequency = match std::mem::take(&mut count.untold) {
                1 => Frequency::Once,
                2 => Frequency::Twice,
                _ => Frequency::Often,
            };
            News { number, frequency, first: count.first }
        });
        news.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_requirement_is_told_of_until_it_is_known_to_be_covered_often() {
        let mut counts = Frequencies::default();
        counts.add();
        counts.add();
        let news = |number, frequency, first| News { number, frequency, first };
        assert_eq!(counts.count(1, 5), Counted::Rare);
        assert_eq!(counts.news(), [news(1, Frequency::Once, 5)]);
        assert_eq!(counts.news(), []);
        assert_eq!(counts.count(1, 6), Counted::Rare);
        assert_eq!(counts.count(0, 6), Counted::Rare);
        assert_eq!(counts.count(1, 7), Counted::Often);
        assert_eq!(counts.news(), [news(1, Frequency::Twice, 5), news(0, Frequency::Once, 6)]);
        assert_eq!(counts.count(1, 8), Counted::Often);
        assert_eq!(counts.news(), []);
    }

    #[test]
    fn what_others_have_covered_counts_and_is_no_news() {
        let mut counts = Frequencies::default();
        counts.add();
        counts.learn(0, Frequency::Twice, 9);
        assert_eq!(counts.news(), []);
        assert_eq!(counts.count(0, 12), Counted::Often);
        assert_eq!(counts.news(), [News { number: 0, frequency: Frequency::Once, first: 9 }]);
        counts.learn(0, Frequency::Once, 2);
        assert_eq!(counts.count(0, 13), Counted::Often);
    }
}

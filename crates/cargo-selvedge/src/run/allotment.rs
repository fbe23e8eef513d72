//! How much of a test's budget a process gets, and where its randomness comes from.

use selvedge_model::{Config, EXECUTIONS, StrategyName};

/// The settings of an exploration, by name.
pub(crate) type Explore = Vec<(String, String)>;

/// As many as there is time for, if somebody says how long it may take.
const ANY_NUMBER: u64 = 1_000_000_000;

/// What of the settings says how much is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allotment {
    /// At most so many executions.
    pub(crate) executions: u64,
    /// Where all randomness comes from.
    pub(crate) seed: u64,
}

impl Allotment {
    /// What the settings say.
    pub(crate) fn of(settings: &Explore) -> Self {
        let is_timed = settings.iter().any(|(key, _)| key == "time");
        let executions = if is_timed { ANY_NUMBER } else { EXECUTIONS };
        let config = checked(Config { executions, ..Config::default() }, settings);
        Self { executions: config.executions, seed: config.seed }
    }

    /// The settings, with this in the place of what they say.
    pub(crate) fn apply(self, settings: &Explore) -> Explore {
        let mut settings = settings.clone();
        let ours = [("executions", self.executions), ("seed", self.seed)];
        settings.retain(|(key, _)| ours.iter().all(|(own, _)| key != own));
        settings.extend(ours.map(|(key, value)| (key.to_owned(), value.to_string())));
        settings
    }

    /// One of so many equal parts, counted from 0.
    pub(crate) fn part(self, index: u64, count: u64) -> Self {
        let more = u64::from(index < self.executions % count);
        let executions = self.executions / count + more;
        Self { executions, seed: derived(self.seed, index) }
    }

    /// What is left after so many executions. They are not run again.
    pub(crate) fn after(self, done: u64) -> Self {
        let seed = if done == 0 { self.seed } else { derived(self.seed, !done) };
        Self { executions: self.executions.saturating_sub(done), seed }
    }
}

/// Another seed for each number, none of which has to do with the others (SplitMix64).
fn derived(seed: u64, number: u64) -> u64 {
    let mut z = seed ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Who decides which thread goes next.
pub(crate) fn strategy(settings: &Explore) -> StrategyName {
    checked(Config::default(), settings).strategy
}

/// Applies settings. They have been checked; whoever gets here with a bad one hears of it from the
/// worker.
pub(crate) fn checked(mut config: Config, settings: &[(String, String)]) -> Config {
    for (key, value) in settings {
        let _ = config.set(key, value);
    }
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Allotment = Allotment { executions: 10, seed: 7 };

    #[test]
    fn parts_are_the_whole_and_have_seeds_of_their_own() {
        let parts = [0, 1, 2].map(|index| ALL.part(index, 3));
        assert_eq!(parts.map(|part| part.executions), [4, 3, 3]);
        let mut seeds = parts.map(|part| part.seed).to_vec();
        seeds.extend([ALL.seed, ALL.after(4).seed, ALL.after(5).seed]);
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 6);
    }

    #[test]
    fn what_is_done_is_not_run_again() {
        assert_eq!(ALL.after(0), ALL);
        assert_eq!(ALL.after(4).executions, 6);
        assert_eq!(ALL.after(11).executions, 0);
    }

    #[test]
    fn whoever_asks_for_time_gets_it() {
        let executions = |key: &str, value: &str| {
            Allotment::of(&vec![(key.to_owned(), value.to_owned())]).executions
        };
        assert_eq!(Allotment::of(&Vec::new()).executions, EXECUTIONS);
        assert_eq!(executions("executions", "7"), 7);
        assert_eq!(executions("time", "1m"), ANY_NUMBER);
    }

    #[test]
    fn settings_say_what_they_said_otherwise() {
        let given = [("seed", "3"), ("metrics", "sp")];
        let given = given.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
        assert_eq!(Allotment::of(&given).seed, 3);
        let applied = ALL.apply(&given);
        assert_eq!(Allotment::of(&applied), ALL);
        assert!(applied.contains(&("metrics".to_owned(), "sp".to_owned())));
    }
}

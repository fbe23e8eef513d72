//! How long an execution is waited for that comes to no operation.
//!
//! What counts is not the time that passes but the time in which nobody works on it ([`Effort`]), as
//! somebody sees it who looks again and again. A machine that is busy, or was suspended, makes everybody
//! slow, the one who looks included: so the time between two looks counts for no more than it should be.

use selvedge_engine::Effort;
use std::time::Duration;

/// How often somebody looks.
pub(crate) const LOOK: Duration = Duration::from_millis(50);
/// One who waits for files looks at them every now and then, and may be caught at it. A look that finds
/// somebody at work weighs so much more than one that does not.
const WEIGHT: u32 = 4;
/// Those who use less than one in so many of the processor's ticks are not at work.
const USE: u32 = 5;
/// The kernel counts ticks of this length.
const TICK: Duration = Duration::from_millis(10);

/// What has been seen since an execution last came to an operation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Patience {
    /// For so long nobody has worked on it.
    still: Duration,
    /// How much processor time was used for it.
    computed: Duration,
    last: Option<Effort>,
}

impl Patience {
    /// Takes in a look, so long after the one before. Without an effort nobody of the test's is there yet.
    pub(crate) fn look(&mut self, effort: Option<Effort>, since: Duration) {
        let since = since.min(LOOK * 2);
        let Some(now) = effort else { return };
        let before = self.last.replace(now);
        let ticks = now.ticks.saturating_sub(before.map_or(0, |before| before.ticks));
        let used = TICK * u32::try_from(ticks).unwrap_or(u32::MAX).min(1_000);
        // The first look has nothing to compare with.
        let used = if before.is_some() { used } else { Duration::ZERO };
        self.computed += used;
        if now.is_ready || (used * USE >= since && !used.is_zero()) {
            self.still = self.still.saturating_sub(since * WEIGHT);
        } else {
            self.still += since;
        }
    }

    /// For how long nobody has worked on it.
    pub(crate) fn still(&self) -> Duration {
        self.still
    }

    /// How much processor time was used for it. However busy the machine is, that is the test's.
    pub(crate) fn computed(&self) -> Duration {
        self.computed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn after(looks: impl IntoIterator<Item = (Effort, Duration)>) -> Patience {
        let mut patience = Patience::default();
        looks.into_iter().for_each(|(effort, since)| patience.look(Some(effort), since));
        patience
    }

    fn asleep(ticks: u64) -> Effort {
        Effort { ticks, is_ready: false }
    }

    #[test]
    fn who_sleeps_stands_still_and_who_is_ready_does_not() {
        let sleeps = after((0..40).map(|_| (asleep(7), LOOK)));
        assert_eq!((sleeps.still(), sleeps.computed()), (2 * SECOND, Duration::ZERO));
        // However little of the processor it gets.
        let ready = Effort { ticks: 7, is_ready: true };
        let waits = after((0..40).map(|_| (ready, LOOK)));
        assert_eq!((waits.still(), waits.computed()), (Duration::ZERO, Duration::ZERO));
    }

    #[test]
    fn who_uses_a_processor_between_the_looks_is_at_work() {
        let works = after((0..40).map(|number| (asleep(number * 2), LOOK)));
        assert!(works.still() <= LOOK, "{works:?}");
        assert_eq!(works.computed(), TICK * 78);
        // One that only looks at files every now and then does not.
        let polls = after((0..40).map(|number| (asleep(number / 20), LOOK)));
        assert!(polls.still() > SECOND, "{polls:?}");
    }

    #[test]
    fn a_machine_that_was_suspended_is_no_evidence() {
        let suspended = after([(asleep(7), LOOK), (asleep(7), 3600 * SECOND)]);
        assert!(suspended.still() <= LOOK * 3);
    }

    #[test]
    fn before_the_first_execution_nobody_stands_still() {
        let mut patience = Patience::default();
        (0..1_000).for_each(|_| patience.look(None, LOOK));
        assert_eq!(patience.still(), Duration::ZERO);
    }
}

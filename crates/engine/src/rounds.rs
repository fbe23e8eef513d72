//! What is kept of threads that go round and round.

use crate::circle::Circle;
use crate::fairness::Fairness;
use crate::spin::Spin;

/// Who spins, who never ends, and who is passed over meanwhile.
#[derive(Default)]
pub(crate) struct Rounds {
    pub(crate) spin: Spin,
    pub(crate) circle: Circle,
    pub(crate) fairness: Fairness,
}

impl Rounds {
    /// Forgets the last execution, but not what it has taught.
    pub(crate) fn reset(&mut self) {
        self.spin.reset();
        self.circle.reset();
        self.fairness.reset();
    }
}
